// Texts as lines: numbered, what hides made visible, findings below their lines, long ones in portions.

const LINES = 400;
const LONG = 2000;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const HIDDEN_RUN = new RegExp(`(?:${HIDDEN.source})+`, 'gu');

/** Whether a character hides; a tab does not, nor does the selector that makes an emoji colourful. */
function hides(character, before) {
  if (character === '\t' || character === '\r') return false;
  return !(character === '\uFE0F' && /\p{Emoji}$/u.test(before));
}

function codePoint(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A name or message with what hides spelled out. */
function plain(string) {
  return string.replace(HIDDEN_RUN, (run) => [...run].map((c) => `\\u{${c.codePointAt(0).toString(16).toUpperCase()}}`).join(''));
}

/** What tag characters say. */
function decoded(run) {
  const letters = [...run].map((c) => c.codePointAt(0)).filter((c) => c >= 0xE0020 && c < 0xE007F);
  return letters.length ? ` untrusted text: “${String.fromCharCode(...letters.slice(0, 200).map((c) => c - 0xE0000))}”` : '';
}

/** Text nodes, and marks for what hides. */
function visible(string) {
  const nodes = [];
  let at = 0;
  for (const found of string.matchAll(HIDDEN_RUN)) {
    const run = [...found[0]].filter((c) => hides(c, string.slice(0, found.index)));
    if (!run.length) continue;
    nodes.push(string.slice(at, found.index));
    at = found.index + found[0].length;
    const names = run.length > 3 ? `${run.length} hidden: ${codePoint(run[0])} … ${codePoint(run[run.length - 1])}` : run.map(codePoint).join(' ');
    nodes.push(el('span', { class: 'hides', title: run.slice(0, 100).map(codePoint).join(' ') }, names + decoded(found[0])));
  }
  nodes.push(string.slice(at));
  return nodes;
}

/** A long text in portions: one line of a megabyte must not hold up the page. */
function clipped(string) {
  if (string.length <= LONG) return visible(string);
  const rest = el('button', {
    type: 'button',
    class: 'more',
    click: (event) => {
      const next = string.slice(LONG);
      event.currentTarget.replaceWith(...clipped(next));
    },
  }, `${count(string.length - LONG, 'character', 'characters')} more`);
  return [...visible(string.slice(0, LONG)), rest];
}

function finding(row) {
  const rule = row.url ? el('a', { href: row.url, rel: 'noreferrer' }, row.rule) : row.rule;
  return el('div', { class: `finding ${row.level}` },
    el('strong', {}, row.level), ' ', rule, ' ', plain(row.message),
    row.help ? el('div', { class: 'help' }, plain(row.help)) : null);
}

/** Lines with their numbers. Each is `{ no, text, sent, from, findings }`. */
function lineList(lines, label) {
  const list = el('div', { class: 'code', role: 'group', 'aria-label': label });
  const add = (from) => {
    for (const line of lines.slice(from, from + LINES)) {
      list.append(el('div', { class: line.sent ? 'line' : 'line unsent' },
        line.from === undefined ? null : el('span', { class: 'from' }, line.from),
        el('span', { class: 'no' }, line.no === undefined ? '' : String(line.no)),
        el('code', {}, line.sent ? null : el('span', { class: 'hint' }, 'not sent: '), clipped(line.text))));
      (line.findings || []).forEach((row) => list.append(finding(row)));
    }
    const left = lines.length - from - LINES;
    if (left > 0) {
      list.append(el('button', {
        type: 'button', class: 'more', click: (event) => { event.currentTarget.remove(); add(from + LINES); },
      }, `${count(left, 'line', 'lines')} more`));
    }
  };
  add(0);
  return list;
}

const splitFiles = new Map();

/** The lines of a file. */
function linesOf(file) {
  if (!splitFiles.has(file)) splitFiles.set(file, (data.files[file].text || '').split('\n'));
  return splitFiles.get(file);
}

/** The lines of a part: their text, and the file and line (from 0) that each comes from. */
function partLines(runs) {
  const lines = [];
  for (let at = 0; at < runs.length;) {
    if (runs[at] === -1) {
      lines.push({ text: text(runs[at + 1]), file: runs[at + 2], line: runs[at + 3] });
      at += 4;
    } else {
      const [file, line, number] = runs.slice(at, at + 3);
      const own = linesOf(file);
      for (let n = line; n < line + number; n++) lines.push({ text: own[n], file, line: n });
      at += 3;
    }
  }
  return lines;
}

/** For each file of a context the lines of it that are sent. */
function sentLines(context) {
  const sent = new Map();
  for (const [, , runs] of context.parts) {
    for (const { file, line } of partLines(runs)) {
      if (file < 0) continue;
      if (!sent.has(file)) sent.set(file, new Set());
      sent.get(file).add(line);
    }
  }
  return sent;
}

/** A file's text; lines that are not among `sent` are marked. Blank ones do not count. */
function fileText(file, sent) {
  const row = data.files[file];
  const lines = row.text === null ? [] : [...linesOf(file)];
  if (lines.length > 1 && lines[lines.length - 1] === '') lines.pop();
  const whole = row.findings.filter((found) => found.line === 0 || row.text === null);
  const list = lines.map((string, at) => ({
    no: at + 1,
    text: string,
    sent: !sent || sent.has(at) || string.trim() === '',
    findings: row.findings.filter((found) => found.line === at + 1),
  }));
  return [whole.map(finding), list.length ? lineList(list, `Text of ${plain(row.path)}`) : el('p', { class: 'empty' }, 'The page does not hold its text.')];
}
