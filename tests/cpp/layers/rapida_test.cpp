// Histories that Rapida's validator accepts or refuses (systems.md 3.4), converted to Contents, put
// to a thread with strict sequencing.
#include <map>

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::append;
using test::Json;

class Rapida : public test::Requests {
 protected:
  Rapida() : Requests("gemini-3.8-flash", true) {}

  // The codes of the errors, each in front of a blank, for which the history is refused: when it is
  // appended, or when a request is made of it. A history that ends with the model's words is
  // followed by an instruction, others are resumed.
  std::string refusals(const std::vector<std::string>& contents) {
    thread_.rewind(0);
    for (const std::string& each : contents) {
      const thread::Appended done = append(thread_, each, test::Policy::kReject);
      if (!done.accepted) return errorsIn(test::linesOf(done.findings, thread_.target()));
    }
    ask(thread_.checkpointAfter(thread_.size()).state.model ? "go on" : "");
    const test::Made made = make();
    return made.ok ? "" : errorsIn(made.lines());
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

std::string quoted(json::Value text) { return std::string(text.bytes()); }

std::string callOf(json::Value call, bool first) {
  const json::Value function = call.find("function");
  return R"({"functionCall":{"id":)" + quoted(call.find("id")) + R"(,"name":)" +
         quoted(function.find("name")) + R"(,"args":)" + function.find("arguments").text() + "}" +
         (first ? R"(,"thoughtSignature":")" + std::string(test::kSignature) + "\"}" : "}");
}

std::string contentOf(json::Value message) {
  std::vector<std::string> parts;
  for (const json::Value call : json::elements(message.find("tool_calls"))) {
    parts.push_back(callOf(call, parts.empty()));
  }
  for (const json::Value tool : json::elements(message.find("tools"))) {
    parts.push_back(R"({"functionResponse":{"id":)" + quoted(tool.find("id")) + R"(,"name":)" +
                    quoted(tool.find("name")) + R"(,"response":{}}})");
  }
  if (message.find("content"))
    parts.push_back(R"({"text":)" + quoted(message.find("content")) + "}");
  return test::content(message.find("role").equals("assistant") ? "model" : "user", parts);
}

// Rapida's words for what is wrong, and the codes that say the same of Contents.
struct Reason {
  std::string words;
  std::vector<std::string> codes;
};

const std::vector<Reason> kReasons = {
    {"not immediately followed by tool response", {"call.open "}},
    {"without preceding assistant tool_call", {"response.orphan "}},
    {"missing tool response", {"response.count ", "response.id_mismatch "}},
    {"orphan tool response id", {"response.count ", "response.id_mismatch "}},
    // Strict sequencing is judged last: an orphan behind it is refused when it is appended.
    {"strict sequencing violated",
     {"response.not_followed_by_model ", "response.split ", "response.orphan "}},
};

bool saysTheSame(const std::string& error, const std::string& codes) {
  for (const Reason& reason : kReasons) {
    if (error.find(reason.words) == std::string::npos) continue;
    for (const std::string& code : reason.codes) {
      if (codes.find(code) != std::string::npos) return true;
    }
  }
  return false;
}

// Gemini starts with the user, Rapida's cases often with a call: that one thing is put right, so
// that each case is refused for its own reason.
std::vector<std::string> opened(std::vector<std::string> contents) {
  if (contents.front() != test::user()) contents.insert(contents.begin(), test::user());
  return contents;
}

struct Case {
  std::string name;
  std::string error;  // "" where Rapida accepts it
  std::vector<std::string> contents;
};

std::vector<Case> readCases() {
  const Json file(test::readFile("tests/cases/history_validation_rapida.json").value_or(""));
  std::vector<Case> cases;
  for (const json::Value each : json::elements(file.root().find("cases"))) {
    const json::Value strict = each.find("strict");
    Case& made = cases.emplace_back();
    made.name = each.find("name").text();
    if (!strict.find("valid").isTrue()) {
      made.error = strict.find("error").text() + strict.find("error_any_of").at(0).text();
    }
    for (const json::Value message : json::elements(each.find("history"))) {
      made.contents.push_back(contentOf(message));
    }
  }
  return cases;
}

// What Gemini forbids though Rapida accepts it.
const std::map<std::string, std::string> kForbidden = {
    {"later_ok_pair", "call.order "},
    {"duplicate_result_id", "call.order "},
    {"duplicate_call_id", "call.order "},
    {"duplicate_both", "call.order "},
    {"empty_call_id_no_results", "call.order "},
    {"trimmed_result_id", "call.order "},
    {"unicode_id", "call.order "},
    {"tool_then_call_chain", "call.order "},
    {"reuse_id_in_two_blocks", "call.order "},
};

TEST_F(Rapida, WhatItRefusesIsRefused) {
  const std::vector<Case> cases = readCases();
  ASSERT_EQ(cases.size(), 40U);
  for (const Case& each : cases) {
    const std::string refused = refusals(each.contents);
    const auto forbidden = kForbidden.find(each.name);
    if (!each.error.empty()) {
      EXPECT_NE(refused, "") << each.name;
    } else {
      EXPECT_EQ(refused, forbidden == kForbidden.end() ? "" : forbidden->second) << each.name;
    }
  }
}

// The same where the user opened: Gemini counts results and compares ids exactly.
const std::map<std::string, std::string> kForbiddenOpened = {
    {"duplicate_result_id", "response.count response.id_mismatch "},
    {"duplicate_call_id", "response.count "},
    {"empty_call_id_no_results", "parts.empty call.open "},
    {"trimmed_result_id", "response.id_mismatch "},
};

TEST_F(Rapida, WhatItRefusesIsRefusedForTheSameReason) {
  for (const Case& each : readCases()) {
    const std::string refused = refusals(opened(each.contents));
    const auto forbidden = kForbiddenOpened.find(each.name);
    if (!each.error.empty()) {
      EXPECT_TRUE(saysTheSame(each.error, refused)) << each.name << ": " << refused;
    } else {
      EXPECT_EQ(refused, forbidden == kForbiddenOpened.end() ? "" : forbidden->second) << each.name;
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

// Gemini forbids a call right behind the model's own words.
bool hasCallOutOfOrder(const std::string& word) {
  return word.find("AC") != std::string::npos || word.find("AD") != std::string::npos;
}

TEST_F(Rapida, AllShortHistoriesAreJudgedAlike) {
  const Json file(
      test::readFile("tests/cases/history_validation_rapida_exhaustive.json").value_or(""));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.root().find("rows").size(), 948U);
  for (const json::Value row : json::elements(file.root().find("rows"))) {
    const std::string word = row.at(0).text();
    const std::string error = row.at(1).text();
    std::vector<std::string> contents;
    for (const char letter : word) contents.push_back(contentOf(letter));
    const bool startsWithCall = word.front() == 'C' || word.front() == 'D';
    const bool outOfOrder = hasCallOutOfOrder(word);
    const std::string asItIs = refusals(contents);
    const std::string whenOpened = refusals(opened(contents));
    if (error.empty()) {
      EXPECT_EQ(asItIs, startsWithCall || outOfOrder ? "call.order " : "") << word;
      EXPECT_EQ(whenOpened, outOfOrder ? "call.order " : "") << word;
    } else {
      EXPECT_NE(asItIs, "") << word;
      EXPECT_TRUE(saysTheSame(error, whenOpened) || outOfOrder) << word << ": " << whenOpened;
      EXPECT_NE(whenOpened, "") << word;
    }
  }
}

}  // namespace
}  // namespace strata::layers
