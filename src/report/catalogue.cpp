// Every chapter, in the order of the page. A new one is declared and listed here.
#include "chapter.hpp"

namespace bauta::report {

Chapter release_chapter();
Chapter glance_chapter();
Chapter privacy_chapter();
Chapter settings_chapter();
Chapter utility_chapter();
Chapter cost_chapter();
Chapter lost_chapter();
Chapter verification_chapter();
Chapter leakage_chapter();
Chapter similarity_chapter();
Chapter estimate_chapter();
Chapter identification_chapter();
Chapter hypotheses_chapter();
Chapter open_set_chapter();
Chapter linkage_chapter();
Chapter controls_chapter();
Chapter recovery_chapter();
Chapter decisions_chapter();
Chapter online_chapter();
Chapter unlinkability_chapter();
Chapter composition_chapter();
Chapter promises_chapter();
Chapter protocol_chapter();

std::vector<Chapter> all_chapters() {
  return {
      release_chapter(),     glance_chapter(),   privacy_chapter(),        settings_chapter(), utility_chapter(),
      cost_chapter(),        lost_chapter(),     verification_chapter(),   leakage_chapter(),  similarity_chapter(),
      estimate_chapter(),    linkage_chapter(),  identification_chapter(), open_set_chapter(), hypotheses_chapter(),
      controls_chapter(),    recovery_chapter(), decisions_chapter(),      online_chapter(),   unlinkability_chapter(),
      composition_chapter(), promises_chapter(), protocol_chapter(),
  };
}

}  // namespace bauta::report
