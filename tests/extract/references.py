#!/usr/bin/python3
"""Expected values of cepstra_test.cpp, eigenface_test.cpp and lbph_test.cpp, computed without our code.

Debian 12: Python 3.11, numpy 1.24.2, scipy 1.10.1.
"""
import numpy as np
import scipy.fft


def recording(count):
    state, samples = 1, []
    for n in range(count):
        state = (1103515245 * state + 12345) % 2**31
        samples.append(((state >> 16) % 8192 - 4096) * (n % 500) >> 9)
    return np.array(samples) / 32768


def mfcc(x, rate=8000, coefficients=20, filters=26):
    x = x - x.mean()
    x = np.append(x[0], x[1:] - 0.97 * x[:-1])
    length, hop = int(0.025 * rate), int(0.01 * rate)
    size = 1 << (length - 1).bit_length()
    frames = np.array([x[i:i + length] for i in range(0, len(x) - length + 1, hop)])
    power = np.abs(np.fft.rfft(frames * np.hanning(length), size)) ** 2
    mel = 2595 * np.log10(1 + np.fft.rfftfreq(size, 1 / rate) / 700)
    edges = np.linspace(0, 2595 * np.log10(1 + rate / 2 / 700), filters + 2)
    bank = np.array([np.interp(mel, edges[m:m + 3], [0, 1, 0]) for m in range(filters)])
    energy = power @ bank.T
    return scipy.fft.dct(np.log(np.maximum(energy, energy.max() * 1e-8)), norm='ortho')[:, :coefficients]


def deltas(c):
    p = np.pad(c, ((2, 2), (0, 0)), mode='edge')
    return (2 * (p[4:] - p[:-4]) + p[3:-1] - p[1:-3]) / 10


def level_image(seed, width, height):
    state, levels = seed, []
    for _ in range(width * height):
        state = (1103515245 * state + 12345) % 2**31
        levels.append((state >> 16) % 16 * 16)  # few levels: many neighbours are equal
    return np.array(levels, np.uint8).reshape(height, width)


def lbph():
    """OpenCV 4.6.0 with its contributed modules (python3-opencv)."""
    import cv2
    one, other = level_image(1, 37, 29), level_image(2, 37, 29)
    for radius, neighbours, grid in ((1, 8, 8), (2, 6, 3)):
        made = cv2.face.LBPHFaceRecognizer_create(radius, neighbours, grid, grid)
        made.train([one], np.array([0]))
        histogram = made.getHistograms()[0][0].astype(float)
        weights = np.arange(histogram.size) % 97 + 1
        show('lbph %d %d %d' % (radius, neighbours, grid), [histogram.size, np.count_nonzero(histogram),
                                                           histogram @ weights, made.predict(other)[1]])


def show(name, values):
    print(name, ', '.join('%.9g' % v for v in values))


c = mfcc(recording(4000))
d = deltas(c)
t = len(c)
segments = np.concatenate([c.mean(0), c.std(0), d.std(0)] + [c[s * t // 4:(s + 1) * t // 4].mean(0) for s in range(4)])
statistics = np.concatenate([c.mean(0), c.std(0), d.mean(0), d.std(0)])
print('frames', t)
show('segments, every seventh:', segments[::7])
show('statistics, every fourth:', statistics[::4])

# Eight images of 4 x 4 from the same generator.
state, images = 1, []
for n in range(8 * 16):
    state = (1103515245 * state + 12345) % 2**31
    images.append((state >> 16) % 256)
x = np.array(images).reshape(8, 16) / 255
x = x - x.mean(0)
u, s, vt = np.linalg.svd(x, full_matrices=False)
vt = np.array([v * np.sign(v[np.argmax(np.abs(v))]) for v in vt])
show('eigenface, components 0 to 6 of image 0:', (x @ vt.T)[0, :7])
show('eigenface, whitened, image 5:', ((x @ vt.T) / (s / np.sqrt(8)))[5, :7])
lbph()
