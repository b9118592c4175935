"""Expected values of tests/attack/known_linkage_test.cpp, from the definitions in plain Python: prints one row per record.

What an informed attacker knows of a blend (bauta/protect/blend.hpp): a protected record is scale * (mean + pull * (x - mean)), feature by feature, with the
mean of a set of `size` records, `own` of them of the class of x, x among them. Given x, the mean of that set has an expectation and a covariance over the
draws without replacement; candidates are weighed with the normal density of these, and the one covariance of a class serves all its candidates.
"""
import math

ORIGINALS = [(0, 1), (2, 0), (4, 5), (1, 3), (10, 2), (16, -1), (5, 9)]
CLASSES = [0, 0, 0, 0, 1, 1, 2]
SIZE, OWN = 4, 2
PULL, SCALE = (0.0, 0.5), (1.0, 2.0)
ANONYMISED = [(6.25, 6.5), (5.5, 4.5), (7.5, 2.25), (7, 12.5)]
TRUTH = [2, 0, 5, 6]


def mean(rows):
    return [sum(row[j] for row in rows) / len(rows) for j in range(2)]


def covariance(rows):
    centre = mean(rows)
    return [[sum((row[j] - centre[j]) * (row[k] - centre[k]) for row in rows) / len(rows) for k in range(2)] for j in range(2)]


def variance_of_sum(drawn, of):
    """Of `drawn` values out of `of`, without replacement, in units of the variance of one."""
    return drawn * (of - drawn) / (of - 1) if of > 1 else 0


def standings(population, originals=ORIGINALS, classes=CLASSES, records=tuple(zip(ANONYMISED, TRUTH))):
    for record, true in records:
        cls = classes[true]
        own = [row for row, c in zip(originals, classes) if c == cls]
        others = [row for row, c in zip(originals, classes) if c != cls]
        members, strangers_at_hand = population[cls], sum(population) - population[cls]
        companions, strangers = OWN - 1, SIZE - OWN
        spread = [[0, 0], [0, 0]]
        for rows, drawn, of in ((own, companions, members - 1), (others, strangers, strangers_at_hand)):
            one = covariance(rows)
            for j in range(2):
                for k in range(2):
                    spread[j][k] += variance_of_sum(drawn, of) * one[j][k] / SIZE**2
        determinant = spread[0][0] * spread[1][1] - spread[0][1] ** 2
        inverse = [[spread[1][1] / determinant, -spread[0][1] / determinant], [-spread[0][1] / determinant, spread[0][0] / determinant]]
        weights = []
        for x in own:
            off = []
            for j in range(2):
                # The companions' expected sum is what the others of the class have in the mean.
                rest = companions * (members * mean(own)[j] - x[j]) / (members - 1) if members > 1 else 0
                expected = (x[j] + rest + strangers * mean(others)[j]) / SIZE
                off.append((record[j] / SCALE[j] - PULL[j] * x[j]) / (1 - PULL[j]) - expected)
            weights.append(math.exp(-sum(off[j] * inverse[j][k] * off[k] for j in range(2) for k in range(2)) / 2))
        mine = weights[own.index(originals[true])]
        shares = [weight / sum(weights) for weight in weights]
        divergence = sum(share * math.log(share * len(shares)) for share in shares)
        print(sum(weight > mine for weight in weights), len(own), f"{mine / sum(weights):.7f} {divergence:.7f}")


def retained(column):
    """One retained feature in units of its deviation; softmax of negated distances."""
    values = [row[column] for row in ORIGINALS]
    deviation = math.sqrt(covariance(ORIGINALS)[column][column])
    for record, true in zip(ANONYMISED, TRUTH):
        distances = [abs(record[column] - value) / deviation for value in values]
        print(sum(d < distances[true] for d in distances), f"{math.exp(-distances[true]) / sum(math.exp(-d) for d in distances):.7f}")


if __name__ == "__main__":
    print("all originals")
    standings([4, 2, 1])
    print("a sample of 9, 5 and 3")
    standings([9, 5, 3])
    print("one stranger")
    standings([3, 1], ORIGINALS[:3] + ORIGINALS[5:6], [0, 0, 0, 1], [((8.875, 0.75), 0), ((9.125, 0.75), 0)])
    print("retained")
    retained(1)
