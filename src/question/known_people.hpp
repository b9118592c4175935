// People whose samples are to be enrolled, and probes that are to be named among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/standing.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/question/identification.hpp"

namespace bauta {

/// Samples of one side, with the numbers of the people they are of.
struct Known {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> identities;
  std::size_t failures = 0, strangers = 0;
};

/// Throws where a data set names nobody.
void require_names(const Dataset& data);

class KnownPeople {
 public:
  /// All three must outlive it. Of `run` comparator, temperature, most_people and seed count.
  KnownPeople(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run);

  [[nodiscard]] const RecogniserOptions& options() const { return options_; }
  /// A recogniser that knows them.
  [[nodiscard]] ResolvedRecogniser learned(const std::string& name) const;

  /// In the order of their names; some of them may not be enrolled, because all of their samples failed. Nobody finds
  /// these, which is no reason to leave them out of those who are looked for.
  [[nodiscard]] const std::vector<std::string>& people() const { return people_; }
  /// Numbers of the people who are enrolled, ascending: what the columns of a recogniser's answers are about.
  [[nodiscard]] const std::vector<std::int32_t>& enrolled() const { return columns_; }
  [[nodiscard]] std::size_t references() const { return reference_rows_.size(); }
  /// Of all references.
  [[nodiscard]] std::uint64_t enrolled_bytes() const {
    return references() == 0 ? 0 : references() * enrolled_.templates.row_bytes(reference_rows_[0]).size();
  }
  [[nodiscard]] std::size_t failures() const { return asked_.failures + enrolled_failures_; }
  /// Probes of these people.
  [[nodiscard]] const Known& asked() const { return asked_; }
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  /// As they are presented.
  [[nodiscard]] const Templates& presented() const {
    return probes_.probe_templates.empty() ? probes_.templates : probes_.probe_templates;
  }

  /// Whether there is nothing to go by: behind a mask no probe is answered, or fewer than two people can be enrolled.
  /// Then no recogniser learns, and guesses() are the standings. (Of clear samples it is an input error.)
  [[nodiscard]] bool guessing() const { return guessing_; }
  /// Everybody is as likely, whoever it is.
  [[nodiscard]] std::vector<Standing> guesses() const;
  /// Whom a recogniser takes the probes for.
  [[nodiscard]] std::vector<Standing> standings_by(const Recogniser& recogniser) const;

 private:
  [[nodiscard]] std::vector<std::string> known_people();
  void require_somebody();
  void remark_lost();
  /// With a column for everybody: whoever is not enrolled is impossible.
  [[nodiscard]] Matrix<double> widened(MatrixView<const double> said, double impossible) const;

  const Dataset& enrolled_;
  const Dataset& probes_;
  const IdentifyRun& run_;
  RecogniserOptions options_;
  std::vector<std::string> people_;  // sorted
  std::vector<std::size_t> reference_rows_;
  std::vector<std::int32_t> reference_columns_;  // of each reference, its place in columns_
  std::vector<std::int32_t> columns_;
  std::size_t enrolled_failures_ = 0;
  Known asked_;                        // probes of these people
  std::vector<std::size_t> answered_;  // places in asked_ of those that did not fail
  bool guessing_ = false;
  std::vector<std::string> remarks_;
};

}  // namespace bauta
