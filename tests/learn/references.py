"""Prints the numbers that the tests of learn/ expect, computed by scikit-learn (Debian 12's python3-sklearn, 1.2.1).

    /usr/bin/python3 tests/learn/references.py

The data are those of tests/learn/lcg.hpp: both sides make them from the same generator.
"""

import numpy as np
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.covariance import ledoit_wolf
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import KernelCenterer, MinMaxScaler, Normalizer, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeRegressor


class Lcg:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.state >> 40) - 2**23) / 2**23

    def matrix(self, rows, cols):
        return np.array([[self.next() for _ in range(cols)] for _ in range(rows)], np.float32)


def show(name, values):
    print(f"{name}: {{" + ", ".join(f"{value:.6g}" for value in np.ravel(values)) + "}")


def population(seed, rows, cols):
    """Three groups by the first two columns, the second half of the columns constant."""
    lcg = Lcg(seed)
    x = lcg.matrix(rows, cols)
    noise = lcg.matrix(rows, 1)[:, 0]
    x[:, cols // 2:] = 0.5
    level = x[:, 0] + 0.5 * x[:, 1] + 0.5 * noise
    return x, level


def tree():
    lcg = Lcg(1)
    x = lcg.matrix(40, 1)
    y = lcg.matrix(40, 1)[:, 0].astype(float)
    points = np.linspace(-0.9, 0.9, 10, dtype=np.float32)[:, None]
    show("tree of numbers", DecisionTreeRegressor().fit(x, y).predict(points))


def discriminants():
    lcg = Lcg(21)
    x = lcg.matrix(60, 5)
    x[:, 1] += 0.8 * x[:, 0]
    codes = np.arange(60) % 3
    x[:, 2] += 0.3 * codes.astype(np.float32)
    points = Lcg(22).matrix(4, 5)
    show("lda", LinearDiscriminantAnalysis(solver="lsqr").fit(x, codes).predict_proba(points))
    deviations = x.astype(float).copy()
    for c in range(3):
        deviations[codes == c] -= deviations[codes == c].mean(0)
    standard = deviations / np.sqrt((deviations ** 2).mean(0))
    covariance, shrinkage = ledoit_wolf(standard, assume_centered=True)
    show("ledoit-wolf shrinkage", shrinkage)
    white = np.linalg.solve(np.linalg.cholesky(covariance), (points / np.sqrt((deviations ** 2).mean(0))).T).T
    show("whitened", np.linalg.norm(white, axis=1))
    x = Lcg(27).matrix(12, 40)
    x[:, 3] = 0
    x[:, 9:20] += 2 * x[:, 8:9]
    deviations = np.sqrt((x.astype(float) ** 2).mean(0))
    standard = x / np.where(deviations > 0, deviations, 1)
    covariance, shrinkage = ledoit_wolf(standard, assume_centered=True)
    points = Lcg(28).matrix(7, 40) / np.where(deviations > 0, deviations, np.inf)
    show("few rows: shrinkage", shrinkage)
    show("few rows: whitened", np.linalg.norm(np.linalg.solve(np.linalg.cholesky(covariance), points.T).T, axis=1))


def forests():
    x, level = population(2, 200, 16)
    points, _ = population(3, 12, 16)
    two = (level > 0).astype(int)
    three = (level > -0.4).astype(int) + (level > 0.4)
    forest = RandomForestClassifier(20000, n_jobs=2, random_state=0).fit(x, two)
    show("two classes, P(1)", forest.predict_proba(points)[:, 1])
    show("two classes, importances", forest.feature_importances_[:8])
    forest = RandomForestClassifier(20000, n_jobs=2, random_state=0).fit(x, three)
    show("three classes, P", forest.predict_proba(points[:6]))
    show("three classes, importances", forest.feature_importances_[:8])
    forest = RandomForestRegressor(20000, n_jobs=2, random_state=0).fit(x, level)
    show("numbers", forest.predict(points))
    show("numbers, importances", forest.feature_importances_[:8])


def logistic():
    x, level = population(4, 150, 6)
    two = (level > 0.2).astype(int)
    three = (level > -0.4).astype(int) + (level > 0.4)
    model = LogisticRegression(tol=1e-10, max_iter=10000).fit(x, two)
    show("two classes, weights", np.hstack([model.coef_, model.intercept_[:, None]]))
    model = LogisticRegression(C=10, tol=1e-10, max_iter=10000).fit(x, three)
    show("three classes, c=10, weights", np.hstack([model.coef_, model.intercept_[:, None]]))
    show("three classes, c=10, P", model.predict_proba(x[:3]))


def neighbours():
    x, level = population(7, 200, 8)
    points, _ = population(8, 6, 8)
    three = (level > -0.4).astype(int) + (level > 0.4)
    show("knn, shares", KNeighborsClassifier().fit(x, three).predict_proba(points))


def ridge():
    x, level = population(9, 30, 4)
    x[:, 3] += Lcg(10).matrix(30, 1)[:, 0]  # one constant feature is left
    y = np.stack([level, 2 * x[:, 1] - level + 5], 1)
    model = Ridge(alpha=0.7).fit(x, y)
    show("ridge, weights", model.coef_.T)
    show("ridge, intercepts", model.intercept_)
    # Generalised cross-validation by its definition, with the hat matrix written out.
    z = (x - x.mean(0)).astype(float)
    scatter = z.T @ z
    penalties = np.trace(scatter) / 4 * 10 ** (np.arange(-32, 17) / 4)
    scores = []
    for penalty in penalties:
        hat = z @ np.linalg.solve(scatter + penalty * np.eye(4), z.T) + 1 / 30
        scores.append(((y - hat @ y) ** 2).sum() / (30 - np.trace(hat)) ** 2)
    show("ridge, penalty of least GCV", penalties[np.argmin(scores)])
    # A kernel that is not linear, with an intercept: kernel ridge on the centred Gram matrix.
    gram = (1 + x @ x.T).astype(float) ** 2
    centre = KernelCenterer().fit(gram)
    points = Lcg(11).matrix(3, 4)
    cross = centre.transform((1 + points @ x.T).astype(float) ** 2)
    model = KernelRidge(alpha=0.3, kernel="precomputed").fit(centre.transform(gram), y - y.mean(0))
    show("kernel ridge, predictions", model.predict(cross) + y.mean(0))


def machines():
    x, level = population(16, 120, 6)
    points, _ = population(17, 5, 6)
    two = (level > 0.1).astype(int)
    three = (level > -0.4).astype(int) + (level > 0.4)
    for kernel in ("linear", "poly", "rbf", "sigmoid"):
        # The sigmoid is no positive definite kernel and may have several solutions, but hardly so where it is nearly linear.
        more = {"poly": {"coef0": 0.5}, "sigmoid": {"gamma": 0.1}}.get(kernel, {})
        model = SVC(kernel=kernel, tol=1e-8, **more).fit(x, two)
        show(f"svm-{kernel}, decisions", model.decision_function(points))
        model = SVC(kernel=kernel, C=5, tol=1e-8, **more).fit(x, three)
        show(f"svm-{kernel}, c=5, classes", model.predict(x[:40]))
    wide = Lcg(18).matrix(20, 30)
    show("svm-linear, more features than samples", SVC(kernel="linear", C=0.1, tol=1e-8).fit(wide, [0, 1] * 10).decision_function(wide[:4]))


def regressors():
    x, level = population(16, 120, 6)
    points, _ = population(17, 5, 6)
    for kernel in ("linear", "poly", "rbf", "sigmoid"):
        more = {"poly": {"coef0": 0.5}, "sigmoid": {"gamma": 0.1}}.get(kernel, {})
        show(f"svm-{kernel}, values", SVR(kernel=kernel, tol=1e-8, **more).fit(x, level).predict(points))
    show("svm-linear, c=100, epsilon=0.01, values", SVR(kernel="linear", C=100, epsilon=0.01, tol=1e-8).fit(x, level).predict(points))
    show("knn, values", KNeighborsRegressor().fit(x, level).predict(points))
    show("ridge, values", Ridge().fit(x, level).predict(points))


def weights():
    x, level = population(16, 120, 6)
    points, _ = population(17, 5, 6)
    two = (level > 0.5).astype(int)
    three = (level > -0.2).astype(int) + (level > 0.6)
    for kernel in ("linear", "rbf"):
        model = SVC(kernel=kernel, tol=1e-8, class_weight="balanced").fit(x, two)
        show(f"balanced svm-{kernel}, decisions", model.decision_function(points))
        model = SVC(kernel=kernel, tol=1e-8, C=5, class_weight="balanced").fit(x, three)
        show(f"balanced svm-{kernel}, c=5, classes", model.predict(x[:40]))
    for codes in (two, three):
        model = LogisticRegression(tol=1e-10, max_iter=10000, class_weight="balanced").fit(x, codes)
        show("balanced logistic, P", model.predict_proba(points))
        forest = RandomForestClassifier(20000, n_jobs=2, random_state=0, class_weight="balanced").fit(x, codes)
        show("balanced random-forest, P", forest.predict_proba(points))


def calibration():
    x, level = population(16, 120, 6)
    points, _ = population(17, 5, 6)
    two = (level > 0.5).astype(int)
    three = (level > -0.2).astype(int) + (level > 0.6)
    for model in (SVC(tol=1e-8), LogisticRegression(tol=1e-10, max_iter=10000), KNeighborsClassifier(n_neighbors=15)):
        for method in ("sigmoid", "isotonic"):
            for codes in (two, three):
                calibrated = CalibratedClassifierCV(model, method=method, cv=5, ensemble=False).fit(x, codes)
                show(f"{model}, {method}, P", calibrated.predict_proba(points))


def gaussian_process():
    x = Lcg(40).matrix(12, 2).astype(float)
    y = np.sin(3 * x[:, 0]) + x[:, 1] ** 2
    kernel = ConstantKernel(1.7) * Matern(length_scale=0.6, nu=2.5)
    model = GaussianProcessRegressor(kernel, alpha=1.7 * 0.01, optimizer=None).fit(x, y)
    mean, deviation = model.predict(Lcg(41).matrix(4, 2).astype(float), return_std=True)
    show("Gaussian process, means", mean)
    show("Gaussian process, variances", deviation**2)
    show("Gaussian process, log marginal likelihood", model.log_marginal_likelihood_value_)


def preparation():
    x = Lcg(13).matrix(6, 3)
    x[:, 1] = 0.1
    unit = Normalizer().fit_transform(x)
    show("unit,zscore", StandardScaler().fit_transform(unit.astype(np.float32))[0])
    show("minmax", MinMaxScaler().fit(x[:5]).transform(x[5:]))


if __name__ == "__main__":
    print("scikit-learn", sklearn.__version__)
    tree()
    discriminants()
    forests()
    logistic()
    neighbours()
    ridge()
    machines()
    regressors()
    weights()
    calibration()
    gaussian_process()
    preparation()
