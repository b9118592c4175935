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
// From this width on, long legends stand beside the figure.
const wide = 760;

const name_width = (name) => 7 * name.length + 30;

// Legends beside the figure move below it where there is no room; below, as many columns as the longest name allows.
// Returns the room that is taken beside.
function fit_legends(spec, width) {
  let room = 0;
  JSON.stringify(spec, (key, value) => {
    if (value?.legend?.columns && value.scale?.domain) {
      const longest = Math.max(...value.scale.domain.map(name_width));
      if (value.legend.orient === 'right' && width >= wide) {
        room = Math.max(room, longest + 20);
      } else {
        value.legend.orient = 'bottom';
        value.legend.columns = Math.max(1, Math.min(4, value.scale.domain.length, Math.floor((width - beside.first) / longest)));
      }
    }
    return value;
  });
  return room;
}

// Names of rows may take two fifths of a narrow figure; what does not fit ends in dots.
function fit_row_names(spec, width) {
  JSON.stringify(spec, (key, value) => {
    if (value?.labelLimit) value.labelLimit = Math.min(value.labelLimit, Math.max(120, 0.4 * width));
    return value;
  });
}

function fitted(spec, width) {
  const out = structuredClone(spec);
  delete out.title; // the page's own heading says it
  const room_for_plot = width - fit_legends(out, width);
  fit_row_names(out, width);
  if (out.usermeta?.fixed) return out;
  if (out.facet) {
    const widest = out.spec.width;
    const least = Math.min(widest, 210);
    const most = Math.max(1, Math.floor((room_for_plot - beside.first + beside.gap) / (least + beside.gap)));
    out.columns = Math.min(out.columns, most);
    const room = Math.floor((room_for_plot - beside.first - beside.gap * (out.columns - 1)) / out.columns);
    out.spec.width = Math.max(150, Math.min(room, widest * 1.6));
  } else {
    out.width = Math.max(180, Math.min(room_for_plot - beside.single, 640));
  }
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
