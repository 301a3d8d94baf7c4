// Bars: the best of each length, and (in summary.js) of each run.
// A row is {label, note, value, limit, mark, data: {name: value}}; limit and mark may be missing.
report.bars = (chart, rows, width, label) => {
  const row = 46, top = 4, height = top + rows.length * row + 24, right = width - 52;
  const svg = report.svg(chart, width, height, label);
  const x = d3.scaleLinear()
                .domain([0, d3.max(rows, (r) => Math.max(r.value, r.limit || 0, r.mark || 0)) * 1.02 || 1])
                .range([0, right]);
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(0,${height - 20})`)
      .call(d3.axisBottom(x).ticks(Math.max(2, Math.min(8, width / 80))).tickSizeOuter(0))
      .selectAll('.tick:first-of-type text')
      .attr('text-anchor', 'start');
  svg.append('text')
      .attr('class', 'soft')
      .attr('x', width)
      .attr('y', height - 4)
      .attr('text-anchor', 'end')
      .text('GCUPS');
  rows.forEach((line, i) => {
    const at = top + i * row, note = report.textWidth(line.label, true) + 12;
    svg.append('text').attr('class', 'strong').attr('x', 0).attr('y', at + 13).text(line.label);
    svg.append('text')
        .attr('class', 'soft')
        .attr('x', note)
        .attr('y', at + 13)
        .text(report.cut(line.note, width - note));
    svg.append('rect')
        .attr('class', 'bar-back')
        .attr('x', 0)
        .attr('y', at + 19)
        .attr('width', right)
        .attr('height', 16)
        .attr('rx', 2);
    const bar = svg.append('rect')
                    .attr('class', 'bar')
                    .attr('x', 0)
                    .attr('y', at + 19)
                    .attr('height', 16)
                    .attr('rx', 2)
                    .attr('width', Math.max(1, x(line.value)));
    for (const [name, value] of Object.entries(line.data)) bar.attr('data-' + name, value === undefined ? null : value);
    report.tip(bar.node(), () => line.tip);
    if (line.limit !== undefined)
      svg.append('line')
          .attr('class', 'limit-tick')
          .attr('x1', x(line.limit))
          .attr('x2', x(line.limit))
          .attr('y1', at + 16)
          .attr('y2', at + 38);
    if (line.mark !== undefined)
      svg.append('circle').attr('class', 'overall').attr('cx', x(line.mark)).attr('cy', at + 27).attr('r', 4.5);
    svg.append('text')
        .attr('class', 'strong')
        .attr('x', width)
        .attr('y', at + 31)
        .attr('text-anchor', 'end')
        .text(report.gcups(line.value));
  });
};

// Per length: the fastest configuration and how the overall best does there.
report.bestPerLength = (run) => {
  const found = new Map();
  for (const candidate of run.sorted)
    for (const [query, target, gcups] of candidate.lengths) {
      const key = query + ' × ' + target;
      if (!found.has(key)) found.set(key, {key, query, target, best: candidate, gcups, overall: undefined});
      const entry = found.get(key);
      if (gcups > entry.gcups) Object.assign(entry, {best: candidate, gcups});
      if (candidate === run.best) entry.overall = gcups;
    }
  return [...found.values()].sort((a, b) => a.query * a.target - b.query * b.target || a.query - b.query);
};

report.lengths = (run) => {
  const section = report.section(
      'lengths', 'Best per length', 'The fastest configuration for pairs of one length (query × target).');
  const best = report.bestPerLength(run);
  if (best.length === 0) return report.nothing(section, 'The recording holds no results by length.');
  const chart = report.element('div', {class: 'chart'});
  section.append(chart);
  const differs = best.some((entry) => entry.best !== run.best);
  const items = [];
  if (best.some((entry) => entry.best.limit)) items.push(['limit-tick', 'line', 'limit of that configuration']);
  if (differs) items.push(['overall', 'dot', 'the best of all, where another is faster']);
  if (items.length) report.legend(section, items);
  if (!differs) report.absent(section, 'The best of all is the best at every length.');
  return (width) => report.bars(
             chart, best.map((entry) => ({
                               label: entry.key,
                               note: report.brief(run, entry.best),
                               value: entry.gcups,
                               limit: entry.best.limit,
                               mark: entry.best === run.best ? undefined : entry.overall,
                               tip: `${entry.key}: ${report.gcups(entry.gcups)} GCUPS\n${entry.best.text}`,
                               data: {
                                 query: entry.query,
                                 target: entry.target,
                                 gcups: entry.gcups,
                                 configuration: entry.best.text,
                                 overall: entry.overall,
                                 limit: entry.best.limit
                               },
                             })),
             width, 'Best GCUPS per length');
};
