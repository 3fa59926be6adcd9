// The views, and what shows the one that the address names.

const VIEWS = [
  { id: 'dirs', title: 'Directories', draw: directoriesView },
  { id: 'matrix', title: 'Agents × files', draw: matrixView },
  { id: 'touch', title: 'I touch a file', draw: touchView },
  { id: 'imports', title: 'Imports', draw: importsView },
  { id: 'plans', title: 'Plans', draw: plansView },
  ...(data.since ? [{ id: 'changes', title: 'Changes', draw: changesView }] : []),
  ...(data.growth ? [{ id: 'history', title: 'History', draw: growthView }] : []),
];

function show() {
  const view = VIEWS.find((one) => one.id === state.view) || VIEWS[0];
  document.getElementById('views').replaceChildren(...VIEWS.map((one) => el('a', {
    href: address({ view: one.id }), 'aria-current': one.id === view.id ? 'page' : null,
  }, one.title)));
  // Where the views do not fit into the window, the one that is shown is brought into sight.
  const tabs = document.getElementById('views');
  const shown = tabs.querySelector('[aria-current]');
  tabs.scrollLeft = shown.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - shown.offsetWidth) / 2;
  const main = document.getElementById('main');
  main.className = view.id;
  main.replaceChildren(...[view.draw()].flat(Infinity).filter(Boolean));
  const focus = state.focus === 'agent' ? main.querySelector('[role="radio"][tabindex="0"]')
    : state.focus && document.getElementById(state.focus);
  if (focus) focus.focus({ preventScroll: true });
}

function setTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function start() {
  state.agent = used.find((agent) => data.agents[agent].enabled && data.agents[agent].proof !== 'ours') ?? used[0] ?? 0;
  readAddress();
  document.getElementById('title').append('in ', el('bdi', {}, plain(data.title)));
  const notes = document.getElementById('notes');
  data.notes.forEach((note) => notes.append(el('p', { class: 'note' }, plain(note))));
  document.getElementById('unit').addEventListener('change', (event) => { state.unit = event.target.value; show(); });
  document.getElementById('theme').addEventListener('change', (event) => setTheme(event.target.value));
  document.getElementById('skip').addEventListener('click', (event) => { event.preventDefault(); document.getElementById('main').focus(); });
  window.addEventListener('hashchange', () => { readAddress(); show(); state.focus = null; });
  window.addEventListener('resize', () => drawTree());
  window.addEventListener('beforeprint', () => drawTree(true));
  window.addEventListener('afterprint', () => drawTree());
  show();
}

start();
