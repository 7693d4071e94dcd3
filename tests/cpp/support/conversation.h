// Generates random valid conversations as lists of Parts, so that tests can mutate them before they
// are written as JSON.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/contents.h"

namespace strata::test {

/// One Content, not yet written.
struct Turn {
  std::string role;
  std::vector<std::string> parts;
  size_t calls = 0;     ///< Number of functionCalls; they are the last Parts.
  bool hasIds = false;  ///< Whether the calls or responses have ids.
  std::string fields = {};

  bool isResults() const { return results > 0; }
  size_t results = 0;  ///< Number of functionResponses; they are the last Parts.
  std::string text() const {
    return R"({"role":")" + role + R"(","parts":[)" + joined(parts) + "]" + fields + "}";
  }
};

/// A conversation that the API accepts: turns with steps, with or without parallel calls and ids,
/// in camelCase or snake_case, ending with a user Content.
class Conversation {
 public:
  explicit Conversation(uint32_t seed) : random_(seed) {
    const size_t count = 1 + below(4);
    for (size_t i = 0; i < count; ++i) {
      turns.push_back({"user", {openingPart()}});
      const size_t steps = below(3);
      for (size_t step = 0; step < steps; ++step) addStep(i == 0 && step == 0);
      turns.push_back({"model", {answerPart()}});
    }
    turns.push_back({"user", {text(randomText())}});
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
  /// Returns the index of a random matching Content, or -1.
  template <typename Matches>
  int pickIndex(const Matches& matches) {
    std::vector<int> all;
    for (size_t i = 0; i < turns.size(); ++i) {
      if (matches(turns[i])) all.push_back(static_cast<int>(i));
    }
    return all.empty() ? -1 : all[below(all.size())];
  }

 private:
  void addStep(bool withIds) {
    Turn calls{"model", {}};
    Turn results{"user", {}};
    calls.hasIds = results.hasIds = withIds || below(2) == 0;
    if (below(3) == 0) calls.parts.push_back(text(randomText()));
    if (below(4) == 0) results.parts.push_back(text(randomText()));
    calls.calls = results.results = 1 + below(3);
    for (size_t i = 0; i < calls.calls; ++i) {
      const std::string id = calls.hasIds ? "call_" + std::to_string(i) : "";
      const std::string name = "f" + std::to_string(i);
      calls.parts.push_back(inRandomSpelling(call(name, id, i == 0 ? kSignature : "")));
      results.parts.push_back(inRandomSpelling(result(name, id)));
    }
    turns.push_back(calls);
    turns.push_back(results);
  }

  // Spells one in four Parts in snake_case.
  std::string inRandomSpelling(std::string part) {
    if (below(4) > 0) return part;
    for (const auto& [camel, snake] : {std::pair{"functionCall", "function_call"},
                                       {"functionResponse", "function_response"},
                                       {"thoughtSignature", "thought_signature"}}) {
      const size_t at = part.find(camel);
      if (at != std::string::npos) part.replace(at, std::string(camel).size(), snake);
    }
    return part;
  }

  std::string openingPart() {
    return below(6) > 0 ? text(randomText())
                        : R"({"inlineData":{"mimeType":"image/png","data":"AA"}})";
  }
  std::string answerPart() {
    return below(3) > 0 ? text(randomText())
                        : R"({"text":"", "thoughtSignature":")" + std::string(kSignature) + "\"}";
  }
  std::string randomText() { return "w\\u00e9 " + std::string(1 + below(30), 'w'); }

  std::mt19937 random_;
};

}  // namespace strata::test
