// Where the media of a data set come from: decoded when somebody asks, row by row, so that nothing has to fit in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/medium.hpp"

namespace bauta {

/// All may be called from several threads at once.
class MediaSource {
 public:
  virtual ~MediaSource() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Throws an input error for a medium that is missing or damaged.
  [[nodiscard]] virtual Medium load(std::size_t row) const = 0;
  /// Names what load() gives: rows of the same digest hold the same.
  [[nodiscard]] virtual std::string digest(std::size_t row) const;
  /// False where load() is known to find nothing. A cheap look before long work.
  [[nodiscard]] virtual bool present(std::size_t) const { return true; }
  /// What kind_of(load()) would say, without decoding where files can tell. Throws as load() where none can.
  [[nodiscard]] virtual std::string_view kind(std::size_t row) const;
  /// How large the image is that load() gives, without decoding where files can tell. Throws as load(), and an input
  /// error for what is no image.
  [[nodiscard]] virtual ImageShape image_shape(std::size_t row) const;
  /// How often a file was decoded so far.
  [[nodiscard]] virtual std::uint64_t decoded() const { return 0; }
};

/// Files relative to a folder. A `joints.txt` there, a name in each line, names the joints of motions whose files do
/// not; a `rates.csv` with the columns `file` and `rate` says how many frames a second such motions have.
std::shared_ptr<const MediaSource> file_media(std::filesystem::path folder, std::vector<std::string> files);

/// Rows of another source, in this order.
std::shared_ptr<const MediaSource> select_media(std::shared_ptr<const MediaSource> source,
                                                const std::vector<std::size_t>& rows);

/// How write_media() names a row: by its number, because names of files often name people.
std::string stored_name(std::size_t row, const Medium& medium);

struct WrittenMedia {
  std::vector<std::string> files;    ///< of each row, relative to the folder; empty: the medium could not be had
  std::vector<std::string> reasons;  ///< of each row: why not
  std::vector<double> rates;         ///< of each row: frames per second of a motion; 0: unknown, or it is none
};

/// `rates.csv` of these files, where any of them has a rate.
void write_rates(const std::vector<std::string>& files, const std::vector<double>& rates,
                 const std::filesystem::path& folder);

/// Writes rows [first, first + count) into an existing folder on all threads, without loss.
WrittenMedia write_media(const MediaSource& media, std::size_t first, std::size_t count,
                         const std::filesystem::path& folder);

/// The medium that lies in the folder under the number of the row; where none does, what `make` gives, which then lies
/// there.
Medium stored_medium(const std::filesystem::path& folder, std::size_t row, const std::function<Medium()>& make);

}  // namespace bauta
