#!/usr/bin/env python3
"""Writes tests/report/results.json: a run that never happened, with numbers that belong together.

Scores are Gaussian with unit variance: non-mated around 0, mated around d'. Everything follows in closed form (EER is
Phi(-d'/2), AUC is Phi(d'/sqrt 2), FNMR at FMR f is Phi(Phi^-1(1-f) - d')) or by integration on a fine grid, so nothing is drawn
at random and tests can state where their expected values come from. Interval widths are binomial, with people as trials.
Findings and ranking come from made_up_ranking.mjs. Run with numpy and scipy of Debian 12, and node: python3 tests/report/make_results.py
"""
import json
import math
import pathlib
import subprocess

import numpy as np
from scipy.stats import norm

SAMPLES, IDENTITIES = 1000, 200
MATED = IDENTITIES * 10
NON_MATED = SAMPLES * (SAMPLES - 1) // 2 - MATED
GRID = np.linspace(-6, 12, 6001)
STEP = GRID[1] - GRID[0]

# technique, its comparator, d', score scale and offset, shift of same-attribute non-mated scores, attack advantage in [0, 1]
TECHNIQUES = [
    ("none", "cosine", 4.6, 0.12, 0.05, 0.55, 0.94),
    ("pe-miu:block=8,cost=l2", "pe-miu:block=8", 4.1, 0.05, 0.55, 0.42, 0.73),
    ("csn:s=0.3", "cosine", 3.0, 0.09, 0.10, 0.20, 0.41),
    ("ive:trees=100,eliminate=50,steps=2", "cosine", 3.8, 0.11, 0.05, 0.48, 0.62),
    ("random-projection:length=16", "euclidean", 1.1, 0.8, -5.0, 0.02, 0.02),
]
ATTRIBUTES = [("gender", ["F", "M"]), ("age-group", ["adult", "senior", "young"])]
RULES = {"vote": 0.86, "mean": 0.9, "linear": 0.97, "log": 1.0}
COUNTS = {1: 0.8, 5: 0.93, 11: 1.0, 51: 0.96}


def sig(x, digits=6):
    return float(f"{x:.{digits}g}")


def interval(p, trials):
    half = 1.96 * math.sqrt(max(p * (1 - p), 1e-6) / trials)
    return [sig(max(0.0, p - half)), sig(min(1.0, p + half))]


def counts(edges, mean, total):
    share = np.diff(norm.cdf(edges, mean, 1))
    return [int(round(c)) for c in share * total]


def verify(data, technique, comparator, d, scale, offset, shift, _advantage):
    if data == "attacker":
        d *= 1.04
    score = lambda x: sig(offset + scale * x)
    eer = norm.cdf(-d / 2)
    auc = norm.cdf(d / math.sqrt(2))
    points = []
    for fmr in (0.1, 0.01, 0.001, 1e-6):
        t = norm.isf(fmr)
        fnmr = norm.cdf(t - d)
        points.append({"fmr": fmr, "fnmr": sig(fnmr), "ci": interval(fnmr, IDENTITIES), "threshold": score(t),
                       "resolvable": fmr * NON_MATED >= 1})
    mated, non_mated = norm.pdf(GRID, d, 1), norm.pdf(GRID, 0, 1)
    llr = d * GRID - d * d / 2  # natural log of the likelihood ratio of two unit Gaussians
    posterior = 1 / (1 + np.exp(-llr))
    d_sys = float(np.sum(mated * np.where(llr > 0, 2 * posterior - 1, 0)) * STEP)
    min_cllr = float(0.5 * STEP * np.sum(mated * np.log2(1 + np.exp(-llr)) + non_mated * np.log2(1 + np.exp(llr))))
    prior = np.linspace(0.0005, 0.9995, 1000)[:, None]
    z = np.log(prior / (1 - prior))
    ece = STEP * (prior * mated * np.log2(1 + np.exp(-llr - z)) + (1 - prior) * non_mated * np.log2(1 + np.exp(llr + z))).sum(1)
    default = -(prior * np.log2(prior) + (1 - prior) * np.log2(1 - prior))[:, 0]
    worst = min(math.log10(NON_MATED), max(d * d / 2, 0.1) / math.log(10) * 2.0)
    edges = np.linspace(-4, d + 4, 49)
    wide = np.linspace(-4, 4 + shift, 41)
    attribute_scores = []
    for index, (name, _classes) in enumerate(ATTRIBUTES):
        moved = shift / (1 + index)
        quantile = lambda centre: [score(centre + norm.ppf(q)) for q in (0.025, 0.25, 0.5, 0.75, 0.975)]
        attribute_scores.append({"attribute": name, "edges": [score(e) for e in wide],
                                 "same": counts(wide, moved, NON_MATED // 2), "different": counts(wide, -moved / 2, NON_MATED // 2),
                                 "same_quantiles": quantile(moved), "different_quantiles": quantile(-moved / 2)})
    thresholds = np.linspace(-4.5, d + 4.5, 90)
    return {"key": {"question": "verification", "data": data, "technique": technique}, "status": "done", "error": None, "values": {
        "samples": SAMPLES, "identities": IDENTITIES, "comparator": comparator, "mated": MATED, "non_mated": NON_MATED, "failures": 0,
        "eer": sig(eer), "eer_ci": interval(eer, IDENTITIES * 2), "rocch_eer": sig(eer), "auc": sig(auc),
        "auc_ci": interval(auc, IDENTITIES * 4), "d_prime": d, "d_prime_ci": [sig(d - 0.12), sig(d + 0.12)],
        "fnmr_at_fmr": points, "d_sys": sig(d_sys), "d_sys_null": 0.021, "cllr": sig(min_cllr * 1.3 + 0.02), "min_cllr": sig(min_cllr),
        "zebra": {"expected_bits": sig(float(np.mean(default - ece))), "worst_case_log10": sig(worst),
                  "tag": "0ABCCDEF"[0 if worst == 0 else 1 + min(6, int(worst))]},
        "remarks": ["the technique's own comparator was used"] if comparator.startswith("pe-miu") else [],
        "det": [{"threshold": score(t), "fmr": sig(round(norm.sf(t) * NON_MATED) / NON_MATED),
                 "fnmr": sig(round(norm.cdf(t - d) * MATED) / MATED)} for t in thresholds],
        "histogram": {"edges": [score(e) for e in edges], "mated": counts(edges, d, MATED), "non_mated": counts(edges, 0, NON_MATED)},
        "attribute_scores": attribute_scores if data == "target" else []}}


def similarity(attribute, classes, technique, comparator, advantage):
    chance = 1 / len(classes)
    ceiling = 1.0 if attribute == "gender" else 0.66
    results = []
    for rule, rule_share in RULES.items():
        for n, n_share in COUNTS.items():
            balanced = chance + (1 - chance) * ceiling * advantage * rule_share * n_share
            per_class = {c: sig(balanced + 0.02 * (i - (len(classes) - 1) / 2)) for i, c in enumerate(classes)}
            results.append({"rule": rule, "n": n, "n_used": n, "success": sig(min(1, balanced + 0.006)), "balanced": sig(balanced),
                            "ci": interval(balanced, IDENTITIES), "per_class": per_class})
    best = dict(max(results, key=lambda r: r["balanced"]))
    low, high = best["ci"]
    best["ci_corrected"] = [sig(low - 0.01), high]
    return {"key": {"question": "similarity", "technique": technique, "attribute": attribute}, "status": "done", "error": None, "values": {
        "attribute": attribute, "classes": classes, "chance": chance, "attacker": {"samples": 400, "identities": 400},
        "target": {"samples": SAMPLES, "identities": IDENTITIES}, "comparator": comparator, "results": results, "best": best,
        "remarks": ["best of 16 attacks; the corrected interval accounts for the choice"]}}


def main():
    cells = [verify(data, *row) for data in ("target", "attacker") for row in TECHNIQUES]
    cells += [similarity(name, classes, row[0], row[1], row[6]) for name, classes in ATTRIBUTES for row in TECHNIQUES]
    cells.append({"key": {"question": "verification", "data": "target", "technique": "nfr:expansion=2,bins=4"}, "status": "failed",
                  "error": "nfr: bins: 4 bins need at least 4 samples per identity, identity 'p017' has 2", "values": {}})
    cells.append({"key": {"question": "detection", "technique": "csn:s=0.3", "attribute": "gender"}, "status": "done", "error": None,
                  "values": {"best": {"estimator": "svm-rbf", "balanced": 0.71}}})
    experiment = {"data": {"target": "data/target", "attacker": "data/attacker", "attribute": [a for a, _ in ATTRIBUTES]},
                  "protect": {"technique": [row[0] for row in TECHNIQUES]}, "protocol": {"kind": "cross-database"},
                  "attack": {"similarity": {"rule": list(RULES), "n": list(COUNTS)}},
                  "measure": {"fmr": [0.1, 0.01, 0.001, 1e-6], "bootstrap": 1000},
                  "report": {"title": "How well does my mask hold?"}}
    document = {"bauta": "0.1.0", "experiment": experiment, "seed": 1, "cells": cells}
    path = pathlib.Path(__file__)
    path.with_name("results.json").write_text(subprocess.run(["node", path.with_name("made_up_ranking.mjs")], text=True, check=True,
                                                             input=json.dumps(document), stdout=subprocess.PIPE).stdout)


if __name__ == "__main__":
    main()
