// Without dlib: what the face network would say is given.
#include <cmath>

#include "../data/hostile.hpp"
#include "bauta/core/random.hpp"
#include "media.hpp"

namespace bauta {
namespace {

using test::Scratch;

constexpr const char* small = "face-retrained:size=8,filters=8/8,hidden=16,epochs=40";

/// People of one colour each, four noisy pictures of everybody; the teacher says the colour.
struct Lesson {
  Dataset seen, taught;

  explicit Lesson(std::uint64_t item) {
    constexpr std::size_t people = 40, pictures = 4;
    Stream stream(9, "face retrained test", item);
    Matrix<float> images(people * pictures, 8 * 8 * 3), said(people * pictures, 3);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < images.rows(); ++i) {
      names.push_back("p" + std::to_string(i / pictures));
      for (std::size_t c = 0; c < 3; ++c) {
        said(i, c) = i % pictures == 0 ? static_cast<float>(stream.uniform()) - 0.5F : said(i - 1, c);
      }
      for (std::size_t k = 0; k < images.cols(); ++k) {
        images(i, k) = 0.5F + said(i, k % 3) * 0.8F + 0.1F * static_cast<float>(stream.uniform() - 0.5);
      }
    }
    const auto data = [&](Matrix<float> values) {
      Dataset made;
      made.origin = "lesson";
      made.labels = LabelTable("lesson", names.size());
      made.labels.add_column("identity", names);
      made.identity_column = "identity";
      made.templates = Templates(std::move(values));
      return made;
    };
    seen = data(std::move(images));
    taught = data(std::move(said));
  }
};

double mean_cosine(const ResolvedExtractor& extractor, const Lesson& lesson) {
  double mean = 0;
  for (std::size_t i = 0; i < lesson.seen.size(); ++i) {
    const std::vector<float> said = extractor->project(lesson.seen.templates.floats().row(i));
    const auto truth = lesson.taught.templates.floats().row(i);
    double product = 0, length = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      product += double{said[c]} * truth[c];
      length += double{truth[c]} * truth[c];
    }
    mean += product / std::sqrt(length) / static_cast<double>(lesson.seen.size());
  }
  return mean;
}

TEST(FaceRetrained, SaysOfPeopleWhomItNeverSawWhatItsTeacherDoes) {
  const Lesson lesson(1), others(2);
  const ResolvedExtractor extractor = make_extractor(small);
  EXPECT_TRUE(extractor->model().empty());
  extractor->fit_taught(lesson.seen, lesson.taught);
  EXPECT_GT(mean_cosine(extractor, others), 0.8);
  // What was learned comes back from its file to the last bit.
  const Scratch scratch;
  save_extractor(extractor, scratch.path() / "learned.npz");
  const ResolvedExtractor again = load_extractor(scratch.path() / "learned.npz", small);
  EXPECT_EQ(again->model(), extractor->model());
  const auto row = others.seen.templates.floats().row(5);
  EXPECT_EQ(again->project(row), extractor->project(row));
  EXPECT_EQ(extractor->project(row).size(), 3U);
  EXPECT_THROW((void)load_extractor(scratch.path() / "learned.npz", "face-retrained"), Error);
}

TEST(FaceRetrained, PicturesWithoutAFaceTeachNothingAndASeedIsABit) {
  Lesson lesson(3);
  const auto learned = [&](const std::string& more) {
    const ResolvedExtractor extractor = make_extractor("face-retrained:size=8,filters=4,hidden=4,epochs=1" + more);
    extractor->fit_taught(lesson.seen, lesson.taught);
    return extractor->model();
  };
  const std::string whole = learned("");
  EXPECT_EQ(learned(""), whole);
  EXPECT_NE(learned(",seed=2"), whole);
  std::vector<bool> failed(lesson.seen.size(), false);
  failed[7] = true;
  lesson.taught.mark_failed(failed);
  EXPECT_NE(learned(""), whole);
  lesson.taught.mark_failed(std::vector<bool>(lesson.seen.size(), true));
  EXPECT_THROW(learned(""), Error);
}

TEST(FaceRetrained, NamesItsTeacherAndRefusesWhatIsTooSmall) {
  const ResolvedExtractor extractor = make_extractor("face-retrained:frame=detect");
  EXPECT_EQ(extractor->teacher(), "face-network:frame=detect");
  EXPECT_EQ(extractor->base(), "pixels:size=48,color=rgb");
  EXPECT_THROW((void)make_extractor("face-retrained:size=8,filters=4/4/4/4"), Error);
}

}  // namespace
}  // namespace bauta
