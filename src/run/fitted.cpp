#include "fitted.hpp"

#include <limits>

#include "bauta/protect/memorising.hpp"
#include "bauta/question/protecting.hpp"
#include "store.hpp"

namespace bauta {

namespace fs = std::filesystem;

FittedProtections::FittedProtections(fs::path models, std::vector<std::string> attributes, std::uint64_t seed)
    : models_(std::move(models), std::numeric_limits<std::uint64_t>::max()),
      attributes_(std::move(attributes)),
      seed_(seed) {}

ResolvedProtection FittedProtections::take(const std::string& technique, const Dataset& fit,
                                           const std::vector<bool>& held_out, const std::string& digest) const {
  ResolvedProtection protection = make_protection(technique);
  if (!protection.declaration->learns) return protection;
  // What holds people's samples does not stay behind.
  if (dynamic_cast<const MemorisingProtection*>(protection.object.get()) != nullptr) {
    learn(protection, fit, held_out);
    return protection;
  }
  const std::string name =
      bauta::digest(Json{protection.parameters.resolved(), digest, attributes_, seed_, code_digest()}.dump());
  const fs::path file = models_.open(name) / "fitted.npz";
  if (models_.finished(name)) return load_protection(file, technique);
  learn(protection, fit, held_out);
  save_protection(protection, file);
  models_.finish(name);
  return protection;
}

void FittedProtections::learn(ResolvedProtection& protection, const Dataset& fit,
                              const std::vector<bool>& held_out) const {
  if (protection.declaration->stops_on_held_out || held_out.empty()) {
    ProtectContext context = protect_context(fit, seed_);
    context.held_out = held_out;
    fit_protection(protection, fit, attributes_, context);
    return;
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < fit.size(); ++row) {
    if (!held_out[row]) rows.push_back(row);
  }
  const Dataset own = fit.select(rows);
  fit_protection(protection, own, attributes_, protect_context(own, seed_));
}

}  // namespace bauta
