#include "store.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "bauta/core/json_text.hpp"
#include "bauta/core/module.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/seal.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_cell = std::size_t{1} << 30;

/// Nothing where it is damaged, or no file that a run wrote.
std::optional<Json> read_cell(const fs::path& path, const std::string& digest) {
  try {
    Json stored = parse_json(read_text(path, largest_cell, Accepts::files_without_links), path.string());
    if (seal_of(stored, digest) == Seal::whole && stored.contains("cell")) return std::move(stored["cell"]);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
  }
  return std::nullopt;
}

}  // namespace

const std::string& code_digest() {
  static const std::string value =
      digest({{"program", file_digest("/proc/self/exe")}, {"modules", modules_digest(module_files(""))}});
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
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return std::nullopt;
  if (std::optional<Json> cell = read_cell(path, digest)) return cell;
  // Files are renamed into place complete, so damage came from outside; computing again is always right.
  warn(path.string() + " was changed from outside: it is computed again");
  if (!fs::is_regular_file(status)) fs::remove_all(path, error);  // a folder would stay in the way
  return std::nullopt;
}

void CellStore::put(const std::string& digest, const Json& cell) const {
  write_file(cells_ / (digest + ".json"), sealed({{"cell", cell}}, digest).dump(1));
}

// The lock ends with the process, however that ends. File systems without locks have nobody kept away.
RunLock::RunLock(const fs::path& run) : folder_(::open(run.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0 || ::flock(folder_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(folder_);
  throw_environment(run.string(), "another evaluation is at work in it", "wait for its end, or choose another --out");
}

RunLock::~RunLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace bauta
