// Checks that repair keeps random valid conversations byte for byte, and that mutations of them are
// reported, and repaired if the rule has a fix.
#include <gtest/gtest.h>

#include "json/pointer.h"
#include "repair/repair.h"
#include "support/conversation.h"
#include "support/files.h"
#include "thread/saved_form.h"

namespace strata::thread {
namespace {

using test::append;
using test::call;
using test::Conversation;
using test::Judge;
using test::Policy;
using test::result;
using test::text;
using test::Turn;

constexpr uint32_t kSeeds = 150;
const repair::RepairOptions kPlaceholders{true};

bool hasError(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.rfind("error ", 0) == 0) return true;
  }
  return false;
}

class Valid : public testing::TestWithParam<const char*> {
 protected:
  static gemini::Backend backend() {
    return GetParam()[0] == 'v' ? gemini::Backend::kVertex : gemini::Backend::kGemini;
  }
  Judge judge_{std::string(GetParam()).substr(2), backend()};
};

TEST_P(Valid, RepairKeepsEveryByte) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const std::string body = Conversation(seed).body();
    ASSERT_FALSE(hasError(judge_.lint(body))) << body;
    ASSERT_EQ(repair::repairRequest(body, judge_.context(), kPlaceholders).body.text(), body);
  }
}

TEST_P(Valid, AppendSaveAndLoadKeepEveryByte) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<std::string> contents = Conversation(seed).contents();
    Thread thread = judge_.thread();
    for (size_t i = 0; i < contents.size(); ++i) {
      ASSERT_TRUE(append(thread, contents[i], Policy::kRepair).accepted) << contents[i];
      ASSERT_EQ(thread.content(i), contents[i]);
    }
    Thread loaded = judge_.thread();
    ASSERT_TRUE(loadSaved(loaded, save(thread).join()));
    ASSERT_EQ(test::hexDigest(loaded), test::hexDigest(thread));
    ASSERT_FALSE(hasError(test::linesOf(loaded.findings(), judge_.target())));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Valid,
                         testing::Values("g gemini-2.5-pro", "g gemini-3.1-pro",
                                         "g gemini-3.8-flash", "v gemini-3.8-flash",
                                         "g gemini-4-argon"));

/// Makes a conversation invalid. `apply` returns false if the conversation has nothing to mutate.
struct Mutation {
  const char* code;
  bool (*apply)(Conversation&);
  bool repairable = true;     ///< Whether repair resolves it.
  bool placeholders = false;  ///< Whether that takes `dummySignatures`.
  gemini::Backend backend = gemini::Backend::kGemini;
};

bool isPlain(const Turn& turn) { return turn.calls + turn.results == 0; }

Turn* pick(Conversation& conversation, bool (*matches)(const Turn&)) {
  const int at = conversation.pickIndex(matches);
  return at < 0 ? nullptr : &conversation.turns[static_cast<size_t>(at)];
}

std::string& lastPart(Turn& turn) { return turn.parts.back(); }

// Replaces the first `from`. Returns false if there is none.
bool replaceFirst(std::string& in, const std::string& from, const std::string& to) {
  const size_t at = in.find(from);
  if (at == std::string::npos) return false;
  in.replace(at, from.size(), to);
  return true;
}

bool renameRole(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.role == "model"; });
  if (turn != nullptr) turn->role = "assistant";
  return turn != nullptr;
}

bool addField(Conversation& conversation) {
  conversation.turns[conversation.below(conversation.turns.size())].fields = R"(,"timestamp":1)";
  return true;
}

bool addEmptyPart(Conversation& conversation) {
  Turn& turn = conversation.turns[conversation.below(conversation.turns.size())];
  turn.parts.insert(turn.parts.begin(), "{}");
  return true;
}

bool addEmptyText(Conversation& conversation) {
  Turn& turn = conversation.turns[conversation.below(conversation.turns.size())];
  turn.parts.insert(turn.parts.begin(), text(""));
  return true;
}

bool addEmptyContent(Conversation& conversation) {
  const auto at = static_cast<long>(conversation.below(conversation.turns.size()));
  conversation.turns.insert(conversation.turns.begin() + at, Turn{"model", {}});
  return true;
}

bool unwrapResponse(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.isResults(); });
  return turn != nullptr && replaceFirst(lastPart(*turn), R"({"output":1})", "[1]");
}

bool splitResults(Conversation& conversation) {
  const int at = conversation.pickIndex([](const Turn& each) { return each.results > 1; });
  if (at < 0) return false;
  Turn& turn = conversation.turns[static_cast<size_t>(at)];
  const Turn second{"user", {lastPart(turn)}};
  turn.parts.pop_back();
  --turn.results;
  conversation.turns.insert(conversation.turns.begin() + at + 1, second);
  return true;
}

bool dropResult(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.results > 1; });
  if (turn == nullptr) return false;
  turn->parts.erase(turn->parts.end() - 1 - static_cast<long>(conversation.below(turn->results)));
  --turn->results;
  return true;
}

bool dropAllResults(Conversation& conversation) {
  const int at = conversation.pickIndex([](const Turn& each) { return each.isResults(); });
  if (at < 0) return false;
  conversation.turns.erase(conversation.turns.begin() + at);
  return true;
}

bool moveResultsIntoCalls(Conversation& conversation) {
  const int at = conversation.pickIndex([](const Turn& each) { return each.isResults(); });
  if (at < 1) return false;
  const Turn results = conversation.turns[static_cast<size_t>(at)];
  Turn& calls = conversation.turns[static_cast<size_t>(at) - 1];
  if (results.parts.size() > results.results) return false;
  calls.parts.insert(calls.parts.end(), results.parts.begin(), results.parts.end());
  calls.calls = 0;
  conversation.turns.erase(conversation.turns.begin() + at);
  return true;
}

bool addTextAfterResults(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.isResults(); });
  if (turn == nullptr) return false;
  turn->parts.push_back(text("and"));
  turn->results = 0;
  return true;
}

bool swapResults(Conversation& conversation) {
  Turn* turn =
      pick(conversation, [](const Turn& each) { return each.results > 1 && !each.hasIds; });
  if (turn != nullptr) std::swap(turn->parts.back(), turn->parts[turn->parts.size() - 2]);
  return turn != nullptr;
}

bool nameResultByCallId(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.isResults() && each.hasIds; });
  return turn != nullptr && replaceFirst(lastPart(*turn), R"("name":"f)", R"("name":"call_)");
}

bool dropResultId(Conversation& conversation) {
  Turn* turn =
      pick(conversation, [](const Turn& each) { return each.results == 1 && each.hasIds; });
  return turn != nullptr && replaceFirst(lastPart(*turn), R"("id":"call_0",)", "");
}

bool splitModelContent(Conversation& conversation) {
  const int at = conversation.pickIndex([](const Turn& each) { return each.calls > 0; });
  if (at < 0) return false;
  conversation.turns.insert(conversation.turns.begin() + at, Turn{"model", {text("so")}});
  return true;
}

bool damageSignature(Conversation& conversation) {
  Turn* turn =
      pick(conversation, [](const Turn& each) { return each.role == "model" && isPlain(each); });
  if (turn != nullptr) turn->parts.push_back(R"({"text":"a","thoughtSignature":"AA=AA="})");
  return turn != nullptr;
}

bool moveSignatureInside(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.calls == 1; });
  if (turn == nullptr) return false;
  lastPart(*turn) = R"({"functionCall":{"name":"f0","thoughtSignature":"AAAA",)" +
                    std::string(turn->hasIds ? R"("id":"call_0"}})" : R"("args":{}}})");
  return true;
}

// Removes the signature of the newest step if it is in the current turn.
bool dropSignature(Conversation& conversation) {
  const Turn& results = conversation.turns.back();
  if (conversation.turns.size() < 2 || results.results == 0 ||
      results.parts.size() > results.results) {
    return false;
  }
  Turn& turn = conversation.turns[conversation.turns.size() - 2];
  const std::string value = "\"" + std::string(test::kSignature) + "\"";
  return turn.calls > 0 && replaceFirst(turn.parts[turn.parts.size() - turn.calls], value, "\"\"");
}

bool duplicateSpelling(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.calls > 0; });
  if (turn == nullptr) return false;
  const std::string value = "\"" + std::string(test::kSignature) + "\"";
  std::string& first = turn->parts[turn->parts.size() - turn->calls];
  return replaceFirst(first, R"("thoughtSignature":)" + value,
                      R"("thoughtSignature":)" + value + R"(,"thought_signature":)" + value);
}

bool addOrphan(Conversation& conversation) {
  const int at = conversation.pickIndex(
      [](const Turn& each) { return each.role == "model" && isPlain(each); });
  if (at < 0) return false;
  conversation.turns.insert(conversation.turns.begin() + at + 1, Turn{"user", {result("f0")}});
  return true;
}

Turn* repeatResult(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.isResults(); });
  if (turn == nullptr) return nullptr;
  turn->parts.push_back(std::string(lastPart(*turn)));
  ++turn->results;
  return turn;
}

// Without an id, it may be the result of another call that is missing.
bool duplicateResult(Conversation& conversation) {
  Turn* turn = repeatResult(conversation);
  return turn != nullptr && lastPart(*turn).find(R"("id":)") != std::string::npos;
}

bool contradictResult(Conversation& conversation) {
  Turn* turn = repeatResult(conversation);
  return turn != nullptr && replaceFirst(lastPart(*turn), R"("output":)", R"("output":7)");
}

bool startWithCalls(Conversation& conversation) {
  if (conversation.turns.size() < 2) return false;
  conversation.turns.erase(conversation.turns.begin());
  return conversation.turns.front().calls > 0;
}

bool endWithModel(Conversation& conversation) {
  conversation.turns.push_back({"model", {text("so")}});
  return true;
}

bool combineDataInOnePart(Conversation& conversation) {
  Turn& turn = conversation.turns[conversation.below(conversation.turns.size())];
  turn.parts.insert(turn.parts.begin(), R"({"text":"a","inlineData":{"mimeType":"b","data":""}})");
  return true;
}

bool misspellName(Conversation& conversation) {
  Turn* turn = pick(conversation, [](const Turn& each) { return each.calls > 0; });
  return turn != nullptr && replaceFirst(lastPart(*turn), R"("name":"f)", R"("nme":"f)");
}

constexpr Mutation kMutations[] = {
    {"role.invalid", renameRole},
    {"field.unknown", addField},
    {"part.no_data", addEmptyPart},
    {"parts.empty", addEmptyContent},
    {"text.empty", addEmptyText, true, false, gemini::Backend::kVertex},
    {"response.not_object", unwrapResponse},
    {"response.split", splitResults},
    {"response.count", dropResult},
    {"response.count", duplicateResult},
    {"call.open", dropAllResults},
    {"response.interleaved", moveResultsIntoCalls},
    {"response.trailing_content", addTextAfterResults, true, false, gemini::Backend::kVertex},
    {"response.order", swapResults},
    {"response.name_mismatch", nameResultByCallId},
    {"response.id_mismatch", dropResultId},
    {"call.order", splitModelContent},
    {"signature.not_base64", damageSignature},
    {"signature.inside_call", moveSignatureInside},
    {"signature.missing", dropSignature, true, true},
    {"json.duplicate_key", duplicateSpelling},
    {"response.orphan", addOrphan, false},
    {"response.count", contradictResult, false},
    {"call.order", startWithCalls, false},
    {"turn.ends_with_model", endWithModel, false},
    {"part.multiple_data", combineDataInOnePart, false},
    {"field.invalid", misspellName, false},
};

class Mutations : public testing::TestWithParam<Mutation> {};

TEST_P(Mutations, AreReportedAndRepairedIfTheRuleHasAFix) {
  const Mutation& mutation = GetParam();
  const Judge judge("gemini-3.8-flash", mutation.backend);
  int tried = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    Conversation conversation(seed);
    if (!mutation.apply(conversation)) continue;
    ++tried;
    const std::string body = conversation.body();
    const std::vector<std::string> lines = judge.lint(body);
    ASSERT_TRUE(hasError(lines) && test::hasCode(lines, mutation.code)) << body;
    const repair::RepairResult plain = repair::repairRequest(body, judge.context());
    const repair::RepairResult withPlaceholders =
        repair::repairRequest(body, judge.context(), kPlaceholders);
    ASSERT_EQ(hasError(judge.lint(plain.body.text())),
              !mutation.repairable || mutation.placeholders)
        << body << "\n"
        << plain.body.text();
    ASSERT_EQ(hasError(judge.lint(withPlaceholders.body.text())), !mutation.repairable)
        << withPlaceholders.body.text();
    for (const repair::RepairResult* each : {&plain, &withPlaceholders}) {
      const bool placeholders = each == &withPlaceholders;
      const std::string once = each->body.text();
      ASSERT_EQ(repair::repairRequest(once, judge.context(), {placeholders}).body.text(), once)
          << body;
    }
  }
  EXPECT_GT(tried, 5);
}

std::string nameOf(const testing::TestParamInfo<Mutation>& mutation) {
  std::string name = mutation.param.code;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name + std::to_string(mutation.index);
}

INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(kMutations), nameOf);

// Returns the path of each repair.
std::vector<std::string> repairedPaths(const repair::RepairResult& repaired, const Judge& judge) {
  std::vector<std::string> paths;
  for (const catalogue::Finding& finding : repaired.findings) {
    if (!finding.repaired) continue;
    json::Writer out;
    catalogue::writeDiagnostic(out, finding, judge.target());
    paths.push_back(test::Json(out.take()).root().find("path").text());
  }
  return paths;
}

// For any combination of mutations, repair terminates, writes valid JSON, and is idempotent.
TEST(CombinedMutations, AreRepairedIdempotently) {
  std::mt19937 random(7);
  for (uint32_t seed = 0; seed < 2000 / STRATA_SHARE; ++seed) {
    const Judge judge("gemini-3.8-flash",
                      seed % 2 == 0 ? gemini::Backend::kGemini : gemini::Backend::kVertex);
    Conversation conversation(seed);
    for (const Mutation& mutation : kMutations) {
      if (conversation.below(6) == 0) mutation.apply(conversation);
      if (conversation.turns.empty()) break;
    }
    const std::string body = conversation.body();
    const repair::RepairResult repaired =
        repair::repairRequest(body, judge.context(), kPlaceholders);
    const std::string once = repaired.body.text();
    ASSERT_EQ(repaired.body.segments().join(), once);
    const test::Json given(body);
    for (const std::string& path : repairedPaths(repaired, judge)) {
      ASSERT_TRUE(path.empty() || json::locate(given.root(), path).item) << path << " in " << body;
    }
    ASSERT_TRUE(test::Json(once).ok()) << body << "\n" << once;
    ASSERT_EQ(repair::repairRequest(once, judge.context(), kPlaceholders).body.text(), once)
        << body;
  }
}

TEST(Repair, HasAFixForExactlyTheRulesThatDeclareOne) {
  const catalogue::Catalogue catalogue;
  const std::string document = test::readFile("docs/repair.md").value_or("");
  for (int i = 0; i <= static_cast<int>(catalogue::Rule::kInstancePoisoned); ++i) {
    const catalogue::RuleRow& row = catalogue.rule(static_cast<catalogue::Rule>(i));
    EXPECT_EQ(repair::hasFix(static_cast<catalogue::Rule>(i)), !row.fix.empty()) << row.code;
    const bool documented = document.find("`" + std::string(row.code) + "`") != std::string::npos;
    EXPECT_TRUE(documented || row.fix.empty()) << row.code << " is not in docs/repair.md";
  }
}

}  // namespace
}  // namespace strata::thread
