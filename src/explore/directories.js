// Directories as a tree beside bars of what each agent loads there; the layers of one context.

const ROW = 30;
const closed = new Set();
const tree = { rows: [], active: 0 };
const largest = { bytes: 0, tokens: 0 };
for (const own of data.states) {
  largest.bytes = Math.max(largest.bytes, own.bytes + own.cut);
  largest.tokens = Math.max(largest.tokens, own.tokens + Math.ceil(own.cut / 4));
}

function openRows() {
  const rows = [];
  const add = (dir, level) => {
    rows.push({ dir, level });
    if (!closed.has(dir)) children[dir].forEach((child) => add(child, level + 1));
  };
  add(0, 1);
  return rows;
}

/** A bar of what is sent and what is cut, as parts of `scale`. */
function bar(context, scale, name) {
  const cut = inUnit(context.cut);
  const part = (kind, length) => {
    const node = el('i', { class: kind });
    node.style.setProperty('--part', `${(100 * length) / Math.max(1, scale)}%`);
    return node;
  };
  return el('span', { class: name, 'aria-hidden': 'true' }, part('sent', size(context)), cut ? part('cut', cut) : null);
}

function rowLabel(dir) {
  const own = used.map((agent) => [agent, contextOf(dir, agent)]);
  const sizes = own.map(([agent, context]) => `${data.agents[agent].id} ${size(context)}${context.cut ? ', cut' : ''}`);
  return `${plain(dirName(data.dirs[dir].path))} ${sizes.join(', ')} ${state.unit}`;
}

function treeRow(row, at) {
  const { dir, level } = row;
  const path = data.dirs[dir].path;
  const has = children[dir].length > 0;
  const siblings = dir === 0 ? [0] : children[data.dirs[dir].parent];
  const name = path === '' ? './' : `${path.slice(data.dirs[data.dirs[dir].parent].path.length).replace(/^\//, '')}/`;
  const label = el('span', { class: 'name' }, el('span', { class: 'twist', 'aria-hidden': 'true' }, has ? (closed.has(dir) ? '▸' : '▾') : ''), el('bdi', {}, plain(name)));
  label.style.setProperty('--level', level - 1);
  const node = el('div', {
    role: 'treeitem', id: `row-${dir}`, class: 'row', 'aria-level': level, 'aria-selected': String(dir === state.dir),
    'aria-setsize': siblings.length, 'aria-posinset': siblings.indexOf(dir) + 1, 'aria-label': rowLabel(dir),
    'aria-expanded': has ? String(!closed.has(dir)) : null,
    click: (event) => {
      tree.active = at;
      if (has && event.target.classList.contains('twist')) toggle(dir);
      else go({ dir });
    },
  }, label, el('span', { class: 'bars' }, used.map((agent) => {
    const one = bar(contextOf(dir, agent), largest[state.unit], 'column');
    one.classList.toggle('chosen', agent === state.agent);
    one.title = `${data.agents[agent].id}: ${shownSize(size(contextOf(dir, agent)))}`;
    return one;
  })));
  node.classList.toggle('active', at === tree.active);
  return node;
}

function toggle(dir) {
  if (closed.has(dir)) closed.delete(dir);
  else closed.add(dir);
  tree.rows = openRows();
  drawTree();
}

/** Draw the rows that can be seen; all of them for print. */
function drawTree(all) {
  const { box, inner } = tree;
  if (!box) return;
  const first = all ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 10);
  const last = all ? Math.min(tree.rows.length, 1000) : Math.min(tree.rows.length, first + Math.ceil((box.clientHeight || 600) / ROW) + 20);
  inner.style.height = `${tree.rows.length * ROW}px`;
  inner.replaceChildren(...tree.rows.slice(first, last).map((row, index) => {
    const node = treeRow(row, first + index);
    node.style.top = `${(first + index) * ROW}px`;
    return node;
  }));
  const active = tree.rows[tree.active];
  if (active && document.getElementById(`row-${active.dir}`)) box.setAttribute('aria-activedescendant', `row-${active.dir}`);
  else box.removeAttribute('aria-activedescendant');
}

function scrollToActive() {
  const { box } = tree;
  const top = tree.active * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
}

function treeKey(event) {
  const row = tree.rows[tree.active];
  const page = Math.max(1, Math.floor(tree.box.clientHeight / ROW) - 1);
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in moves) tree.active = Math.min(tree.rows.length - 1, Math.max(0, tree.active + moves[event.key]));
  else if (event.key === 'ArrowRight' && closed.has(row.dir)) toggle(row.dir);
  else if (event.key === 'ArrowRight' && children[row.dir].length) tree.active += 1;
  else if (event.key === 'ArrowLeft' && children[row.dir].length && !closed.has(row.dir)) toggle(row.dir);
  else if (event.key === 'ArrowLeft' && row.dir !== 0) tree.active = tree.rows.findIndex((other) => other.dir === data.dirs[row.dir].parent);
  else if (event.key === 'Enter' || event.key === ' ') go({ dir: row.dir }, 'tree');
  else return;
  event.preventDefault();
  scrollToActive();
  drawTree();
}

function directoriesView() {
  for (let above = data.dirs[state.dir].parent; above >= 0; above = data.dirs[above].parent) closed.delete(above);
  tree.rows = openRows();
  tree.active = tree.rows.findIndex((row) => row.dir === state.dir);
  const scrolled = tree.box ? tree.box.scrollTop : 0;
  tree.inner = el('div', { class: 'inner', role: 'presentation' });
  tree.inner.style.height = `${tree.rows.length * ROW}px`;
  tree.box = el('div', { role: 'tree', id: 'tree', tabindex: 0, 'aria-label': 'Directories', keydown: treeKey, scroll: () => drawTree() }, tree.inner);
  tree.box.style.setProperty('--rows', tree.rows.length);
  const heads = el('div', { class: 'heads', 'aria-hidden': 'true' }, el('span', { class: 'name' }, count(data.dirs.length, 'directory', 'directories')),
    el('span', { class: 'bars' }, used.map((agent) => el('span', { class: agent === state.agent ? 'head chosen' : 'head', click: () => go({ agent }) }, data.agents[agent].id))));
  const idle = data.agents.filter((_, agent) => !used.includes(agent)).map((row) => row.id);
  const detail = el('section', { class: 'detail', 'aria-label': 'Context' }, detailOf());
  requestAnimationFrame(() => {
    tree.box.scrollTop = scrolled;
    scrollToActive();
    drawTree();
  });
  return el('div', { class: 'split' }, el('section', { class: 'side', 'aria-label': 'Directories and sizes' }, heads, tree.box,
    el('p', { class: 'legend' }, el('i', { class: 'sent' }), ' sent ', el('i', { class: 'cut' }), ' cut by the agent’s limit',
      idle.length ? `. Nothing here for ${idle.join(', ')}.` : '')), detail);
}

/** The bars of all agents in one directory, against their limits. */
function agentBars(dir) {
  const own = used.map((agent) => contextOf(dir, agent));
  const scale = Math.max(1, ...own.map((context) => Math.max(size(context) + inUnit(context.cut), context.cut ? inUnit(context.limit || 0) : 0)));
  return el('div', { class: 'agents', role: 'radiogroup', 'aria-label': 'Agent', keydown: radioKey }, used.map((agent, at) => {
    const context = own[at];
    const drawn = bar(context, scale, 'wide');
    const limit = context.limit === null ? null : inUnit(context.limit);
    if (limit !== null && limit <= scale) {
      const mark = el('b', { title: `limit ${limit}` });
      mark.style.setProperty('--part', `${(100 * limit) / scale}%`);
      drawn.append(mark);
    }
    const row = data.agents[agent];
    const chosen = agent === state.agent;
    const cut = context.cut ? `, ${shownSize(inUnit(context.cut))} cut` : '';
    const of = limit === null ? '' : ` of at most ${limit.toLocaleString('en')}`;
    return el('div', {
      role: 'radio', class: 'agent', tabindex: chosen ? 0 : -1, 'aria-checked': String(chosen), 'data-agent': agent,
      title: `${row.title} ${row.version} (${row.proof})${row.enabled ? '' : ', not in use here'}`, click: () => go({ agent }, 'agent'),
    }, el('span', { class: row.enabled ? 'id' : 'id idle' }, row.id), drawn, el('span', { class: 'size' }, `${shownSize(size(context))}${of}${cut}`));
  }));
}

function radioKey(event) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === ' ' || event.key === 'Enter') go({ agent: Number(event.target.dataset.agent) }, 'agent');
  else if (step) {
    const at = used.indexOf(Number(event.target.dataset.agent));
    go({ agent: used[(at + step + used.length) % used.length] }, 'agent');
  } else return;
  event.preventDefault();
}

function detailOf() {
  const context = contextOf(state.dir, state.agent);
  const row = data.agents[state.agent];
  const path = plain(dirName(data.dirs[state.dir].path));
  const views = [['layers', 'Files'], ['whole', 'Text as sent']];
  const budget = row.id === 'merged' && context.bytes > data.budget
    ? el('p', { class: 'finding warning' }, `over the limit of ${data.budget.toLocaleString('en')} bytes that the config sets`) : null;
  return [
    el('h2', {}, 'Started in ', el('bdi', {}, path)),
    agentBars(state.dir),
    el('h3', {}, `${row.title} here`),
    budget,
    el('div', { class: 'switch' }, views.map(([as, label]) => el('a', { href: address({ as }), 'aria-current': state.as === as ? 'true' : null }, label))),
    state.as === 'whole' ? wholeText(context) : layersOf(context),
    context.notes.map((note) => el('p', { class: 'note' }, plain(text(note)))),
  ];
}

function layersOf(context) {
  const sent = sentLines(context);
  const several = new Map();
  const layers = context.layers.map((index, at) => {
    const row = data.layers[index];
    several.set(row[0], (several.get(row[0]) || 0) + 1);
    return layerCard(row, at, sent.get(row[0]) || new Set(), at === 0);
  });
  const waits = context.waits.map((index) => {
    const row = data.waits[index];
    const globs = row[2] >= 0 ? `for ${plain(text(row[2]))}` : 'for a request';
    return card(row[0], fileName(row, 0, 1), `waits ${globs}${row[3] >= 0 ? `, never loaded: ${plain(text(row[3]))}` : ''}`, row[3] >= 0 ? 'never' : 'waits');
  });
  const skips = context.skips.map((index) => {
    const row = data.skips[index];
    const by = row[3] >= 0 ? ` (@${plain(text(row[2]))} in ${plain(data.files[row[3]].path)}${row[4] > 0 ? ` line ${row[4]}` : ''})` : '';
    return card(row[0], fileName(row, 0, 1) || `@${plain(text(row[2]))}`, `${plain(text(row[5]))}${by}`, 'not loaded');
  });
  const list = (title, cards) => (cards.length ? [el('h4', {}, `${title} (${cards.length})`), el('ol', { class: 'cards' }, cards)] : null);
  return [
    layers.length ? list('Loaded, in this order', layers) : el('p', { class: 'empty' }, 'It loads no file here.'),
    list('Waits', waits), list('Not loaded', skips),
  ];
}

/** A file with what is said of it, and its text once it is opened. */
function card(file, name, said, kind, facts, sent, open) {
  const found = file >= 0 ? data.files[file].findings : [];
  const worst = ['error', 'warning', 'info'].find((level) => found.some((row) => row.level === level));
  const body = el('div', { class: 'body' });
  const box = el('details', {
    class: `card ${kind.replace(' ', '-')}`,
    toggle: () => { if (box.open && !body.firstChild) body.append(...[fileText(file, sent)].flat(Infinity)); },
  }, el('summary', {}, el('bdi', { class: 'path' }, name), ' ', el('span', { class: 'kind' }, kind), ' ', el('span', { class: 'said' }, said),
    facts ? el('span', { class: 'facts' }, facts) : null,
    worst ? el('span', { class: `badge ${worst}` }, count(found.length, 'finding', 'findings')) : null), body);
  if (file < 0 || (data.files[file].text === null && !found.length)) {
    return el('li', {}, el('div', { class: `card plain ${kind.replace(' ', '-')}` }, el('bdi', { class: 'path' }, name), ' ', el('span', { class: 'kind' }, kind), ' ', el('span', { class: 'said' }, said)));
  }
  if (open) box.open = true;
  return el('li', {}, box);
}

function layerCard(row, at, sent, open) {
  const file = row[0] >= 0 ? data.files[row[0]] : null;
  const lost = file && row[5] >= 0 ? `, cut in line ${row[6]} after ${row[5].toLocaleString('en')} bytes: ${(file.bytes - row[5]).toLocaleString('en')} lost` : '';
  const facts = file ? `${file.bytes.toLocaleString('en')} bytes, ${data.estimated ? 'about ' : ''}${file.tokens.toLocaleString('en')} tokens${lost}` : '';
  return card(row[0], fileName(row, 0, 8), whyLoaded(row), row[5] >= 0 ? 'cut' : PARTS[row[1]], facts, sent, open);
}

/** The parts as they are sent, each line with the file and line that it comes from. */
function wholeText(context) {
  if (!context.parts.length) return el('p', { class: 'empty' }, 'It is sent nothing here.');
  return context.parts.map(([part, placement, runs]) => {
    const lines = partLines(runs).map((line) => ({
      text: line.text, sent: true, from: line.file >= 0 ? `${plain(data.files[line.file].path)}:${line.line + 1}` : '',
    }));
    return [el('h4', {}, `Part ${PARTS[part]}`), el('p', { class: 'note' }, plain(text(placement))), lineList(lines, `Part ${PARTS[part]}`)];
  });
}
