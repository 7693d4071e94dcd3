// Generates random histories for property tests.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/contents.h"

namespace strata::test {

/// Generates Contents of turns and steps, some with media, some with parallel calls. With `broken`,
/// some Contents are invalid or misplaced.
class RandomHistory {
 public:
  explicit RandomHistory(uint32_t seed, bool broken = false) : random_(seed), broken_(broken) {}

  std::vector<std::string> contents(size_t count) {
    std::vector<std::string> generated;
    while (generated.size() < count) {
      generated.push_back(next());
      if (broken_ && below(8) == 0) generated.push_back(misplaced());
    }
    generated.resize(count);
    return generated;
  }

  size_t below(size_t end) { return random_() % end; }

 private:
  std::string next() {
    if (openCalls_ > 0) return results();
    if (opened_ || (broken_ && below(4) == 0)) return answer();
    opened_ = true;
    if (below(10) > 0) return user(randomText());
    return content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"});
  }

  std::string answer() {
    if (below(2) == 0) {
      opened_ = false;
      return model(randomText());
    }
    opened_ = true;
    openCalls_ = 1 + below(3);
    std::vector<std::string> parts;
    for (size_t i = 0; i < openCalls_; ++i) {
      parts.push_back(call("f" + std::to_string(i), "", i == 0 && below(9) > 0 ? kSignature : ""));
    }
    return content("model", parts);
  }

  std::string results() {
    std::vector<std::string> parts;
    if (below(8) == 0) parts.push_back(text(randomText()));
    for (size_t i = 0; i < openCalls_; ++i) parts.push_back(result("f" + std::to_string(i)));
    openCalls_ = 0;
    return content("user", parts);
  }

  std::string misplaced() {
    const std::vector<std::string> choices = {user(""),
                                              resultTurn(),
                                              callTurn(),
                                              model(),
                                              R"({"role":"tool","parts":[{"text":"a"}]})",
                                              R"({"role":"user","parts":[{}],"timestamp":1})"};
    return choices[below(choices.size())];
  }

  std::string randomText() { return std::string(1 + below(60), 'w'); }

  std::mt19937 random_;
  bool broken_;
  bool opened_ = false;
  size_t openCalls_ = 0;
};

}  // namespace strata::test
