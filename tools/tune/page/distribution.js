// All correct configurations by their speed, with the limit of each; and the course of the search.
report.distribution = (run) => {
  const section = report.section(
      'distribution', 'All configurations by speed',
      'One point a correct configuration, from the fastest to the slowest' +
          (run.relative ? ', in the order of how they stood to the model\'s choice in their own group.' : '.'));
  if (run.correct.length === 0) return report.nothing(section, 'No configuration was correct.');
  const chart = report.element('div', {class: 'chart'});
  section.append(chart);
  const limited = run.sorted.some((c) => c.limit);
  const items = [['point best', 'dot', 'best']];
  if (run.model && run.model.kind === 'correct') items.push(['point model', 'dot', 'the model\'s choice']);
  if (run.best.limit) items.push(['limit', 'line', 'the best\'s limit, as the model has it']);
  if (run.sorted.some((c) => c.limit && c.limit !== run.best.limit))
    items.push(['limit-each', 'line', 'limit of each']);
  report.legend(section, items);
  if (!limited) report.absent(section, 'The recording names no limit, so no line is drawn.');
  return (width) => {
    const height = 280, left = 44, top = 20, bottom = height - 34;
    const svg = report.svg(chart, width, height, `${run.unit()} of every correct configuration, fastest first`);
    const n = run.sorted.length, high = d3.max(run.sorted, (c) => Math.max(run.drawn(c), run.drawnLimit(c) || 0));
    const x = d3.scaleLinear().domain([0.5, n + 0.5]).range([left, width - 4]);
    const y = d3.scaleLinear().domain([0, high * 1.05 || 1]).range([bottom, top]);
    report.speedAxis(svg, run, y, left, width - 4, bottom - top);
    report.countAxis(svg, x, width - 4, bottom, 'rank');
    report.limits(svg, run, x, y, left, width - 4);
    const size = Math.max(2, Math.min(4.5, (width - left) / n / 2));
    // The marked ones last, so that nothing covers them.
    const drawn = run.sorted.map((c, i) => [c, i]).sort(([a], [b]) => report.marked(run, a) - report.marked(run, b));
    for (const [candidate, i] of drawn)
      report.point(svg, run, candidate, x(i + 1), y(run.drawn(candidate)), size).attr('data-rank', i + 1);
  };
};

report.marked = (run, candidate) => candidate === run.best ? 2 : candidate.model ? 1 : 0;

report.point = (svg, run, candidate, x, y, size) => {
  const marked = report.marked(run, candidate);
  const point =
      svg.append('circle')
          .attr('cx', x)
          .attr('cy', y)
          .attr('r', marked ? Math.max(5, size) : size)
          .attr('class', 'point' + (candidate === run.best ? ' best' : '') + (candidate.model ? ' model' : ''))
          .attr('data-configuration', candidate.text)
          .attr('data-gcups', candidate.gcups)
          .attr('data-drawn', run.drawn(candidate))
          .attr('data-limit', candidate.limit === undefined ? null : candidate.limit);
  report.tip(point.node(), () => report.about(candidate));
  return point;
};

// The best's limit as a line over all, and a small mark for the limit of each configuration.
report.limits = (svg, run, x, y, left, right) => {
  run.sorted.forEach((candidate, i) => {
    if (candidate.limit && candidate.limit !== run.best.limit)
      svg.append('line')
          .attr('class', 'limit-each')
          .attr('x1', x(i + 0.5))
          .attr('x2', x(i + 1.5))
          .attr('y1', y(run.drawnLimit(candidate)))
          .attr('y2', y(run.drawnLimit(candidate)));
  });
  if (!run.best.limit) return;
  svg.append('line')
      .attr('class', 'limit')
      .attr('x1', left)
      .attr('x2', right)
      .attr('y1', y(run.drawnLimit(run.best)))
      .attr('y2', y(run.drawnLimit(run.best)))
      .attr('data-limit', run.best.limit);
  svg.append('text')
      .attr('class', 'limit-text strong')
      .attr('x', right)
      .attr('y', y(run.drawnLimit(run.best)) - 5)
      .attr('text-anchor', 'end')
      .text('limit ' + report.gcups(run.best.limit));
};

report.course = (run) => {
  const section = report.section(
      'course', 'Course of the search',
      'In the order in which the search took them: the line is the best so far of what is drawn, a cross is a failure.');
  if (run.correct.length === 0) return report.nothing(section, 'No configuration was correct.');
  if (run.candidates.length < 3) return report.nothing(section, 'Too few configurations for a course.');
  const chart = report.element('div', {class: 'chart'});
  section.append(chart);
  const taken = run.candidates.slice().sort((a, b) => a.sequence - b.sequence);
  const within = taken.findIndex((c) => c.kind === 'correct' && run.score(c) >= 0.97 * run.score(run.best)) + 1;
  section.append(report.element(
      'p', {class: 'lead', 'data-within': within},
      `97 % of the best was reached after ${within} of ${taken.length} configurations.`));
  return (width) => {
    const height = 220, left = 44, top = 20, bottom = height - 34;
    const svg = report.svg(chart, width, height, `${run.unit()} in the order of the search, and the best so far`);
    const x = d3.scaleLinear().domain([0.5, taken.length + 0.5]).range([left, width - 4]);
    const y = d3.scaleLinear().domain([0, run.high() * 1.05 || 1]).range([bottom, top]);
    report.speedAxis(svg, run, y, left, width - 4, bottom - top);
    report.countAxis(svg, x, width - 4, bottom, 'configurations taken');
    let path = '';
    const steps = [];  // it never falls: of what is drawn, whatever candidates are compared by
    taken.forEach((candidate, i) => {
      if (candidate.kind !== 'correct') {
        const mark = svg.append('path')
                         .attr('class', 'cross')
                         .attr('data-kind', candidate.kind)
                         .attr('d', `M${x(i + 1) - 3},${bottom - 7}l6,6m0,-6l-6,6`);
        report.tip(mark.node(), () => report.about(candidate));
        return;
      }
      if (steps.length > 0 && run.drawn(candidate) <= steps[steps.length - 1]) return;
      steps.push(run.drawn(candidate));
      path += `${path ? 'H' + x(i + 1) + 'V' : 'M' + x(i + 1) + ','}${y(run.drawn(candidate))}`;
    });
    svg.append('path')
        .attr('class', 'steps')
        .attr('data-steps', JSON.stringify(steps))
        .attr('d', path + `H${x(taken.length + 0.5)}`);
    taken.forEach((candidate, i) => {
      if (candidate.kind === 'correct') report.point(svg, run, candidate, x(i + 1), y(run.drawn(candidate)), 2.2);
    });
  };
};
