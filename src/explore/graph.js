// The graph of imports, drawn from left to right, and as a table.

const BOX = { width: 210, height: 26, across: 70, down: 12 };
const DRAWN = 150;

/** Files by how many imports lead to them at least; files in a circle stay where they were first met. */
function columns(edges) {
  const out = new Map();
  const targets = new Set();
  const nodes = new Set();
  for (const edge of edges) {
    if (!out.has(edge.from)) out.set(edge.from, new Set());
    nodes.add(edge.from);
    if (edge.to < 0) continue;
    out.get(edge.from).add(edge.to);
    if (edge.to !== edge.from) targets.add(edge.to);
    nodes.add(edge.to);
  }
  const level = new Map();
  const visit = (start) => {
    const todo = [start];
    level.set(start, 0);
    while (todo.length) {
      const file = todo.shift();
      for (const next of out.get(file) || []) {
        if (level.has(next)) continue;
        level.set(next, level.get(file) + 1);
        todo.push(next);
      }
    }
  };
  [...nodes].filter((file) => !targets.has(file)).forEach(visit);
  [...nodes].filter((file) => !level.has(file)).forEach((file) => { if (!level.has(file)) visit(file); });
  const found = [];
  for (const [file, at] of level) (found[at] = found[at] || []).push(file);
  return found;
}

/** The edges that lead to or from `file`, over any number of imports. */
function around(file) {
  const near = new Set([file]);
  for (let before = 0; before !== near.size;) {
    before = near.size;
    data.imports.forEach((edge) => { if (near.has(edge.from) && edge.to >= 0) near.add(edge.to); });
  }
  const above = new Set([file]);
  for (let before = 0; before !== above.size;) {
    before = above.size;
    data.imports.forEach((edge) => { if (above.has(edge.to)) above.add(edge.from); });
  }
  return data.imports.filter((edge) => (near.has(edge.from)) || (above.has(edge.to)));
}

function shortened(path) {
  const name = plain(path);
  return name.length > 30 ? `…${name.slice(-29)}` : name;
}

function drawing(edges) {
  const place = new Map();
  const found = columns(edges);
  found.forEach((files, column) => files.forEach((file, row) => {
    place.set(file, { x: 10 + column * (BOX.width + BOX.across), y: 10 + row * (BOX.height + BOX.down) });
  }));
  const width = 20 + found.length * BOX.width + (found.length - 1) * BOX.across;
  const height = 20 + Math.max(...found.map((files) => files.length)) * (BOX.height + BOX.down);
  const lines = edges.filter((edge) => edge.to >= 0).map((edge) => {
    const [a, b] = [place.get(edge.from), place.get(edge.to)];
    const [x, y, u, v] = [a.x + BOX.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const bend = Math.max(40, Math.abs(u - x) / 2);
    const names = edge.agents.map((agent) => data.agents[agent].id).join(', ');
    return svg('path', { class: edge.problem ? 'edge bad' : 'edge', d: `M${x},${y} C${x + bend},${y} ${u - bend},${v} ${u},${v}` },
      svg('title', {}, `${plain(data.files[edge.from].path)} imports ${plain(data.files[edge.to].path)} for ${names}`));
  });
  const bad = new Map();
  edges.filter((edge) => edge.to < 0).forEach((edge) => bad.set(edge.from, (bad.get(edge.from) || 0) + 1));
  const boxes = [...place].map(([file, { x, y }]) => svg('a', { href: address({ view: 'imports', file: data.files[file].path }) },
    svg('title', {}, `${plain(data.files[file].path)}${bad.has(file) ? `: ${count(bad.get(file), 'import leads', 'imports lead')} nowhere` : ''}`),
    svg('rect', { class: bad.has(file) ? 'node bad' : 'node', x, y, width: BOX.width, height: BOX.height, rx: 6 }),
    svg('text', { x: x + 10, y: y + BOX.height / 2 + 4 }, shortened(data.files[file].path))));
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Graph of imports' },
    svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'graph', role: 'group', 'aria-label': 'Files and their imports' }, lines, boxes));
}

function importsView() {
  const file = data.files.findIndex((row) => row.path === state.file);
  const edges = file >= 0 ? around(file) : data.imports;
  if (!data.imports.length) return [el('h2', {}, 'Imports'), el('p', { class: 'empty' }, 'No file imports another.')];
  const drawn = edges.slice(0, DRAWN);
  const rows = edges.slice(0, SHOWN * 5).map((edge) => el('tr', { class: edge.problem ? 'bad' : null },
    el('th', { scope: 'row' }, el('bdi', {}, `${plain(data.files[edge.from].path)}:${edge.line}`)),
    el('td', {}, el('bdi', {}, `@${plain(edge.written)}`)),
    el('td', {}, edge.to >= 0 ? el('bdi', {}, plain(data.files[edge.to].path)) : '', edge.problem ? el('span', { class: 'problem' }, edge.problem) : null),
    el('td', {}, edge.agents.map((agent) => data.agents[agent].id).join(', '))));
  return [
    el('h2', {}, 'Imports'),
    file >= 0 ? el('p', {}, 'What leads to ', el('bdi', {}, plain(state.file)), ' and from it. ', el('a', { href: address({ file: '' }) }, 'Show all imports')) : null,
    drawing(drawn),
    drawn.length < edges.length ? el('p', { class: 'note' }, `The first ${DRAWN} imports are drawn; the table has more.`) : null,
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of imports' }, el('table', {}, el('caption', {}, 'Imports and the agents for whom they count'),
      el('thead', {}, el('tr', {}, ['In', 'Written', 'Leads to', 'For'].map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, rows))),
  ];
}
