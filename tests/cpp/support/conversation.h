// Why this file exists: properties of valid conversations need many of them, and mutations need to
// know what stands where. This one is held as parts and written when it is done.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/contents.h"

namespace strata::test {

/// One Content in the making.
struct Turn {
  std::string role;
  std::vector<std::string> parts;
  size_t calls = 0;     ///< Of a model Content: its last parts are calls.
  bool hasIds = false;  ///< Of calls and of results.
  std::string fields = {};

  bool isResults() const { return results > 0; }
  size_t results = 0;  ///< Of a user Content: its last parts are results.
  std::string text() const {
    return R"({"role":")" + role + R"(","parts":[)" + joined(parts) + "]" + fields + "}";
  }
};

/// A conversation that the API takes: turns of steps, parallel or not, with ids or without, in
/// either spelling, ending with the user.
class Conversation {
 public:
  explicit Conversation(uint32_t seed) : random_(seed) {
    const size_t count = 1 + below(4);
    for (size_t i = 0; i < count; ++i) {
      turns.push_back({"user", {opening()}});
      const size_t steps = below(3);
      for (size_t step = 0; step < steps; ++step) addStep(i == 0 && step == 0);
      turns.push_back({"model", {answer()}});
    }
    turns.push_back({"user", {text(words())}});
    for (size_t i = below(3); i > 0; --i) addStep(false);
  }

  std::vector<Turn> turns;

  std::vector<std::string> contents() const {
    std::vector<std::string> all;
    for (const Turn& turn : turns) all.push_back(turn.text());
    return all;
  }
  std::string body() const { return bodyOf(contents()); }

  size_t below(size_t end) { return random_() % end; }
  /// A Content that fits, by its position, or -1.
  template <typename Fits>
  int any(const Fits& fits) {
    std::vector<int> all;
    for (size_t i = 0; i < turns.size(); ++i) {
      if (fits(turns[i])) all.push_back(static_cast<int>(i));
    }
    return all.empty() ? -1 : all[below(all.size())];
  }

 private:
  void addStep(bool withIds) {
    Turn calls{"model", {}};
    Turn results{"user", {}};
    calls.hasIds = results.hasIds = withIds || below(2) == 0;
    if (below(3) == 0) calls.parts.push_back(text(words()));
    if (below(4) == 0) results.parts.push_back(text(words()));
    calls.calls = results.results = 1 + below(3);
    for (size_t i = 0; i < calls.calls; ++i) {
      const std::string id = calls.hasIds ? "call_" + std::to_string(i) : "";
      const std::string name = "f" + std::to_string(i);
      calls.parts.push_back(spelled(call(name, id, i == 0 ? kSignature : "")));
      results.parts.push_back(spelled(result(name, id)));
    }
    turns.push_back(calls);
    turns.push_back(results);
  }

  // Snake case every fourth time.
  std::string spelled(std::string part) {
    if (below(4) > 0) return part;
    for (const auto& [camel, snake] : {std::pair{"functionCall", "function_call"},
                                       {"functionResponse", "function_response"},
                                       {"thoughtSignature", "thought_signature"}}) {
      const size_t at = part.find(camel);
      if (at != std::string::npos) part.replace(at, std::string(camel).size(), snake);
    }
    return part;
  }

  std::string opening() {
    return below(6) > 0 ? text(words()) : R"({"inlineData":{"mimeType":"image/png","data":"AA"}})";
  }
  std::string answer() {
    return below(3) > 0 ? text(words())
                        : R"({"text":"", "thoughtSignature":")" + std::string(kSignature) + "\"}";
  }
  std::string words() { return "w\\u00e9 " + std::string(1 + below(30), 'w'); }

  std::mt19937 random_;
};

}  // namespace strata::test
