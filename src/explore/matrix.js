// Agents × files: for one directory, for all, and for a file that is touched.

const MARKS = { start: '●', touch: '◐', cut: '◒', waits: '○', never: '⊘', skipped: '–' };
const WORDS = {
  start: 'sent at start', touch: 'sent when the file is touched', cut: 'cut by a limit', waits: 'waits for a file that matches', never: 'never applies', skipped: 'looked at, not loaded',
};
const ORDER = Object.keys(MARKS);
const SHOWN = 200;

/** Rows by file name, each with what becomes of the file for each agent. The first word for a file and agent holds. */
class Matrix {
  constructor() { this.rows = new Map(); }

  put(name, agent, word, dir, said) {
    if (!this.rows.has(name)) this.rows.set(name, new Map());
    const row = this.rows.get(name);
    const known = row.get(agent);
    if (!known || ORDER.indexOf(word) < ORDER.indexOf(known.word)) row.set(agent, { word, dir, said });
  }

  /** What one agent does when it starts in one directory. */
  context(dir, agent) {
    const context = contextOf(dir, agent);
    for (const index of context.layers) {
      const row = data.layers[index];
      this.put(fileName(row, 0, 8), agent, row[5] >= 0 ? 'cut' : 'start', dir, whyLoaded(row));
    }
    for (const index of context.waits) {
      const row = data.waits[index];
      this.put(fileName(row, 0, 1), agent, row[3] >= 0 ? 'never' : 'waits', dir, plain(text(row[3] >= 0 ? row[3] : row[2])));
    }
    for (const index of context.skips) {
      const row = data.skips[index];
      if (row[0] >= 0) this.put(fileName(row, 0, 1), agent, 'skipped', dir, plain(text(row[5])));
    }
  }

  table(caption, most) {
    const names = [...this.rows.keys()].sort();
    const agents = used.filter((agent) => names.some((name) => this.rows.get(name).has(agent)));
    if (!names.length || !agents.length) return el('p', { class: 'empty' }, 'No agent loads a file here.');
    const body = el('tbody', {});
    const add = (from) => {
      for (const name of names.slice(from, from + most)) {
        const row = this.rows.get(name);
        body.append(el('tr', {}, el('th', { scope: 'row' }, el('bdi', {}, name)), agents.map((agent) => {
          const cell = row.get(agent);
          if (!cell) return el('td', {}, el('span', { class: 'unseen' }, 'nothing'));
          const said = `${WORDS[cell.word]}${cell.said ? `: ${cell.said}` : ''}`;
          return el('td', { class: cell.word }, el('a', {
            href: address({ view: 'dirs', dir: cell.dir, agent }), title: said, 'aria-label': `${data.agents[agent].id}, ${name}: ${said}`,
          }, MARKS[cell.word]));
        })));
      }
    };
    add(0);
    const box = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, el('table', { class: 'matrix' }, el('caption', {}, caption),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'File'), agents.map((agent) => el('th', { scope: 'col', class: 'tall' }, el('span', {}, data.agents[agent].id))))), body));
    let shown = most;
    const more = names.length > most ? el('button', {
      type: 'button', class: 'more', click: (event) => { add(shown); shown += most; if (shown >= names.length) event.currentTarget.remove(); },
    }, 'More files') : null;
    return [box, more];
  }
}

function legend(words) {
  return el('p', { class: 'legend' }, words.map((word) => [el('span', { class: 'item' }, el('span', { class: `mark ${word}` }, MARKS[word]), ` ${WORDS[word]}`), ' ']));
}

const everywhere = {};

function matrixView() {
  const here = state.as === 'whole';
  if (!here && !everywhere.matrix) {
    everywhere.matrix = new Matrix();
    // A context that many directories share is looked at once for each agent.
    const seen = used.map(() => new Set());
    data.dirs.forEach((dir, index) => used.forEach((agent, at) => {
      if (seen[at].has(dir.states[agent])) return;
      seen[at].add(dir.states[agent]);
      everywhere.matrix.context(index, agent);
    }));
  }
  const matrix = here ? new Matrix() : everywhere.matrix;
  if (here) used.forEach((agent) => matrix.context(state.dir, agent));
  const place = plain(dirName(data.dirs[state.dir].path));
  return [
    el('h2', {}, 'Agents and files'),
    el('div', { class: 'switch' }, el('a', { href: address({ as: 'layers' }), 'aria-current': here ? null : 'true' }, 'Started anywhere'),
      el('a', { href: address({ as: 'whole' }), 'aria-current': here ? 'true' : null }, `Started in ${place}`)),
    legend(['start', 'cut', 'waits', 'never', 'skipped']),
    matrix.table(here ? `What agents load in ${place}` : 'What agents load in any directory', SHOWN),
  ];
}

/** What each agent is sent at start and on touching `path`, started at the root; rules that do not match, too. */
function touched(path) {
  const at = data.touch.paths.indexOf(path);
  const dir = nearestDir(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const set = data.touch.sets[at >= 0 ? data.touch.of[at] : data.touch.dirs[dir]];
  const matrix = new Matrix();
  used.forEach((agent) => {
    for (const index of contextOf(0, agent).layers) {
      const row = data.layers[index];
      matrix.put(fileName(row, 0, 8), agent, row[5] >= 0 ? 'cut' : 'start', 0, whyLoaded(row));
    }
  });
  for (const [agent, index] of set) {
    const row = data.layers[index];
    matrix.put(fileName(row, 0, 8), agent, row[5] >= 0 ? 'cut' : 'touch', 0, whyLoaded(row));
  }
  used.forEach((agent) => {
    for (const index of contextOf(0, agent).waits) {
      const row = data.waits[index];
      matrix.put(fileName(row, 0, 1), agent, row[3] >= 0 ? 'never' : 'waits', 0, plain(text(row[3] >= 0 ? row[3] : row[2])));
    }
  });
  return { matrix, known: at >= 0, dir };
}

function touchView() {
  const results = el('div', { id: 'touched-files', 'aria-live': 'polite' });
  const input = el('input', {
    type: 'search', id: 'file', value: state.file, autocomplete: 'off', spellcheck: 'false', placeholder: 'src/x.ts', 'aria-describedby': 'file-help',
    input: () => suggest(),
  });
  const suggestions = el('ul', { class: 'suggestions', 'aria-label': 'Files' });
  const suggest = () => {
    const typed = input.value.trim().toLowerCase();
    const found = [];
    for (const path of typed ? data.touch.paths : []) {
      if (path.toLowerCase().includes(typed) && found.push(path) >= 12) break;
    }
    suggestions.replaceChildren(...found.map((path) => el('li', {}, el('a', { href: address({ view: 'touch', file: path }) }, el('bdi', {}, plain(path))))));
  };
  const answer = () => {
    const { matrix, known, dir } = touched(state.file);
    const unknown = data.touch.more ? 'The page does not know this file.' : 'There is no such file here.';
    return [
      el('h3', {}, 'On touching ', el('bdi', {}, plain(state.file)), ', started at the root'),
      known ? null : el('p', { class: 'note' }, `${unknown} Below is what any file in ${plain(dirName(data.dirs[dir].path))} calls in; rules with patterns are not decided.`),
      legend(['start', 'touch', 'cut', 'waits', 'never']),
      matrix.table(`Files that load on touching ${plain(state.file)}`, SHOWN),
    ];
  };
  if (state.file) results.append(...answer().flat(Infinity).filter(Boolean));
  return [
    el('h2', {}, 'I touch a file'),
    el('form', { class: 'ask', role: 'search', submit: (event) => { event.preventDefault(); go({ file: input.value.trim().replace(/^\.?\/+/, '') }, 'file'); } },
      el('label', { for: 'file' }, 'I touch '), input, el('button', { type: 'submit' }, 'Show'),
      el('p', { id: 'file-help', class: 'note' }, 'Which rules and files load then, for each agent, and which never do.')),
    suggestions, results,
  ];
}
