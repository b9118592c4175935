// Draws the figures of the page and keeps them as wide as the page allows. Numbers, texts and tables are plain HTML already.
'use strict';

const figures = JSON.parse(document.getElementById('figures').textContent);
const options = {
  mode: 'vega-lite',
  renderer: 'svg',
  // Expressions are interpreted, because the page's policy forbids code made from text.
  ast: true,
  actions: { export: true, source: false, compiled: false, editor: false },
  tooltip: { theme: 'custom' },
};

// Room that axes and their titles take beside the plotting area.
const beside = { single: 74, first: 66, gap: 24 };

function fitted(spec, width) {
  const out = structuredClone(spec);
  if (out.facet) {
    const widest = out.spec.width;
    const least = Math.min(widest, 210);
    const most = Math.max(1, Math.floor((width - beside.first + beside.gap) / (least + beside.gap)));
    out.columns = Math.min(out.columns, most);
    const room = Math.floor((width - beside.first - beside.gap * (out.columns - 1)) / out.columns);
    out.spec.width = Math.max(150, Math.min(room, widest * 1.6));
  } else {
    out.width = Math.max(180, Math.min(width - beside.single, 560));
  }
  // Two columns of names where the longest fits twice.
  JSON.stringify(out, (key, value) => {
    if (value?.legend?.columns && value.scale?.domain) {
      const longest = Math.max(...value.scale.domain.map((name) => name.length));
      value.legend.columns = 2 * (7 * longest + 30) + beside.first <= width ? 2 : 1;
    }
    return value;
  });
  delete out.title; // the page's own heading says it
  return out;
}

const drawn = new Map();

async function draw(plot) {
  const name = plot.dataset.figure;
  const width = plot.clientWidth;
  if (!figures[name] || !width || !plot.checkVisibility() || drawn.get(name)?.width === width) return;
  const before = drawn.get(name);
  drawn.set(name, { width });
  try {
    const embed = (room) => vegaEmbed(plot, fitted(figures[name], room), { ...options, downloadFileName: name });
    let result = await embed(width);
    // Labels are as wide as their numbers: what does not fit at first sight is drawn once more, narrower by the excess.
    const excess = plot.scrollWidth - plot.clientWidth;
    if (excess > 0) {
      result.finalize();
      result = await embed(width - excess);
    }
    before?.finalize?.();
    drawn.set(name, { width, finalize: () => result.finalize() });
  } catch (error) {
    plot.textContent = `This figure could not be drawn: ${error.message}`;
    console.error(error);
  }
}

const plots = [...document.querySelectorAll('[data-figure]')];
const resized = new ResizeObserver(() => {
  clearTimeout(resized.timer);
  resized.timer = setTimeout(() => plots.forEach(draw), 80);
});
Promise.all(plots.map(draw)).then(() => {
  plots.forEach((plot) => resized.observe(plot));
  document.documentElement.dataset.ready = 'true';
});
// What is folded away is drawn when somebody wants to see it.
for (const fold of document.querySelectorAll('details')) fold.addEventListener('toggle', () => plots.forEach(draw));

const button = document.getElementById('theme');
const root = document.documentElement;
const is_dark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
function name_button() {
  button.textContent = is_dark() ? 'Light' : 'Dark';
  button.setAttribute('aria-label', `Show the page ${is_dark() ? 'light' : 'dark'}`);
}
button.hidden = false;
button.addEventListener('click', () => {
  root.dataset.theme = is_dark() ? 'light' : 'dark';
  name_button();
});
name_button();
