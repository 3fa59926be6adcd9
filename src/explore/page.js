'use strict';
// Reads the data, keeps what is shown in the address, and makes elements. Texts of the repository become text nodes, never HTML.

const data = JSON.parse(document.getElementById('data').textContent);
const PARTS = ['user', 'main', 'after', 'touch'];
const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes, listeners (functions), and children: nodes, or strings as text. */
function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function text(index) {
  return index < 0 ? '' : data.strings[index];
}

function count(number, one, many) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** The size of something with `bytes` and `tokens`, in the chosen unit. */
function size(of) {
  return state.unit === 'tokens' ? of.tokens : of.bytes;
}

function shownSize(number) {
  const about = state.unit === 'tokens' && data.estimated ? 'about ' : '';
  return `${about}${number.toLocaleString('en')} ${state.unit}`;
}

/** Bytes in the chosen unit; four bytes count as a token where only bytes are known. */
function inUnit(bytes) {
  return state.unit === 'tokens' ? Math.ceil(bytes / 4) : bytes;
}

/** What the page shows. All but the unit stands in the address, so that a link leads to the same place. */
const state = { view: 'dirs', dir: 0, agent: 0, file: '', as: 'layers', unit: 'bytes' };

const dirOf = new Map(data.dirs.map((dir, index) => [dir.path, index]));
const children = data.dirs.map(() => []);
data.dirs.forEach((dir, index) => { if (dir.parent >= 0) children[dir.parent].push(index); });

function dirName(path) {
  return path === '' ? './' : `${path}/`;
}

/** The directory at `path`, or the nearest above it that the page has. */
function nearestDir(path) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (dirOf.has(at)) return dirOf.get(at);
    if (at === '') return 0;
  }
}

/** Agents that load something somewhere, or wait to. */
const used = data.agents.map((_, agent) => agent).filter((agent) => data.dirs.some((dir) => {
  const own = data.states[dir.states[agent]];
  return own.layers.length > 0 || own.waits.length > 0;
}));

function contextOf(dir, agent) {
  return data.states[data.dirs[dir].states[agent]];
}

function address(changes) {
  const next = { ...state, ...changes };
  const parts = new URLSearchParams();
  parts.set('view', next.view);
  parts.set('dir', data.dirs[next.dir].path);
  parts.set('agent', data.agents[next.agent].id);
  if (next.file) parts.set('file', next.file);
  if (next.as !== 'layers') parts.set('as', next.as);
  return `#${parts}`;
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const known = VIEWS.some((view) => view.id === parts.get('view'));
  state.view = known ? parts.get('view') : parts.has('file') ? 'touch' : 'dirs';
  state.dir = nearestDir((parts.get('dir') ?? data.start).replace(/^\.?\/+|\/+$/g, ''));
  const agent = data.agents.findIndex((row) => row.id === parts.get('agent'));
  if (agent >= 0) state.agent = agent;
  state.file = parts.get('file') || '';
  state.as = parts.get('as') === 'whole' ? 'whole' : 'layers';
}

/** Go to a place; the address keeps it. */
function go(changes, focus) {
  const next = address(changes);
  state.focus = focus || null;
  if (location.hash === next) show();
  else location.hash = next;
}

/** How a layer came, in words. */
function whyLoaded(row) {
  const why = text(row[2]);
  const globs = row[7] >= 0 ? `: matches ${plain(text(row[7]))}` : '';
  const by = row[3] >= 0 ? ` by ${plain(data.files[row[3]].path)}${row[4] > 0 ? ` line ${row[4]}` : ''}` : '';
  return `${why}${globs}${by}`;
}

/** The name of the file of a row whose file and name stand at these places. */
function fileName(row, file, name) {
  return plain(row[name] >= 0 ? text(row[name]) : row[file] >= 0 ? data.files[row[file]].path : '');
}
