#include "bauta/data/motion.hpp"

#include <array>
#include <cmath>
#include <functional>

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

std::string reals(std::initializer_list<float> values) {
  std::string text;
  for (const float value : values) text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

/// The same values in another order of bytes.
std::string turned(const std::string& values, const std::array<std::size_t, 4>& order) {
  std::string text(values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) text[i] = values[i / 4 * 4 + order[i % 4]];
  return text;
}

// Integers are multiplied by the scale, 0.5. Two analogue values stand behind the markers of each frame. The second
// marker was not seen in the first two frames, which the -1 in its last word says whatever stands before it.
test::C3d integers() {
  test::C3d file{.markers = 2, .channels = 2, .first = 11, .last = 13, .scale = reals({-9})};
  file.parameters = file.group(1, "POINT") + file.parameter(1, "SCALE", 4, "", reals({0.5})) +
                    file.parameter(1, "RATE", 4, "", reals({120})) + file.parameter(2, "RATE", 4, "", reals({1200})) +
                    file.parameter(1, "USED", 2, "", test::words({2})) +
                    file.parameter(1, "LABELS", -1, "\10\2", "Ann:RKNELKNE    ") + file.group(2, "ANALOG");
  file.data = test::words({2,  4,  -6, 0, 70, 70, 70, -1,     99, 99,  //
                           20, 40, 60, 0, 70, 70, 70, -1,     99, 99,  //
                           2,  4,  6,  3, 8,  10, 12, 0x7f00, 99, 99});
  return file;
}

TEST(ReadC3d, IntegersByTheirScale) {
  const Scratch scratch;
  const Motion motion = read_motion(scratch.write("a", integers().bytes()));
  EXPECT_EQ(motion.frames, 3U);
  EXPECT_EQ(motion.rate, 120);
  EXPECT_EQ(motion.names, (Names{"RKNE", "LKNE"}));
  expect_positions(motion, {1, 2, -3, 4, 5, 6, 10, 20, 30, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(kind_of(read_medium(scratch / "a")), "motion");
}

// A scale below 0 says that values are floats, and scales nothing. What is not a number was not seen either.
TEST(ReadC3d, FloatsOfEveryProcessor) {
  const Scratch scratch;
  const std::string values = reals({1, -2.5, 0, 0, 3, std::nanf(""), 5, 0, 7, 8, 1e-3F, 12});
  test::C3d file{.last = 3, .scale = reals({-0.1F}), .data = values};
  const Motion motion = read_motion(scratch.write("a.c3d", file.bytes()));
  EXPECT_EQ(motion.names, (Names{"marker 1"}));
  EXPECT_EQ(motion.rate, 0);
  expect_positions(motion, {1, -2.5, 0, 3, 2.75, 5, 7, 8, 1e-3F});
  file.processor = 86;  // big-endian
  file.scale = turned(reals({-0.1F}), {3, 2, 1, 0});
  file.data = turned(values, {3, 2, 1, 0});
  EXPECT_EQ(read_motion(scratch.write("b.c3d", file.bytes())), motion);
  // VAX by hand: 1 is 0x4080, -2.5 is 0xc120 (sign, exponent 130, 0.101 in binary) before its low half, 0 is 0; a sign
  // without an exponent is no number.
  file = {.processor = 85, .scale = test::bytes("\x20\xc1\0\0")};
  file.data = test::bytes(
      "\x80\x40\0\0"
      "\x20\xc1\0\0"
      "\0\0\0\0"
      "\0\0\0\0");
  expect_positions(read_motion(scratch.write("c.c3d", file.bytes())), {1, -2.5, 0});
  file.data.replace(8, 4, test::bytes("\0\x80\0\0"));
  expect_contains(input_error([&] { (void)read_motion(scratch.write("c.c3d", file.bytes())); }), "is in no frame");
}

// Vicon's programs keep angles and forces among the markers, and list them by kind.
TEST(ReadC3d, LeavesOutWhatIsNoPosition) {
  const Scratch scratch;
  test::C3d file{.markers = 4, .scale = reals({-1})};
  file.parameters = file.parameter(1, "LABELS", -1, "\5\2", "ANG  HEAD ") +
                    file.parameter(1, "LABELS2", -1, "\5\1", "FORCE") + file.parameter(1, "ANGLES", -1, "\3\1", "ANG") +
                    file.parameter(1, "FORCES", -1, "\5", "FORCE") + file.group(1, "POINT");
  for (const float point : {1.0F, 2.0F, 3.0F, 4.0F}) file.data += reals({point, point, point, 0});
  const Motion motion = read_motion(scratch.write("a.c3d", file.bytes()));
  EXPECT_EQ(motion.names, (Names{"HEAD", "marker 4"}));
  expect_positions(motion, {2, 2, 2, 4, 4, 4});
}

// Words end at 65,535: then parameters count the frames, in two words or as a float.
TEST(ReadC3d, FramesBeyondWhatTheHeaderCounts) {
  const Scratch scratch;
  test::C3d file{.first = 1, .last = 0xffff, .scale = reals({1})};
  for (int frame = 0; frame < 65537; ++frame) file.data += test::words({frame % 100, 0, 0, 0});
  const std::string point = file.group(1, "POINT"), trial = file.group(2, "TRIAL");
  for (const std::string& parameters : {trial + file.parameter(2, "ACTUAL_START_FIELD", 2, "\2", test::words({5, 0})) +
                                            file.parameter(2, "ACTUAL_END_FIELD", 2, "\2", test::words({5, 1})),
                                        point + file.parameter(1, "LONG_FRAMES", 4, "", reals({65537})),
                                        point + file.parameter(1, "FRAMES", 4, "", reals({65537}))}) {
    file.parameters = parameters;
    const Motion motion = read_motion(scratch.write("a.c3d", file.bytes()));
    EXPECT_EQ(motion.frames, 65537U);
    EXPECT_EQ(motion.positions[3 * 65536], 36);
  }
  file.parameters.clear();
  EXPECT_EQ(read_motion(scratch.write("a.c3d", file.bytes())).frames, 65535U);
}

TEST(ReadC3d, RefusesWhatDoesNotAddUp) {
  const Scratch scratch;
  const auto found = [&](const std::function<void(std::string&)>& change) {
    std::string bytes = integers().bytes();
    change(bytes);
    return input_error([&] { (void)read_motion(scratch.write("a.c3d", bytes)); });
  };
  const auto put = [](std::size_t at, std::string text) {
    return [at, text](std::string& bytes) { bytes.replace(at, text.size(), text); };
  };
  expect_contains(found(put(515, "\1")), "byte 515: 1 for the processor, expected 84 (Intel)");
  expect_contains(found(put(2, "\3")), "byte 2: 3 markers, POINT:USED says 2");
  expect_contains(found(put(6, "\16")), "byte 6: there is no frame");
  expect_contains(found(put(8, "\16")), "byte 1596: the file ends after 3 of 4 frames");
  expect_contains(found(put(16, test::bytes("\0\0"))), "byte 16: 0 for the block where frames begin");
  expect_contains(found(put(17, "\1")), "the file ends after 0 of 3 frames");
  // The group POINT takes 10 bytes from 516 on, and SCALE has 9 before its type.
  expect_contains(found(put(535, "\3")), "byte 535: a parameter of type 3");
  expect_contains(found(put(536, "\10")), "byte 536: a parameter of 8 dimensions");
  expect_contains(found(put(536, "\3\377\377\377")), "a parameter of 66325500 bytes, which are more than 255 blocks");
  expect_contains(found(put(537, test::bytes("\0\0\0\0"))), "byte 12: 0 for the scale of markers");
  expect_contains(found([](std::string& bytes) { bytes.resize(600); }), "bytes are expected here, the file has 600");
  test::C3d channels = integers();
  channels.markers = 0;
  channels.parameters.clear();
  expect_contains(input_error([&] { (void)read_motion(scratch.write("a.c3d", channels.bytes())); }),
                  "byte 2: there is no marker");
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
