// Plans with their progress, what changed since a revision, and how contexts grew.

function plansView() {
  const plans = data.plans.map((plan) => {
    const path = plain(data.files[plan.file].path);
    const ratio = (done, total) => el('progress', { max: Math.max(1, total), value: done, 'aria-label': `${done} of ${total} done` });
    // A heading that is the title says nothing more.
    const sections = plan.sections.filter(([heading, , , done, total]) => heading !== plan.title || done !== plan.done || total !== plan.total);
    return el('section', { class: 'plan', 'aria-label': path },
      el('h3', {}, el('bdi', {}, plain(plan.title || path))),
      el('p', {}, ratio(plan.done, plan.total), ` ${plan.done} of ${plan.total} done${plan.cancelled ? `, ${plan.cancelled} cancelled` : ''} `, el('bdi', { class: 'note' }, path)),
      el('ul', { class: 'sections' }, sections.map(([heading, level, , done, total]) => {
        const item = el('li', {}, ratio(done, total), ` ${done}/${total} `, el('bdi', {}, plain(heading)));
        item.style.setProperty('--level', level - 1);
        return item;
      })),
      plan.open.length ? el('details', {}, el('summary', {}, `${count(plan.open.length, 'open task', 'open tasks')}`),
        el('ul', {}, plan.open.slice(0, 500).map(([line, task]) => el('li', {}, el('span', { class: 'note' }, `line ${line} `), el('bdi', {}, plain(task)))))) : null);
  });
  return [el('h2', {}, 'Plans'), plans.length ? plans : el('p', { class: 'empty' }, 'There are no plans here.')];
}

function arrow(before, after) {
  const sign = after >= before ? '+' : '−';
  return `${before.toLocaleString('en')} → ${after.toLocaleString('en')} (${sign}${Math.abs(after - before).toLocaleString('en')})`;
}

/** Sizes before and after in the chosen unit. */
function pair(sizes) {
  return state.unit === 'tokens' ? [sizes[2], sizes[3]] : [sizes[0], sizes[1]];
}

function sideBySide(rows) {
  const body = el('tbody', {});
  const cell = (side, other, kind) => {
    const changed = !other || !side || side[1] !== other[1];
    return [el('td', { class: 'no' }, side ? String(side[0]) : ''),
      el('td', { class: side && changed ? kind : '' }, side ? el('code', {}, changed ? el('span', { class: 'hint' }, `${kind}: `) : null, clipped(side[1])) : '')];
  };
  const add = (from) => {
    for (const [left, right] of rows.slice(from, from + LINES)) {
      body.append(!left && !right ? el('tr', {}, el('td', { colspan: 4, class: 'gap' }, '⋯'))
        : el('tr', {}, cell(left, right, 'removed'), cell(right, left, 'added')));
    }
    if (rows.length > from + LINES) {
      body.append(el('tr', {}, el('td', { colspan: 4 }, el('button', {
        type: 'button', class: 'more', click: (event) => { event.currentTarget.closest('tr').remove(); add(from + LINES); },
      }, `${count(rows.length - from - LINES, 'row', 'rows')} more`))));
    }
  };
  add(0);
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Before and after' }, el('table', { class: 'sides' },
    el('caption', {}, 'Before and after'),
    el('colgroup', {}, ['no', '', 'no', ''].map((name) => el('col', { class: name }))), el('thead', {}, el('tr', {}, el('th', { scope: 'col', colspan: 2 }, 'Before'), el('th', { scope: 'col', colspan: 2 }, 'After'))), body));
}

function changesView() {
  const { base, groups } = data.since;
  const parts = groups.slice(0, SHOWN).map(({ members, facts, rows }) => {
    const agents = [...new Set(members.map(([agent]) => data.agents[agent].id))];
    const places = [...new Set(members.map(([, scope]) => scope))];
    return el('section', { class: 'change' },
      el('h3', {}, el('bdi', {}, plain(dirName(places[0]))), places.length > 1 ? ` and ${count(places.length - 1, 'directory', 'directories')} more` : '', ` for ${agents.join(', ')}`),
      facts.length ? el('ul', {}, facts.map((fact) => el('li', {}, plain(fact)))) : null,
      el('details', {}, el('summary', {}, 'Sizes'), el('ul', {}, members.slice(0, 500).map(([agent, scope, sizes]) => el('li', {},
        el('a', { href: address({ view: 'dirs', dir: nearestDir(scope), agent }) }, data.agents[agent].id, ' in ', el('bdi', {}, plain(dirName(scope)))), ` ${arrow(...pair(sizes))} ${state.unit}`)))),
      rows.length ? sideBySide(rows) : null);
  });
  const many = groups.length > SHOWN ? el('p', { class: 'note' }, `${groups.length - SHOWN} more changes are not shown; \`hintlint diff\` has them.`) : null;
  return [el('h2', {}, 'Since ', el('bdi', {}, plain(base))), parts.length ? parts : el('p', { class: 'empty' }, 'No context changed.'), many];
}

const PLOT = { width: 900, height: 320, left: 70, right: 20, top: 20, bottom: 40 };

/** The size of one agent's context in a directory after each commit; before the first one that changed it, what that one found. */
function series(agent, scope) {
  const own = data.growth.steps.map((step) => step.sizes.find(([id, at]) => id === data.agents[agent].id && at === scope));
  const first = own.find(Boolean);
  if (!first) return null;
  let last = pair(first[2])[0];
  const values = own.map((found) => { last = found ? pair(found[2])[1] : last; return { value: last, changed: Boolean(found), sizes: found && found[2] }; });
  return { start: pair(first[2])[0], values };
}

/** The nearest directory that some commit changed for some agent. */
function grownScope() {
  const scopes = new Set(data.growth.steps.flatMap((step) => step.sizes.map(([, scope]) => scope)));
  for (let dir = state.dir; dir >= 0; dir = data.dirs[dir].parent) if (scopes.has(data.dirs[dir].path)) return data.dirs[dir].path;
  return [...scopes].sort()[0];
}

/** The next number whose quarters are short to read. */
function roundUp(number) {
  const unit = 10 ** Math.floor(Math.log10(number));
  return unit * [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((part) => part * unit >= number);
}

function plot(scope, own) {
  const steps = data.growth.steps;
  const most = roundUp(Math.max(40, ...[...own.values()].flatMap((line) => [line.start, ...line.values.map((point) => point.value)])));
  const inner = { width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const x = (at) => PLOT.left + (inner.width * at) / Math.max(1, steps.length);
  const y = (value) => PLOT.top + inner.height * (1 - value / most);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => [
    svg('line', { class: 'grid', x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(most * part), y2: y(most * part) }),
    svg('text', { class: 'axis', x: PLOT.left - 8, y: y(most * part) + 4, 'text-anchor': 'end' }, Math.round(most * part).toLocaleString('en')),
  ]);
  const dates = [0, Math.floor((steps.length - 1) / 2), steps.length - 1].filter((at, index, all) => all.indexOf(at) === index).map((at) => svg('text', {
    class: 'axis', x: x(at + 1), y: PLOT.height - 12, 'text-anchor': at === steps.length - 1 ? 'end' : 'middle' }, steps[at].date || 'now'));
  const order = [...own.keys()].sort((a, b) => (a === state.agent) - (b === state.agent));
  const lines = order.map((agent) => {
    const line = own.get(agent);
    const path = line.values.map((point, at) => `H${x(at + 1)}V${y(point.value)}`).join('');
    return svg('path', { class: agent === state.agent ? 'series chosen' : 'series', d: `M${x(0)},${y(line.start)}${path}` }, svg('title', {}, data.agents[agent].id));
  });
  const chosen = own.get(state.agent);
  const dots = (chosen ? chosen.values : []).map((point, at) => (point.changed ? svg('circle', { class: 'dot', cx: x(at + 1), cy: y(point.value), r: 4 },
    svg('title', {}, `${steps[at].id} ${steps[at].date}: ${point.value.toLocaleString('en')}`)) : null));
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Plot' }, svg('svg', {
    class: 'plot', viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: 'img', 'aria-label': `Sizes in ${plain(dirName(scope))} over ${steps.length} commits, in ${state.unit}; the table below has the numbers`,
  }, grid, dates, lines, dots));
}

function growthView() {
  const { steps, looked } = data.growth;
  const scope = grownScope();
  if (!steps.length || scope === undefined) return [el('h2', {}, 'History'), el('p', { class: 'empty' }, `None of the last ${looked} commits changed a context.`)];
  const own = new Map();
  used.forEach((agent) => { const line = series(agent, scope); if (line) own.set(agent, line); });
  const chosen = own.get(state.agent);
  const choose = el('p', { class: 'switch' }, [...own.keys()].map((agent) => el('a', { href: address({ agent }), 'aria-current': agent === state.agent ? 'true' : null }, data.agents[agent].id)));
  const rows = steps.map((step, at) => ({ step, point: chosen && chosen.values[at] })).reverse().map(({ step, point }) => el('tr', {},
    el('td', { class: 'number' }, step.date), el('td', {}, el('code', {}, step.id)), el('td', {}, el('bdi', {}, plain(step.subject))),
    el('td', { class: 'number' }, point && point.changed ? arrow(...pair(point.sizes)) : '·'), el('td', { class: 'number' }, String(new Set(step.sizes.map(([, dir]) => dir)).size))));
  return [
    el('h2', {}, 'History of ', el('bdi', {}, plain(dirName(scope)))),
    el('p', { class: 'note' }, `The last ${count(steps.length, 'commit', 'commits')} along the first parents that changed a context.`),
    choose, plot(scope, own),
    chosen ? null : el('p', { class: 'note' }, `No commit here changed what ${data.agents[state.agent].id} loads.`),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Commits' }, el('table', {}, el('caption', {}, 'Commits that changed contexts'),
      el('thead', {}, el('tr', {}, ['Date', 'Commit', 'Message', `${data.agents[state.agent].id}, ${state.unit}`, 'Directories'].map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, rows))),
  ];
}
