#include "store.hpp"

#include <fstream>
#include <sstream>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/seal.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

const std::string& code_digest() {
  static const std::string value = file_digest("/proc/self/exe");
  return value;
}

CellStore::CellStore(fs::path run) : cells_(run / "cells") {
  if (fs::exists(run) && !fs::is_directory(run))
    throw_usage(run.string(), "is a file, a folder for the run is expected there");
  if (fs::exists(run) && !fs::is_empty(run) && !fs::is_directory(cells_)) {
    throw_usage(run.string(), "exists and is not a run", "choose another --out");
  }
  std::error_code error;
  fs::create_directories(cells_, error);
  if (error) throw_environment(cells_.string(), "cannot be created: " + error.message());
  fs::permissions(run, fs::perms::owner_all, error);
}

CellStore CellStore::beside(const std::string& name) const {
  CellStore other;
  other.cells_ = cells_.parent_path() / name;
  std::error_code error;
  fs::create_directories(other.cells_, error);
  if (error) throw_environment(other.cells_.string(), "cannot be created: " + error.message());
  return other;
}

std::optional<Json> CellStore::find(const std::string& digest) const {
  const fs::path path = cells_ / (digest + ".json");
  if (!fs::exists(path)) return std::nullopt;
  Json stored = Json::parse(read_text(path), nullptr, false);
  // Files are renamed into place complete, so damage came from outside; computing again is always right.
  if (stored.is_discarded() || seal_of(stored, digest) != Seal::whole || !stored.contains("cell")) {
    warn(path.string() + " was changed from outside: it is computed again");
    return std::nullopt;
  }
  return std::move(stored["cell"]);
}

void CellStore::put(const std::string& digest, const Json& cell) const {
  write_file(cells_ / (digest + ".json"), sealed({{"cell", cell}}, digest).dump(1));
}

}  // namespace bauta
