// What one parameter does: the speeds of all configurations with each of its values, as points and quartiles.
report.effect = (run) => {
  const section = report.section(
      'effect', 'One parameter',
      'All correct configurations by one parameter: the box spans the middle half, the bar in it is the median.');
  if (run.correct.length === 0) return report.nothing(section, 'No configuration was correct.');
  if (run.varied.length === 0) return report.nothing(section, 'No parameter varies in this run.');
  let name = run.varied[0], lastWidth = 0;
  const chart = report.element('div', {class: 'chart'});
  section.append(report.element('div', {class: 'controls choice'}, report.select('parameter', run.varied, 0, (i) => {
    name = run.varied[i];
    draw(lastWidth);
  })), chart);
  const draw = (width) => {
    lastWidth = width;
    report.drawEffect(chart, run, name, width);
  };
  return draw;
};

report.drawEffect = (chart, run, name, width) => {
  const values = run.values[name], left = 44, top = 20;
  const longest = d3.max(values, (v) => report.textWidth(report.shown(v))), step = (width - left - 4) / values.length;
  const turned = longest + 6 > step, labels = turned ? Math.min(90, longest) * 0.75 + 14 : 20;
  const bottom = 260, height = bottom + labels + 20;
  const svg = report.svg(chart, width, height, `${run.unit()} by ${name}`);
  const x = d3.scaleBand().domain(values.map(report.shown)).range([left, width - 4]).padding(0.25);
  const y = d3.scaleLinear().domain([0, run.high() * 1.05 || 1]).range([bottom, top]);
  report.speedAxis(svg, run, y, left, width - 4, bottom - top);
  const axis = svg.append('g')
                   .attr('class', 'axis')
                   .attr('transform', `translate(0,${bottom})`)
                   .call(d3.axisBottom(x).tickSizeOuter(0).tickFormat(
                       (v) => report.cut(v, turned ? Math.min(90, 1.3 * (x(v) + x.bandwidth() / 2)) : step)));
  if (turned) axis.selectAll('text').attr('transform', 'translate(-6,4) rotate(-45)').attr('text-anchor', 'end');
  svg.append('text')
      .attr('class', 'soft strong')
      .attr('x', (left + width) / 2)
      .attr('y', height - 2)
      .attr('text-anchor', 'middle')
      .text(name);
  for (const value of values) {
    const group = run.sorted.filter((c) => c.parameters[name] === value);
    if (group.length) report.effectBox(svg, run, name, value, group, x, y);
  }
};

report.effectBox = (svg, run, name, value, group, x, y) => {
  const speeds = group.map(run.drawn).sort(d3.ascending), band = Math.min(64, x.bandwidth());
  const middle = x(report.shown(value)) + x.bandwidth() / 2;
  const [low, median, high] = [0.25, 0.5, 0.75].map((q) => d3.quantile(speeds, q));
  const box = svg.append('rect')
                  .attr('class', 'box')
                  .attr('x', middle - band / 2)
                  .attr('width', band)
                  .attr('y', y(high))
                  .attr('height', Math.max(1, y(low) - y(high)))
                  .attr('data-value', report.shown(value))
                  .attr('data-count', group.length)
                  .attr('data-median', median)
                  .attr('data-low', low)
                  .attr('data-high', high)
                  .attr('data-best', run.drawn(group[0]));
  report.tip(
      box.node(),
      () => `${name} ${report.shown(value)}: ${group.length} configurations\nmedian ${run.drawnText(median)}, ` +
          `best ${run.drawnText(run.drawn(group[0]))} ${run.unit()}`);
  // Spread sideways by rank, so that the same page always looks the same.
  group.map((c, i) => [c, i]).reverse().forEach(([candidate, i]) => {
    const aside = group.length === 1 ? 0 : ((i * 0.618034) % 1 - 0.5) * band * 0.8;
    report.point(svg, run, candidate, middle + aside, y(run.drawn(candidate)), 2.2);
  });
  svg.append('line')
      .attr('class', 'median')
      .attr('x1', middle - band / 2)
      .attr('x2', middle + band / 2)
      .attr('y1', y(median))
      .attr('y2', y(median));
};
