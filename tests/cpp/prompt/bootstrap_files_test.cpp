// Tests the reading and truncating of bootstrap files, with the budget cases of
// tests/cases/pioneer_prompt_compile.json (from the GitHub repository pioneerdotai/pioneer).
#include "prompt/bootstrap_files.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/contents.h"

namespace strata::prompt {
namespace {

using test::Case;
using test::Cases;
using test::Json;
using Strings = std::vector<std::string>;

// Returns `code arg1 arg2` of each finding.
Strings describe(const catalogue::Findings& findings) {
  Strings all;
  for (const catalogue::Finding& each : findings) {
    const catalogue::Catalogue catalogue;
    all.push_back(std::string(catalogue.rule(each.rule).code) + " " + each.arg1 + " " + each.arg2);
  }
  return all;
}

// Returns the catalogue's code for a code of the case file.
std::string codeFor(const std::string& code) {
  return code == "file_truncated" ? "bootstrap.truncated" : "bootstrap.total_truncated";
}

struct BudgetCase {
  explicit BudgetCase(Case given) {
    json::Writer out;
    out.open('[');
    for (const Case file : given.find("files").elements()) {
      names.push_back(file.at(0).text());
      out.open('{').key("name").raw(file.at(0).bytes()).key("text").raw(file.at(1).bytes());
      out.close('}');
    }
    files = out.close(']').take();
    limits.perFile = static_cast<size_t>(given.find("per_file").integer(0));
    limits.total = static_cast<size_t>(given.find("total").integer(0));
  }

  Strings names;
  std::string files;
  FileLimits limits;
};

TEST(BootstrapFiles, TruncatesTheBudgetCasesOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  for (const Case given : cases.root().find("budget").elements()) {
    const BudgetCase budget(given);
    const Json files(budget.files);
    BootstrapFiles read;
    ASSERT_TRUE(read.read(files.root(), budget.names, ""));
    read.applyLimits(budget.limits);
    Strings kept;
    for (const BootstrapFile& file : read.all()) {
      if (!file.text.empty()) kept.push_back(file.name + " " + file.text);
    }
    Strings expected;
    for (const Case each : given.find("kept").elements()) {
      expected.push_back(each.at(0).text() + " " + each.at(1).text());
    }
    EXPECT_EQ(kept, expected) << given.bytes();
    Strings diagnostics;
    for (const Case each : given.find("diagnostics").elements()) {
      diagnostics.push_back(codeFor(each.at(0).text()) + " " + each.at(1).text() + " " +
                            each.at(2).text());
    }
    EXPECT_EQ(describe(read.findings()), diagnostics) << given.bytes();
  }
  EXPECT_EQ(cases.root().find("budget").size(), 5U);
}

TEST(BootstrapFiles, ReadsAMapAndAnArrayAlike) {
  const Json map(R"({"A.md":"a","B.md":{"text":"b","path":"https://x/B.md"},"C.md":null})");
  const Json array(R"([{"name":"B.md","path":"https://x/B.md","text":"b"},
                       {"name":"C.md"},{"name":"A.md","text":"a"}])");
  for (const Json* given : {&map, &array}) {
    BootstrapFiles files;
    ASSERT_TRUE(files.read(given->root(), {"A.md", "B.md", "C.md"}, "/work"));
    EXPECT_EQ(files.find("A.md")->path, "/work/A.md");
    EXPECT_EQ(files.find("B.md")->path, "https://x/B.md");
    EXPECT_EQ(files.find("B.md")->text, "b");
    EXPECT_EQ(files.find("C.md")->status, FileStatus::kMissing);
    EXPECT_EQ(describe(files.findings()), Strings{"bootstrap.missing C.md "});
  }
}

TEST(BootstrapFiles, ReportsWhyAFileIsUnreadable) {
  const Json given(R"({"A.md":{"error":"permission denied"}})");
  BootstrapFiles files;
  ASSERT_TRUE(files.read(given.root(), {"A.md"}, ""));
  EXPECT_EQ(files.find("A.md")->status, FileStatus::kUnreadable);
  EXPECT_EQ(describe(files.findings()), Strings{"bootstrap.unreadable A.md permission denied"});
  EXPECT_EQ(files.findings().front().path, "/files/A.md");
}

TEST(BootstrapFiles, CutsBetweenCharacters) {
  const Json given(R"({"A.md":"h\u00e9\ud83e\udd80x"})");
  BootstrapFiles files;
  ASSERT_TRUE(files.read(given.root(), {"A.md"}, ""));
  files.applyLimits({3, 100});
  EXPECT_EQ(files.find("A.md")->text, "h\u00e9\U0001F980");
  EXPECT_EQ(files.find("A.md")->chars, 3U);
}

TEST(BootstrapFiles, RejectsInvalidFilesWithTheirPath) {
  for (const char* bad : {R"("text")", R"({"A.md":7})", R"([{"text":"a"}])", R"([7])",
                          R"({"A.md":{"text":7}})", R"({"A.md":{"error":[]}})"}) {
    const Json given(bad);
    BootstrapFiles files;
    const Status status = files.read(given.root(), {"A.md"}, "");
    ASSERT_FALSE(status) << bad;
    EXPECT_EQ(status.error().code, "field.invalid");
    EXPECT_EQ(status.error().path.substr(0, 6), "/files");
  }
}

}  // namespace
}  // namespace strata::prompt
