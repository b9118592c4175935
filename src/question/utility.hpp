// What protected data is still good for: how well attributes that shall stay readable are read from it (Moriarty et
// al., S2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/question.hpp"
#include "bauta/measure/usual.hpp"
#include "standings.hpp"

namespace bauta {

struct UtilityRun {
  std::vector<std::string> attributes;                    ///< of interest
  std::map<std::string, double> keep = {};                ///< additional attributes, with their weights
  std::map<std::string, std::vector<double>> edges = {};  ///< between classes of continuous attributes
  std::map<std::string, AttributeClasses> cuts = {};      ///< as the first repetition has them; others are made anew
  std::string estimator = "random-forest";                ///< that reads them
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
};

/// What is read of an attribute, sample by sample, as codes of its classes; -1: of no class.
struct AttributeRead {
  std::string name;
  double weight = 1;
  bool of_interest = true;
  std::vector<std::string> classes = {};
  std::vector<std::int32_t> truth = {}, clear = {};
  /// By who learned from clear samples, empty: they cannot; and by who learned anew, empty: nobody did.
  std::vector<std::int32_t> found = {}, anew = {};
};

/// Users who learned to read attributes from clear data.
class AttributeReaders {
 public:
  /// `test` is what is judged; no sample of either part may have failed.
  AttributeReaders(const Dataset& train, const Dataset& test, UtilityRun run);
  ~AttributeReaders();

  /// `test`: the judged samples, protected or not; `train` (may be null): protected samples that others learn from
  /// anew. Row by row those that were given first.
  [[nodiscard]] Answer read(const Dataset& test, const Dataset* train) const;
  [[nodiscard]] std::vector<AttributeRead> look(const Dataset& test, const Dataset* train) const;
  /// How attributes are cut, for further repetitions.
  [[nodiscard]] std::map<std::string, AttributeClasses> cuts() const;

 private:
  struct Attribute;

  UtilityRun run_;
  People people_;         // who is judged
  std::size_t features_;  // of their templates
  std::vector<Attribute> attributes_;
};

/// What is read in one or more repetitions, pooled: a person counts as one in every interval.
class PooledReadings {
 public:
  explicit PooledReadings(UtilityRun run) : run_(std::move(run)) {}

  void add(std::vector<AttributeRead> reads, const People& people);
  [[nodiscard]] Answer answer() const;

 private:
  UtilityRun run_;
  PeopleNumbers people_;
  std::vector<std::uint32_t> subjects_;
  std::vector<AttributeRead> reads_;
};

}  // namespace bauta
