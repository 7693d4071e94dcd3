// Why this file exists: properties are shown on many histories, not on the few one thinks of.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/contents.h"

namespace strata::test {

/// Contents as conversations have them: turns of steps, some with media, some parallel. With
/// `broken`, some Contents come where they may not.
class RandomHistory {
 public:
  explicit RandomHistory(uint32_t seed, bool broken = false) : random_(seed), broken_(broken) {}

  std::vector<std::string> contents(size_t count) {
    std::vector<std::string> made;
    while (made.size() < count) {
      made.push_back(next());
      if (broken_ && below(8) == 0) made.push_back(stray());
    }
    made.resize(count);
    return made;
  }

  size_t below(size_t end) { return random_() % end; }

 private:
  std::string next() {
    if (openCalls_ > 0) return results();
    if (opened_ || (broken_ && below(4) == 0)) return answer();
    opened_ = true;
    if (below(10) > 0) return user(words());
    return content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"});
  }

  std::string answer() {
    if (below(2) == 0) {
      opened_ = false;
      return model(words());
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
    if (below(8) == 0) parts.push_back(text(words()));
    for (size_t i = 0; i < openCalls_; ++i) parts.push_back(result("f" + std::to_string(i)));
    openCalls_ = 0;
    return content("user", parts);
  }

  std::string stray() {
    const std::vector<std::string> strays = {user(""),
                                             resultTurn(),
                                             callTurn(),
                                             model(),
                                             R"({"role":"tool","parts":[{"text":"a"}]})",
                                             R"({"role":"user","parts":[{}],"timestamp":1})"};
    return strays[below(strays.size())];
  }

  std::string words() { return std::string(1 + below(60), 'w'); }

  std::mt19937 random_;
  bool broken_;
  bool opened_ = false;
  size_t openCalls_ = 0;
};

}  // namespace strata::test
