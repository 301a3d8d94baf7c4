// Puts the page together for the chosen run, and draws the charts anew when the width changes.
(() => {
  const holder = document.getElementById('sections');
  let draws = [], drawn = 0;
  // Never so narrow that axes would overlap: a chart shrinks instead.
  const width = () => Math.max(
      260,
      Math.floor(
          holder.querySelector('section').clientWidth -
          2 * parseFloat(getComputedStyle(holder.querySelector('section')).paddingLeft)));
  const draw = () => {
    drawn = width();
    for (const one of draws) one(drawn);
  };
  const show = (chosen) => {
    holder.replaceChildren();
    report.heading(chosen, (next, id) => {
      show(next);
      document.querySelector(`#${id} select`).focus();
    });
    const run = report.runs[chosen];
    const parts = [
      report.comparison, report.summary, report.heatMap, report.distribution, report.lengths, report.effect,
      report.course, report.failures, report.configurations
    ];
    draws = parts.map((part) => part(run)).filter((one) => one);
    draw();
  };
  show(0);
  window.addEventListener('resize', () => {
    if (width() !== drawn) draw();
  });
  // On paper nothing can be unfolded.
  window.addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((one) => {
    one.open = true;
  }));
  document.documentElement.dataset.ready = 'yes';
})();
