import assert from "node:assert/strict";
import { test } from "node:test";
import { contextsHtml, escapeHtml, statusDetails, statusText } from "../out/contexts.js";

const agent = (id, tokens, text, more = {}) => ({
  id,
  title: `${id} 1.0`,
  tokens,
  parts: [{ name: "main", placement: "first message", text, lines: text.split("\n").map((_, at) => (at === 0 ? null : [0, at])) }],
  layers: [{ path: "AGENTS.md", why: "project", part: "main", bytes: 10, tokens, cutAtLine: null }],
  skipped: [],
  ...more,
});
const contexts = (...agents) => ({ root: "/r", directory: "a/b", agents });

test("there is one tab for each agent, and the one that was asked for is open", () => {
  const html = contextsHtml(contexts(agent("one", 5, "frame\nline"), agent("two", 7, "x\ny")), "two", "n0");
  assert.equal(html.match(/type="radio"/g).length, 2);
  assert.match(html, /id="tab1" checked/);
  assert.match(html, /#tab1:checked ~ #agent1 \{ display: block; \}/);
  assert.match(html, /<tr class="own"><td class="from"><\/td><td class="text">frame<\/td>/);
  assert.match(html, /<td class="from">AGENTS.md:1<\/td><td class="text">line<\/td>/);
});

test("text of files stays text", () => {
  const hostile = "</td></table><script>x()</script><img src=x onerror=y> &amp; \u202e\u200b\u{e0041}\u0000`${1}`";
  const bad = agent("<b>", 1, `a\n${hostile}`, {
    title: hostile,
    layers: [{ path: hostile, why: hostile, part: "main", bytes: 1, tokens: 1, cutAtLine: 3 }],
    skipped: [{ path: null, token: hostile, reason: hostile }],
  });
  const html = contextsHtml({ root: hostile, directory: hostile, agents: [bad] }, hostile, "n0");
  const tags = new Set([...html.matchAll(/<([a-z0-9]+)/gi)].map((match) => match[1].toLowerCase()));
  for (const tag of ["script", "img", "b", "iframe", "link"]) {
    assert.ok(!tags.has(tag), tag);
  }
  assert.ok(!/[\u202e\u200b\u0000]|\u{e0041}/u.test(html));
  assert.match(html, /<mark>U\+202E<\/mark><mark>U\+200B<\/mark><mark>U\+E0041<\/mark><mark>U\+0000<\/mark>/);
  assert.match(html, /default-src 'none'; style-src 'nonce-n0'/);
  assert.equal(html.match(/<table/g).length, html.match(/<\/table>/g).length);
});

test("a tab character and ordinary letters are left alone", () => {
  assert.equal(escapeHtml("\té 世界 🙂"), "\té 世界 🙂");
  assert.equal(escapeHtml(`<a href="x">'&`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
});

test("the status bar counts", () => {
  const cut = agent("two", 1234567, "x", {
    layers: [{ path: "A.md", why: "project", part: "main", bytes: 1, tokens: 1, cutAtLine: 296 }],
  });
  const all = contexts(agent("one", 5, "x"), cut, agent("none", 0, ""));
  assert.equal(statusText(all), "two: 1,234,567 tokens");
  assert.match(statusDetails(all), /^What agents load in a\/b\none: 5 tokens from 1 files\ntwo: .*A\.md cut at line 296\n/);
  assert.equal(statusText(contexts()), "");
  assert.match(contextsHtml(contexts(), undefined, "n"), /No agent is enabled here/);
});
