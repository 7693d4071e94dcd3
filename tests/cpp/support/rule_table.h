// Tests a rule with one body that violates it and one that does not, for each model generation and
// both backends.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/contents.h"

namespace strata::test {

/// `severities` repeats the catalogue independently. One letter per generation 2.5, 3, 3.6, and 4
/// on the Gemini API, then the same on Vertex AI: E error, w warning, i info, - off.
struct RuleCase {
  std::string code;
  std::string severities;
  std::string path;
  std::string bad;
  std::string good;
};

inline void PrintTo(const RuleCase& each, std::ostream* out) { *out << each.code; }

inline std::string severityWord(char letter) {
  switch (letter) {
    case 'E':
      return "error";
    case 'w':
      return "warning";
    case 'i':
      return "info";
    default:
      return "";
  }
}

inline void expectRule(const RuleCase& each) {
  const std::array<const char*, 4> models = {"gemini-2.5-flash", "gemini-3.1-pro",
                                             "gemini-3.6-flash", "gemini-4-argon"};
  for (size_t i = 0; i < each.severities.size(); ++i) {
    const auto backend = i < 4 ? gemini::Backend::kGemini : gemini::Backend::kVertex;
    const Judge judge(models[i % 4], backend);
    const std::string word = severityWord(each.severities[i]);
    std::string found;
    for (const std::string& line : judge.lint(each.bad)) {
      if (line.find(" " + each.code + " ") != std::string::npos) found += line;
    }
    EXPECT_EQ(found, word.empty() ? "" : word + " " + each.code + " " + each.path)
        << judge.model() << (i < 4 ? " on gemini" : " on vertex");
    for (const std::string& line : judge.lint(each.good)) {
      EXPECT_EQ(line.find(" " + each.code + " "), std::string::npos) << judge.model() << line;
    }
  }
}

}  // namespace strata::test
