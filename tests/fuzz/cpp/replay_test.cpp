// Runs each fuzz target on the inputs that the repository keeps: its corpus, and every input that
// once failed. libFuzzer is not needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/cpp/target.h"

namespace strata::fuzz {
namespace {

namespace fs = std::filesystem;

fs::path folder(const char* name) { return fs::path(STRATA_ROOT) / "tests/fuzz/cpp" / name; }

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    found.push_back(at->path());
  }
  return found;
}

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, HoldsForTheCorpus) {
  const std::vector<fs::path> files = filesIn(folder("corpus") / GetParam().name);
  EXPECT_FALSE(files.empty());
  for (const fs::path& file : files) GetParam().run(contentOf(file));
}

TEST_P(Replay, HoldsForInputsThatOnceFailed) {
  for (const fs::path& file : filesIn(folder("crashes") / GetParam().name)) {
    GetParam().run(contentOf(file));
  }
}

// libFuzzer starts with it.
TEST_P(Replay, HoldsForAnEmptyInput) { GetParam().run(""); }

std::string nameOf(const testing::TestParamInfo<Target>& target) { return target.param.name; }

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets()), nameOf);

TEST(ReplayFolders, BelongToATarget) {
  for (const char* kind : {"corpus", "crashes"}) {
    for (const fs::path& each : filesIn(folder(kind))) {
      const auto hasName = [&](const Target& target) { return target.name == each.filename(); };
      EXPECT_TRUE(std::any_of(targets().begin(), targets().end(), hasName)) << each;
    }
  }
}

}  // namespace
}  // namespace strata::fuzz
