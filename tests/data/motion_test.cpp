#include "bauta/data/motion.hpp"

#include <cmath>

#include "bauta/data/dataset.hpp"
#include "bauta/data/media_source.hpp"
#include "media_fixtures.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

using Floats = std::vector<float>;
using Names = std::vector<std::string>;

void expect_positions(const Motion& motion, const Floats& expected) {
  ASSERT_EQ(motion.positions.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(motion.positions[i], expected[i], 1e-5) << i;
}

const std::string trc =
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\r\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\r\n"
    "100.00\t100.00\t3\t2\tmm\r\n"
    "Frame#\tTime\tRKNE\t\t\tLKNE\t\t\t\r\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\r\n"
    "\r\n"
    "1\t0.00\t1\t2\t3\t\t\t\t\r\n"
    "2\t0.01\t\t\t\t5\t6\t7\t\r\n"
    "3\t0.02\t3\t6\t-1e1\t5\t6\t9\t\r\n";

TEST(ReadTrc, MarkersRateAndGaps) {
  const Scratch scratch;
  const Motion motion = read_motion(scratch.write("a", trc));
  EXPECT_EQ(motion.frames, 3U);
  EXPECT_EQ(motion.rate, 100);
  EXPECT_EQ(motion.names, (Names{"RKNE", "LKNE"}));
  // The first marker is missing in the middle: half of the way. The second at the start: as it was first seen.
  expect_positions(motion, {1, 2, 3, 5, 6, 7, 2, 4, -3.5, 5, 6, 7, 3, 6, -10, 5, 6, 9});
}

TEST(ReadTrc, RefusesWhatDoesNotAddUp) {
  const Scratch scratch;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = trc;
    text.replace(text.find(from), from.size(), to);
    return input_error([&] { (void)read_motion(scratch.write("a.trc", text)); });
  };
  expect_contains(changed("\t3\t2\tmm", "\t3\t4\tmm"), "says 4 markers and names 2");
  expect_contains(changed("-1e1", "ten"), "line 9: 'ten' is no number");
  expect_contains(changed("-1e1", "1e40"), "1e40 is too large");
  expect_contains(changed("\t9\t", "\t9\t8"), "has 9 fields, 2 markers need 8");
  std::string nowhere = trc;
  for (const std::string line : {"5\t6\t7\t\r", "5\t6\t9\t\r"}) nowhere.replace(nowhere.find(line), line.size(), "\r");
  expect_contains(input_error([&] { (void)read_motion(scratch.write("a.trc", nowhere)); }),
                  "joint LKNE is in no frame");
}

TEST(ReadMotionCsv, ColumnsInAnyOrder) {
  const Scratch scratch;
  const Motion motion = read_motion(scratch.write("a.csv",
                                                  "Frame,time,hip_y,hip_x,hip_z,Knee Left.X,Knee Left.Y,Knee Left.Z\n"
                                                  "1,0,2,1,3,4,5,6\n2,0.5,8,7,NaN,10,11,12\n3,1,8,7,5,10,11,12\n"));
  EXPECT_EQ(motion.names, (Names{"hip", "Knee Left"}));
  EXPECT_EQ(motion.rate, 2);
  expect_positions(motion, {1, 2, 3, 4, 5, 6, 7, 8, 4, 10, 11, 12, 7, 8, 5, 10, 11, 12});
}

TEST(ReadMotionCsv, WithoutAHeader) {
  const Scratch scratch;
  const Motion motion = read_motion(scratch.write("a.csv", "1;2;3\n4;5;6.5\n"));
  EXPECT_TRUE(motion.names.empty());
  expect_positions(motion, {1, 2, 3, 4, 5, 6.5});
}

TEST(ReadMotionCsv, RefusesWhatIsNoMotion) {
  const Scratch scratch;
  const auto found = [&](const std::string& text) {
    return input_error([&] { (void)read_motion(scratch.write("a.csv", text)); });
  };
  expect_contains(found("a_x,a_y\n1,2\n"), "joint 'a' has no z");
  expect_contains(found("a_x,a_y,a_z,name\n1,2,3,4\n"), "column 'name' is no coordinate");
  expect_contains(found("a_x,a_X,a_y,a_z\n1,2,3,4\n"), "column 'a_X' stands twice");
  expect_contains(found("1,2\n"), "has 2 columns without names");
  expect_contains(found("a_x,a_y,a_z\n"), "holds no frame");
  expect_contains(found("time\n1\n"), "holds no frame");
}

const std::string bvh = R"(HIERARCHY
ROOT Hips
{
  OFFSET 7 7 7
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg
  {
    OFFSET 1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 2 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.05
10 20 30 0 0 0 0 0 0
0 0 0 90 0 0 90 0 0
0 0 0 90 90 0 0 0 90
)";

// By hand. Frame 2: the root turns x to y, the joint lies at (0, 1, 0); it turns once more, so its end goes on along
// -x. Frame 3: the root's rotation is Rz(90) Rx(90): x becomes y, y becomes z, z becomes x. The joint lies at (0, 1,
// 0); its own Ry(90) turns (2, 0, 0) to (0, 0, -2), which the root turns to (-2, 0, 0).
TEST(ReadBvh, ForwardKinematics) {
  const Scratch scratch;
  const Motion motion = read_motion(scratch.write("a", bvh));
  EXPECT_EQ(motion.names, (Names{"Hips", "Left Leg", "Left Leg end"}));
  EXPECT_NEAR(motion.rate, 20, 1e-12);
  EXPECT_EQ(motion.frames, 3U);
  expect_positions(motion, {10, 20, 30, 11, 20, 30, 13, 20, 30,  //
                            0,  0,  0,  0,  1,  0,  -2, 1,  0,   //
                            0,  0,  0,  0,  1,  0,  -2, 1,  0});
}

TEST(ReadBvh, RefusesWhatIsNone) {
  const Scratch scratch;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = bvh;
    text.replace(text.find(from), from.size(), to);
    return input_error([&] { (void)read_motion(scratch.write("a.bvh", text)); });
  };
  expect_contains(changed("Frames: 3", "Frames: 4"), "ends where a channel's value is expected");
  expect_contains(changed("Frames: 3", "Frames: 2"), "after the last frame");
  expect_contains(changed("Frames: 3", "Frames: -1"), "is no number of frames");
  expect_contains(changed("Frames: 3", "Frames: 0"), "holds no frame");
  expect_contains(changed("Xposition", "Wposition"), "line 5: 'Wposition' is no channel");
  expect_contains(changed("JOINT Left", "ROOT Left"), "'ROOT' is not expected here");
  expect_contains(changed("10 20 30", "1e39 20 30"), "joint Hips is out of range");
}

TEST(BodyPart, WordsSidesAndCodes) {
  const std::pair<const char*, const char*> known[] = {{"Head", "head"},
                                                       {"ShoulderCenter", "torso"},
                                                       {"ShoulderRight", "right_arm"},
                                                       {"HandLeft", "left_arm"},
                                                       {"Spine", "torso"},
                                                       {"HipCenter", "hip"},
                                                       {"HipLeft", "hip"},
                                                       {"KneeLeft", "left_leg"},
                                                       {"FootRight", "right_leg"},
                                                       {"l_ankle", "left_leg"},
                                                       {"RightUpLeg", "right_leg"},
                                                       {"lhand", "left_arm"},
                                                       {"left toe 2", "left_leg"},
                                                       {"LFHD", "head"},
                                                       {"RASI", "hip"},
                                                       {"T10", "torso"},
                                                       {"LWRA", "left_arm"},
                                                       {"RHEE", "right_leg"},
                                                       {"C7", "torso"},
                                                       {"neck", "head"},
                                                       {"RightArm", "right_arm"},
                                                       {"Left Leg end", "left_leg"}};
  for (const auto& [joint, part] : known) EXPECT_EQ(body_part(joint), part) << joint;
  for (const char* const unknown : {"", "M12", "hand", "knee", "...", "tail"})
    EXPECT_EQ(body_part(unknown), "") << unknown;
}

TEST(WithFrames, FollowsTheLineBetweenFrames) {
  const Motion motion{3, 1, {0, 0, 0, 10, 20, 30, 20, 40, 0}, 30, {"a"}};
  const Motion more = with_frames(motion, 5);
  expect_positions(more, {0, 0, 0, 5, 10, 15, 10, 20, 30, 15, 30, 15, 20, 40, 0});
  EXPECT_EQ(more.rate, 60);
  EXPECT_EQ(more.names, motion.names);
  expect_positions(with_frames(motion, 2), {0, 0, 0, 20, 40, 0});
  expect_positions(with_frames(motion, 1), {0, 0, 0});
  EXPECT_EQ(with_frames(motion, 3), motion);
  expect_positions(with_frames({1, 1, {4, 5, 6}, 0, {}}, 2), {4, 5, 6, 4, 5, 6});
}

TEST(JointNames, StandBesideMotionsThatNameNone) {
  const Scratch scratch;
  write_medium(scratch / "a.npy", Motion{1, 2, {1, 2, 3, 4, 5, 6}, 0, {}});
  scratch.write("b.trc", trc);
  scratch.write("labels.csv", "file,identity\na.npy,a\nb.trc,b\n");
  ReadOptions options;
  options.templates_required = false;
  const std::string before = read_dataset(scratch.path(), options).media->digest(0);
  scratch.write("joints.txt", "Head\r\n\n Foot Left \n");
  const Dataset dataset = read_dataset(scratch.path(), options);
  EXPECT_EQ(std::get<Motion>(dataset.media->load(0)).names, (Names{"Head", "Foot Left"}));
  EXPECT_EQ(std::get<Motion>(dataset.media->load(1)).names, (Names{"RKNE", "LKNE"}));
  EXPECT_NE(dataset.media->digest(0), before);  // what is masked by parts depends on the names
  scratch.write("joints.txt", "Head\n");
  expect_contains(input_error([&] { (void)read_dataset(scratch.path(), options).media->load(0); }),
                  "names 1 joints, this motion has 2");
}

}  // namespace
}  // namespace bauta
