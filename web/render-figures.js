// Draws figures without a browser. Runs behind Vega and Vega-Lite with `specs` (name -> Vega-Lite specification) defined;
// prints one object name -> SVG.
'use strict';

const quiet = vega.logger(vega.Error);
// Specifications carry their data; a loader that refuses everything makes sure of it.
const loader = { load: () => Promise.reject(new Error('figures load nothing')), sanitize: () => Promise.reject(new Error('no links')) };

// Without a canvas Vega takes every letter for a wide one and makes room for it; this is an average letter of a sans-serif font.
vega.textMetrics.width = (item, text) => 0.56 * (item.fontSize || 11) * String(text ?? '').length;

async function draw(spec) {
  const compiled = vegaLite.compile(spec, { logger: quiet }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger: quiet, loader });
  return view.toSVG();
}

(async () => {
  const drawn = {};
  for (const [name, spec] of Object.entries(specs)) drawn[name] = await draw(spec);
  process.stdout.write(JSON.stringify(drawn));
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
