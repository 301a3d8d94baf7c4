// The heat map: the best speed of each pair of values of two parameters, over all values of the others.
report.heatMap = (run) => {
  const section = report.section(
      'heat-map', 'Two parameters', 'Each field shows the best that any configuration with these two values reached.');
  if (run.correct.length === 0) return report.nothing(section, 'No configuration was correct.');
  if (run.varied.length === 0) return report.nothing(section, 'No parameter varies in this run.');
  const [first, second] = run.varied;
  const chosen = {x: null, y: null};  // null: as the width suggests
  const chart = report.element('div', {class: 'chart'});
  const controls = report.element('div', {class: 'controls choice'});
  if (run.varied.length > 1) section.append(controls);
  section.append(chart);
  report.legend(section, [
    ['cell-best', 'block', 'best of all'], ['hatched', 'block', 'all failed'], ['cell untried', 'block', 'not tried']
  ]);

  const axes = (width) => {
    const wide = width >= 600 || run.values[first].length <= 4;
    const x = chosen.x || (wide || !second ? first : second);
    const y = chosen.y || (second ? (x === first ? second : first) : undefined);
    return [x, y];
  };
  let lastWidth = 0;
  const draw = (width) => {
    lastWidth = width;
    const [x, y] = axes(width);
    controls.replaceChildren(
        report.select('across', run.varied, run.varied.indexOf(x), (i) => choose('x', run.varied[i], y, x)),
        report.select('down', run.varied, run.varied.indexOf(y), (i) => choose('y', run.varied[i], x, y)));
    report.drawHeatMap(chart, run, x, y, width);
  };
  // The same parameter on both axes makes no map: then the two change places.
  const choose = (axis, name, other, before) => {
    chosen[axis] = name;
    chosen[axis === 'x' ? 'y' : 'x'] = other === name ? before : other;
    draw(lastWidth);
    controls.querySelectorAll('select')[axis === 'x' ? 0 : 1].focus();
  };
  return draw;
};

report.heatCells = (run, x, y) => {
  const cells = new Map();
  for (const candidate of run.candidates) {
    const at = [candidate.parameters[x], y === undefined ? undefined : candidate.parameters[y]];
    const key = JSON.stringify([report.shown(at[0]), report.shown(at[1])]);
    if (!cells.has(key)) cells.set(key, {x: at[0], y: at[1], tried: 0, failed: 0, best: null});
    const cell = cells.get(key);
    ++cell.tried;
    if (candidate.kind !== 'correct')
      ++cell.failed;
    else if (!cell.best || run.score(candidate) > run.score(cell.best))
      cell.best = candidate;
  }
  return cells;
};

report.drawHeatMap = (chart, run, x, y, width) => {
  const columns = run.values[x], rows = y === undefined ? [undefined] : run.values[y];
  const cells = report.heatCells(run, x, y);
  const rowLabel = d3.max(rows, (v) => y === undefined ? 0 : report.textWidth(report.shown(v)));
  const left = Math.min(Math.max(rowLabel + 10, y === undefined ? 4 : report.textWidth(y, true) + 10), width * 0.4);
  const step = Math.min(72, (width - left) / columns.length), row = 34, top = 44;
  const turned = d3.max(columns, (v) => report.textWidth(report.shown(v))) > step + 4;
  const labels = turned ? Math.min(90, d3.max(columns, (v) => report.textWidth(report.shown(v)))) * 0.75 + 14 : 20;
  const bottom = top + rows.length * row;
  const svg =
      report.svg(chart, width, bottom + labels + 22, `Best ${run.unit()} by ${x}${y === undefined ? '' : ' and ' + y}`);
  report.hatch(svg);

  const reached = [...cells.values()].filter((cell) => cell.best).map((cell) => run.drawn(cell.best));
  const scale = d3.scaleSequential(d3.interpolateViridis).domain([d3.min(reached), d3.max(reached) || 1]);
  report.heatLegend(svg, run, scale, width);
  columns.forEach((column, i) => rows.forEach((line, j) => {
    const cell = cells.get(JSON.stringify([report.shown(column), report.shown(line)])) ||
        {x: column, y: line, tried: 0, failed: 0, best: null};
    report.heatCell(svg, run, cell, x, y, scale, {x: left + i * step, y: top + j * row, width: step, height: row});
  }));
  if (y !== undefined) {
    svg.append('text')
        .attr('class', 'soft strong')
        .attr('x', left - 8)
        .attr('y', top - 8)
        .attr('text-anchor', 'end')
        .text(y);
    rows.forEach(
        (line, j) => svg.append('text')
                         .attr('x', left - 8)
                         .attr('y', top + (j + 0.5) * row + 4)
                         .attr('text-anchor', 'end')
                         .text(report.cut(report.shown(line), left - 8)));
  }
  columns.forEach((column, i) => {
    const at = left + (i + 0.5) * step;
    const room = turned ? Math.min(90, at * 1.3) : step + 4;  // a turned label reaches to the left
    const text = svg.append('text').text(report.cut(report.shown(column), room));
    if (turned)
      text.attr('transform', `translate(${at + 4},${bottom + 12}) rotate(-45)`).attr('text-anchor', 'end');
    else
      text.attr('x', at).attr('y', bottom + 16).attr('text-anchor', 'middle');
  });
  svg.append('text')
      .attr('class', 'soft strong')
      .attr('x', left + columns.length * step / 2)
      .attr('y', bottom + labels + 16)
      .attr('text-anchor', 'middle')
      .text(x);
};

report.heatCell = (svg, run, cell, x, y, scale, at) => {
  const where = `${x} ${report.shown(cell.x)}` + (y === undefined ? '' : `, ${y} ${report.shown(cell.y)}`);
  let words = where + '\n';
  if (cell.best) words += 'best: ' + report.about(cell.best) + '\n';
  words += cell.tried === 0 ? 'not tried' : `${cell.tried} tried, ${cell.failed} failed`;
  const mark = svg.append('rect')
                   .attr('x', at.x)
                   .attr('y', at.y)
                   .attr('width', at.width)
                   .attr('height', at.height)
                   .attr('rx', 3)
                   .attr('class', 'cell' + (cell.tried === 0 ? ' untried' : ''))
                   .attr('data-x', report.shown(cell.x))
                   .attr('data-y', y === undefined ? null : report.shown(cell.y))
                   .attr('data-tried', cell.tried)
                   .attr('data-failed', cell.failed)
                   .attr('data-gcups', cell.best ? cell.best.gcups : null)
                   .attr('data-drawn', cell.best ? run.drawn(cell.best) : null)
                   .attr('data-configuration', cell.best ? cell.best.text : null)
                   .attr('tabindex', cell.tried === 0 ? null : 0)
                   .attr('role', 'img')
                   .attr('aria-label', words.replace(/\n/g, ', '));
  if (cell.best)
    mark.attr('fill', scale(run.drawn(cell.best)));
  else if (cell.tried > 0)
    mark.attr('fill', 'url(#hatch)');
  report.tip(mark.node(), () => words);
  if (cell.best && at.width >= 30) {
    const light = d3.lab(scale(run.drawn(cell.best))).l > 55;
    svg.append('text')
        .attr('x', at.x + at.width / 2)
        .attr('y', at.y + at.height / 2 + 4)
        .attr('text-anchor', 'middle')
        .style('fill', light ? '#101418' : '#ffffff')
        .style('pointer-events', 'none')
        .text(run.corrected() ? run.drawn(cell.best).toFixed(2) : report.gcups(run.drawn(cell.best)));
  }
  if (cell.best && cell.best === run.best)
    svg.append('rect')
        .attr('class', 'cell-best')
        .attr('x', at.x + 1)
        .attr('y', at.y + 1)
        .attr('width', at.width - 2)
        .attr('height', at.height - 2)
        .attr('rx', 3);
};

report.hatch = (svg) => {
  const pattern = svg.append('defs')
                      .append('pattern')
                      .attr('id', 'hatch')
                      .attr('width', 7)
                      .attr('height', 7)
                      .attr('patternUnits', 'userSpaceOnUse')
                      .attr('patternTransform', 'rotate(45)');
  pattern.append('rect').attr('class', 'hatch-back').attr('width', 7).attr('height', 7);
  pattern.append('line').attr('class', 'hatch-line').attr('x1', 0).attr('y1', 0).attr('x2', 0).attr('y2', 7);
};

report.heatLegend = (svg, run, scale, width) => {
  const [low, high] = scale.domain(), size = 120, left = width - size - report.textWidth(run.unit()) - 8;
  const gradient = svg.select('defs').append('linearGradient').attr('id', 'colours');
  for (let i = 0; i <= 10; ++i)
    gradient.append('stop').attr('offset', i / 10).attr('stop-color', d3.interpolateViridis(i / 10));
  svg.append('rect')
      .attr('x', left)
      .attr('y', 0)
      .attr('width', size)
      .attr('height', 9)
      .attr('rx', 2)
      .attr('fill', 'url(#colours)');
  svg.append('text').attr('class', 'soft').attr('x', left).attr('y', 23).text(run.drawnText(low));
  svg.append('text')
      .attr('class', 'soft')
      .attr('x', left + size)
      .attr('y', 23)
      .attr('text-anchor', 'end')
      .text(run.drawnText(high));
  svg.append('text').attr('class', 'soft').attr('x', left + size + 8).attr('y', 9).text(run.unit());
};
