// The top of the page: what was tuned, the winner, the facts about the run, and several runs side by side.
report.runName = (run) => `${run.spec.name} on ${run.target} (${run.device})`;

report.heading = (chosen, changed) => {
  const run = report.runs[chosen], head = document.getElementById('head');
  const what =
      [`target ${run.target}`, `device ${run.device}`, run.mode ? `mode ${run.mode}` : '', run.device_name || run.cpu];
  head.replaceChildren(
      report.element('h1', {}, 'Tuning ', report.element('span', {'data-fact': 'spec'}, run.spec.name)),
      report.element(
          'p', {class: 'what'},
          ...what.filter((text) => text).flatMap((text, i) => [i ? ' · ' : '', report.element('bdi', {}, text)])));
  const controls = [];
  if (report.runs.length > 1) {
    const names = report.runs.map((r, i) => `${i + 1}: ${r.file}, ${report.runName(r)}`);
    controls.push(report.select('run', names, chosen, (i) => changed(i, 'run-choice')));
    controls[0].id = 'run-choice';
  }
  if (run.relative) {
    const pick = (i) => {
      report.corrected = i === 0;
      changed(chosen, 'drawn-choice');
    };
    controls.push(report.select(
        'charts show', ['times the model\'s choice in the same group', 'GCUPS as measured'], Number(!report.corrected),
        pick));
    controls[controls.length - 1].id = 'drawn-choice';
  }
  if (controls.length) head.append(report.element('div', {class: 'controls choice'}, ...controls));
};

// Figures: title, the value, its unit, a note, and the number for tests and scripts.
report.figure = (name, title, value, unit, note, number) => [report.element(
    'div', {'data-figure': name, 'data-value': number}, report.element('dt', {}, title),
    report.element(
        'dd', {},
        report.element('div', {class: 'big'}, value, unit ? report.element('span', {class: 'unit'}, ' ' + unit) : null),
        note ? report.element('div', {class: 'note'}, note) : null))];

report.summary = (run) => {
  const section = report.section('summary', 'Result', null), best = run.best;
  const counted = report.figure(
      'counts', 'configurations', String(run.candidates.length), '',
      `${run.correct.length} correct, ${run.failed.length} failed`, run.candidates.length);
  if (!best) {
    section.append(report.element('dl', {class: 'figures'}, ...counted));
    report.absent(section, 'No configuration was correct, so there is no winner.');
  } else {
    const spread = best.spread === undefined ? '' : `spread ${report.percent(best.spread)}`;
    // What counts comes first.
    const figures = report.final(run);
    figures.push(...report.figure('best', 'best of the search', report.gcups(best.gcups), 'GCUPS', spread, best.gcups));
    figures.push(
        ...(best.limit ? report.figure(
                             'limit', 'of the limit', report.percent(best.gcups / best.limit), '',
                             `limit ${report.gcups(best.limit)} GCUPS`, best.gcups / best.limit) :
                         report.figure('limit', 'of the limit', '–', '', 'no limit recorded', null)));
    figures.push(...report.gain(run), ...counted);
    section.append(
        report.element('dl', {class: 'figures'}, ...figures),
        report.element('p', {class: 'winner', 'data-best': best.text}, report.element('code', {}, best.text)));
  }
  section.append(report.element('p', {class: 'next', 'data-next': run.next}, 'Next: ', report.nextStep(run.next)));
  report.facts(section, run);
  return null;
};

// A command as one.
report.nextStep = (words) => words.startsWith('alnsmith ') ? report.element('code', {}, words) : words;

report.gain = (run) => {
  const model = run.model, title = 'in the search, against the model\'s choice';
  if (!model) return report.figure('gain', title, '–', '', 'not marked in the recording', null);
  if (model.kind !== 'correct')
    return report.figure('gain', title, '–', '', `the model's choice ${report.kinds[model.kind]}`, null);
  if (model === run.best) return report.figure('gain', title, 'same', '', 'the model chose the best', 1);
  const gain = run.score(run.best) / run.score(model);
  const counts = run.final ? '; the comparison in turns counts' : '; not compared in turns yet';
  return report.figure(
      'gain', title, report.signed(gain - 1), '',
      `${report.gcups(model.gcups)} GCUPS: ${report.brief(run, model)}${counts}`, gain);
};

// The winner and the model's choice once more, in turns: only a gain above the spread counts.
report.final = (run) => {
  const last = run.final, title = 'final: in turns with the model\'s choice';
  if (!last) return [];
  if (last.kind !== 'correct')
    return report.figure('final', title, '–', '', `${report.kinds[last.kind]}: ${last.reason}`, null);
  if (last.gain === undefined) return [];
  const spread = last.gain_spread === undefined ? 0 : last.gain_spread;
  const noise =
      !last.noisy ? '' : `; noisy, the quietest of ${last.comparisons || 1} comparisons: smaller gains do not show`;
  const note = `${last.verdict}: spread ${report.percent(spread)}${noise}` +
      (last.text === run.best.text ? '' : `; ${last.text}`);
  return report.figure('final', title, report.signed(last.gain - 1), '', note, last.gain);
};

report.facts = (section, run) => {
  const range = ([low, middle, high]) => low === high ? String(low) : `${low} to ${high} (median ${middle})`;
  const work = run.work, count = d3.format(',d');
  const lengths =
      work.query_length[2] ? `, query ${range(work.query_length)}, target ${range(work.target_length)} letters` : '';
  const times = run.timestamps;
  const facts = [
    [
      'recording',
      `${run.file}: ${run.records} records` + (run.torn ? '; the last line was cut off and is left out' : '')
    ],
    ['spec', `${run.spec.name}, ${run.spec.hash}`],
    [
      'workload',
      work.name ? `${work.name}, seed ${work.seed}: ${count(work.pairs)} pairs, ${count(work.cells)} cells${lengths}` :
                  ''
    ],
    ['search', run.searches.join('; ')],
    ['measured', times.length ? (times.length === 1 ? times[0] : `${times[0]} to ${times[times.length - 1]}`) : ''],
    ['device', run.device_name],
    ['driver', run.drivers.join('; ')],
    ['processor', [run.cpu, run.cpu_class, run.cores ? `${run.cores} cores` : ''].filter((text) => text).join(', ')],
    ['compiler', run.compilers.join('; ')],
    ['system', run.systems.join('; ')],
    ['alnsmith', run.generators.join('; ')],
    ['kernels of the best', run.best ? run.best.kernels.join(', ') : ''],
  ].filter(([, text]) => text);
  section.append(report.element(
      'dl', {class: 'facts'},
      ...facts.flatMap(
          ([name, text]) => [report.element('dt', {}, name), report.element('dd', {'data-fact': name}, text)])));
};

// Several runs: the best of each, and what each winner gives elsewhere.
report.comparison = () => {
  if (report.runs.length < 2) return null;
  const section = report.section(
      'comparison', 'Runs side by side',
      'The best of each run. Runs of different specs, targets or workloads do different work.');
  const measured = report.runs.map((run, i) => ({run, i})).filter(({run}) => run.best);
  if (measured.length === 0) return report.nothing(section, 'No run has a correct configuration.');
  const chart = report.element('div', {class: 'chart'});
  section.append(chart);
  if (measured.some(({run}) => run.best.limit))
    report.legend(section, [['limit-tick', 'line', 'limit of that configuration']]);
  const shared =
      measured.some((a) => measured.some((b) => a !== b && b.run.candidates.some((c) => c.text === a.run.best.text)));
  if (shared)
    section.append(report.transfer(measured));
  else
    report.absent(section, 'No winner was tried in another run.');
  return (width) => report.bars(
             chart,
             measured.map(
                 ({run, i}) => ({
                   label: `${i + 1}: ${run.file}`,
                   note: `${run.spec.name}, ${run.target}, ${run.device}, ${report.brief(run, run.best)}`,
                   value: run.best.gcups,
                   limit: run.best.limit,
                   tip: `${run.file}\n${report.runName(run)}\n${report.about(run.best)}`,
                   data: {run: i + 1, gcups: run.best.gcups, configuration: run.best.text, limit: run.best.limit},
                 })),
             width, 'Best GCUPS of each run');
};

report.transfer = (measured) => {
  const head = report.element(
      'tr', {}, report.element('th', {scope: 'col'}, 'winner of run'),
      report.element('th', {scope: 'col'}, 'configuration'),
      ...measured.map(({i}) => report.element('th', {scope: 'col', class: 'number'}, `in run ${i + 1}`)));
  const rows = measured.map(
      ({run, i}) => report.element(
          'tr', {'data-run': i + 1}, report.element('td', {class: 'word'}, `${i + 1}: ${run.file}`),
          report.element('td', {class: 'code'}, run.best.text), ...measured.map(({run: other}) => {
            const same = other.candidates.find((c) => c.text === run.best.text);
            if (!same) return report.element('td', {class: 'number'}, 'not tried');
            if (same.kind !== 'correct')
              return report.element('td', {class: 'number kind', 'data-kind': same.kind}, report.kinds[same.kind]);
            return report.element(
                'td', {class: 'number', 'data-gcups': same.gcups},
                `${report.gcups(same.gcups)} (${report.percent(other.score(same) / other.score(other.best))})`);
          })));
  return report.scroll(
      report.element(
          'table', {id: 'transfer'}, report.element('thead', {}, head), report.element('tbody', {}, ...rows)),
      'What the winner of each run gives in the others', false);
};
