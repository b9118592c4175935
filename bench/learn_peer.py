"""Estimators of Bauta against scikit-learn: seconds to fit 5,000 x 512 and 20,000 x 128, to classify 2,000, and accuracy on those.

    /usr/bin/python3 bench/learn_peer.py build/release/bench/learn_bench [--all] [ESTIMATOR ...]

Needs Debian's python3-sklearn. Both use the same data and threads. Each is the best of three to ten rounds, short ones being
repeated; of scikit-learn only one where it takes longer than 5 seconds. The linear SVC on 20,000 samples, which takes very long, is left out without --all.
The peer of knn is KNeighborsClassifier with its defaults: 5 neighbours by Euclidean distance, which it finds by comparing everything in blocks by BLAS
(its trees are for fewer columns). Seconds are wall clock, so that whatever else runs on the machine is part of them.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings


def peers(threads):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    return {
        "knn": lambda: KNeighborsClassifier(n_jobs=threads),
        "logistic": lambda: LogisticRegression(n_jobs=threads),
        "random-forest": lambda: RandomForestClassifier(n_jobs=threads, random_state=0),
        "svm-linear": lambda: SVC(kernel="linear"),
        "svm-poly": lambda: SVC(kernel="poly"),
        "svm-rbf": lambda: SVC(kernel="rbf"),
        "svm-sigmoid": lambda: SVC(kernel="sigmoid"),
    }


def run_peer(make, train, codes, test, truth):
    fits, predicts = [], []
    for _ in range(10):
        start = time.perf_counter()
        model = make().fit(train, codes)
        middle = time.perf_counter()
        predicted = model.predict(test)
        fits.append(middle - start)
        predicts.append(time.perf_counter() - middle)
        spent = sum(fits) + sum(predicts)
        if spent > 5 or (len(fits) >= 3 and spent > 2):
            break
    return min(fits), min(predicts), (predicted == truth).mean()


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder] + [name for name in sys.argv[2:] if name != "--all"], check=True)
        lines = open(f"{folder}/results.txt").read().split("\n")
        threads = int(lines[0])
        os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
        import numpy as np
        import sklearn

        warnings.filterwarnings("ignore")
        print(f"scikit-learn {sklearn.__version__}, {threads} threads; seconds fit / classify 2,000, accuracy; ratios scikit-learn : Bauta of fit / classify / both")
        known = peers(threads)
        data = {}
        for line in lines[1:]:
            if not line:
                continue
            name, rows, cols, fit, predict, accuracy = line.split()
            if name not in known:
                print(f"{name:14} no peer")
                continue
            if (name, rows) == ("svm-linear", "20000") and "--all" not in sys.argv:
                print(f"{name:14} {rows:>6} x {cols:<4} Bauta {float(fit):8.3f} / {float(predict):6.3f}, {accuracy}   scikit-learn left out")
                continue
            if rows not in data:
                data[rows] = [np.fromfile(f"{folder}/{part}{rows}.f32", np.float32).reshape(-1, int(cols)) for part in ("train", "test")]
                data[rows] += [np.fromfile(f"{folder}/{part}{rows}.i32", np.int32) for part in ("train", "test")]
            train, test, codes, truth = data[rows]
            fit, predict, accuracy = float(fit), float(predict), float(accuracy)
            peer_fit, peer_predict, peer_accuracy = run_peer(known[name], train, codes, test, truth)
            print(f"{name:14} {rows:>6} x {cols:<4} Bauta {fit:8.3f} / {predict:6.3f}, {accuracy:.3f}   scikit-learn {peer_fit:8.3f} / "
                  f"{peer_predict:6.3f}, {peer_accuracy:.3f}   ratio {peer_fit / fit:6.1f} / "
                  f"{peer_predict / predict:6.1f} / {(peer_fit + peer_predict) / (fit + predict):6.1f}", flush=True)


if __name__ == "__main__":
    main()
