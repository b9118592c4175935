#!/usr/bin/python3
"""PE-MIU against numpy + scipy on the same pairs: comparisons per second, their ratio and the largest score difference.
Best of three runs each. The ratio of wall times counts on a quiet machine; the ratio of processor times (one thread
against one) on a busy one too. Exits with 1 if a score differs by more than 1e-6.

usage: pe_miu_peer.py PE_MIU_BENCH [TEMPLATES.npy ...] [--probes N] [--references N] [--threads N]
Without templates: seeded normal vectors. Pairs are all probes x references, drawn with a fixed seed.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.optimize import linear_sum_assignment

CHUNK = 256  # pairs in one vectorised step: enough to amortise the calls, few enough to stay in cache


def peer_scores(probes, references, block):
    """Block distances and cosines vectorised over pairs, one assignment call per pair."""
    count, dimension = len(references), probes.shape[1]
    n = dimension // block
    p_blocks = probes.astype(np.float64).reshape(len(probes), n, block)
    r_blocks = references.astype(np.float64).reshape(count, n, block)
    p_squares, r_squares = (p_blocks**2).sum(2), (r_blocks**2).sum(2)
    p_lengths, r_lengths = np.sqrt(p_squares.sum(1)), np.sqrt(r_squares.sum(1))
    scores = np.empty((len(probes), count))
    columns = np.empty((CHUNK, n), dtype=np.int64)
    for i in range(len(probes)):
        for first in range(0, count, CHUNK):
            r = r_blocks[first:first + CHUNK]
            dots = (r.reshape(-1, block) @ p_blocks[i].T).reshape(len(r), n, n)
            squares = r_squares[first:first + CHUNK, :, None] + p_squares[i] - 2 * dots
            costs = np.sqrt(np.maximum(squares, 0))
            for k in range(len(r)):
                columns[k] = linear_sum_assignment(costs[k])[1]
            matched = np.take_along_axis(dots, columns[:len(r), :, None], 2).sum((1, 2))
            scores[i, first:first + CHUNK] = matched / (r_lengths[first:first + CHUNK] * p_lengths[i])
    return scores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("templates", nargs="*")
    parser.add_argument("--probes", type=int, default=512)
    parser.add_argument("--references", type=int, default=256)
    parser.add_argument("--repeat", type=int, default=40, help="probes of the C++ run, as a multiple of the peer's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dimension", type=int, default=128, help="of the random vectors")
    parser.add_argument("--blocks", type=int, nargs="*", default=[4, 8, 16, 32])
    options = parser.parse_args()

    rng = np.random.default_rng(2020)
    sets = {path: np.load(path).astype(np.float32) for path in options.templates}
    if not sets:
        sets["random"] = rng.standard_normal((4000, options.dimension)).astype(np.float32)
    worst = 0.0
    for name, templates in sets.items():
        chosen = rng.permutation(len(templates))
        probes = templates[chosen[:options.probes]]
        references = templates[chosen[options.probes:options.probes + options.references]]
        print(f"{name}: {len(probes)} x {len(references)} pairs, {templates.shape[1]} elements")
        for block in (b for b in options.blocks if templates.shape[1] % b == 0):
            worst = max(worst, one_block_size(options, probes, references, block))
    sys.exit(1 if worst > 1e-6 else 0)


def one_block_size(options, probes, references, block):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # The C++ program repeats the probes so that its time is long enough to be measured.
        np.tile(probes, (options.repeat, 1)).tofile(folder / "probes")
        references.tofile(folder / "references")
        command = [options.bench, folder / "probes", folder / "references", str(probes.shape[1]),
                   f"pe-miu:block={block}", str(options.threads), folder / "scores"]
        runs = [subprocess.run(command, check=True, capture_output=True).stdout.split() for _ in range(3)]
        seconds, cpu = (min(float(run[k]) for run in runs) for k in (0, 1))
        ours = np.fromfile(folder / "scores", dtype=np.float32).reshape(options.repeat, len(probes), len(references))
    peer_seconds = peer_cpu = float("inf")
    for _ in range(3):
        start, cpu_start = time.perf_counter(), time.process_time()
        expected = peer_scores(probes, references, block)
        peer_seconds = min(peer_seconds, time.perf_counter() - start)
        peer_cpu = min(peer_cpu, time.process_time() - cpu_start)
    difference = np.abs(ours - expected).max()
    rate, peer_rate = ours.size / seconds, expected.size / peer_seconds
    cpu_ratio = (ours.size / cpu) / (expected.size / peer_cpu)
    print(f"  block {block:3}: {rate:12,.0f} /s with {options.threads} threads, numpy + scipy {peer_rate:8,.0f} /s, "
          f"ratio {rate / peer_rate:5.1f} (per processor second {cpu_ratio:5.1f}), "
          f"largest difference {difference:.1e}")
    return difference


if __name__ == "__main__":
    main()
