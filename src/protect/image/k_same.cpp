// The k-Same family (Newton et al. 2005, Gross et al. 2005): everybody is shown as the mean of k people who look alike.
#include "k_same.hpp"

#include <set>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/protect/memorising.hpp"

namespace bauta {
namespace {

class AmongBackground : public ImageProtection {
 public:
  AmongBackground(std::shared_ptr<const Background> background, const KSameOptions& options, const Dataset& whole)
      : ImageProtection(options.technique),
        background_(std::move(background)),
        by_(options.by),
        classes_(classes_of(whole, options)) {}

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    if (!by_.empty() && classes_[sample].empty()) {
      throw_input(technique(), fmt::format("the sample has no value of '{}'", by_));
    }
    const std::string person = context.subjects.empty() ? std::string() : context.subjects[sample];
    return background_->mask(image, mark_of(person), mark_of(classes_[sample]));
  }

 private:
  std::shared_ptr<const Background> background_;
  std::string by_;
  std::vector<std::string> classes_;
};

class KSame : public ImageProtection, public MemorisingProtection {
 public:
  KSame(KSameOptions options, bool partition)
      : ImageProtection(options.technique), options_(std::move(options)), partition_(partition) {}

  void fit(const Dataset& train, const std::vector<std::string>&, const ProtectContext& context) override {
    if (!partition_) background_ = std::make_shared<const Background>(Background::learn(options_, train, context));
  }
  [[nodiscard]] FittedState state() const override { return background_ ? background_->state() : FittedState(); }
  void restore(const FittedState& state, const std::string& where) override {
    if (!partition_) background_ = std::make_shared<const Background>(Background::from(options_, state, where));
  }

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
                                                        const ProtectContext& context) const override {
    if (partition_) return partitioned(options_, whole, context);
    BAUTA_ASSERT(background_ != nullptr);
    std::size_t known = 0;
    const std::set<std::string> people(context.subjects.begin(), context.subjects.end());
    for (const std::string& person : people) known += background_->knows(mark_of(person));
    if (known > 0) {
      warn(
          fmt::format("{}: {} of {} people are among those it learned from; nobody is averaged with images of their "
                      "own",
                      technique(), known, people.size()));
    }
    return std::make_unique<AmongBackground>(background_, options_, whole);
  }

  [[nodiscard]] Guarantee guarantee(const ImageShape&) const override {
    if (!partition_) return {.remark = "every image holds its own original with the weight 1/k"};
    if (options_.several) return {.remark = "whoever sees several images of a person finds out who is in all groups"};
    if (options_.k < 2) return {.remark = "a group of one hides nobody"};
    return {.kind = Guarantee::Kind::k_anonymity, .k = options_.k, .remark = "of people with one image each"};
  }

 protected:
  [[nodiscard]] Image masked(const Image&, std::size_t, const ProtectContext&) const override {
    throw_usage(technique(), "makes each image out of others, and cannot mask one that stands alone",
                "protect a data set: bauta protect");
  }

 private:
  KSameOptions options_;
  bool partition_;
  std::shared_ptr<const Background> background_;
};

std::vector<Parameter> parameters_of(bool eigen, bool select) {
  std::vector<Parameter> parameters = {
      {"k", ParameterType::integer, "10", "people that an image is the mean of, its own person among them", 1, 100000},
      {.name = "form",
       .type = ParameterType::choice,
       .default_value = "background",
       .doc =
           "background: each image with the most similar ones of k - 1 other people, whom it learned from; "
           "partition: the original, the people of the data set in groups of k to 2k - 1. Images that are not of the "
           "most frequent size fail, and nothing is learned from them",
       .choices = {"background", "partition"}}};
  if (select) {
    parameters.push_back({"by", ParameterType::text, "",
                          "column whose classes stay apart, e.g. gender; it must be "
                          "given"});
  }
  parameters.push_back({"components", ParameterType::integer, "64",
                        eigen ? "principal components in which images are compared and averaged"
                              : "principal components in which form=background compares images",
                        1, 1024});
  parameters.push_back({.name = "several",
                        .type = ParameterType::choice,
                        .default_value = "refuse",
                        .doc = "form=partition, people with several images: refuse them, or partition everybody's "
                               "first images, second images and so on, each for itself, which promises nothing of "
                               "several together",
                        .choices = {"refuse", "galleries"}});
  parameters.push_back({"most", ParameterType::integer, "4096",
                        "form=background: images at most that it learns from, drawn at random; each takes a byte per "
                        "pixel and channel",
                        1, 1 << 20});
  return parameters;
}

struct Member {
  const char* name;
  const char* paper;
  const char* doc;
  bool eigen = false;
  bool select = false;
};

Entry<Protection> k_same(const Member& member) {
  return {{.name = member.name,
           .paper = member.paper,
           .doc = member.doc,
           .medium = "image",
           .learns = true,
           .learns_from_input = true,
           .claim = "form=partition with one image of each person: who compares a masked image with everybody's clear "
                    "ones names the right person in one case of k at best; form=background: no formal guarantee. What "
                    "form=background learns holds the images that it learned from (--save writes them, mode 0600)",
           .broken_by = "several images of a person, in which the other people change and the person stays; "
                        "form=background: the image itself is in it with the weight 1/k",
           .parameters = parameters_of(member.eigen, member.select),
           .example = member.select ? "by=hair,k=3" : "k=3",
           .mixes = true},
          [member](const Parameters& parameters) {
            KSameOptions options{.technique = member.name,
                                 .k = static_cast<std::size_t>(parameters.integer("k")),
                                 .components = static_cast<std::size_t>(parameters.integer("components")),
                                 .eigen = member.eigen,
                                 .by = member.select ? parameters.text("by") : std::string(),
                                 .several = parameters.text("several") == "galleries",
                                 .most = static_cast<std::size_t>(parameters.integer("most"))};
            if (member.select && options.by.empty()) {
              throw_usage(member.name, "keeps classes apart, and none are named", "name their column: by=COLUMN");
            }
            return std::make_unique<KSame>(std::move(options), parameters.text("form") == "partition");
          }};
}

}  // namespace

std::uint64_t mark_of(std::string_view name) {
  return std::stoull(digest(name).substr(0, 16), nullptr, 16);
}

std::vector<std::string> classes_of(const Dataset& data, const KSameOptions& options) {
  if (options.by.empty()) return std::vector<std::string>(data.size());
  if (data.labels.kind(options.by) == ColumnKind::continuous) {
    throw_usage(options.technique + ":by", fmt::format("'{}' of {} is a number, and no class", options.by, data.origin),
                "add a column with a few classes, e.g. age groups");
  }
  return data.labels.column(options.by);
}

Entry<Protection> k_same_pixel_protection() {
  return k_same({.name = "k-same-pixel",
                 .paper = "Newton, Sweeney, Malin 2005, Preserving Privacy by De-Identifying Face Images; "
                          "form=background as in A False Sense of Privacy",
                 .doc = "the mean image of k people who look alike"});
}

Entry<Protection> k_same_eigen_protection() {
  return k_same({.name = "k-same-eigen",
                 .paper = "Newton, Sweeney, Malin 2005, Preserving Privacy by De-Identifying Face Images",
                 .doc = "the mean of k people who look alike, taken of their coordinates in a space of faces",
                 .eigen = true});
}

Entry<Protection> k_same_select_protection() {
  return k_same({.name = "k-same-select",
                 .paper = "Gross et al. 2005, Integrating Utility into Face De-Identification",
                 .doc = "the mean image of k people who look alike and are of the same class",
                 .select = true});
}

}  // namespace bauta
