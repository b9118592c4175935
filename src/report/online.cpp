// The chapter about attackers who may ask a working system a number of times.
#include "decided.hpp"

namespace bauta::report {
namespace {

std::vector<Section> write(const Shared& shared) {
  Section out{
      "online", "Online", "What do a system's answers tell?",
      "Attackers present faces of their own to the system itself, which applies the victim's key, and are told no "
      "more than match or no match, as often as they may ask."};
  out.add(decided_table(shared.runs, "online", "Attackers who ask the system, 95 % intervals in brackets"));
  return {out};
}

void tell(const RunResults& run, Card& card) {
  tell_decided(run, "online", "the system itself, which applies the keys and", card);
}

}  // namespace

Chapter online_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
