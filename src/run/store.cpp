#include "bauta/run/store.hpp"

#include <fstream>
#include <sstream>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"

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
  static const std::string value = [] {
    // Piece by piece: the program is larger than most of what it holds.
    std::ifstream program("/proc/self/exe", std::ios::binary);
    std::vector<char> piece(1 << 20);
    Hash hash;
    while (program.read(piece.data(), static_cast<std::streamsize>(piece.size())) || program.gcount() > 0) {
      hash.add(piece.data(), static_cast<std::size_t>(program.gcount()));
    }
    return hash.hex();
  }();
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
  Json cell = Json::parse(read_text(path), nullptr, false);
  // Files are renamed into place complete, so damage came from outside; computing again is always right.
  if (cell.is_discarded()) return std::nullopt;
  return cell;
}

void CellStore::put(const std::string& digest, const Json& cell) const {
  write_file(cells_ / (digest + ".json"), cell.dump(1));
}

}  // namespace bauta
