// What the server says of contexts, and the page and the words that show it. Everything here is text of files that nobody vouches for:
// it reaches the page escaped, and the page runs no script and loads nothing.

export interface Layer {
  path: string;
  why: string;
  part: string;
  bytes: number;
  tokens: number;
  cutAtLine: number | null;
}

export interface Part {
  name: string;
  placement: string;
  text: string;
  /** For each line the layer and the line (from 1) that it comes from. */
  lines: ([number, number] | null)[];
}

export interface Skipped {
  path: string | null;
  token: string;
  reason: string;
}

export interface AgentContext {
  id: string;
  title: string;
  tokens: number;
  parts: Part[];
  layers: Layer[];
  skipped: Skipped[];
}

export interface Contexts {
  root: string;
  directory: string;
  agents: AgentContext[];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML, with a mark in place of each character that nobody sees. */
export function escapeHtml(text: string): string {
  const plain = (part: string): string => part.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
  const hidden = /[\p{Cf}\p{Cc}\p{Co}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
  let out = "";
  let at = 0;
  for (const match of text.matchAll(hidden)) {
    if (match[0] === "\t") {
      continue;
    }
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    out += `${plain(text.slice(at, match.index))}<mark>U+${code}</mark>`;
    at = match.index + match[0].length;
  }
  return out + plain(text.slice(at));
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** What the status bar says of a folder. */
export function statusText(contexts: Contexts): string {
  const most = contexts.agents.filter((agent) => agent.tokens > 0).sort((a, b) => b.tokens - a.tokens)[0];
  return most === undefined ? "" : `${most.id}: ${grouped(most.tokens)} tokens`;
}

/** What the status bar says when one points at it: every agent, and what is cut. */
export function statusDetails(contexts: Contexts): string {
  const line = (agent: AgentContext): string => {
    const cut = agent.layers.find((layer) => layer.cutAtLine !== null);
    const lost = cut === undefined ? "" : `, ${cut.path} cut at line ${cut.cutAtLine}`;
    return `${agent.id}: ${grouped(agent.tokens)} tokens from ${agent.layers.length} files${lost}`;
  };
  const where = contexts.directory === "" ? "the root" : contexts.directory;
  return [`What agents load in ${where}`, ...contexts.agents.map(line)].join("\n");
}

const STYLE = `
body { font-family: var(--vscode-font-family, sans-serif); color: var(--vscode-foreground); padding: 0 1em 1em; }
input { position: absolute; opacity: 0; }
label { display: inline-block; padding: .4em .8em; border-bottom: 2px solid transparent; cursor: pointer; }
input:checked + label { border-color: var(--vscode-focusBorder, #06c); font-weight: bold; }
input:focus-visible + label { outline: 1px solid var(--vscode-focusBorder, #06c); }
section { display: none; }
table { border-collapse: collapse; width: 100%; font-family: var(--vscode-editor-font-family, monospace); }
th, td { text-align: left; vertical-align: top; padding: 0 .6em; }
td.from { opacity: .7; white-space: nowrap; user-select: none; border-right: 1px solid var(--vscode-widget-border, #8888); }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; width: 100%; unicode-bidi: isolate; }
tr.own td.text { opacity: .7; font-style: italic; }
mark { font-size: .8em; border-radius: 3px; padding: 0 .2em; }
.cut { color: var(--vscode-errorForeground, #c00); }
`;

function partHtml(agent: AgentContext, part: Part): string {
  const row = (line: string, at: number): string => {
    const from = part.lines[at];
    const layer = from === null || from === undefined ? undefined : agent.layers[from[0]];
    const place = layer === undefined || from === null || from === undefined ? "" : `${layer.path}:${from[1]}`;
    const own = place === "" && line.trim() !== "" ? ' class="own"' : "";
    return `<tr${own}><td class="from">${escapeHtml(place)}</td><td class="text">${escapeHtml(line) || "&nbsp;"}</td></tr>`;
  };
  const lines = part.text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines[lines.length - 1] === "") {
    lines.pop();
  }
  const head = `<h3>${escapeHtml(part.name)}: ${escapeHtml(part.placement)}</h3>`;
  return `${head}<table aria-label="${escapeHtml(part.name)}">${lines.map(row).join("")}</table>`;
}

function agentHtml(agent: AgentContext): string {
  const layer = (layer: Layer): string => {
    const cut = layer.cutAtLine === null ? "" : ` <span class="cut">cut at line ${layer.cutAtLine}</span>`;
    const size = `${grouped(layer.bytes)} bytes, ${grouped(layer.tokens)} tokens`;
    return `<li>${escapeHtml(layer.path)}: ${escapeHtml(layer.why)}, ${size}${cut}</li>`;
  };
  const skipped = (skipped: Skipped): string =>
    `<li>${escapeHtml(skipped.path ?? skipped.token)}: ${escapeHtml(skipped.reason)}</li>`;
  const left = agent.skipped.length === 0 ? "" : `<h3>Not loaded</h3><ul>${agent.skipped.map(skipped).join("")}</ul>`;
  const parts = agent.parts.map((part) => partHtml(agent, part)).join("");
  return `<h2>${escapeHtml(agent.title)}: ${grouped(agent.tokens)} tokens</h2><ol>${agent.layers.map(layer).join("")}</ol>${parts || "<p>Nothing.</p>"}${left}`;
}

/** A page with one tab for each agent. `chosen` is the agent whose tab is open. */
export function contextsHtml(contexts: Contexts, chosen: string | undefined, nonce: string): string {
  const first = contexts.agents.some((agent) => agent.id === chosen) ? chosen : contexts.agents[0]?.id;
  const tab = (agent: AgentContext, at: number): string => {
    const checked = agent.id === first ? " checked" : "";
    return `<input type="radio" name="agent" id="tab${at}"${checked}><label for="tab${at}">${escapeHtml(agent.id)}</label>`;
  };
  const shown = contexts.agents.map((_, at) => `#tab${at}:checked ~ #agent${at} { display: block; }`).join("\n");
  const section = (agent: AgentContext, at: number): string => `<section id="agent${at}">${agentHtml(agent)}</section>`;
  const where = contexts.directory === "" ? "the root" : contexts.directory;
  const body =
    contexts.agents.length === 0
      ? "<p>No agent is enabled here.</p>"
      : contexts.agents.map(tab).join("") + contexts.agents.map(section).join("");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<title>What agents load</title><style nonce="${nonce}">${STYLE}${shown}</style></head>
<body><h1>What agents load in ${escapeHtml(where)}</h1>${body}</body></html>`;
}
