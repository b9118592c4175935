#!/usr/bin/env python3
"""What `bauta evaluate` promises of every run: results.json keeps to docs/results.schema.json, a program that is a technique is run once for each role and rotation
however much is asked and never again after that, and nothing that holds biometric data stays, also where cells fail.

    results_test.py PROGRAM SCHEMA
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

program, schema_file = (os.path.abspath(path) for path in sys.argv[1:3])

PROTOCOL = """
[data]
target = "people"
attribute = "gender"
[protect]
technique = ["none", "command:run=sh count.sh {in} {out},name=counted"]
[protocol]
kind = "PEP-TF-1-1-1"
adversary = ["naive", "parrot"]
[attack]
similarity = { rule = ["mean", "vote"], n = [3] }
estimator = ["knn", "lda"]
[measure]
bootstrap = 50
"""

CLOSED_SET = """
[data]
target = "faces"
[protect]
technique = ["none", "gaussian-blur", "dp-pix", "biohash"]
[extract]
representation = "pixels:size=8"
[protocol]
kind = "closed-set"
[attack]
recogniser = ["nearest"]
[measure]
reference = ["masked", "clear"]
cost = "likeness"
bootstrap = 50
"""


def bauta(*arguments, status=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, status), done.stderr
    return done


def evaluated(name, text):
    with open(name + ".toml", "w", encoding="utf-8") as file:
        file.write(text)
    bauta("evaluate", name + ".toml", "--out", name, status=1)
    with open(name + "/results.json", encoding="utf-8") as file:
        return json.load(file)


with open(schema_file, encoding="utf-8") as file:
    schema = jsonschema.Draft202012Validator(json.load(file))

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    bauta("synth", "templates", "--identities", "30", "--samples", "3", "--dim", "16", "--attribute", "gender:leak=3,classes=F/M", "--out", "people")
    bauta("synth", "faces", "--identities", "6", "--samples", "4", "--out", "faces")
    with open("count.sh", "w", encoding="utf-8") as file:
        file.write(f'echo run >> "{folder}/runs"\ncp "$1"/templates.npy "$2"\n')

    results = evaluated("protocol", PROTOCOL)
    failed = [cell["error"] for cell in results["cells"] if cell["status"] != "done"]
    assert not failed, failed
    with open("runs", encoding="utf-8") as file:
        runs = len(file.readlines())
    # Three folds, three rotations; in each of them one fold to learn from, one to tune on, one to test: nine pairs of role and rotation.
    assert runs == 9, f"the program was run {runs} times"
    assert not os.path.exists("protocol/steps"), os.listdir("protocol/steps")

    mixed = evaluated("mixed", CLOSED_SET)
    states = {cell["status"] for cell in mixed["cells"]}
    assert states == {"done"}, states
    # Bits are not compared with clear numbers, and every question says that.
    remarked = {cell["key"]["question"] for cell in mixed["cells"] if cell["values"].keys() == {"remarks"}}
    assert remarked == {"identification", "linkage", "verification"}, remarked
    assert not any(cell["findings"] for cell in mixed["cells"] if cell["values"].keys() == {"remarks"})
    assert not os.path.exists("mixed/steps"), os.listdir("mixed/steps")
    # The synthetic faces are grey: one channel with an epsilon of 2.
    promises = {promise["technique"]: promise for promise in mixed["techniques"]}
    assert [promise["technique"] for promise in mixed["techniques"]] == ["gaussian-blur", "dp-pix", "biohash"], promises
    assert promises["dp-pix"]["guarantee"]["epsilon"] == 2, promises
    assert {promises[name]["guarantee"]["kind"] for name in ("gaussian-blur", "biohash")} == {"none"}, promises
    assert promises["gaussian-blur"]["in_pixels"].keys() == {"kernel"}, promises

    for name, found in (("protocol", results), ("mixed", mixed)):
        errors = list(schema.iter_errors(found))
        assert not errors, (name, [(list(error.absolute_path), error.message[:200]) for error in errors[:5]])
print("ok")
