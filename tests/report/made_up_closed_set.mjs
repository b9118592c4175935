// Closed sets that never happened: `made_up_voice()` (24 people, sweeps of t, g, rp, rq and of w by rp) and
// `made_up_faces()` (four representations, one record per person) return what results.json would hold. Every number is
// a formula of the parameters, nothing is drawn at random. `node made_up_closed_set.mjs voice|faces` prints one.
import { pathToFileURL } from 'node:url';
import { with_findings } from './made_up_ranking.mjs';

const round = (x) => Number(x.toPrecision(6));
const clamp = (x) => Math.min(1, Math.max(0, x));
const around = (x, half) => [round(clamp(x - half)), round(clamp(x + half))];
const rate = (name, x, half = 0.015) => ({ [name]: round(clamp(x)), ci: around(clamp(x), half) });
const logistic = (x) => 1 / (1 + Math.exp(-x));

function attacker({ name, informed, text, candidates, found, clear, ks }) {
  const guess = (k) => 1 - Math.min(1, k / candidates);
  const at = (k) => clamp((1 - found) * guess(k) / guess(1));
  return {
    attacker: name, informed, text, candidates, ...rate('mixture', 1 - found, informed ? 0.03 : 0.004), chance: round(guess(1)),
    top: ks.filter((k) => k <= candidates).map((k) => ({ k, ...rate('mixture', at(k), 0.02), chance: round(guess(k)) })),
    kl: round(found ** 2 * Math.log(candidates) + 0.0004 * (informed ? 10 : 1)), temperature: 1, mean_rank: 2, clear: { mixture: round(1 - clear) }, null: null,
  };
}

const texts = {
  nearest: 'Takes the original that is nearest by cosine; knows nothing about the method.',
  retained: 'Compares the retained features only; knows which they are.',
  likelihood: 'Knows the method and its parameters, and weighs every original by how likely it made the record.',
  'scrambled features': 'Compares features in a wrong order, so that they find nobody even where nothing is hidden.',
};

// How much of a record shines through: more retained, heavier weights, smaller sets.
const shine = ({ g, w, rp }) => Math.log10(rp * 1000 + 1) * 0.9 + Math.log10(w) * (rp > 0.1 ? 0.9 : 0.25) - Math.log2(g) * 0.45;

function cells_of(technique, representation, shape, parameters) {
  const { records, train, identities, interest, additional, one, ks } = shape;
  const bare = parameters === null;
  const p = parameters ?? {};
  const strength = bare ? 9 : shine(p) - (1 - shape.skill);
  const kept = bare ? 1 : 0.35 + 0.65 * p.t ** 0.5;
  const read = (item, boost) => clamp(item.chance + (item.clear - item.chance) * (bare ? 1 : clamp(kept * 0.95 + boost)));
  const attribute = (item, role, boost) => ({
    attribute: item.name, role, alpha: role === 'interest' ? 1 : 0.5, classes: item.classes, chance: item.chance, ...rate('accuracy', read(item, boost)), balanced: round(read(item, boost) - 0.01),
    clear: { ...rate('accuracy', item.clear, 0.005), balanced: item.clear - 0.01 }, retrained: bare ? null : { ...rate('accuracy', read(item, boost + 0.03)), balanced: round(read(item, boost + 0.02)) },
  });
  const attributes = [attribute(interest, 'interest', bare ? 0 : 0.02 * Math.log10(p.rp * 1000)), ...additional.map((item) => attribute(item, 'additional', bare ? 0 : -0.3 + 0.12 * Math.log10((p.rq ?? 0) * 1000 + 1)))];
  const record = (name, informed, found, clear = 1) => attacker({ name, informed, text: texts[name], candidates: records, found: Math.max(1 / records, bare ? clear : found), clear, ks });
  const attackers = [
    record('nearest', false, logistic(1.6 * strength - 6.5)), record('retained', true, logistic(1.4 * strength - 3.2), 0.97), record('likelihood', true, logistic(1.5 * strength - 1)),
    ...(one ? [record('scrambled features', false, 1 / records, 1 / records)] : []),
  ];
  const worst = attackers.find((item) => item.attacker === 'likelihood');
  const sum = (field) => round(attributes.reduce((total, item) => total + item.alpha * field(item), 0));
  const counts = { records, train_records: train, failures: one ? 12 : 0, split: shape.split };
  const done = (question, more, values) => ({ key: { question, technique, representation, ...more }, status: 'done', error: null, values });
  const identify = (recogniser, adversary, found, clear) => {
    const { mixture, ci, chance, top, kl } = attacker({ name: recogniser, informed: adversary !== 'naive', candidates: identities, found: Math.max(1 / identities, bare ? clear : found), clear, ks });
    return done('identification', { recogniser, ...(bare ? {} : { adversary }) }, {
      identities, enrolled: train, probes: records, failures: 0, strangers: 0, chance: round(1 - chance), clear: round(clear),
      results: [{ recogniser, rank1: round(1 - mixture), ci: [round(1 - ci[1]), round(1 - ci[0])], rank5: round(1 - mixture / 2), mixture, mean_rank: 2, kl_from_uniform: kl, top }], remarks: [],
    });
  };
  return [
    done('utility', {}, { ...counts, estimator: 'random-forest', value: sum((item) => item.accuracy), clear: sum((item) => item.clear.accuracy), attributes }),
    done('linkage', {}, {
      ...counts, identities, one_record_per_identity: one, attackers,
      parameters: bare ? null : { g: p.g, t: p.t, t_used: round(Math.round(p.t * p.g) / p.g), w: String(p.w), rp: p.rp, retained: Math.max(1, Math.round(p.rp * 140)), features: 140, ...(p.rq === undefined ? {} : { rq: { [additional[0].name]: p.rq } }), form: 'prose' },
      worst_record: { attacker: 'likelihood', posterior: round(clamp(1 - (worst.mixture ** 2) / 3)), rank: 1, found_first: round(1 - worst.mixture) }, exact_copies: bare ? records : p.rp === 1 ? 7 : 0,
    }),
    ...(one ? [] : ['mlp', 'lda'].flatMap((recogniser, i) => (bare ? ['naive'] : ['naive', 'parrot']).map((adversary) => identify(recogniser, adversary, (adversary === 'naive' ? 0.05 + 0.9 * logistic(1.6 * strength - 6.2) : 0.2 + 0.78 * logistic(1.3 * strength - 2)) * (1 - 0.2 * i), 0.98 - 0.02 * i)))),
  ];
}

function run(shape, base, axes, representations, title) {
  const written = (p) => `mask:${Object.entries(p).map(([name, value]) => `${name}=${value}`).join(',')}`;
  const settings = new Map([[written(base), base]]);
  const sweeps = axes.map((sweep) => {
    const names = Object.keys(sweep);
    const grid = names.reduce((all, name) => all.flatMap((p) => sweep[name].map((value) => ({ ...p, [name]: value }))), [base]);
    for (const p of grid) settings.set(written(p), p);
    return { axes: names.map((name) => ({ name, values: sweep[name].map(String) })), techniques: grid.map(written) };
  });
  const cells = representations.flatMap(([name, skill]) => {
    const seen = { ...shape, skill, interest: { ...shape.interest, clear: shape.interest.clear * skill } };
    return [...cells_of('none', name, seen, null), ...[...settings].flatMap(([technique, p]) => cells_of(technique, name, seen, p))];
  });
  return with_findings({ bauta: '0.1.0', seed: 1, experiment: { report: { title }, protocol: { kind: 'closed-set' }, data: { keep: { gender: 0.5 } } }, cells, sweeps });
}

export function made_up_voice() {
  const shape = {
    records: 3000, train: 9000, identities: 24, one: false, split: '75 % of each identity and digit to learn from, 25 % anonymised', ks: [1, 2, 3, 5, 8, 12, 18, 24, 50, 100, 300, 1000],
    interest: { name: 'digit', classes: 10, chance: 0.1, clear: 0.99 }, additional: [{ name: 'gender', classes: 2, chance: 0.6, clear: 0.95 }],
  };
  return run(shape, { g: 128, t: 0.8, w: 10, rp: 0.01 }, [
    { t: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] }, { w: [10, 100, 1000], rp: [0.01, 0.5] }, { g: [8, 32, 128] }, { rp: [0.001, 0.01, 0.1, 0.5, 1] }, { rq: [0, 0.001, 0.01, 0.1, 0.5] },
  ], [['cepstra', 1]], 'Who speaks?');
}

export function made_up_faces() {
  const shape = {
    records: 1060, train: 8470, identities: 1060, one: true, split: 'one record per person', ks: [1, 5, 10, 50, 100, 500, 1000],
    interest: { name: 'sentiment', classes: 4, chance: 0.38, clear: 0.77 }, additional: [{ name: 'mouth open', classes: 2, chance: 0.55, clear: 0.88 }],
  };
  return run(shape, { g: 32, t: 0.6, w: 100, rp: 0.01 }, [{ rp: [0.001, 0.01, 0.1, 0.5, 1] }, { g: [8, 32, 128] }], [['face-graph', 1], ['pixels', 0.86], ['eigenfaces', 0.82], ['embedding', 0.68]], 'Whose face?');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(JSON.stringify(process.argv[2] === 'faces' ? made_up_faces() : made_up_voice()));
}
