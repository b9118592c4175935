"""Face crops through Bauta, from files to files, beside the same work in Python with OpenCV.

    /usr/bin/python3 bench/media_peer.py build/release/bauta FACES [COUNT]

FACES is a data set folder with a column `file` (Labeled Faces in the Wild has 7,549 aligned crops of 112 x 112 here); COUNT takes the first so many.
Needs Debian's python3-opencv.

- Simple techniques: decode, mask, encode as PNG, with their defaults for such crops: a blur with a kernel of 51 pixels, a mosaic of 5 x 5 cells, a black strip over
  rows 8 to 78, grey for 99 of 100 pixels. Both write PNG as they do by default. Three rounds that take turns, of which the fastest counts: other work on the machine
  slows both, but not at the same moment.
- Detection: bauta searches with dlib's detector (HOG) and goes on to landmarks, alignment and the face network; OpenCV's own detector (Haar cascades)
  is its peer for the search alone, because OpenCV brings no network for faces along.
- The face network on aligned crops, where nothing is searched.

Seconds of the wall clock, and of all processors together, which other programs on the machine do not change.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time


def children_seconds():
    times = os.times()
    return times.children_user + times.children_system


def own_seconds():
    times = os.times()
    return times.user + times.system


def timed(run, clock):
    start, used = time.perf_counter(), clock()
    run()
    return time.perf_counter() - start, clock() - used


def fastest(*runs):
    """The fastest of three rounds in which the runs take turns, by processor seconds."""
    rounds = [[run() for run in runs] for _ in range(3)]
    return [min(taken, key=lambda pair: pair[1]) for taken in zip(*rounds)]


def show(name, count, bauta, peer=None, peer_name=""):
    line = f"{name:34} bauta {bauta[0]:7.2f} s wall {bauta[1]:7.2f} s processor ({count / bauta[1]:7.0f} a second and core)"
    if peer:
        line += f"   {peer_name} {peer[0]:7.2f} s wall {peer[1]:7.2f} s processor   ratio {peer[1] / bauta[1]:5.2f}"
    print(line, flush=True)


def main():
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    program, faces = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(os.path.join(faces, "labels.csv"), newline="") as labels:
        rows = list(csv.DictReader(labels))
    rows = rows[:int(sys.argv[3]) if len(sys.argv) > 3 else len(rows)]
    with tempfile.TemporaryDirectory() as scratch:
        some = os.path.join(scratch, "faces")
        os.mkdir(some)
        with open(os.path.join(some, "labels.csv"), "w", newline="") as labels:
            writer = csv.DictWriter(labels, ["file", "identity"], extrasaction="ignore")
            writer.writeheader()
            for row in rows:
                place = os.path.join(some, row["file"])
                os.makedirs(os.path.dirname(place), exist_ok=True)
                os.link(os.path.join(faces, row["file"]), place) if same_disk(faces, scratch) else copy(faces, row, place)
                writer.writerow(row)
        files = [os.path.join(some, row["file"]) for row in rows]

        def bauta(*words):
            return timed(lambda: subprocess.run([program, *words], check=True, capture_output=True), children_seconds)

        def mosaic(image):
            cells = cv2.resize(image, (5, 5), interpolation=cv2.INTER_AREA)
            return cv2.resize(cells, image.shape[1::-1], interpolation=cv2.INTER_NEAREST)

        def snow(image):
            kept = random.permutation(image.shape[0] * image.shape[1])[:image.shape[0] * image.shape[1] // 100]
            made = np.full_like(image, 127)
            made.reshape(-1, 3)[kept] = image.reshape(-1, 3)[kept]
            return made

        masks = {"gaussian-blur": lambda image: cv2.GaussianBlur(image, (51, 51), 0), "pixelate": mosaic,
                 "eye-mask": lambda image: cv2.rectangle(image, (0, 8), (image.shape[1], 78), 0, -1), "dp-snow": snow}
        random = np.random.default_rng(1)

        def masked(mask):
            folder = os.path.join(scratch, "peer")
            os.makedirs(folder, exist_ok=True)
            for number, file in enumerate(files):
                cv2.imwrite(f"{folder}/{number}.png", mask(cv2.imread(file)))

        def detect():
            cascade = cv2.CascadeClassifier("/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml")
            for file in files:
                cascade.detectMultiScale(cv2.imread(file, cv2.IMREAD_GRAYSCALE), minSize=(60, 60))

        out = lambda name: os.path.join(scratch, name)
        print(f"{len(files)} crops")
        def protect(technique):
            shutil.rmtree(out(technique), ignore_errors=True)
            return bauta("protect", technique, some, "--out", out(technique))

        for technique, mask in masks.items():
            show(technique, len(files), *fastest(lambda: protect(technique), lambda: timed(lambda: masked(mask), own_seconds)),
                 f"OpenCV {cv2.__version__}")
        show("detect, align, face network", len(files),
             bauta("extract", "face-network:frame=detect", some, "--out", out("detected")),
             timed(detect, own_seconds), "OpenCV's detector alone")
        show("face network on aligned crops", len(files),
             bauta("extract", "face-network:frame=aligned", some, "--out", out("aligned")))


def same_disk(one, other):
    return os.stat(one).st_dev == os.stat(other).st_dev


def copy(faces, row, place):
    with open(os.path.join(faces, row["file"]), "rb") as source, open(place, "wb") as target:
        target.write(source.read())


main()
