"""Face crops through Bauta, from files to files, beside the same work in Python with OpenCV.

    /usr/bin/python3 bench/media_peer.py build/release/bauta FACES [COUNT]

FACES is a data set folder with a column `file` (Labeled Faces in the Wild has 7,549 aligned crops of 112 x 112 here); COUNT takes the first so many.
Needs Debian's python3-opencv.

- A simple technique: decode, blur with a kernel of 51 pixels (what gaussian-blur does to such crops by default), encode as PNG.
- Detection: bauta searches with dlib's detector (HOG) and goes on to landmarks, alignment and the face network; OpenCV's own detector (Haar cascades)
  is its peer for the search alone, because OpenCV brings no network for faces along.
- The face network on aligned crops, where nothing is searched.

Seconds of the wall clock, and of all processors together, which other programs on the machine do not change.
"""

import csv
import os
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


def show(name, count, bauta, peer=None, peer_name=""):
    line = f"{name:34} bauta {bauta[0]:7.2f} s wall {bauta[1]:7.2f} s processor ({count / bauta[1]:7.0f} a second and core)"
    if peer:
        line += f"   {peer_name} {peer[0]:7.2f} s wall {peer[1]:7.2f} s processor   ratio {peer[1] / bauta[1]:5.2f}"
    print(line, flush=True)


def main():
    import cv2

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

        def blur():
            folder = os.path.join(scratch, "peer")
            os.makedirs(folder, exist_ok=True)
            for number, file in enumerate(files):
                cv2.imwrite(f"{folder}/{number}.png", cv2.GaussianBlur(cv2.imread(file), (51, 51), 0))

        def detect():
            cascade = cv2.CascadeClassifier("/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml")
            for file in files:
                cascade.detectMultiScale(cv2.imread(file, cv2.IMREAD_GRAYSCALE), minSize=(60, 60))

        out = lambda name: os.path.join(scratch, name)
        print(f"{len(files)} crops")
        show("gaussian-blur", len(files), bauta("protect", "gaussian-blur", some, "--out", out("blur")),
             timed(blur, own_seconds), f"OpenCV {cv2.__version__}")
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
