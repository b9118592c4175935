// Files with what was learned: hostile ones are refused.
#include <gtest/gtest.h>

#include "../data/hostile.hpp"
#include "../data/scratch.hpp"
#include "bauta/data/npz.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

const std::string technique = "utility-preserving:ranking=fisher,g=2";

Dataset people() {
  Dataset dataset = dataset_of(gaussian_templates(12, 4), 2);
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < dataset.size(); ++i) classes.push_back(i % 4 < 2 ? "F" : "M");
  dataset.labels.add_column("gender", std::move(classes));
  return dataset;
}

/// Loads it, and uses what was loaded.
void use(const std::filesystem::path& file) {
  (void)protect_dataset(load_protection(file, "utility-preserving"), people(), {});
}

std::filesystem::path fitted_file(const test::Scratch& scratch) {
  ResolvedProtection protection = make_protection(technique);
  fit_protection(protection, people(), {"gender"}, {});
  save_protection(protection, scratch / "fitted.npz");
  return scratch / "fitted.npz";
}

// Without an attribute the technique looked at the first of none.
TEST(FittedProtection, WithoutItsAttributesIsRefused) {
  const test::Scratch scratch;
  const auto file = fitted_file(scratch);
  EXPECT_NO_THROW(use(file));
  std::vector<std::string> remarks;
  for (const bool empty : {true, false}) {
    NpzWriter writer(scratch / "without.npz");
    for (const NpzArray& entry : read_npz(file, "", remarks)) {
      if (entry.key == "bauta.technique") writer.add(entry.key, to_text_column(entry.array));
      if (entry.key == "bauta.attributes" && empty) writer.add(entry.key, std::vector<std::string>{""});
      if (entry.key.starts_with("bauta.")) continue;
      const Templates values = to_float_templates(entry.array);
      writer.add(entry.key, values.floats());
    }
    writer.commit();
    test::expect_contains(test::input_error([&] { use(scratch / "without.npz"); }), "without.npz");
  }
}

TEST(FittedProtection, RandomMutationsAreSurvived) {
  const test::Scratch scratch;
  const std::string undamaged = test::read_bytes(fitted_file(scratch));
  const test::MemoryLimit limit;
  test::expect_mutations_survived(
      "fitted protection", undamaged, [&](const std::string& bytes) { use(scratch.write("x.npz", bytes)); },
      test::mutation_rounds(500), 40);
}

}  // namespace
}  // namespace bauta
