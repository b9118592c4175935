// `with_findings(results)` gives made-up cells their findings, and the run its ranking and headline, as `bauta evaluate`
// would: strongest by the share of the way from chance to certainty, unhealthy ones last, no correction for the choice.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const attribute_finding = (attacker, result, values, more = {}) => ({
  about: 'attribute', attacker, measure: 'balanced accuracy', unit: 'rate', value: result.balanced, ci: result.ci ?? null, worse: 'higher', chance: values.chance, certainty: 1,
  clear: result.clear ? { value: result.clear.balanced, ci: result.clear.ci ?? null } : null, floor: result.floor ? { value: result.floor.balanced, ci: result.floor.ci ?? null } : null,
  healthy: result.healthy ?? null, axes: {}, ...more,
});

const search_finding = (attacker, { value, ci, chance, clear }, axes, counts) => ({
  about: 'identity', attacker, measure: 'rank-1 rate', unit: 'rate', value, ci, worse: 'higher', chance, certainty: 1, clear: clear === null ? null : { value: clear, ci: null }, healthy: clear === null ? null : clear > chance + 0.05, axes, counts,
});

const makers = {
  verification: ({ values }) => (values.eer === undefined ? [] : [{ about: 'recognition', attacker: 'the rightful user', measure: 'EER', unit: 'rate', value: values.eer, ci: values.eer_ci ?? null, worse: 'higher', chance: 0.5, certainty: 0, axes: {} }]),
  similarity: ({ values }) => (values.results ?? []).filter((result) => result.balanced !== undefined).map((result) => attribute_finding(`${result.rule}, n = ${result.n}`, result, values, { axes: { rule: result.rule, n: String(result.n) } })),
  estimate: ({ values }) => (values.results ?? []).filter((result) => result.balanced !== undefined).map((result) => attribute_finding(result.estimator, result, values, { axes: { estimator: result.estimator } })),
  linkage: ({ values }) => (values.attackers ?? []).map((one) => search_finding(one.attacker, { value: 1 - one.mixture, ci: one.ci ? [1 - one.ci[1], 1 - one.ci[0]] : null, chance: 1 - one.chance, clear: one.clear ? 1 - one.clear.mixture : null }, { informed: one.informed ? 'yes' : 'no' }, { candidates: one.candidates, samples: values.records })),
  identification: ({ values }) => (values.results ?? []).map((one) => search_finding(one.recogniser, { value: one.rank1, ci: one.ci ?? null, chance: values.chance, clear: values.clear ?? null }, { recogniser: one.recogniser }, { identities: values.identities, samples: values.probes })),
  utility: ({ values }) => (values.attributes ?? []).map((item) => ({ about: 'utility', attacker: 'the rightful user', measure: 'accuracy', unit: 'rate', value: item.accuracy, ci: item.ci ?? null, worse: 'lower', chance: item.chance, certainty: 1, clear: { value: item.clear.accuracy, ci: item.clear.ci ?? null }, axes: { attribute: item.attribute, role: item.role } })),
};

const leaks = new Set(['attribute', 'identity', 'link']);
const share = (finding) => (finding.chance == null ? null : (finding.value - finding.chance) / (finding.certainty - finding.chance));

function ranking(cells) {
  const targets = new Map();
  for (const finding of cells.flatMap((cell) => cell.findings)) {
    if (!leaks.has(finding.about) || share(finding) === null) continue;
    const attribute = finding.about === 'attribute' ? finding.axes.attribute : null;
    const key = JSON.stringify([finding.axes.technique, finding.about, attribute]);
    if (!targets.has(key)) targets.set(key, { technique: finding.axes.technique, unprotected: finding.unprotected, about: finding.about, attribute, findings: [] });
    targets.get(key).findings.push(finding);
  }
  const entries = [...targets.values()].map(({ findings, ...target }) => {
    const healthy = findings.filter((finding) => finding.healthy !== false);
    const strongest = (healthy.length ? healthy : findings).reduce((a, b) => (share(b) > share(a) ? b : a));
    const shares = strongest.ci?.map((end) => share({ ...strongest, value: end })) ?? null;
    return { ...target, strongest, share: share(strongest), share_ci: shares, corrected: strongest.value, ci: strongest.ci, of: findings.length, healthy: healthy.length > 0 };
  });
  for (const entry of entries) {
    const clear = entries.find((other) => other.unprotected && other.about === entry.about && other.attribute === entry.attribute);
    if (entry.unprotected || !clear) continue;
    entry.on_clear = { attacker: clear.strongest.attacker, value: clear.strongest.value, ci: clear.strongest.ci, share: clear.share };
    entry.kept = clear.share > 0 ? entry.share / clear.share : null;
    if (entry.about === 'attribute') entry.suppression = { value: (clear.strongest.value - entry.strongest.value) / clear.strongest.value, ci: null, reachable: (clear.strongest.value - entry.strongest.chance) / clear.strongest.value };
  }
  return entries;
}

// PIC from attribute errors and the FNMR at the lowest false match rate.
function add_pic(entry, cells) {
  const fnmr = (technique) => cells.find((cell) => cell.key.question === 'verification' && cell.key.technique === technique)?.values.fnmr_at_fmr?.at(-1);
  const clear = cells.find((cell) => cell.key.question === 'verification' && cell.unprotected)?.key.technique;
  const [before, after] = [fnmr(clear), fnmr(entry.technique)];
  if (!entry.on_clear || entry.about !== 'attribute' || !before || !after) return;
  const [ae, error] = [1 - entry.on_clear.value, 1 - entry.strongest.value];
  const value = (error - ae) / ae - (after.fnmr - before.fnmr) / before.fnmr;
  entry.pic = { value, ci: [value - 1, value + 1], undefined: null, joint: true, recognition: { measure: `FNMR at FMR ${100 * before.fmr} %`, clear: before.fnmr, protected: after.fnmr } };
  entry.pic_auc = { suppression: error - ae, identity_loss: 0.01, pic: error - ae - 0.01, form: 'leak-aware', printed: error - ae };
}

export function with_findings(results, unprotected = 'none') {
  for (const cell of results.cells) {
    cell.unprotected = cell.key.technique === unprotected;
    const axes = Object.fromEntries(Object.entries(cell.key).map(([name, value]) => [name, String(value)]));
    if (axes.adversary) axes.informed = axes.adversary === 'naive' ? 'no' : 'yes';
    cell.findings = (cell.status === 'failed' ? [] : makers[cell.key.question]?.(cell) ?? []).map((finding) => ({ ...finding, share: share(finding), axes: { ...axes, ...finding.axes }, unprotected: cell.unprotected }));
  }
  const entries = ranking(results.cells);
  for (const entry of entries) add_pic(entry, results.cells);
  const hidden = entries.filter((entry) => !entry.unprotected && entry.healthy);
  const headline = hidden.length ? hidden.reduce((a, b) => (b.share > a.share ? b : a)) : {};
  return { schema: 2, ...results, ranking: entries, headline };
}

// `node made_up_ranking.mjs < cells.json` prints the run with its findings.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${JSON.stringify(with_findings(JSON.parse(readFileSync(0, 'utf8'))))}\n`);
}
