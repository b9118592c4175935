"""scripts/compare-results on two tiny results: the expected lines and counts were read off the two files by hand."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "compare-results")

# Before questions: a step, no findings. 3 + 2 + 1 values, and a status each.
OLD = [
    {"key": {"step": "verify", "data": "target", "technique": "csn"}, "status": "done", "values": {"eer": 0.1, "det": [[0, 1]]}},
    {"key": {"step": "similarity", "technique": "csn", "attribute": "gender"}, "status": "done",
     "values": {"best": 0.7000000000000001, "decisions": {"fmr": 0.01}}},
    {"key": {"step": "unlinkability", "data": "target", "technique": "csn"}, "status": "done", "values": {"d_sys": 0.5}},
]
NEW = [
    {"key": {"question": "verification", "data": "target", "technique": "none"}, "status": "done", "values": {"eer": 0.3}},
    {"key": {"question": "verification", "data": "target", "technique": "csn", "adversary": "naive"}, "status": "done",
     "values": {"eer": 0.2, "det": [[0, 1]]}},
    {"key": {"question": "verification", "data": "target", "technique": "csn", "adversary": "parrot"}, "status": "done",
     "values": {"eer": 0.1, "det": [[0, 1]], "auc": 0.9}},
    {"key": {"question": "similarity", "technique": "csn", "attribute": "gender", "adversary": "parrot"}, "status": "done",
     "values": {"best": 0.7}, "findings": [{"value": 0.7}]},
    {"key": {"question": "decisions", "technique": "csn", "attribute": "gender"}, "status": "done", "values": {"decisions": {"fmr": 0.01}}},
]


class CompareResults(unittest.TestCase):
    def compare(self, old, new, allow=None):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, SCRIPT]
            for name, cells in (("old.json", old), ("new.json", new)):
                command.append(os.path.join(folder, name))
                with open(command[-1], "w", encoding="utf-8") as file:
                    json.dump({"cells": cells}, file)
            if allow is not None:
                command += ["--allow", os.path.join(folder, "allow")]
                with open(command[-1], "w", encoding="utf-8") as file:
                    file.write(allow)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_finds_the_last_digit_and_the_missing_cell(self):
        status, lines = self.compare(OLD, NEW)
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "similarity [technique=csn, attribute=gender] best: 0.7000000000000001 -> 0.7")
        self.assertTrue(lines[1].startswith("unlinkability [data=target, technique=csn] cell: {"), lines[1])
        # auc; the finding's value; 3 statuses are equal, and eer, two numbers of det, fmr.
        self.assertEqual(lines[2], "3 cells, 7 values, 5 numbers, 6 equal, 1 different, 1 missing, 2 added, 0 allowed")

    def test_known_differences_may_be_allowed(self):
        allow = "# known\nsimilarity best rounding\nunlink* cell not asked\nverification nothing.* mended\n"
        status, lines = self.compare(OLD, NEW, allow)
        self.assertEqual(status, 0)
        self.assertIn("(allowed: rounding)", lines[0])
        self.assertEqual(lines[2], "unused: verification nothing.* mended")
        self.assertTrue(lines[3].endswith("1 different, 1 missing, 2 added, 2 allowed"), lines[3])

    def test_an_allowance_holds_for_its_question_and_path_alone(self):
        for allow in ("online best rounding\nunlink* cell not asked\n", "similarity bes rounding\nunlink* cell not asked\n"):
            self.assertEqual(self.compare(OLD, NEW, allow)[0], 1)

    def test_findings_count_where_both_have_them(self):
        self.assertEqual(self.compare(NEW, NEW)[0], 0)
        changed = json.loads(json.dumps(NEW))
        changed[3]["findings"][0]["value"] = 0.8
        status, lines = self.compare(NEW, changed)
        self.assertEqual(status, 1)
        self.assertTrue(lines[0].endswith("cell.findings.0.value: 0.7 -> 0.8"), lines[0])

    def test_anonymity_is_three_questions_now(self):
        record = {"attacker": "nearest", "question": "record", "informed": False, "mixture": 0.9}
        person = {"attacker": "lda on anonymised data", "question": "identity", "informed": True, "candidates": 4, "mixture": 0.25,
                  "mean_rank": 1.5, "kl": 0.5, "top": [], "clear": {"mixture": 0.125}}
        both = {"records": 8, "train_records": 24, "failures": 0, "split": "a quarter"}
        linked = {"one_record_per_identity": False, "identities": 4, "worst_record": None, "exact_copies": 0, "parameters": None}
        old = [{"key": {"step": "anonymity", "technique": "x", "representation": ""}, "status": "done",
                "values": {**both, **linked, "utility": {"value": 0.75}, "attackers": [record, person], "survives": []}}]
        answers = {"lda": {"recogniser": "lda", "mixture": 0.25, "mean_rank": 1.5, "kl_from_uniform": 0.5, "top": []}}
        new = [
            {"key": {"question": "identification", "technique": "x", "recogniser": "lda", "adversary": "naive"}, "status": "done", "values": {}},
            {"key": {"question": "identification", "technique": "x", "recogniser": "lda", "adversary": "parrot"}, "status": "done",
             "values": {"identities": 4, "results": [answers["lda"]], "clear": 0.875}},
            {"key": {"question": "linkage", "technique": "x"}, "status": "done",
             "values": {**both, **linked, "attackers": [{"attacker": "nearest", "informed": False, "mixture": 0.9}]}},
            {"key": {"question": "utility", "technique": "x"}, "status": "done", "values": {**both, "value": 0.75}},
        ]
        status, lines = self.compare(old, new)
        # utility: 5 and the status; linkage: 12 and the status; identification: 7 and the status.
        self.assertEqual((status, lines), (0, ["3 cells, 27 values, 15 numbers, 27 equal, 0 different, 0 missing, 0 added, 0 allowed"]))
        new[2]["values"]["attackers"][0]["mixture"] = 0.8
        self.assertEqual(self.compare(old, new)[0], 1)

    def test_nothing_to_compare_is_not_equal(self):
        self.assertEqual(self.compare([], NEW)[0], 1)


if __name__ == "__main__":
    unittest.main()
