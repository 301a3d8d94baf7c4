// What all parts of the page share: questions to a run, numbers as text, elements, the tooltip.
// In: the JSON text in #data (written by report_runs.cpp). Everything from a recording enters the page as text, never
// as markup.
'use strict';
const report = {
  corrected: true,  // the reader's wish, see run.drawn
  runs: JSON.parse(document.getElementById('data').textContent).runs
};

report.kinds = {
  constraints: 'forbidden by a constraint',
  compile: 'did not compile',
  runtime: 'failed while running',
  timeout: 'took too long',
  correctness: 'gave a wrong result',
};

// Numbers: about three digits.
report.gcups = (value) => d3.format(value >= 100 ? ',.0f' : value >= 10 ? '.1f' : value >= 1 ? '.2f' : '.3~g')(value);
report.percent = (value) => (100 * value).toFixed(Math.abs(value) < 0.0995 ? 1 : 0) + ' %';
report.signed = (value) => (value < 0 ? '−' : '+') + report.percent(Math.abs(value));
report.seconds = (value) => value >= 10 ? value.toFixed(0) + ' s' : value.toPrecision(2) + ' s';

// Parameter values: integers by size, then words as a reader sorts them (int8 before int16), then the missing one.
report.order = (a, b) => {
  const rank = (v) => v === undefined ? 2 : typeof v === 'number' ? 0 : 1;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number') return a - b;
  return a === undefined ? 0 : a.localeCompare(b, 'en', {numeric: true}) || (a < b ? -1 : a > b ? 1 : 0);
};
report.shown = (value) => value === undefined ? '–' : String(value);

// Fills in what every part asks of a run.
for (const run of report.runs) {
  run.correct = run.candidates.filter((c) => c.kind === 'correct');
  run.failed = run.candidates.filter((c) => c.kind !== 'correct');
  run.model = run.candidates.find((c) => c.model);
  // Candidates are compared by how they stood to the model's choice in their own group, where that is recorded: so a
  // machine that drifts favours nobody.
  run.relative = run.correct.length > 0 && run.correct.every((c) => c.relative !== undefined);
  run.score = (c) => run.relative ? c.relative : c.gcups;
  run.sorted = run.correct.slice().sort((a, b) => run.score(b) - run.score(a) || a.sequence - b.sequence);
  // What charts draw: that ratio, which a drifting machine leaves alone, or, if the reader wants it or there is none,
  // the measured GCUPS. A limit stands where the configuration keeps its share of it.
  run.corrected = () => report.corrected && run.relative;
  run.drawn = (c) => run.corrected() ? c.relative : c.gcups;
  run.drawnLimit = (c) => c.limit && c.limit * (run.drawn(c) / c.gcups);
  run.unit = () => run.corrected() ? '× model' : 'GCUPS';
  run.drawnText = (value) => run.corrected() ? value.toFixed(3) : report.gcups(value);
  run.high = () => d3.max(run.correct, run.drawn);
  run.best = run.sorted[0];
  run.values = {};
  for (const name of run.parameters)
    run.values[name] = [...new Set(run.candidates.map((c) => c.parameters[name]))].sort(report.order);
  const first = {k: 2, p: 1};  // what the tile is made of, then the most varied
  run.varied = run.parameters.filter((name) => run.values[name].length > 1)
                   .sort(
                       (a, b) => (first[b] || 0) - (first[a] || 0) || run.values[b].length - run.values[a].length ||
                           (a < b ? -1 : 1));
}

// A configuration in few words: what varies; a word needs no name.
report.brief = (run, candidate) => run.varied
                                       .map((name) => {
                                         const value = candidate.parameters[name];
                                         return typeof value === 'string' ? value : name + ' ' + report.shown(value);
                                       })
                                       .join(' · ') ||
    candidate.text;

report.about = (candidate) => {
  if (candidate.kind !== 'correct') return candidate.text + '\n' + report.kinds[candidate.kind];
  let text = candidate.text + '\n' + report.gcups(candidate.gcups) + ' GCUPS';
  if (candidate.limit) text += ', ' + report.percent(candidate.gcups / candidate.limit) + ' of the limit';
  if (candidate.relative !== undefined) text += `, ${candidate.relative.toFixed(3)} of the model's choice`;
  if (candidate.spread !== undefined) text += ', spread ' + report.percent(candidate.spread);
  return text + (candidate.model ? '\nthe model\'s choice' : '');
};

// Elements: report.element('p', {class: 'lead'}, 'text', child, ...). Attributes that are null are left out.
report.element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

report.section = (id, title, lead) => {
  const section = report.element(
      'section', {id, 'aria-labelledby': id + '-title'}, report.element('h2', {id: id + '-title'}, title),
      lead ? report.element('p', {class: 'lead'}, lead) : null);
  document.getElementById('sections').append(section);
  return section;
};

// What a section lacks; `nothing` stands for the whole section.
report.absent = (section, words) => section.append(report.element('p', {class: 'absent'}, words));
report.nothing = (section, words) => {
  section.querySelectorAll('.lead').forEach((lead) => lead.remove());
  report.absent(section, words);
  return null;
};

// A <select> with a label; `changed` gets the chosen index.
report.select = (label, options, chosen, changed) => {
  const select =
      report.element('select', {}, ...options.map((text, i) => report.element('option', {value: String(i)}, text)));
  select.value = String(chosen);
  select.addEventListener('change', () => changed(Number(select.value)));
  return report.element('label', {}, label, select);
};

// The chart's <svg>, `width` units of a CSS pixel wide; replaces the chart drawn before.
report.svg = (holder, width, height, label) => {
  d3.select(holder).selectAll('svg').remove();
  return d3.select(holder)
      .insert('svg', ':first-child')
      .attr('viewBox', `0 0 ${width} ${height}`)
      .attr('role', 'img')
      .attr('aria-label', label);
};

// The width of a chart's text, and as much of a text as fits.
report.textWidth = (() => {
  const pen = document.createElement('canvas').getContext('2d');
  return (text, bold) => {
    pen.font = (bold ? '600 ' : '') + '12px ' + getComputedStyle(document.body).fontFamily;
    return pen.measureText(text).width;
  };
})();
report.cut = (text, width) => {
  let cut = text.slice(0, 200);
  if (cut === text && report.textWidth(text) <= width) return text;
  const letters = Array.from(cut);  // whole characters
  while (letters.length > 0 && report.textWidth(letters.join('') + '…') > width) letters.pop();
  return letters.join('') + '…';
};

// The tooltip of an SVG element, for mouse, touch and keyboard; `words` gives the text when it is wanted. One listener
// for all: a page may have tens of thousands of points.
report.tips = new WeakMap();
report.tip = (element, words) => {
  report.tips.set(element, words);
};
report.hideTip = () => {
  document.getElementById('tip').hidden = true;
};
report.showTip = (element) => {
  const words = report.tips.get(element), tip = document.getElementById('tip');
  if (!words) return;
  tip.textContent = words();
  tip.hidden = false;
  const at = element.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const right = document.documentElement.clientWidth - size.width - 8, above = at.top - size.height - 8;
  tip.style.left = Math.max(8, Math.min(at.left + at.width / 2 - size.width / 2, right)) + 'px';
  tip.style.top = (above > 4 ? above : at.bottom + 8) + 'px';
};
for (const event of ['pointerover', 'focusin']) document.addEventListener(event, (what) => report.showTip(what.target));
for (const event of ['pointerout', 'focusout', 'scroll'])
  document.addEventListener(event, report.hideTip, {passive: true});

// What the lines and marks of a chart mean: [class, form, words] each.
report.legend = (section, items) => {
  const forms = {
    line: '<line x1="0" y1="6" x2="22" y2="6"/>',
    dot: '<circle cx="11" cy="6" r="4.5"/>',
    cross: '<path d="M7 2l8 8M15 2l-8 8"/>',
    block: '<rect x="2" y="1" width="18" height="10"/>',
  };
  const list = report.element('ul', {class: 'legend'});
  for (const [name, form, words] of items) {
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    mark.setAttribute('viewBox', '0 0 22 12');
    mark.setAttribute('aria-hidden', 'true');
    mark.innerHTML = forms[form];
    mark.firstChild.setAttribute('class', name);
    list.append(report.element('li', {}, mark, words));
  }
  section.append(list);
};

// An axis of speeds on the left with lines across.
report.speedAxis = (svg, run, scale, left, right, height) => {
  const ticks = Math.max(2, Math.min(6, Math.round(height / 50)));
  svg.append('g')
      .attr('class', 'grid')
      .attr('transform', `translate(${left},0)`)
      .call(d3.axisLeft(scale).ticks(ticks).tickSize(left - right).tickFormat(''));
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(${left},0)`)
      .call(d3.axisLeft(scale).ticks(ticks).tickSizeOuter(0));
  svg.append('text').attr('class', 'soft').attr('x', 0).attr('y', 10).text(run.unit());
};

// An axis of whole numbers from 1 along the bottom, `right` its right end; `words` says what they count.
report.countAxis = (svg, scale, right, bottom, words) => {
  const ticks = scale.ticks(Math.min(8, right / 70)).filter((t) => Number.isInteger(t) && t >= 1);
  if (!ticks.includes(1)) ticks.unshift(1);
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(0,${bottom})`)
      .call(d3.axisBottom(scale).tickValues(ticks).tickFormat(d3.format('d')).tickSizeOuter(0));
  svg.append('text')
      .attr('class', 'soft')
      .attr('x', right)
      .attr('y', bottom + 32)
      .attr('text-anchor', 'end')
      .text(words);
};
