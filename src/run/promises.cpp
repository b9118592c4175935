#include "bauta/run/promises.hpp"

#include <algorithm>

#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

Json guarantee_json(const Guarantee& guarantee) {
  Json json = {{"kind", to_text(guarantee.kind)}, {"text", to_text(guarantee)}};
  if (guarantee.kind == Guarantee::Kind::differential_privacy) {
    json.update({{"epsilon", guarantee.epsilon}, {"delta", guarantee.delta}, {"pixels", guarantee.pixels}});
  }
  if (guarantee.kind == Guarantee::Kind::k_anonymity) json["k"] = guarantee.k;
  return json;
}

}  // namespace

Json promise_json(const std::string& technique, const Promise& promise) {
  Json in_pixels = Json::object();
  for (const auto& [name, range] : promise.in_pixels) in_pixels[name] = {range.low, range.high};
  return {{"technique", technique},
          {"guarantee", guarantee_json(promise.guarantee)},
          {"in_pixels", std::move(in_pixels)},
          {"in_pixels_text", to_text(promise.in_pixels)}};
}

Json promises_json(const std::vector<std::string>& techniques, const Dataset& dataset) {
  const bool images = std::ranges::any_of(
      techniques, [](const auto& technique) { return protection_declaration(technique).medium == "image"; });
  const std::set<ImageShape> shapes = images ? image_shapes(dataset) : std::set<ImageShape>();
  Json list = Json::array();
  for (const std::string& technique : techniques) {
    if (masks(technique)) list.push_back(promise_json(technique, promise_of(make_protection(technique), shapes)));
  }
  return list;
}

}  // namespace bauta
