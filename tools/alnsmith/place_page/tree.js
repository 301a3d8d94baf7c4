// Draws the tree of a placement and lists its branches. In: the JSON text in #data: reads, and of each node, in
// post-order, [parent, length, label, reads of the branch above it]. Names enter the page as text, never as markup.
'use strict';
(() => {
  const {reads, nodes: rows} = JSON.parse(document.getElementById('data').textContent);
  const nodes =
      rows.map(([parent, length, label, placed], branch) => ({parent, length, label, placed, branch, children: []}));
  for (const node of nodes)
    if (node.parent >= 0) nodes[node.parent].children.push(node);
  const tips = nodes.filter((node) => node.children.length === 0);
  const count = (value) => d3.format(Number.isInteger(value) ? ',d' : ',.2f')(value);

  // Tips stand below each other, inner nodes amid their children; to the right goes the way from the root, by lengths
  // where there are any. A negative length does not lead back.
  tips.forEach((tip, i) => {
    tip.row = i;
    tip.tips = 1;
    tip.first = tip.label;
  });
  for (const node of nodes) {
    if (node.children.length === 0) continue;
    node.row = d3.mean(node.children, (child) => child.row);
    node.tips = d3.sum(node.children, (child) => child.tips);
    node.first = node.children[0].first;
  }
  const lengths = nodes.some((node) => node.length > 0);
  for (const node of nodes.slice().reverse())
    node.depth = node.parent < 0 ? 0 : nodes[node.parent].depth + (lengths ? Math.max(node.length, 0) : 1);

  const most = d3.max(nodes, (node) => node.placed) || 1;
  const named = tips.length <= 400, step = named ? 14 : Math.max(1, Math.min(4, 4000 / tips.length));
  const draw = (width) => {
    const margin = 8, labels = named ? Math.min(220, width / 3) : 0, height = tips.length * step + 2 * margin;
    const x = d3.scaleLinear([0, d3.max(nodes, (node) => node.depth) || 1], [margin, width - margin - labels]);
    const y = (node) => margin + (node.row + 0.5) * step;
    const holder = d3.select('#tree');
    holder.selectAll('svg').remove();
    const svg = holder.append('svg')
                    .attr('viewBox', `0 0 ${width} ${height}`)
                    .attr('role', 'img')
                    .attr('aria-label', `A tree of ${tips.length} tips with ${reads} reads on its branches`);
    svg.selectAll('path')
        .data(nodes.slice(0, -1).sort((a, b) => a.placed - b.placed))
        .join('path')
        .attr('class', (node) => node.placed > 0 ? 'placed' : null)
        .attr('data-branch', (node) => node.branch)
        .attr('data-reads', (node) => node.placed)
        .attr('stroke-width', (node) => node.placed > 0 ? 1.5 + 6 * Math.sqrt(node.placed / most) : 1)
        .attr(
            'd',
            (node) => `M${x(nodes[node.parent].depth)},${y(nodes[node.parent])}V${y(node)}H${
                Math.max(x(node.depth), x(nodes[node.parent].depth) + 0.5)}`)
        .append('title')
        .text((node) => `branch ${node.branch}: ${count(node.placed)} reads${node.label ? '\n' + node.label : ''}`);
    if (!named) return;
    svg.selectAll('text')
        .data(tips)
        .join('text')
        .attr('x', (tip) => x(tip.depth) + 5)
        .attr('y', y)
        .text((tip) => tip.label.length > 32 ? tip.label.slice(0, 31) + '…' : tip.label);
  };

  const placed = nodes.filter((node) => node.placed > 0);
  document.getElementById('what').textContent =
      `${count(reads)} reads on ${count(placed.length)} of ${count(nodes.length - 1)} branches; a read that ties on ` +
      'several counts in parts on each';
  const row = (cells, kind) => {
    const line = document.createElement('tr');
    for (const cell of cells) line.append(Object.assign(document.createElement(kind), {textContent: cell}));
    return line;
  };
  const table = document.getElementById('branches');
  table.append(row(['branch', 'reads', 'tips below', 'first of them'], 'th'));
  for (const node of placed.sort((a, b) => b.placed - a.placed || a.branch - b.branch).slice(0, 50))
    table.append(row([node.branch, count(node.placed), node.tips, node.first], 'td'));

  const width = () => Math.max(320, document.getElementById('tree').clientWidth);
  let drawn = width();
  draw(drawn);
  window.addEventListener('resize', () => {
    if (width() !== drawn) draw(drawn = width());
  });
  document.documentElement.dataset.ready = 'yes';
})();
