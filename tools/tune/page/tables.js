// The tables: every failure by its reason, and every configuration.
report.failures = (run) => {
  const section = report.section('failures', 'Failures', null);
  section.classList.add('long');
  const groups = new Map();
  for (const candidate of run.candidates)
    for (const {kind, reason} of candidate.failures) {
      const key = JSON.stringify([kind, reason]);
      if (!groups.has(key)) groups.set(key, {kind, reason, candidates: []});
      groups.get(key).candidates.push(candidate);
    }
  if (groups.size === 0) return report.nothing(section, 'No configuration failed.');
  const kinds = Object.keys(report.kinds);
  const sorted = [...groups.values()].sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.candidates.length - a.candidates.length ||
          (a.reason < b.reason ? -1 : 1));
  const counts = kinds.map((kind) => [kind, run.failed.filter((c) => c.kind === kind).length]).filter(([, n]) => n > 0);
  section.append(report.element(
      'p', {class: 'lead'},
      counts.length === 0 ? 'Every configuration was correct when tried again.' :
                            `${run.failed.length} of ${run.candidates.length} configurations: ` +
              counts.map(([kind, n]) => `${n} ${report.kinds[kind]}`).join(', ') + '.'));
  const body = report.element(
      'tbody', {},
      ...sorted.map(
          (group) => report.element(
              'tr', {'data-kind': group.kind, 'data-count': group.candidates.length},
              report.element('td', {class: 'kind word'}, report.kinds[group.kind]),
              report.element('td', {class: 'reason code'}, group.reason || '(no reason recorded)'),
              report.element('td', {}, report.failedList(group.candidates)))));
  section.append(report.scroll(
      report.element(
          'table', {},
          report.element(
              'thead', {},
              report.element(
                  'tr', {},
                  ...['what', 'reason', 'configurations'].map((text) => report.element('th', {scope: 'col'}, text)))),
          body),
      'Failures', false));
  return null;
};

report.failedList = (candidates) => {
  const items = candidates.map(
      (c) => report.element(
          'li', {class: 'code', 'data-configuration': c.text},
          c.text + (c.kind === 'correct' ? ' (correct when tried again)' : '')));
  return report.element(
      'details', {}, report.element('summary', {}, String(candidates.length)), report.element('ul', {}, ...items));
};

// A table that scrolls within itself can be reached and scrolled by keyboard.
report.scroll = (table, label, tall) => report.element(
    'div', {class: 'scroll' + (tall ? ' tall' : ''), tabindex: 0, role: 'region', 'aria-label': label}, table);

// Columns: title, the value to sort by, the text, whether it is a number, sorts downwards at first, sorts the table.
report.columns = (run) => {
  const number = (title, value, text) =>
      ({title, value, text: (c) => value(c) === undefined ? '' : text(value(c)), number: true});
  const has = (key) => run.correct.some((c) => c[key] !== undefined);
  const columns = run.parameters.map((name) => {
    const numeric = run.values[name].every((v) => typeof v !== 'string');
    return {
      title: name,
      value: (c) => c.parameters[name],
      text: (c) => c.parameters[name] === undefined ? '' : String(c.parameters[name]),
      number: numeric,
      parameter: true
    };
  });
  columns.push({...number('GCUPS', (c) => c.gcups, report.gcups), down: true, first: !run.relative});
  if (run.relative && has('relative'))
    columns.push({...number('to model', (c) => c.relative, (v) => v.toFixed(3)), down: true, first: true});
  if (has('limit'))
    columns.push({...number('of limit', (c) => c.limit ? c.gcups / c.limit : undefined, report.percent), down: true});
  if (has('spread')) columns.push(number('spread', (c) => c.spread, report.percent));
  if (has('outliers')) columns.push(number('outliers', (c) => c.outliers, String));
  columns.push({
    title: 'result',
    value: (c) => c.kind === 'correct' ? 'correct' : report.kinds[c.kind],
    number: false,
    result: true
  });
  columns.push(number('built in', (c) => c.generation + c.compilation || undefined, report.seconds));
  columns.push(number('taken', (c) => c.sequence, (n) => String(n)));
  return columns;
};

report.configurations = (run) => {
  const section = report.section(
      'configurations', 'Every configuration', 'A column\'s title sorts by it; again, the other way round.');
  section.classList.add('long');
  const columns = report.columns(run), body = report.element('tbody');
  const rows = run.candidates.map((candidate) => ({candidate, row: report.configurationRow(run, columns, candidate)}));
  const heads = columns.map(
      (column) => report.element(
          'th', {scope: 'col', class: column.number ? 'number' : null, 'aria-sort': 'none'},
          report.element('button', {type: 'button'}, column.title)));
  const sort = (at, down) => {
    const value = columns[at].value;
    rows.sort((a, b) => {
      const x = value(a.candidate), y = value(b.candidate);
      if (x === undefined || y === undefined)
        return (x === undefined) - (y === undefined);  // what is missing comes last
      return (down ? -1 : 1) * report.order(x, y) || a.candidate.sequence - b.candidate.sequence;
    });
    body.replaceChildren(...rows.map(({row}) => row));
    heads.forEach((head, i) => head.setAttribute('aria-sort', i !== at ? 'none' : down ? 'descending' : 'ascending'));
  };
  heads.forEach(
      (head, i) => head.firstChild.addEventListener(
          'click',
          () => sort(
              i,
              head.getAttribute('aria-sort') === 'none' ? columns[i].down :
                                                          head.getAttribute('aria-sort') === 'ascending')));
  sort(columns.findIndex((column) => column.first), true);
  section.append(report.scroll(
      report.element('table', {}, report.element('thead', {}, report.element('tr', {}, ...heads)), body),
      'Every configuration', true));
  return null;
};

report.configurationRow = (run, columns, candidate) => report.element(
    'tr', {
      class: candidate === run.best ? 'best' : null,
      'data-configuration': candidate.text,
      'data-kind': candidate.kind,
      'data-gcups': candidate.gcups,
      'data-limit': candidate.limit,
      'data-repeats': candidate.repeats && candidate.repeats.length,
    },
    ...columns.map(
        (column) => column.result ?
            report.resultCell(run, column, candidate) :
            report.element('td', {class: column.number ? 'number' : 'word'}, column.text(candidate))));

report.resultCell = (run, column, candidate) => report.element(
    'td', {
      class: candidate.kind === 'correct' ? 'word' : 'kind',
      title: candidate.failures.map((f) => f.reason).join('\n') || null
    },
    column.value(candidate), candidate === run.best ? report.element('span', {class: 'tag best'}, 'best') : null,
    candidate.model ? report.element('span', {class: 'tag model'}, 'model') : null);
