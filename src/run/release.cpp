#include "bauta/run/release.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/core/row_ranges.hpp"
#include "bauta/core/row_finder.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/protect/promise.hpp"
#include "bauta/question/protecting.hpp"
#include "released_joints.hpp"
#include "released_labels.hpp"

namespace bauta {

namespace {

/// Those that the technique keeps, or else those that the user names.
std::vector<std::string> released_columns(const ResolvedProtection& protection, const Dataset& dataset,
                                          const ReleaseRule& rule) {
  std::vector<std::string> columns = rule.columns;
  if (protection.declaration->keeps) {
    BAUTA_ASSERT(columns.empty());
    columns = {protection.attributes};
    for (const KeptAttribute& kept : kept_attributes(protection)) columns.push_back(kept.name);
  }
  for (const std::string& name : columns) {
    if (name == dataset.identity_column || names_identities(name) || name == "file") {
      throw_usage(fmt::format("'{}'", name), "says who somebody is, and would be released with the record",
                  "keep other attributes");
    }
  }
  return columns;
}

/// The name of a record: its number, all of one length.
std::string record_name(std::size_t i, std::size_t records) {
  const int digits = std::max<int>(6, static_cast<int>(std::to_string(records).size()));
  return fmt::format("{:0{}}", i + 1, digits);
}

/// Numbers in the order of the release, before what was asked for.
LabelTable with_ids(const LabelTable& values) {
  LabelTable labels("release", values.rows());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < values.rows(); ++i) ids.push_back(record_name(i, values.rows()));
  labels.add_column(values.has("id") ? "record" : "id", std::move(ids));
  for (const std::string& name : values.names()) labels.add_column(name, values.column(name));
  return labels;
}

/// The technique as whoever uses the data may know it: nothing learned, and of the files that it read not even a name.
Provenance released_provenance(const ResolvedProtection& protection) {
  Declaration declaration = *protection.declaration;
  std::erase_if(declaration.parameters, [&](const Parameter& parameter) {
    if (parameter.type == ParameterType::command) return true;
    return parameter.type == ParameterType::file &&
           !std::ranges::count(parameter.choices, protection.parameters.text(parameter.name));
  });
  Provenance provenance{.technique = public_specification(declaration, protection.parameters),
                        .comparator = protection.comparator,
                        .properties = {}};
  if (declaration.keyed) {
    const bool from_file = !protection.parameters.text("keyfile").empty();
    provenance.properties["key_source"] = from_file ? "keyfile" : "operating system";
  }
  if (!protection.attributes.empty()) {
    provenance.properties[declaration.keeps ? "keeps" : "hides"] = protection.attributes;
  }
  return provenance;
}

/// Rows that did not fail, in an order that nobody can find out.
std::vector<std::size_t> secret_order(const Dataset& dataset, const ProtectContext& context) {
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!context.failed[row]) order.push_back(row);
  }
  context.randomness.stream("order of a release").shuffle(std::span(order));
  return order;
}

void take_labels(Released& released, const ReleasedLabels& labels, const Dataset& dataset) {
  if (labels.rows.empty()) throw_input(dataset.origin, "holds no sample that could be released");
  released.labels = labels.risk;
  released.records = labels.rows.size();
  released.place.assign(dataset.size(), Released::nowhere);
  for (std::size_t i = 0; i < labels.rows.size(); ++i) released.place[labels.rows[i]] = i;
}

/// Whether a record is its original up to its length: nobody needs the length to recognise it.
bool same_direction(std::span<const float> record, std::span<const float> original) {
  double product = 0, square = 0, other = 0;
  for (std::size_t j = 0; j < record.size(); ++j) {
    product += double{record[j]} * original[j];
    square += double{record[j]} * record[j];
    other += double{original[j]} * original[j];
  }
  return product > 0 && product * product > (1 - 1e-9) * square * other;
}

void refuse_copies(const std::string& technique, std::size_t copies, std::size_t records) {
  if (copies == 0) return;
  throw_usage(technique,
              fmt::format("{} of {} records would be released as they are: each equals an original", copies, records),
              "choose parameters that change them more (`bauta list protections`), or another technique");
}

void release_templates(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context,
                       const ReleaseRule& rule, const std::filesystem::path& folder, Released& released) {
  const ReleasedLabels labels = released_labels(dataset, released.columns, secret_order(dataset, context), rule);
  take_labels(released, labels, dataset);
  std::optional<RowFinder> originals;
  std::optional<NpyTemplateWriter> writer;
  std::atomic<std::size_t> copies = 0;
  protect_stream(protection, dataset, context, [&](const Templates& shape) -> TakeBlock {
    released.features = shape.cols();
    released.kind = shape.kind();
    // Neither by chance, nor because a setting leaves records as they are.
    const Templates& before = dataset.templates;
    if (shape.kind() == ElementKind::float32 && before.kind() == shape.kind() && before.cols() == shape.cols()) {
      originals.emplace(before, context.failed);
    }
    writer.emplace(folder / "templates.npy", shape.kind(), released.records, shape.cols());
    return [&](std::size_t first, const Templates& block) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const std::size_t place = released.place[first + i];
        if (place == Released::nowhere) continue;
        if (originals) {
          const auto row = block.floats().row(i);
          copies += originals->first_equal(block, i).has_value() ||
                    same_direction(row, dataset.templates.floats().row(first + i));
        }
        writer->write(place, block.slice(i, 1));
      }
    };
  });
  released.exact_copies = copies;
  refuse_copies(released.provenance.technique, copies, released.records);
  writer->commit();
  write_description(folder, {released.provenance, {released.kind, released.features}}, with_ids(labels.values));
}

/// What could not be read, or is not released, left gaps in the numbers: a file has that of its record.
std::vector<std::string> numbered_like_records(const std::vector<std::size_t>& rows,
                                               const std::map<std::size_t, std::string>& file_of,
                                               const std::filesystem::path& folder) {
  constexpr const char* aside = "renamed-";
  std::vector<std::string> files;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::filesystem::path old = file_of.at(rows[i]);
    files.push_back(record_name(i, rows.size()) + old.extension().string());
    std::filesystem::rename(folder / old, folder / (aside + files.back()));
  }
  for (const std::string& file : files) std::filesystem::rename(folder / (aside + file), folder / file);
  return files;
}

/// Where the number of a record is not that under which its medium was masked, which key holders need to know.
void record_numbers(const ResolvedProtection& protection, const ProtectContext& context,
                    const std::vector<std::size_t>& released_rows, const std::vector<std::size_t>& order,
                    Released& released) {
  if (protection->record(context).empty()) return;
  std::vector<std::size_t> number_of(released.place.size()), numbers;
  for (std::size_t i = 0; i < order.size(); ++i) number_of[order[i]] = i;
  for (const std::size_t row : released_rows) numbers.push_back(number_of[row]);
  bool same = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) same = same && numbers[i] == i;
  if (!same) released.provenance.properties["masked_as"] = row_ranges(numbers);
}

/// rates.csv under the names of the released files: of all `masked` motions or, where they differ, of none. A rate that
/// few have says whose they are.
void release_rates(const std::filesystem::path& folder, const std::vector<std::string>& files, std::size_t masked,
                   std::vector<std::string>& remarks) {
  const std::filesystem::path place = folder / "rates.csv";
  if (!std::filesystem::exists(place)) return;
  std::vector<std::string> nothing_guessed;
  const std::vector<double> rates = read_label_csv(place, nothing_guessed).numbers("rate");
  std::filesystem::remove(place);
  const bool same = std::ranges::adjacent_find(rates, std::ranges::not_equal_to()) == rates.end();
  if (same && rates.size() == masked) {
    write_rates(files, std::vector<double>(files.size(), rates.front()), folder);
  } else {
    remarks.emplace_back("frames per second differ between motions: they are not released");
  }
}

void release_media(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context,
                   const ReleaseRule& rule, const std::filesystem::path& folder, Released& released) {
  const std::vector<std::size_t> order = secret_order(dataset, context);
  const Dataset shuffled = dataset.select(order);
  MaskedFolder masked =
      write_masked_media(protection, shuffled, {.randomness = context.randomness, .failed = shuffled.failed()}, folder);
  std::vector<std::size_t> readable;
  std::map<std::size_t, std::string> file_of;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (masked.files[i].empty()) continue;
    readable.push_back(order[i]);
    file_of[order[i]] = masked.files[i];
  }
  // One that stands under another's name is an original all the same.
  std::vector<std::string> originals(readable.size());
  std::vector<std::vector<std::string>> joints(readable.size());
  parallel_for(readable.size(), [&](std::size_t i, int) {
    const Medium medium = dataset.media->load(readable[i]);
    originals[i] = digest(medium);
    if (const auto* motion = std::get_if<Motion>(&medium)) joints[i] = motion->names;
  });
  std::sort(originals.begin(), originals.end());
  std::atomic<std::size_t> copies = 0;
  parallel_for(readable.size(), [&](std::size_t i, int) {
    copies +=
        std::binary_search(originals.begin(), originals.end(), digest(read_medium(folder / file_of.at(readable[i]))));
  });
  refuse_copies(released.provenance.technique, copies, readable.size());
  release_joint_names(folder, joints, dataset, released.remarks);
  const ReleasedLabels labels = released_labels(dataset, released.columns, readable, rule);
  take_labels(released, labels, dataset);
  record_numbers(protection, context, labels.rows, order, released);
  released.failures += masked.failures;
  // Where they stood in the data is nobody's business.
  if (masked.failures > 0) released.remarks.push_back(fmt::format("{} media could not be read", masked.failures));
  for (const auto& [row, file] : file_of) {
    if (released.place[row] == Released::nowhere) std::filesystem::remove(folder / file);
  }
  LabelTable table = with_ids(labels.values);
  std::vector<std::string> files = numbered_like_records(labels.rows, file_of, folder);
  release_rates(folder, files, file_of.size(), released.remarks);
  table.add_column("file", std::move(files));
  write_description(folder, {released.provenance, {}}, table);
}

}  // namespace

Rare parse_rare(std::string_view text) {
  for (const Rare rare : {Rare::refuse, Rare::suppress, Rare::generalise}) {
    if (text == to_text(rare)) return rare;
  }
  throw_usage(fmt::format("--rare {}", text), "no such treatment", "known: refuse, suppress, generalise");
}

std::string_view to_text(Rare rare) {
  switch (rare) {
    case Rare::refuse:
      return "refuse";
    case Rare::suppress:
      return "suppress";
    case Rare::generalise:
      return "generalise";
  }
  return {};
}

void require_releasable(const ResolvedProtection& protection, const Dataset& dataset, const ReleaseRule& rule) {
  if (rule.k < 2) throw_usage("--k", "two people are needed at least: one is found by their labels");
  const ProtectContext context = protect_context(dataset, 0);
  (void)released_labels(dataset, released_columns(protection, dataset, rule), secret_order(dataset, context), rule);
}

Released release_to_folder(const ResolvedProtection& protection, const Dataset& dataset, const ReleaseRule& rule,
                           const std::filesystem::path& folder) {
  const Declaration& technique = *protection.declaration;
  require_medium(technique, dataset);
  if (!technique.masks) refuse_copies(technique.name, dataset.size(), dataset.size());
  require_releasable(protection, dataset, rule);
  Released released;
  released.columns = released_columns(protection, dataset, rule);
  released.provenance = released_provenance(protection);
  released.rare = rule.rare;
  for (const std::string& name : released.columns) {
    if (technique.keeps || (',' + protection.attributes + ',').find(',' + name + ',') == std::string::npos) continue;
    released.remarks.push_back(
        fmt::format("'{}' is what the technique hides, and is released beside the templates", name));
  }
  const ProtectContext context = protect_context(dataset, 0, true);
  released.promise = promise_on(protection, dataset);
  record_promise(released.promise, context.randomness, released.provenance);
  for (const auto& [name, text] : protection->record(context)) released.provenance.properties[name] = text;
  released.failures = static_cast<std::size_t>(std::count(context.failed.begin(), context.failed.end(), true));
  const auto release = masks_media(technique, dataset) ? release_media : release_templates;
  release(protection, dataset, context, rule, folder, released);
  return released;
}

}  // namespace bauta
