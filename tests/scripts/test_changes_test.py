"""What scripts/test-changes would change in a small source, place by place; expected by reading it."""
import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "test-changes")
loader = importlib.machinery.SourceFileLoader("test_changes", SCRIPT)
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("test_changes", loader))
loader.exec_module(module)

SOURCE = r'''#include <array>  // 1 + 2
#define TWICE(x) \
  (2 * x)
/* a < b */
constexpr double tolerance = 1e-3;  // 1 < 2
template <class T, int N = 3>
double f(const std::vector<T>& x, T&& y, char c = '1') {
  BAUTA_ASSERT(x.size() > 1 && (y < 2));
  if (!x.empty() && y <= 1'000U) throw_input("1 + 1", fmt::format("{} - {}", 1 - 2, "(" ), "hint");
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::max(-x[i], 0.5F);
  ++count, progress.add(1);
  return flag ? -1 : R"(3 + 4)" [0];
}
Entry<P> p() {
  return {{.name = "p", .parameters = {{"g", ParameterType::real, "3", "", 0, 1}}, .learns = true}, [] { return 7; }};
  return {with_training({.name = "q", .parameters = {{"h", ParameterType::real, "3", "", 0, 1}}}, 5)};
}
'''


class TestChanges(unittest.TestCase):
    def found(self):
        lines = SOURCE.split("\n")
        result = []
        for _, offset, before, after in module.changes_of("x.cpp", SOURCE):
            line = SOURCE.count("\n", 0, offset)
            self.assertIn(before, lines[line])
            result.append((line + 1, before, after))
        return result

    def test_places_and_what_may_come_there(self):
        self.assertEqual(self.found(), [
            (5, "1e-3", ["(2 * 1e-3)", "(1e-3 / 2)"]),
            (6, "3", ["4", "2"]),
            (9, "!", [""]), (9, "&&", ["||"]), (9, "<=", ["<", ">"]), (9, "1'000U", ["1001U", "999U"]),
            (10, "0", ["1"]), (10, "<", ["<=", ">="]), (10, "+=", ["-="]), (10, "max", ["min"]), (10, "-", [""]),
            (10, "0.5F", ["(2 * 0.5F)", "(0.5F / 2)"]),
            (11, "++", ["--"]),
            (12, "-", [""]), (12, "1", ["2", "0"]), (12, "0", ["1"]),
            (15, "7", ["8", "6"]), (16, "5", ["6", "4"]),
        ])  # fmt: skip

    def test_a_change_is_one_place_of_one_line(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write(SOURCE)
            file.flush()
            changes = list(module.drawn([file.name], 1))
            self.assertEqual([one.key() for one in changes], [one.key() for one in module.drawn([file.name], 1)])
            self.assertNotEqual([one.key() for one in changes], [one.key() for one in module.drawn([file.name], 2)])
        self.assertEqual(len(changes), 18)
        for one in changes:
            before, after = SOURCE.split("\n"), one.changed.split("\n")
            self.assertEqual(len(before), len(after))
            different = [i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]]
            self.assertEqual(different, [one.line - 1])
            self.assertEqual(one.lines, (before[one.line - 1].strip(), after[one.line - 1].strip()))
            self.assertTrue(before[one.line - 1][one.column - 1 :].startswith(one.before))

    def test_what_was_tried_is_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "room-1.jsonl")
            change = module.Change("x.cpp", SOURCE, SOURCE.index("++count"), "++", "--")
            module.Record(path, False).add(change, "unnoticed", "")
            self.assertEqual(module.Record(path, False).get(change)["verdict"], "unnoticed")
            self.assertIsNone(module.Record(path, True).get(change))
            module.Record(path, True).add(change, "noticed", "Test.Name")
            self.assertEqual(module.Record(path, True).get(change)["by"], "Test.Name")


if __name__ == "__main__":
    unittest.main()
