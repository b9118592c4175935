"""scripts/test-memorisation finds faces that somebody knows by heart, and does not find strangers."""
import contextlib
import importlib.util
import io
import os
import sys
import unittest
from importlib.machinery import SourceFileLoader

try:
    import numpy
except ImportError:
    print("needs numpy")
    sys.exit(77)

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "test-memorisation")
sys.dont_write_bytecode = True
loader = SourceFileLoader("memorisation", SCRIPT)
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("memorisation", loader))
loader.exec_module(script)


class Memorisation(unittest.TestCase):
    def test_distances_by_hand(self):
        # a at 0 and 10 on a line, b at 4, c at 20: from 1 the nearest is a (1), the next person b (3); from 12 it is a
        # (2), then b and c, both 8 away.
        train = numpy.array([[0.0], [10.0], [4.0], [20.0]], dtype=numpy.float32)
        distance, ratio = script.nearest(numpy.array([[1.0], [12.0]], dtype=numpy.float32), train,
                                         numpy.array(["a", "a", "b", "c"]))
        numpy.testing.assert_allclose(distance, [1, 2], rtol=1e-5)
        numpy.testing.assert_allclose(ratio, [1 / 3, 2 / 8], rtol=1e-5)

    def test_blur_takes_means_of_cells(self):
        image = numpy.zeros((script.SIZE, script.SIZE, 3), dtype=numpy.float32)
        image[0, 0, 1] = 16
        blurred = script.blurred(image.reshape(1, -1)).reshape(script.SIZE, script.SIZE, 3)
        self.assertTrue((blurred[:4, :4, 1] == 1).all())
        self.assertEqual(blurred.sum(), 16)

    def judged(self, painted):
        draw = numpy.random.default_rng(5)
        train = draw.normal(size=(400, 30)).astype(numpy.float32)
        real = draw.normal(size=(600, 30)).astype(numpy.float32)
        with contextlib.redirect_stdout(io.StringIO()):
            return script.judge("numbers", train, numpy.arange(400) // 2, [("real", real), ("painted", painted(train))])

    def test_copies_are_found_and_strangers_are_not(self):
        draw = numpy.random.default_rng(6)
        strangers = self.judged(lambda train: draw.normal(size=(600, 30)).astype(numpy.float32))
        self.assertTrue(script.passes(strangers), strangers)
        # Every tenth is a person whom it learned from, a little changed.
        copies = self.judged(lambda train: numpy.where(
            numpy.arange(600)[:, None] % 10 == 0, train[numpy.arange(600) % 400] + 0.05,
            draw.normal(size=(600, 30))).astype(numpy.float32))
        self.assertAlmostEqual(copies["painted"], 0.1, delta=0.03)
        self.assertFalse(script.passes(copies))
        self.assertFalse(script.passes({"painted": 0.0, "control": 0.4}))


if __name__ == "__main__":
    unittest.main()
