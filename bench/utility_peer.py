#!/usr/bin/python3
"""Utility-preserving anonymisation against a plain numpy loop on the same records: seconds, and how often faster.
The ratio of wall times counts on a quiet machine; that of processor times (which knows no threads) on a busy one too.
Both draw their own sets, so that results are compared by their spread: of the plain means, the deviation is 1 / sqrt(g).

usage: utility_peer.py UTILITY_BENCH [ROWS [COLS [G]]]
"""
import os
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np


def anonymise(x, classes, g, t, w, retained, rng):
    own_size = min(max(round(t * g), 1), g)
    members = {c: np.flatnonzero(classes == c) for c in np.unique(classes)}
    others = {c: np.flatnonzero(classes != c) for c in members}
    result = np.empty_like(x)
    for i in range(len(x)):
        own = members[classes[i]]
        chosen = rng.choice(own[own != i], own_size - 1, replace=False)
        rest = rng.choice(others[classes[i]], g - own_size, replace=False)
        mean = x[np.concatenate(([i], chosen, rest))].mean(axis=0)
        result[i] = mean
        result[i, retained] = mean[retained] / w + (w - 1) / w * x[i, retained]
    return result


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder, *sys.argv[2:]], check=True)
        x, classes, result = (np.load(f"{folder}/{name}.npy") for name in ("x", "classes", "result"))
        threads, g, wall, processor = open(f"{folder}/times.txt").read().split()
        g, wall, processor = int(g), float(wall), float(processor)
        times = []
        for _ in range(2):
            start, used = time.perf_counter(), time.process_time()
            peer = anonymise(x, classes, g, 0.6, 10, [0], np.random.default_rng(1))
            times.append((time.perf_counter() - start, time.process_time() - used))
        peer_wall, peer_processor = (min(values) for values in zip(*times))
    print(f"numpy {np.__version__}; {len(x)} x {x.shape[1]}, sets of {g}, Bauta on {threads} threads")
    print(f"wall seconds       numpy {peer_wall:7.3f}  Bauta {wall:7.3f}  ratio {peer_wall / wall:5.1f}")
    print(f"processor seconds  numpy {peer_processor:7.3f}  Bauta {processor:7.3f}  ratio {peer_processor / processor:5.1f}")
    ours, theirs, expected = result[:, 1:].std(), peer[:, 1:].std(), g ** -0.5
    away = [np.abs(out[:, 0] - 0.9 * x[:, 0]).max() for out in (result, peer)]
    print(f"deviation of means numpy {theirs:.5f}  Bauta {ours:.5f}  expected {expected:.5f}; retained feature off 0.9 x by at most {away[1]:.3f}, {away[0]:.3f}")
    if abs(ours / expected - 1) > 0.01 or abs(ours / theirs - 1) > 0.01:
        sys.exit("error: the results do not agree")


if __name__ == "__main__":
    main()
