"""A run on drawn faces that is killed four times comes to the same bytes: scripts/test-kills in small."""
import os
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "test-kills")
EXPERIMENT = """
[data]
target     = { path = "faces", only = "hair=dark" }
background = { path = "faces", only = "hair=light" }
[protect]
technique  = ["none", "gaussian-blur", "pixelate"]
[protocol]
kind       = "closed-set"
adversary  = ["naive", "parrot-50", "parrot", "retrained"]
[extract]
representation = ["pixels:size=16"]
[attack]
recogniser = ["eigenface-svm:size=16,components=20", "centroid"]
"""

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], "synth", "faces", "--out", os.path.join(folder, "faces"), "--identities", "30", "--samples", "20"],
                   stdout=subprocess.DEVNULL, check=True)
    experiment = os.path.join(folder, "e.toml")
    with open(experiment, "w", encoding="utf-8") as file:
        file.write(EXPERIMENT)
    done = subprocess.run([sys.executable, SCRIPT, sys.argv[1], experiment, "--kills", "4", "--folder", os.path.join(folder, "runs")],
                          stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0
    assert done.stdout.count("killed ") >= 4
