"""Top-100 of 10,000 probes against 100,000 references (512 dimensions): Bauta's engine, bare sgemm, and faiss IndexFlatIP.

    /usr/bin/python3 bench/engine_peer.py build/release/bench/engine_bench

Needs Debian's python3-numpy and python3-faiss. All three use the same threads and data; each is the best of three rounds.
"""

import subprocess
import sys
import tempfile
import time

import faiss
import numpy as np

PROBES, REFERENCES, DIM, TOP = 10_000, 100_000, 512, 100


def main():
    with tempfile.TemporaryDirectory() as folder:
        print(subprocess.run([sys.argv[1], folder], check=True, capture_output=True, text=True).stdout, end="")
        engine, sgemm, threads = map(float, open(f"{folder}/engine.txt").read().split())
        probes = np.fromfile(f"{folder}/probes.f32", np.float32).reshape(PROBES, DIM)
        references = np.fromfile(f"{folder}/references.f32", np.float32).reshape(REFERENCES, DIM)
        ours = np.fromfile(f"{folder}/top.bin", np.dtype([("score", "f4"), ("row", "u4")])).reshape(PROBES, TOP)

    faiss.omp_set_num_threads(int(threads))
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        index = faiss.IndexFlatIP(DIM)
        index.add(references)
        scores, rows = index.search(probes, TOP)
        seconds.append(time.perf_counter() - start)
    peer = min(seconds)

    difference = np.abs(scores - ours["score"]).max()
    same = np.mean([len(np.intersect1d(a, b)) for a, b in zip(rows[:500], ours["row"][:500])]) / TOP
    print(f"faiss {faiss.__version__} IndexFlatIP: {peer:.2f} s, {int(threads)} threads")
    print(f"engine / faiss {engine / peer:.2f}, engine / sgemm {engine / sgemm:.2f}")
    print(f"largest difference of a score {difference:.1e}, shared neighbours {100 * same:.2f} %")


if __name__ == "__main__":
    main()
