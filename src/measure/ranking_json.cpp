#include "bauta/measure/ranking_json.hpp"

#include "bauta/measure/finding_json.hpp"
#include "json_fields.hpp"

namespace bauta {

namespace {

Json to_json(const OnClear& clear) {
  return {{"attacker", clear.attacker}, {"value", clear.value}, {"ci", or_null(clear.ci)}, {"share", clear.share}};
}

Json to_json(const SuppressionRate& rate) {
  return {{"value", rate.value}, {"ci", or_null(rate.ci)}, {"reachable", rate.reachable}};
}

Json to_json(const PicGain& pic) {
  return {{"value", or_null(pic.coefficient.value)},
          {"ci", or_null(pic.ci)},
          {"undefined", or_null(pic.coefficient.undefined)},
          {"joint", pic.joint},
          {"recognition",
           {{"measure", pic.recognition.measure},
            {"clear", or_null(pic.recognition.clear)},
            {"protected", pic.recognition.protected_},
            {"clear_representation", or_null(pic.recognition.clear_representation)},
            {"protected_representation", or_null(pic.recognition.protected_representation)}}}};
}

Json to_json(const AucGains& gains) {
  return {{"suppression", or_null(gains.leak_aware.suppression)},
          {"identity_loss", or_null(gains.leak_aware.identity_loss)},
          {"pic", or_null(gains.leak_aware.pic)},
          {"form", to_text(AucForm::leak_aware)},
          {"printed", or_null(gains.printed)}};
}

template <class T>
Json optional_json(const std::optional<T>& part) {
  return part ? to_json(*part) : Json(nullptr);
}

Gain read_gain(const Json& json) {
  Gain gain;
  const Json& clear = field(json, "on_clear");
  if (const auto value = read_number(field(clear, "value"))) {
    gain.on_clear = OnClear{read_text(field(clear, "attacker")), *value, read_interval(field(clear, "ci")),
                            read_number(field(clear, "share")).value_or(0)};
  }
  gain.kept = read_number(field(json, "kept"));
  const Json& suppression = field(json, "suppression");
  if (const auto value = read_number(field(suppression, "value"))) {
    gain.suppression = SuppressionRate{*value, read_number(field(suppression, "reachable")).value_or(0),
                                       read_interval(field(suppression, "ci"))};
  }
  if (const Json& pic = field(json, "pic"); pic.is_object()) {
    const Json& recognition = field(pic, "recognition");
    gain.pic =
        PicGain{.coefficient = {read_number(field(pic, "value")), read_text(field(pic, "undefined"))},
                .ci = read_interval(field(pic, "ci")),
                .joint = field(pic, "joint") == true,
                .recognition = {read_text(field(recognition, "measure")), read_number(field(recognition, "clear")),
                                read_number(field(recognition, "protected")).value_or(0),
                                read_text(field(recognition, "clear_representation")),
                                read_text(field(recognition, "protected_representation"))}};
  }
  if (const Json& by_auc = field(json, "pic_auc"); by_auc.is_object()) {
    gain.pic_auc.emplace();
    gain.pic_auc->leak_aware.suppression = read_number(field(by_auc, "suppression"));
    gain.pic_auc->leak_aware.identity_loss = read_number(field(by_auc, "identity_loss"));
    gain.pic_auc->leak_aware.pic = read_number(field(by_auc, "pic"));
    gain.pic_auc->printed = read_number(field(by_auc, "printed"));
  }
  return gain;
}

}  // namespace

Json to_json(const RankedTarget& target) {
  return {{"technique", target.technique},
          {"unprotected", target.unprotected},
          {"about", to_text(target.about)},
          {"attribute", target.about == About::attribute ? Json(target.attribute) : Json(nullptr)},
          {"people", target.people.empty() ? Json(nullptr) : Json(target.people)},
          {"strongest", to_json(target.strongest)},
          {"share", target.share},
          {"share_ci", or_null(target.share_ci)},
          {"corrected", or_null(target.corrected)},
          {"ci", or_null(target.ci)},
          {"of", target.of},
          {"healthy", target.healthy},
          {"on_clear", optional_json(target.gain.on_clear)},
          {"kept", or_null(target.gain.kept)},
          {"suppression", optional_json(target.gain.suppression)},
          {"pic", optional_json(target.gain.pic)},
          {"pic_auc", optional_json(target.gain.pic_auc)}};
}

std::optional<RankedTarget> read_ranked_target(const Json& json) {
  const auto strongest = read_finding(field(json, "strongest"));
  if (!strongest) return std::nullopt;
  RankedTarget target;
  target.technique = read_text(field(json, "technique"));
  target.unprotected = field(json, "unprotected") == true;
  target.about = parse_about(read_text(field(json, "about"))).value_or(strongest->about);
  target.attribute = read_text(field(json, "attribute"));
  target.people = read_text(field(json, "people"));
  target.strongest = *strongest;
  target.share = read_number(field(json, "share")).value_or(share_of_way(*strongest).value_or(0));
  target.share_ci = read_interval(field(json, "share_ci"));
  target.corrected = read_number(field(json, "corrected"));
  target.ci = read_interval(field(json, "ci"));
  target.of = static_cast<std::size_t>(std::max(0.0, read_number(field(json, "of")).value_or(1)));
  target.healthy = field(json, "healthy") != false;
  target.gain = read_gain(json);
  return target;
}

std::vector<RankedTarget> read_ranking(const Json& json) {
  std::vector<RankedTarget> ranking;
  if (!json.is_array()) return ranking;
  for (const Json& entry : json) {
    if (auto target = read_ranked_target(entry)) ranking.push_back(std::move(*target));
  }
  return ranking;
}

}  // namespace bauta
