// A technique that lives in another program, in whatever language. It is run once on all that is to be protected, which
// lies in a folder: templates.npy, one row per sample, or media named by numbers; and fills another.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <sys/wait.h>

#include "bauta/core/error.hpp"
#include "bauta/core/named_file.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/secret_key.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/protect/protection.hpp"
#include "made_elsewhere.hpp"
#include "program_run.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t told_at_most = 3;

struct Program {
  std::vector<std::string> words;  ///< {in}, {out}, {seed} and {draw} stand for what it is told
  std::int64_t seconds = 0;        ///< it may take

  /// The first word that is no interpreter: what the user wrote.
  [[nodiscard]] std::string where() const {
    std::error_code error;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (fs::is_regular_file(words[i], error)) return "command:run=" + fs::path(words[i]).filename().string();
    }
    return "command:run=" + fs::path(words[0]).filename().string();
  }
};

std::string filled(std::string word, std::string_view hole, const std::string& with) {
  for (std::size_t at = word.find(hole); at != std::string::npos; at = word.find(hole, at + with.size())) {
    word.replace(at, hole.size(), with);
  }
  return word;
}

/// The last line that it wrote, fit for a terminal.
std::string last_words(const fs::path& log) {
  constexpr std::streamoff enough = 4096;
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - enough));
  std::string line, last;
  while (std::getline(file, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line.substr(0, 300);
  }
  std::ranges::replace_if(
      last, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
  return last;
}

/// How a program ended.
struct Ending {
  std::string fault = {};  ///< "ended with status 3", "took longer than 60 s"; empty: it did what it should
  std::string words = {};  ///< its last ones
  std::string hint = {};

  [[nodiscard]] bool well() const { return fault.empty(); }
  [[nodiscard]] std::string text() const { return words.empty() ? fault : fault + ", its last words: " + words; }
  /// Why a sample that it left out is lost.
  [[nodiscard]] std::string reason() const {
    return well() ? nothing_made : "the program " + fault + " before it wrote this sample";
  }
  /// For where nothing can be done with what it wrote: a bad end is why.
  void refuse_if_bad(const Program& program) const {
    if (!well()) throw_input(program.where(), text(), hint);
  }
  void warn_if_bad(const Program& program, std::size_t written, std::size_t samples) const {
    if (well()) return;
    warn(fmt::format("{}: {}; what it wrote of {} of {} samples is kept", program.where(), text(), written, samples));
  }
};

/// Numbers for a program that draws at random.
struct Seeds {
  std::uint64_t key = 0;   ///< the same for all data of an experiment
  std::uint64_t draw = 0;  ///< other for each data set

  explicit Seeds(const ProtectContext& context)
      : key(Stream(context.randomness.key("command"), "command").next64()),
        draw(context.randomness.stream("command").next64()) {}
};

/// Runs it to its end. Of what it started nothing is left afterwards.
Ending run(const Program& program, const fs::path& in, const fs::path& out, const fs::path& log, const Seeds& seeds) {
  const fs::path path = found_program(program.words[0]);
  if (path.empty()) {
    throw_usage(program.where(), fmt::format("'{}' cannot be run", fs::path(program.words[0]).filename().string()),
                "name an interpreter before it (python3 FILE), or make it executable (chmod +x) with a first line such "
                "as #!/usr/bin/env python3");
  }
  std::vector<std::string> said;
  for (std::string word : program.words) {
    word = filled(filled(std::move(word), "{in}", in), "{out}", out);
    said.push_back(
        filled(filled(std::move(word), "{seed}", std::to_string(seeds.key)), "{draw}", std::to_string(seeds.draw)));
  }
  const auto [status, ended_by] =
      run_program({.where = program.where(),
                   .file = path,
                   .words = std::move(said),
                   .told = {{"BAUTA_SEED", std::to_string(seeds.key)}, {"BAUTA_DRAW", std::to_string(seeds.draw)}},
                   .log = log,
                   .seconds = program.seconds});
  if (ended_by != 0) {
    std::error_code ignored;
    fs::remove_all(log.parent_path(), ignored);
    ::raise(ended_by);
  }
  if (!status) {
    return {.fault = fmt::format("took longer than {} s", program.seconds), .hint = "allow it more: timeout=SECONDS"};
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return {};
  return {.fault = WIFSIGNALED(*status) ? fmt::format("was ended by signal {}", WTERMSIG(*status))
                                        : fmt::format("ended with status {}", WEXITSTATUS(*status)),
          .words = last_words(log),
          .hint = fmt::format("try it: {}", command_of(program.words))};
}

fs::path new_place() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) {
    throw Error(Fault::environment, "command", "there is no folder for temporary files", "name one: TMPDIR=FOLDER");
  }
  return temporary / fmt::format("bauta-command-{:016x}", Randomness::operating_system().stream("place").next64());
}

/// What a program is told of samples: a number each, and of media the file.
LabelTable numbered(std::size_t samples, const std::vector<std::string>& files = {}) {
  LabelTable labels("labels.csv", samples);
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < samples; ++row) ids.push_back(std::to_string(row + 1));
  labels.add_column("id", std::move(ids));
  if (!files.empty()) labels.add_column("file", files);
  return labels;
}

/// Clear data lies here while the program runs: nobody else can look into it, and the next run removes what a killed
/// one left.
class Scratch {
 public:
  [[nodiscard]] fs::path operator/(const char* name) const { return folder_.staging() / name; }

 private:
  OutputFolder folder_{new_place()};
};

/// Names in {out} that no sample has.
void warn_of_strangers(const Program& program, std::vector<std::string> names, const std::string& what) {
  if (names.empty()) return;
  std::ranges::sort(names);
  const auto told = static_cast<std::ptrdiff_t>(std::min(told_at_most, names.size()));
  warn(fmt::format("{}: {} of {}, e.g. {}", program.where(), names.size(), what,
                   fmt::join(names.begin(), names.begin() + told, ", ")));
}

/// A table that was cut off may end in half a number, which is another sample's.
void require_last_line(const fs::path& table) {
  std::ifstream file(table, std::ios::binary | std::ios::ate);
  file.seekg(-1, std::ios::end);
  if (file.get() != '\n') throw_input(table, "ends within a line");
}

struct WrittenTemplates {
  Templates templates = {};
  std::vector<std::size_t> rows = {};       ///< of each sample; nowhere: none was written for it
  std::vector<std::string> strangers = {};  ///< ids that no sample has
};

/// What {out} holds: rows with ids, else one for each of `samples`. An input error where it is not whole.
WrittenTemplates written_templates(const fs::path& out, const LabelTable& samples, const Ending& ending) {
  const fs::path array = out / "templates.npy", table = out / "labels.csv";
  WrittenTemplates written;
  std::vector<bool> failed;
  if (fs::exists(table)) {
    if (!ending.well()) require_last_line(table);
    const Dataset made = read_made(out);
    written.templates = made.templates;
    failed = made.failed();
    if (made.labels.has("id")) {
      const std::vector<std::string>& ids = made.labels.column("id");
      written.rows = places_of(samples.column("id"), ids, "id", table);
      const std::set<std::size_t> known(written.rows.begin(), written.rows.end());
      for (std::size_t row = 0; row < ids.size(); ++row) {
        if (!known.contains(row)) written.strangers.push_back(ids[row]);
      }
    }
  } else {
    written.templates = to_float_templates(read_npy(array));
    failed.resize(written.templates.rows());
  }
  if (written.rows.empty()) {
    if (written.templates.rows() != samples.rows()) {
      throw_input(array,
                  fmt::format("an array of {} x {}, expected {} rows of features, one for each sample",
                              written.templates.rows(), written.templates.cols(), samples.rows()),
                  "or labels.csv beside it, with the `id` of each row");
    }
    written.rows.resize(samples.rows());
    std::iota(written.rows.begin(), written.rows.end(), std::size_t{0});
  }
  const auto unwritten = [&](std::size_t row) {
    if (row == nowhere || failed[row]) return true;
    // Room that was made for rows holds zeros until they are written.
    return !ending.well() && std::ranges::all_of(written.templates.row_bytes(row), [](char byte) { return byte == 0; });
  };
  std::ranges::replace_if(written.rows, unwritten, nowhere);
  return written;
}

/// Where it ended badly, any fault of what it wrote comes from that.
std::unique_ptr<const Protection> run_on_templates(const Program& program, const Dataset& whole,
                                                   const ProtectContext& context) {
  const Scratch scratch;
  const fs::path in = scratch / "in", out = scratch / "out";
  for (const fs::path& folder : {in, out}) fs::create_directory(folder);
  const LabelTable samples = numbered(whole.size());
  write_npy(in / "templates.npy", whole.templates);
  write_label_csv(in / "labels.csv", samples);
  const Ending ending = run(program, in, out, scratch / "log", Seeds(context));
  if (!fs::exists(out / "templates.npy")) {
    ending.refuse_if_bad(program);
    throw_input(program.where(), "wrote no templates.npy into the folder {out}");
  }
  try {
    const WrittenTemplates written = written_templates(out, samples, ending);
    auto made = std::make_unique<MadeTemplates>(written.templates, written.rows, context.failed, ending.reason(), out);
    ending.warn_if_bad(program, whole.size() - std::ranges::count(written.rows, nowhere), whole.size());
    warn_of_strangers(program, written.strangers, "the rows that it wrote have the id of no sample");
    return made;
  } catch (const Error& error) {
    ending.refuse_if_bad(program);
    throw_input(program.where() + ": " + filled(error.where, out.string(), "{out}"), error.finding, error.hint);
  }
}

class OnMedia : public Protection {
 public:
  OnMedia(const Program& program, const Dataset& whole, const ProtectContext& context)
      : where_(program.where()), written_(whole.size()) {
    const fs::path in = scratch_ / "in", out = scratch_ / "out";
    fs::create_directory(in);
    fs::create_directory(out);
    std::map<std::string, std::size_t> rows;
    const WrittenMedia clear = write_media(*whole.media, 0, whole.size(), in);
    for (std::size_t row = 0; row < whole.size(); ++row) {
      if (!clear.files[row].empty()) rows[fs::path(clear.files[row]).stem()] = row;
    }
    write_label_csv(in / "labels.csv", numbered(whole.size(), clear.files));
    write_joint_names(*whole.media, clear.files, in);
    const Ending ending = run(program, in, out, scratch_ / "log", Seeds(context));
    left_out_ = ending.reason();
    std::error_code error;
    fs::remove_all(in, error);
    std::vector<std::string> strangers;
    fs::directory_iterator entries(out, error);
    if (error) {
      ending.refuse_if_bad(program);
      throw_input(where_, "left no folder {out}");
    }
    for (const auto& entry : entries) {
      const fs::path name = entry.path().filename();
      if (name == "labels.csv" || name == "dataset.toml" || name == "joints.txt") continue;
      const auto row = rows.find(name.stem());
      if (row == rows.end() || !entry.is_regular_file(error)) {
        strangers.push_back(name);
      } else {
        written_[row->second].push_back(entry.path());
      }
    }
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(written_, &std::vector<fs::path>::empty));
    if (missing == whole.size()) {
      ending.refuse_if_bad(program);
      throw_input(where_, fmt::format("wrote none of {} media into the folder {{out}}", rows.size()),
                  "a masked medium has the name of the clear one; its extension may differ");
    }
    ending.warn_if_bad(program, whole.size() - missing, rows.size());
    warn_of_strangers(program, std::move(strangers), "the files that it wrote have the name of no medium");
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // media are masked
  }
  [[nodiscard]] Medium mask(const Medium& medium, std::size_t sample, const ProtectContext&) const override {
    if (written_[sample].empty()) throw_input(where_, left_out_);
    return made_elsewhere(written_[sample], medium, where_);
  }

 private:
  std::string where_, left_out_;
  Scratch scratch_;
  std::vector<std::vector<fs::path>> written_;
};

class Command : public Protection {
 public:
  explicit Command(const Parameters& parameters)
      : program_{command_words(parameters.text("run")), parameters.integer("timeout")} {
    if (program_.words.empty()) {
      throw_usage("command", "names no program", "command:run=python3 mine.py {in} {out}");
    }
    for (const char* hole : {"{in}", "{out}"}) {
      if (std::ranges::any_of(program_.words,
                              [&](const std::string& word) { return word.find(hole) != std::string::npos; }))
        continue;
      throw_usage(program_.where(),
                  fmt::format("is not told {}, the folder of what it {}", hole, hole[1] == 'i' ? "reads" : "writes"),
                  "command:run=python3 mine.py {in} {out}");
    }
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "command", where);
  }
  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
                                                        const ProtectContext& context) const override {
    if (whole.templates.empty() && whole.media) return std::make_unique<OnMedia>(program_, whole, context);
    return run_on_templates(program_, whole, context);
  }
  [[nodiscard]] Guarantee guarantee(const ImageShape&) const override { return unknown_guarantee(); }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // among() has made another of it
  }

 private:
  Program program_;
};

}  // namespace

Entry<Protection> command_protection() {
  return {{.name = "command",
           .paper = "",
           .doc = "whatever another program makes of them: it reads a folder with templates.npy or media, and fills "
                  "another",
           .medium = "any",
           .claim = "what the program's authors say",
           .broken_by = "nobody knows yet",
           .parameters = {{"run", ParameterType::command, "",
                           "the command, as `python3 mine.py {in} {out}`; {seed} and {draw} stand for its seeds, which "
                           "are in BAUTA_SEED and BAUTA_DRAW, too"},
                          {"timeout", ParameterType::integer, "3600", "seconds that it may take", 1, 1e7},
                          {"name", ParameterType::text, "", "what tables and figures call it"}},
           .example = "run=cp -r {in}/. {out}",
           .mixes = true},  // it sees the whole data set, and nobody knows what it does with it
          [](const Parameters& parameters) { return std::make_unique<Command>(parameters); }};
}

}  // namespace bauta
