// Every chapter, in the order of the page. A new one is declared and listed here.
#include "chapter.hpp"

namespace bauta::report {

std::unique_ptr<Chapter> release_chapter();
std::unique_ptr<Chapter> glance_chapter();
std::unique_ptr<Chapter> privacy_chapter();
std::unique_ptr<Chapter> anonymity_chapter();
std::unique_ptr<Chapter> verification_chapter();
std::unique_ptr<Chapter> leakage_chapter();
std::unique_ptr<Chapter> similarity_chapter();
std::unique_ptr<Chapter> estimate_chapter();
std::unique_ptr<Chapter> identification_chapter();
std::unique_ptr<Chapter> controls_chapter();
std::unique_ptr<Chapter> recovery_chapter();
std::unique_ptr<Chapter> decisions_chapter();
std::unique_ptr<Chapter> unlinkability_chapter();
std::unique_ptr<Chapter> composition_chapter();
std::unique_ptr<Chapter> protocol_chapter();

std::vector<std::unique_ptr<Chapter>> all_chapters() {
  std::vector<std::unique_ptr<Chapter>> out;
  for (const auto& make : {
           release_chapter,
           glance_chapter,
           privacy_chapter,
           anonymity_chapter,
           verification_chapter,
           leakage_chapter,
           similarity_chapter,
           estimate_chapter,
           identification_chapter,
           controls_chapter,
           recovery_chapter,
           decisions_chapter,
           unlinkability_chapter,
           composition_chapter,
           protocol_chapter,
       }) {
    out.push_back(make());
  }
  return out;
}

}  // namespace bauta::report
