// Generates random histories as Contents and as steps, with signatures in every place in which the
// APIs write them, for property tests of the conversion.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/contents.h"

namespace strata::test {

/// Generates one history. With `odd`, some turns have what has no exact form on the other wire.
class RandomSteps {
 public:
  explicit RandomSteps(uint32_t seed, bool odd = false) : random_(seed), odd_(odd) {}

  /// Returns a history of Contents that ends with the user.
  std::string contents() {
    std::vector<std::string> list;
    for (size_t turns = 1 + below(4); turns > 0; --turns) {
      list.push_back(content("user", userParts()));
      for (size_t steps = below(3); steps > 0; --steps) {
        const size_t calls = 1 + below(3);
        list.push_back(content("model", callParts(calls)));
        list.push_back(content("user", resultParts()));
      }
      list.push_back(content("model", answerParts()));
    }
    list.push_back(content("user", userParts()));
    return "[" + joined(list) + "]";
  }

  /// Returns a history of steps that ends with the user.
  std::string steps() {
    std::vector<std::string> list;
    for (size_t turns = 1 + below(4); turns > 0; --turns) {
      list.push_back(userInput());
      for (size_t loops = below(3); loops > 0; --loops) addCalls(list);
      addAnswer(list);
    }
    list.push_back(userInput());
    return "[" + joined(list) + "]";
  }

  size_t below(size_t end) { return random_() % end; }

 private:
  bool oneIn(size_t n) { return below(n) == 0; }
  std::string word() {
    static const char* const kWords[] = {"sun", "h\\u00e9llo", "a \\\"b\\\"", "\\ud83d\\ude00",
                                         "1"};
    return std::string(kWords[below(5)]) + std::to_string(below(1000));
  }
  // Parallel calls, and texts of one turn, may have the same signature.
  std::string signature() {
    if (last_.empty() || !oneIn(8)) last_ = "c2ln" + std::to_string(1000 + count_++) + "AA";
    return last_;
  }
  std::string name() { return std::string(1, static_cast<char>('f' + below(3))); }

  std::string signedPart(const std::string& part) {
    return part.substr(0, part.size() - 1) + R"(,"thoughtSignature":")" + signature() + "\"}";
  }
  std::string thoughtPart() { return R"({"text":")" + word() + R"(","thought":true})"; }
  std::string imagePart() {
    return R"({"inlineData":{"mimeType":"image/png","data":"AAAA)" +
           std::to_string(1000 + below(9)) + "\"}}";
  }

  std::vector<std::string> userParts() {
    std::vector<std::string> parts = {text(word())};
    if (oneIn(3)) parts.push_back(imagePart());
    if (oneIn(4))
      parts.push_back(R"({"fileData":{"mimeType":"application/pdf","fileUri":"https://a/b.pdf"}})");
    return parts;
  }

  std::vector<std::string> callParts(size_t calls) {
    std::vector<std::string> parts;
    const bool isThinking = oneIn(3);
    if (isThinking) parts.push_back(thoughtPart());
    if (oneIn(3)) parts.push_back(text(word()));
    open_.clear();
    for (size_t i = 0; i < calls; ++i) {
      open_.push_back({"id" + std::to_string(count_++), name()});
      std::string part = R"({"functionCall":{"id":")" + open_.back().first + R"(","name":")" +
                         open_.back().second + R"(","args":{"x":")" + word() + R"("}}})";
      const bool isUnsigned = i == 0 ? odd_ && oneIn(4) : !oneIn(4);
      parts.push_back(isUnsigned ? part : signedPart(part));
    }
    return parts;
  }

  std::vector<std::string> resultParts() {
    std::vector<std::string> parts;
    for (const auto& [id, function] : open_) {
      parts.push_back(R"({"functionResponse":{"id":")" + id + R"(","name":")" + function +
                      R"(","response":)" + response() + "}}");
    }
    if (odd_ && oneIn(6)) parts.push_back(text(word()));
    return parts;
  }

  std::string response() {
    switch (below(5)) {
      case 0:
        return R"({"result":")" + word() + "\"}";
      case 1:
        return R"({"error":")" + word() + "\"}";
      case 2:
        return R"({"result":[{"type":"text","text":")" + word() + "\"}]}";
      case 3:
        return R"({"a":[1.0,2],"b":{}},"parts":[)" + imagePart() + "]";
      default:
        return R"({"sky":")" + word() + R"(","degrees":2.50})";
    }
  }

  std::vector<std::string> answerParts() {
    std::vector<std::string> parts;
    if (oneIn(3)) parts.push_back(thoughtPart());
    if (odd_ && oneIn(8)) parts.push_back(signedPart(thoughtPart()));
    const std::string answer = oneIn(5) ? imagePart() : text(word());
    parts.push_back(oneIn(2) ? signedPart(answer) : answer);
    if (oneIn(3)) parts.push_back(oneIn(2) ? signedPart(text(word())) : text(word()));
    if (oneIn(4)) parts.push_back(signedPart(text("")));
    if (odd_ && oneIn(8)) parts.push_back(thoughtPart());
    if (odd_ && oneIn(9)) parts.push_back(R"({"executableCode":{"code":"1","language":"PYTHON"}})");
    return parts;
  }

  std::string step(const std::string& type, const std::string& fields) {
    return R"({"type":")" + type + "\"" + (fields.empty() ? "" : "," + fields) + "}";
  }
  std::string textContent() { return step("text", R"("text":")" + word() + "\""); }
  std::string imageContent() {
    return step("image", R"("data":"BBBB)" + std::to_string(1000 + below(9)) +
                             R"(","mime_type":"image/jpeg")");
  }
  std::string userInput() {
    const std::string more = oneIn(3) ? "," + imageContent() : "";
    return step("user_input", R"("content":[)" + textContent() + more + "]");
  }
  std::string thought() {
    std::string fields = R"("signature":")" + signature() + "\"";
    if (oneIn(3)) fields += R"(,"summary":[)" + textContent() + "]";
    return step("thought", fields);
  }
  std::string output() {
    const std::string more = oneIn(3) ? "," + textContent() : oneIn(5) ? "," + imageContent() : "";
    return step("model_output", R"("content":[)" + textContent() + more + "]");
  }

  void addCalls(std::vector<std::string>& list) {
    list.push_back(thought());
    if (oneIn(3)) list.push_back(output());
    open_.clear();
    for (size_t calls = 1 + below(3); calls > 0; --calls) {
      if (!open_.empty() && oneIn(4)) list.push_back(thought());
      open_.push_back({"id" + std::to_string(count_++), name()});
      list.push_back(step("function_call", R"("id":")" + open_.back().first + R"(","name":")" +
                                               open_.back().second + R"(","arguments":{"x":")" +
                                               word() + R"("})"));
    }
    for (const auto& [id, function] : open_) {
      list.push_back(step("function_result", R"("call_id":")" + id + R"(","name":")" + function +
                                                 R"(","result":)" + result()));
    }
  }

  std::string result() {
    switch (below(5)) {
      case 0:
        return "\"" + word() + "\"";
      case 1:
        return "\"" + word() + R"(","is_error":true)";
      case 2:
        return "[" + textContent() + "]";
      case 3:
        return "[" + textContent() + "," + imageContent() + "]";
      default:
        return R"({"sky":")" + word() + "\"}";
    }
  }

  void addAnswer(std::vector<std::string>& list) {
    const bool thinks = !oneIn(4);
    if (thinks) list.push_back(thought());
    list.push_back(output());
    if (thinks && oneIn(4)) {
      list.push_back(thought());
      list.push_back(output());
    }
    if (odd_ && oneIn(6))
      list.push_back(step("google_search_call", R"("id":"s","signature":"c2ln")"));
  }

  std::mt19937 random_;
  bool odd_;
  size_t count_ = 0;
  std::string last_;                                       // the last signature
  std::vector<std::pair<std::string, std::string>> open_;  // ids and names
};

}  // namespace strata::test
