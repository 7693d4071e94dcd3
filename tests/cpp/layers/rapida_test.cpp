// Compares the validation of histories with validateHistorySequence and validateToolIDMatch of the
// GitHub repository rapidaai/voice-ai (tests/cases/history_validation_rapida*.json). The cases are
// converted to Contents and appended to a thread with strict sequencing.
#include <map>

#include "layers/requests.h"
#include "support/cases.h"

namespace strata::layers {
namespace {

using test::append;
using test::Case;
using test::Cases;

class Rapida : public test::Requests {
 protected:
  Rapida() : Requests("gemini-3.8-flash", true) {}

  // Returns the codes of the errors, each followed by a space, that reject the history when it is
  // appended or assembled. A history that ends with a model Content is followed by an instruction;
  // others are resumed.
  std::string rejections(const std::vector<std::string>& contents) {
    thread_.rewind(0);
    for (const std::string& each : contents) {
      const thread::AppendResult done = append(thread_, each, test::Policy::kReject);
      if (!done.accepted) return errorsIn(test::linesOf(done.findings, thread_.target()));
    }
    setInstruction(thread_.checkpointAfter(thread_.size()).state.model ? "go on" : "");
    const test::AssembledRequest request = assemble();
    return request.ok ? "" : errorsIn(request.lines());
  }

  static std::string errorsIn(const std::vector<std::string>& lines) {
    std::string codes;
    for (const std::string& line : lines) {
      if (line.rfind("error ", 0) != 0) continue;
      codes += line.substr(6, line.find(' ', 6) - 5);
    }
    return codes;
  }
};

std::string callOf(Case call, bool first) {
  const Case function = call.find("function");
  return R"({"functionCall":{"id":)" + call.find("id").bytes() + R"(,"name":)" +
         function.find("name").bytes() + R"(,"args":)" + function.find("arguments").text() + "}" +
         (first ? R"(,"thoughtSignature":")" + std::string(test::kSignature) + "\"}" : "}");
}

std::string contentOf(Case message) {
  std::vector<std::string> parts;
  for (const Case call : message.find("tool_calls").elements()) {
    parts.push_back(callOf(call, parts.empty()));
  }
  for (const Case tool : message.find("tools").elements()) {
    parts.push_back(R"({"functionResponse":{"id":)" + tool.find("id").bytes() + R"(,"name":)" +
                    tool.find("name").bytes() + R"(,"response":{}}})");
  }
  if (message.find("content"))
    parts.push_back(R"({"text":)" + message.find("content").bytes() + "}");
  return test::content(message.find("role").equals("assistant") ? "model" : "user", parts);
}

// A part of an error message of voice-ai, and the codes for the same problem in Contents.
struct Reason {
  std::string message;
  std::vector<std::string> codes;
};

const std::vector<Reason> kReasons = {
    {"not immediately followed by tool response", {"call.open "}},
    {"without preceding assistant tool_call", {"response.orphan "}},
    {"missing tool response", {"response.count ", "response.id_mismatch "}},
    {"orphan tool response id", {"response.count ", "response.id_mismatch "}},
    // Strict sequencing is checked last: an orphan after it is rejected when it is appended.
    {"strict sequencing violated",
     {"response.not_followed_by_model ", "response.split ", "response.orphan "}},
};

bool hasMatchingCode(const std::string& error, const std::string& codes) {
  for (const Reason& reason : kReasons) {
    if (error.find(reason.message) == std::string::npos) continue;
    for (const std::string& code : reason.codes) {
      if (codes.find(code) != std::string::npos) return true;
    }
  }
  return false;
}

// Prepends a user Content, which Gemini requires and many cases lack, so that each case is rejected
// for its own reason.
std::vector<std::string> withUserFirst(std::vector<std::string> contents) {
  if (contents.front() != test::user()) contents.insert(contents.begin(), test::user());
  return contents;
}

struct History {
  std::string name;
  std::string error;  // "" if voice-ai accepts it
  std::vector<std::string> contents;
};

std::vector<History> readHistories() {
  const Cases file = test::readCases("tests/cases/history_validation_rapida.json");
  std::vector<History> cases;
  for (const Case each : file.root().find("cases").elements()) {
    const Case strict = each.find("strict");
    History& converted = cases.emplace_back();
    converted.name = each.find("name").text();
    if (!strict.find("valid").isTrue()) {
      converted.error = strict.find("error").text() + strict.find("error_any_of").at(0).text();
    }
    for (const Case message : each.find("history").elements()) {
      converted.contents.push_back(contentOf(message));
    }
  }
  return cases;
}

// The errors of cases that voice-ai accepts and Gemini rejects.
const std::map<std::string, std::string> kRejectedByGemini = {
    {"later_ok_pair", "call.order "},
    {"duplicate_result_id", "call.order "},
    {"duplicate_call_id", "call.duplicate_id call.order "},
    {"duplicate_both", "call.duplicate_id call.order "},
    {"empty_call_id_no_results", "call.order "},
    {"trimmed_result_id", "call.order "},
    {"unicode_id", "call.order "},
    {"tool_then_call_chain", "call.order "},
    {"reuse_id_in_two_blocks", "call.order "},
};

TEST_F(Rapida, RejectsWhatVoiceAiRejects) {
  const std::vector<History> cases = readHistories();
  ASSERT_EQ(cases.size(), 40U);
  for (const History& each : cases) {
    const std::string rejected = rejections(each.contents);
    const auto expected = kRejectedByGemini.find(each.name);
    if (!each.error.empty()) {
      EXPECT_NE(rejected, "") << each.name;
    } else {
      EXPECT_EQ(rejected, expected == kRejectedByGemini.end() ? "" : expected->second) << each.name;
    }
  }
}

// The same after a first user Content: Gemini counts functionResponses, compares ids exactly, and
// refuses equal ids of parallel calls.
const std::map<std::string, std::string> kRejectedByGeminiWithUserFirst = {
    {"duplicate_result_id", "response.count response.id_mismatch "},
    {"duplicate_call_id", "call.duplicate_id "},
    {"duplicate_both", "call.duplicate_id "},
    {"empty_call_id_no_results", "parts.empty call.open "},
    {"trimmed_result_id", "response.id_mismatch "},
};

TEST_F(Rapida, RejectsForTheSameReason) {
  for (const History& each : readHistories()) {
    const std::string rejected = rejections(withUserFirst(each.contents));
    const auto expected = kRejectedByGeminiWithUserFirst.find(each.name);
    if (!each.error.empty()) {
      EXPECT_TRUE(hasMatchingCode(each.error, rejected)) << each.name << ": " << rejected;
    } else {
      EXPECT_EQ(rejected, expected == kRejectedByGeminiWithUserFirst.end() ? "" : expected->second)
          << each.name;
    }
  }
}

std::string contentOf(char letter) {
  switch (letter) {
    case 'A':
      return test::model();
    case 'C':
      return test::content("model", {test::call("f", "1")});
    case 'D':
      return test::content("model", {test::call("f", "1"), test::unsignedCall("f", "2")});
    case 't':
      return test::content("user", {test::result("f", "1")});
    case 'b':
      return test::content("user", {test::result("f", "1"), test::result("f", "2")});
    default:
      return test::user();
  }
}

// Gemini rejects a functionCall directly after a model Content with text.
bool hasCallOutOfOrder(const std::string& word) {
  return word.find("AC") != std::string::npos || word.find("AD") != std::string::npos;
}

TEST_F(Rapida, AgreesOnAllShortHistories) {
  const Cases file = test::readCases("tests/cases/history_validation_rapida_exhaustive.json");
  EXPECT_EQ(file.root().find("rows").size(), 948U);
  for (const Case row : file.root().find("rows").elements()) {
    const std::string word = row.at(0).text();
    const std::string error = row.at(1).text();
    std::vector<std::string> contents;
    for (const char letter : word) contents.push_back(contentOf(letter));
    const bool startsWithCall = word.front() == 'C' || word.front() == 'D';
    const bool outOfOrder = hasCallOutOfOrder(word);
    const std::string unchanged = rejections(contents);
    const std::string withUser = rejections(withUserFirst(contents));
    if (error.empty()) {
      EXPECT_EQ(unchanged, startsWithCall || outOfOrder ? "call.order " : "") << word;
      EXPECT_EQ(withUser, outOfOrder ? "call.order " : "") << word;
    } else {
      EXPECT_NE(unchanged, "") << word;
      EXPECT_TRUE(hasMatchingCode(error, withUser) || outOfOrder) << word << ": " << withUser;
      EXPECT_NE(withUser, "") << word;
    }
  }
}

}  // namespace
}  // namespace strata::layers
