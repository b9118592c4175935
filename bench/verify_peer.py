"""Exhaustive verification of a dataset folder: `bauta verify --bootstrap 0` against numpy (BLAS product, boolean masks, sort).

    /usr/bin/python3 bench/verify_peer.py build/release/bauta DATASET

Needs Debian's python3-numpy. Both start from the files and end with EER and FNMR at three FMRs; Bauta's time includes its start and all its
other measures. Peak memory is that of the child process.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np


def numpy_verify(folder):
    templates = np.load(f"{folder}/templates.npy").astype(np.float32)
    with open(f"{folder}/labels.csv") as file:
        _, identity = np.unique([row["identity"] for row in csv.DictReader(file)], return_inverse=True)
    templates /= np.linalg.norm(templates, axis=1, keepdims=True)
    scores = templates @ templates.T
    upper = np.triu(np.ones(scores.shape, bool), 1)
    same = identity[:, None] == identity[None, :]
    mated = np.sort(scores[upper & same])
    non_mated = np.sort(scores[upper & ~same])
    fnmr_at = {}
    for fmr in (0.1, 0.01, 0.001):
        threshold = non_mated[len(non_mated) - int(fmr * len(non_mated))]
        fnmr_at[fmr] = np.searchsorted(mated, threshold) / len(mated)
    fmr = 1 - np.searchsorted(non_mated, mated) / len(non_mated)
    fnmr = np.arange(len(mated)) / len(mated)
    crossing = np.argmax(fnmr >= fmr)
    return len(mated), len(non_mated), (fmr[crossing] + fnmr[crossing]) / 2, fnmr_at


def main():
    program, folder = sys.argv[1:3]
    ours, peer = [], []
    for _ in range(3):
        start = time.perf_counter()
        out = subprocess.run([program, "verify", folder, "--json", "--bootstrap", "0"], check=True, capture_output=True).stdout
        ours.append(time.perf_counter() - start)
        result = json.loads(out)
    # Peak memory of children is read before numpy makes this process large: a child begins as a copy of its parent.
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    start = time.perf_counter()
    subprocess.run([program, "verify", folder, "--json", "--bootstrap", "1000"], check=True, capture_output=True)
    bootstrap = time.perf_counter() - start
    bootstrap_memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    for _ in range(2):
        start = time.perf_counter()
        mated, non_mated, eer, fnmr_at = numpy_verify(folder)
        peer.append(time.perf_counter() - start)
    assert (mated, non_mated) == (result["mated"], result["non_mated"])
    print(f"bauta verify --bootstrap 0: {min(ours):.2f} s, {memory:.2f} GB; numpy {np.__version__}: {min(peer):.2f} s; "
          f"ratio {min(peer) / min(ours):.1f}, {os.cpu_count()} cores")
    print(f"EER {result['eer']:.6f} / {eer:.6f}; " + "; ".join(
        f"FNMR at {point['fmr']:g}: {point['fnmr']:.6f} / {fnmr_at[point['fmr']]:.6f}" for point in result["fnmr_at_fmr"]))
    print(f"bauta verify --bootstrap 1000: {bootstrap:.1f} s, {bootstrap_memory:.2f} GB")


if __name__ == "__main__":
    main()
