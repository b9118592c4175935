// A run that never happened, of any size: `made_up_run({ techniques, estimators, kind })` returns what results.json would hold.
// Scores are logistic (FMR at threshold t is 1/(1+e^t), FNMR is 1/(1+e^(d-t))), everything else follows from a technique's
// place in the list, so that nothing is drawn at random. `node made_up_run.mjs TECHNIQUES ESTIMATORS KIND` prints one.
import { pathToFileURL } from 'node:url';
import { with_findings } from './made_up_ranking.mjs';

const technique_names = [
  'none', 'pe-miu:block=8', 'csn:s=0.3', 'esn', 'ive:trees=100,eliminate=50', 'nfr:expansion=2', 'sensitivenets', 'pfrnet', 'random-projection',
  'random-projection:regime=secret', 'biohash', 'biohash:regime=secret', 'mlp-hash', 'mlp-hash:regime=secret', 'iom-grp', 'iom-grp:regime=secret',
  'iom-urp', 'iom-urp:regime=secret',
];
const estimator_names = ['svm-rbf', 'logistic', 'random-forest', 'knn:k=5', 'gradient-boosting:trees=200', 'mlp', 'lda', 'naive-bayes'];
const advantages = [0.96, 0.94, 0.82, 0.9, 0.45, 0.92, 0.55, 0.7, 0.95, 0.03, 0.86, 0.02, 0.78, 0.05, 0.93, 0.01, 0.9, 0.04];
const distances = [10, 9.9, 7, 6.4, 5.6, 7.6, 5.2, 9.2, 9.9, 10.5, 5.9, 10.2, 4.2, 10.4, 8.2, 9.4, 7.9, 9];

const round = (x) => Number(x.toPrecision(6));
const around = (x, half) => [round(Math.max(0, x - half)), round(Math.min(1, x + half))];
const with_interval = (x, half = 0.02) => ({ balanced: round(x), ci: around(x, half) });
const fnmr_at = (distance, fmr) => 1 / (1 + Math.exp(distance - Math.log((1 - fmr) / fmr)));
const done = (key, values) => ({ key, status: 'done', error: null, values });

function verify(technique, distance) {
  const eer = 1 / (1 + Math.exp(distance / 2));
  const edges = Array.from({ length: 41 }, (_, i) => round(-6 + (i * (distance + 12)) / 40));
  const bump = (at, centre, scale) => Math.round((1e4 * Math.exp((at - centre) / scale)) / (1 + Math.exp((at - centre) / scale)) ** 2);
  const counts = (centre, scale) => edges.slice(1).map((edge) => bump(edge, centre, scale));
  const quantiles = (centre) => [-3.66, -1.1, 0, 1.1, 3.66].map((q) => round(centre + q));
  return done({ question: 'verification', data: 'test', technique }, {
    samples: 5000, identities: 900, comparator: 'cosine', mated: 40000, non_mated: 1.2e7, failures: 0, eer: round(eer), eer_ci: around(eer, eer / 5),
    auc: round(1 - eer * eer), d_prime: round(distance / 1.8), d_sys: round(1 - eer), d_sys_null: 0.02, min_cllr: round(3 * eer),
    fnmr_at_fmr: [0.1, 0.01, 0.001].map((fmr) => ({ fmr, fnmr: round(fnmr_at(distance, fmr)), ci: around(fnmr_at(distance, fmr), 0.01), threshold: 1, resolvable: true })),
    det: Array.from({ length: 60 }, (_, i) => -2 + (i * (distance + 6)) / 59).map((t) => ({ threshold: round(t), fmr: round(1 / (1 + Math.exp(t + 2))), fnmr: round(1 / (1 + Math.exp(distance - t - 2))) })),
    histogram: { edges, mated: counts(distance, 1), non_mated: counts(0, 1) },
    attribute_scores: [{ attribute: 'gender', edges, same: counts(0.6, 1.2), different: counts(-0.3, 1.2), same_quantiles: quantiles(0.6), different_quantiles: quantiles(-0.3) }],
  });
}

function control(strength, chance) {
  const planted = [0.1, 0.2, 0.5, 0.8].map((share) => {
    const size = round(chance + (1 - chance) * share);
    const balanced = chance + (size - chance) * strength;
    return { size, ...with_interval(balanced, 0.04), found: balanced - 0.04 > chance };
  });
  return { null: { ...with_interval(chance - 0.003, 0.04), found: false }, planted, smallest: planted.find((leak) => leak.found)?.size ?? null };
}

function estimate(technique, place, attribute, estimators) {
  const chance = attribute === 'age' ? 0.25 : 0.5;
  const success = (advantage, e) => chance + (1 - chance) * advantage * (attribute === 'age' ? 0.6 : 1) * (1 - 0.045 * ((e + place) % estimators.length));
  const results = estimators.map((estimator, e) => {
    const balanced = success(advantages[place], e);
    const clear = success(advantages[0], e);
    const broken = estimator === 'naive-bayes';
    return {
      estimator, parameters: { c: String(10 ** (e % 3)) }, accuracy: round(balanced + 0.01), ...with_interval(broken ? chance + 0.01 : balanced), auc: round((1 + balanced) / 2),
      per_class: attribute === 'age' ? {} : { F: round(balanced - 0.02), M: round(balanced + 0.02) }, rates: null,
      tuned: e % 2 ? null : { search: 'grid', trials: 9, score: round(balanced) },
      clear: place === 0 ? null : with_interval(broken ? chance + 0.005 : clear), floor: with_interval(chance - 0.004 + 0.001 * e), healthy: !broken,
      control: place === 0 || broken ? null : control(0.95 - 0.12 * (e % 5), chance),
      paired: place === 0 ? null : { difference: round(clear - balanced), ci: [round(clear - balanced - 0.02), round(clear - balanced + 0.02)], p: clear - balanced > 0.02 ? 0.0005 : 0.21 },
      suppression: place === 0 ? null : { value: round((clear - balanced) / clear), ci: [round((clear - balanced) / clear - 0.02), round((clear - balanced) / clear + 0.02)], reachable: round((clear - chance) / clear) },
      learning_curve: e > 2 ? undefined : [20, 60, 180, 540].map((identities, i) => ({ identities, samples: 5 * identities, ...with_interval(chance + (balanced - chance) * (0.4 + 0.2 * i), 0.05 - 0.01 * i) })),
      by_rotation: [-0.01, 0, 0.01, 0, 0].map((d) => round(balanced + d)),
    };
  });
  const best = results.filter((r) => r.healthy).reduce((a, b) => (b.balanced > a.balanced ? b : a));
  const regression = attribute !== 'age' ? undefined : {
    unit: 'years', chance_mae: 12,
    results: estimators.slice(0, 3).map((estimator, e) => ({ estimator, parameters: {}, mae: round(12 - 7 * advantages[place] + e), ci: [round(11.5 - 7 * advantages[place] + e), round(12.5 - 7 * advantages[place] + e)], rmse: round(14 - 7 * advantages[place] + e), r2: round(advantages[place] / 2), correlation: round(Math.sqrt(advantages[place] / 2)), clear: place ? { mae: 5.3 + e, ci: [5 + e, 5.6 + e] } : null, floor: { mae: 12.2, ci: [11.8, 12.6] } })),
    best: { estimator: estimators[0], mae: round(12 - 7 * advantages[place]) },
  };
  return done({ question: 'estimate', technique, attribute }, {
    attribute, kind: attribute === 'age' ? 'continuous' : 'categorical', classes: attribute === 'age' ? ['to 25', 'to 35', 'to 50', 'above 50'] : ['F', 'M'],
    edges: attribute === 'age' ? [25, 35, 50] : null, chance, rotations: 5, train: { samples: 3000, identities: 540 }, dev: { samples: 1000, identities: 180 },
    test: { samples: 5000, identities: 900 }, preparation: 'unit,zscore', results, regression,
    best: { ...best, corrected: round(best.balanced - 0.004), ci_corrected: around(best.balanced - 0.004, 0.025), of: estimators.length }, remarks: [],
  });
}

function similarity(technique, place) {
  const results = ['vote', 'mean', 'linear', 'log'].flatMap((rule, r) => [1, 11, 51].map((n, i) => ({ rule, n, n_used: n, success: 0.5, ...with_interval(0.5 + 0.5 * advantages[place] * (0.86 + 0.04 * r) * (0.9 + 0.04 * i)) })));
  const best = results[results.length - 1];
  return done({ question: 'similarity', technique, attribute: 'gender' }, {
    attribute: 'gender', classes: ['F', 'M'], chance: 0.5, attacker: { samples: 3000, identities: 540 }, target: { samples: 5000, identities: 900 }, comparator: 'cosine',
    results, best: { ...best, corrected: round(best.balanced - 0.005), ci_corrected: around(best.balanced - 0.005, 0.02), of: results.length }, control: place ? control(0.8, 0.5) : null, remarks: [],
  });
}

export function made_up_run({ techniques = 18, estimators = 8, kind = 'PEP-TF' } = {}) {
  const names = technique_names.slice(0, techniques);
  const used = estimator_names.slice(0, estimators);
  const cells = names.map((name, place) => verify(name, distances[place]));
  cells.push(...names.map(similarity));
  for (const attribute of ['gender', 'age']) {
    cells.push(...names.map((name, place) => estimate(name, place, attribute, used)));
  }
  const shares = kind === 'PEP-LBS' ? [1, 1, 3] : [3, 1, 1];
  const text = `${kind}-${shares.join('-')}`;
  return with_findings({
    bauta: '0.2.0', seed: 1, experiment: { protocol: { kind: text }, report: { title: 'A made-up run' } }, cells, remarks: [],
    protocol: {
      kind, text, folds: 5, train: shares[0], dev: shares[1], test: shares[2], rotations: 5, attribute: 'gender',
      balance: [1, 2, 3, 4, 5].map((fold) => ({ fold, identities: 179 + (fold % 3), samples: 990 + 5 * fold, classes: { F: 88 + (fold % 2), M: 91 } })),
    },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [techniques = 18, estimators = 8, kind = 'PEP-TF'] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(made_up_run({ techniques: Number(techniques), estimators: Number(estimators), kind })));
}
