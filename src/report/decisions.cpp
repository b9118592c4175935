// The chapter about attackers who hold templates and are told match or no match only.
#include "decided.hpp"

namespace bauta::report {
namespace {

std::vector<Section> write(const Shared& shared) {
  Section out{
      "decisions", "Decisions", "What do decisions alone tell?",
      "Attackers compare faces of their own with protected templates and are told no more than match or no match."};
  out.add(
      decided_table(shared.runs, "decisions", "Attackers who see match or no match only, 95 % intervals in brackets"));
  return {out};
}

void tell(const RunResults& run, Card& card) {
  tell_decided(run, "decisions", "a comparison that", card);
}

}  // namespace

Chapter decisions_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
