"""What scikit-learn's estimators reach on real templates: the numbers that tests/learn/parity_test.cpp expects.

    /usr/bin/python3 tests/learn/parity.py ../shared/data

Balanced accuracy of classes, mean absolute error of ages. Tested on every third subject (LFW: number of the identity, UTK: number of the row, modulo 3
is 0), trained on the others; rows to unit length, then features to mean 0 and deviation 1 as on the training part. All parameters are scikit-learn's
defaults; forests and perceptrons, which draw, are averaged over five seeds.
"""

import csv
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import balanced_accuracy_score, mean_absolute_error
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import SVC, SVR

KERNELS = ("linear", "poly", "rbf", "sigmoid")


def read(folder):
    with open(f"{folder}/labels.csv") as file:
        rows = list(csv.DictReader(file))
    return rows, np.load(f"{folder}/templates.npy").astype(np.float32)


def prepare(x, test):
    x = Normalizer().fit_transform(x)
    scaler = StandardScaler().fit(x[~test])
    return scaler.transform(x[~test]), scaler.transform(x[test])


def compare(task, models, measure, x, y, test):
    train_x, test_x = prepare(x, test)
    for name, make in models.items():
        start = time.perf_counter()
        values = []
        for seed in range(5):
            model = make(seed)
            values.append(measure(y[test], model.fit(train_x, y[~test]).predict(test_x)))
            if "random_state" not in model.get_params() or isinstance(model, (SVC, LogisticRegression, Ridge)):
                break
        print(f"{task} {name} {np.mean(values):.5f} of {len(values)}, deviation {np.std(values):.5f}, {time.perf_counter() - start:.0f} s", flush=True)


def main(data):
    warnings.filterwarnings("ignore")
    print("scikit-learn", sklearn.__version__)
    classifiers = {
        "knn": lambda seed: KNeighborsClassifier(),
        "lda": lambda seed: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        "logistic": lambda seed: LogisticRegression(),
        "mlp": lambda seed: MLPClassifier(random_state=seed),
        "random-forest": lambda seed: RandomForestClassifier(random_state=seed),
    } | {f"svm-{kernel}": lambda seed, kernel=kernel: SVC(kernel=kernel) for kernel in KERNELS}
    regressors = {
        "knn": lambda seed: KNeighborsRegressor(),
        "mlp": lambda seed: MLPRegressor(random_state=seed),
        "random-forest": lambda seed: RandomForestRegressor(random_state=seed),
        "ridge": lambda seed: Ridge(),
    } | {f"svm-{kernel}": lambda seed, kernel=kernel: SVR(kernel=kernel) for kernel in KERNELS}
    rows, x = read(f"{data}/templates-utk")
    test = np.arange(len(rows)) % 3 == 0
    for attribute in ("gender", "ethnicity"):
        y = np.array([row[attribute] for row in rows])
        compare(f"utk {attribute}", classifiers, balanced_accuracy_score, x, y, test)
    ages = np.array([float(row["age"]) for row in rows])
    compare("utk age", regressors, mean_absolute_error, x, ages, test)
    rows, x = read(f"{data}/templates-lfw")
    test = np.array([int(row["identity"][1:]) % 3 == 0 for row in rows])
    compare("lfw gender", classifiers, balanced_accuracy_score, x, np.array([row["gender"] for row in rows]), test)


if __name__ == "__main__":
    main(sys.argv[1])
