#include "bauta/core/declaration.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/named_file.hpp"
#include "bauta/core/public_specification.hpp"

namespace bauta {
namespace {

Declaration declaration() {
  Declaration result;
  result.name = "pe-miu";
  result.parameters = {{"block", ParameterType::integer, "16", "values per block", 1, 64},
                       {"cost", ParameterType::choice, "l2", "cost", 0, 0, {"l2", "dot"}}};
  return result;
}

TEST(Specification, ParsesNameAndPairs) {
  const Specification spec = Specification::parse("pe-miu:block=8,cost=dot");
  EXPECT_EQ(spec.name, "pe-miu");
  EXPECT_EQ(spec.values.at("block"), "8");
  EXPECT_EQ(spec.values.at("cost"), "dot");
  EXPECT_TRUE(Specification::parse("none").values.empty());
  for (const char* bad : {"", ":a=1", "x:a", "x:=1", "x:a=1,a=2"})
    EXPECT_THROW((void)Specification::parse(bad), Error) << bad;
}

TEST(Parameters, FillsDefaultsAndResolves) {
  const Parameters parameters(declaration(), Specification::parse("pe-miu:cost=dot"));
  EXPECT_EQ(parameters.integer("block"), 16);
  EXPECT_EQ(parameters.text("cost"), "dot");
  EXPECT_EQ(parameters.resolved(), "pe-miu:block=16,cost=dot");
  EXPECT_EQ(parameters.brief(), "pe-miu:cost=dot");
  EXPECT_EQ(parameters.fill("pe-miu:block={block}"), "pe-miu:block=16");
}

// A setting has one name, however its share was written; what is no share takes no percent.
TEST(Parameters, SharesMayBeGivenInPercent) {
  Declaration mask;
  mask.name = "mask";
  mask.parameters = {{"share", ParameterType::real, "0.5", "share", 0, 1}, {"w", ParameterType::real, "2", "w", 1, 9}};
  const Parameters parameters(mask, Specification::parse("mask:share=1%"));
  EXPECT_EQ(parameters.real("share"), 0.01);
  EXPECT_EQ(parameters.brief(), "mask:share=0.01");
  for (const char* bad : {"mask:share=101%", "mask:share=%", "mask:share=1%%", "mask:share=-1%", "mask:w=300%"}) {
    EXPECT_THROW(Parameters(mask, Specification::parse(bad)), Error) << bad;
  }
}

TEST(Parameters, RefusesWhatIsNotDeclared) {
  for (const char* bad : {"pe-miu:blok=8", "pe-miu:block=0", "pe-miu:block=65", "pe-miu:block=8x", "pe-miu:block=1.5",
                          "pe-miu:cost=l3"}) {
    EXPECT_THROW(Parameters(declaration(), Specification::parse(bad)), Error) << bad;
  }
  try {
    const Parameters parameters(declaration(), Specification::parse("pe-miu:blok=8"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint, "did you mean 'block'?");
  }
}

// Results travel; where a key or a model lies on somebody's machine does not.
TEST(Specification, IsPublishedWithoutPlaces) {
  Declaration network;
  network.name = "network";
  network.parameters = {{"path", ParameterType::file, "", "the file"},
                        {"models", ParameterType::folder, "", "folder"},
                        {"keyfile", ParameterType::key, "", "file with the key"},
                        {"size", ParameterType::integer, "4", "size", 1, 64}};
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "bauta_named_files";
  std::filesystem::create_directories(folder / "m");
  for (const char* name : {"net.onnx", "k", "m/w"}) std::ofstream(folder / name) << "first";
  const std::string text = "network:path=" + (folder / "net.onnx").string() + ",models=" + (folder / "m").string() +
                           ",keyfile=" + (folder / "k").string();
  const Parameters given(network, Specification::parse(text));
  EXPECT_EQ(public_specification(network, given), "network:path=net.onnx,size=4");
  EXPECT_EQ(public_specification(network, Parameters(network, Specification::parse("network"))), "network:size=4");

  // Elsewhere they are called by what is in them, and found again by that name.
  EXPECT_EQ(given.resolved().find(folder.string()), std::string::npos);
  EXPECT_NE(given.brief().find("path=net.onnx#"), std::string::npos);
  EXPECT_NE(given.brief().find("keyfile=#"), std::string::npos);
  const Parameters again(network, Specification::parse(given.brief()));
  EXPECT_EQ(again.resolved(), given.resolved());
  EXPECT_EQ(again.text("keyfile"), (folder / "k").string());
  EXPECT_EQ(again.text("models"), (folder / "m").string());
  std::ofstream(folder / "m/w") << "second, and longer";
  EXPECT_NE(Parameters(network, Specification::parse(text)).resolved(), given.resolved());
  // What a key is called follows from nothing that it holds, and is another when it changes.
  const std::string key = (folder / "k").string(), called = *called_key(key);
  EXPECT_NE(called, *called_by_contents(key, false));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // systems count time in steps of a few milliseconds
  std::ofstream(key) << "other";
  EXPECT_NE(*called_key(key), called);
  std::ofstream(folder / "k2") << "other";
  EXPECT_NE(*called_key(key), *called_key(folder / "k2"));
  // A key that cannot be read must not become no key.
  EXPECT_THROW(Parameters(network, Specification::parse("network:keyfile=/no/such/key")), Error);
  std::filesystem::remove_all(folder);
}

TEST(Specification, SeveralInOneText) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(split_specifications("knn"), Texts({"knn"}));
  EXPECT_EQ(split_specifications("knn,logistic"), Texts({"knn", "logistic"}));
  EXPECT_EQ(split_specifications("a:x=1,y=2,b,c:comparator=pe-miu,z=3"),
            Texts({"a:x=1,y=2", "b", "c:comparator=pe-miu,z=3"}));
  EXPECT_EQ(split_specifications("a,,b"), Texts({"a", "", "b"}));  // an empty name is refused where it is looked up
}

// esn:distance=1e39 passed, and made infinities.
TEST(Parameters, NumbersWithoutBoundsHaveFiniteOnes) {
  Declaration mask;
  mask.name = "t";
  mask.parameters = {{"x", ParameterType::real, "1", "no bounds"}, {"n", ParameterType::integer, "1", "from 0 on", 0}};
  const auto value = [&](const char* text) { return Parameters(mask, Specification::parse(text)).text("x"); };
  EXPECT_EQ(value("t:x=1e9"), "1e9");
  for (const char* text : {"t:x=1e39", "t:x=-1e39", "t:x=1e10", "t:x=inf", "t:x=nan", "t:n=99999999999", "t:n=-1"}) {
    EXPECT_THROW((void)value(text), Error) << text;
  }
}

}  // namespace
}  // namespace bauta
