// Any valid conversation stays as it is; any mutation of one is found, and mended where its rule
// has a fix.
#include <gtest/gtest.h>

#include "json/pointer.h"
#include "repair/repair.h"
#include "support/conversation.h"
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

TEST_P(Valid, StaysToTheByteUnderRepair) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const std::string body = Conversation(seed).body();
    ASSERT_FALSE(hasError(judge_.lint(body))) << body;
    ASSERT_EQ(repair::repairRequest(body, judge_.context(), kPlaceholders).body.text(), body);
  }
}

TEST_P(Valid, StaysToTheByteUnderAppendSaveAndLoad) {
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

/// What makes a conversation wrong; false where it finds nothing to do so with.
struct Mutation {
  const char* code;
  bool (*apply)(Conversation&);
  bool mends = true;          ///< Whether repair makes it right again.
  bool placeholders = false;  ///< Only with dummySignatures.
  gemini::Backend backend = gemini::Backend::kGemini;
};

bool isPlain(const Turn& turn) { return turn.calls + turn.results == 0; }

Turn* pick(Conversation& talk, bool (*fits)(const Turn&)) {
  const int at = talk.any(fits);
  return at < 0 ? nullptr : &talk.turns[static_cast<size_t>(at)];
}

std::string& lastPart(Turn& turn) { return turn.parts.back(); }

// Exchanges the first `from` in a text.
bool exchange(std::string& in, const std::string& from, const std::string& to) {
  const size_t at = in.find(from);
  if (at == std::string::npos) return false;
  in.replace(at, from.size(), to);
  return true;
}

bool renameRole(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.role == "model"; });
  if (turn != nullptr) turn->role = "assistant";
  return turn != nullptr;
}

bool addField(Conversation& talk) {
  talk.turns[talk.below(talk.turns.size())].fields = R"(,"timestamp":1)";
  return true;
}

bool addEmptyPart(Conversation& talk) {
  Turn& turn = talk.turns[talk.below(talk.turns.size())];
  turn.parts.insert(turn.parts.begin(), "{}");
  return true;
}

bool addEmptyText(Conversation& talk) {
  Turn& turn = talk.turns[talk.below(talk.turns.size())];
  turn.parts.insert(turn.parts.begin(), text(""));
  return true;
}

bool addEmptyContent(Conversation& talk) {
  const auto at = static_cast<long>(talk.below(talk.turns.size()));
  talk.turns.insert(talk.turns.begin() + at, Turn{"model", {}});
  return true;
}

bool unwrapResponse(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.isResults(); });
  return turn != nullptr && exchange(lastPart(*turn), R"({"output":1})", "[1]");
}

bool splitResults(Conversation& talk) {
  const int at = talk.any([](const Turn& each) { return each.results > 1; });
  if (at < 0) return false;
  Turn& turn = talk.turns[static_cast<size_t>(at)];
  const Turn second{"user", {lastPart(turn)}};
  turn.parts.pop_back();
  --turn.results;
  talk.turns.insert(talk.turns.begin() + at + 1, second);
  return true;
}

bool loseResult(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.results > 1; });
  if (turn == nullptr) return false;
  turn->parts.erase(turn->parts.end() - 1 - static_cast<long>(talk.below(turn->results)));
  --turn->results;
  return true;
}

bool loseStepsResults(Conversation& talk) {
  const int at = talk.any([](const Turn& each) { return each.isResults(); });
  if (at < 0) return false;
  talk.turns.erase(talk.turns.begin() + at);
  return true;
}

bool moveResultsIntoCalls(Conversation& talk) {
  const int at = talk.any([](const Turn& each) { return each.isResults(); });
  if (at < 1) return false;
  const Turn results = talk.turns[static_cast<size_t>(at)];
  Turn& calls = talk.turns[static_cast<size_t>(at) - 1];
  if (results.parts.size() > results.results) return false;
  calls.parts.insert(calls.parts.end(), results.parts.begin(), results.parts.end());
  calls.calls = 0;
  talk.turns.erase(talk.turns.begin() + at);
  return true;
}

bool putWordsBehindResults(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.isResults(); });
  if (turn == nullptr) return false;
  turn->parts.push_back(text("and"));
  turn->results = 0;
  return true;
}

bool swapResults(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.results > 1 && !each.hasIds; });
  if (turn != nullptr) std::swap(turn->parts.back(), turn->parts[turn->parts.size() - 2]);
  return turn != nullptr;
}

bool nameResultByItsId(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.isResults() && each.hasIds; });
  return turn != nullptr && exchange(lastPart(*turn), R"("name":"f)", R"("name":"call_)");
}

bool loseResultsId(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.results == 1 && each.hasIds; });
  return turn != nullptr && exchange(lastPart(*turn), R"("id":"call_0",)", "");
}

bool splitAnswer(Conversation& talk) {
  const int at = talk.any([](const Turn& each) { return each.calls > 0; });
  if (at < 0) return false;
  talk.turns.insert(talk.turns.begin() + at, Turn{"model", {text("so")}});
  return true;
}

bool damageSignature(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.role == "model" && isPlain(each); });
  if (turn != nullptr) turn->parts.push_back(R"({"text":"a","thoughtSignature":"AA=AA="})");
  return turn != nullptr;
}

bool moveSignatureInside(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.calls == 1; });
  if (turn == nullptr) return false;
  lastPart(*turn) = R"({"functionCall":{"name":"f0","thoughtSignature":"AAAA",)" +
                    std::string(turn->hasIds ? R"("id":"call_0"}})" : R"("args":{}}})");
  return true;
}

// Of the newest step, behind which no turn opens.
bool loseSignature(Conversation& talk) {
  const Turn& results = talk.turns.back();
  if (talk.turns.size() < 2 || results.results == 0 || results.parts.size() > results.results) {
    return false;
  }
  Turn& turn = talk.turns[talk.turns.size() - 2];
  const std::string value = "\"" + std::string(test::kSignature) + "\"";
  return turn.calls > 0 && exchange(turn.parts[turn.parts.size() - turn.calls], value, "\"\"");
}

bool spellTwice(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.calls > 0; });
  if (turn == nullptr) return false;
  const std::string value = "\"" + std::string(test::kSignature) + "\"";
  std::string& first = turn->parts[turn->parts.size() - turn->calls];
  return exchange(first, R"("thoughtSignature":)" + value,
                  R"("thoughtSignature":)" + value + R"(,"thought_signature":)" + value);
}

bool addOrphan(Conversation& talk) {
  const int at = talk.any([](const Turn& each) { return each.role == "model" && isPlain(each); });
  if (at < 0) return false;
  talk.turns.insert(talk.turns.begin() + at + 1, Turn{"user", {result("f0")}});
  return true;
}

bool answerTwice(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.isResults(); });
  if (turn == nullptr) return false;
  turn->parts.push_back(std::string(lastPart(*turn)));
  ++turn->results;
  return true;
}

bool startWithCalls(Conversation& talk) {
  if (talk.turns.size() < 2) return false;
  talk.turns.erase(talk.turns.begin());
  return talk.turns.front().calls > 0;
}

bool endWithModel(Conversation& talk) {
  talk.turns.push_back({"model", {text("so")}});
  return true;
}

bool putTwoKindsInOnePart(Conversation& talk) {
  Turn& turn = talk.turns[talk.below(talk.turns.size())];
  turn.parts.insert(turn.parts.begin(), R"({"text":"a","inlineData":{"mimeType":"b","data":""}})");
  return true;
}

bool loseName(Conversation& talk) {
  Turn* turn = pick(talk, [](const Turn& each) { return each.calls > 0; });
  return turn != nullptr && exchange(lastPart(*turn), R"("name":"f)", R"("nme":"f)");
}

constexpr Mutation kMutations[] = {
    {"role.invalid", renameRole},
    {"field.unknown", addField},
    {"part.no_data", addEmptyPart},
    {"parts.empty", addEmptyContent},
    {"text.empty", addEmptyText, true, false, gemini::Backend::kVertex},
    {"response.not_object", unwrapResponse},
    {"response.split", splitResults},
    {"response.count", loseResult},
    {"call.open", loseStepsResults},
    {"response.interleaved", moveResultsIntoCalls},
    {"response.trailing_content", putWordsBehindResults},
    {"response.order", swapResults},
    {"response.name_mismatch", nameResultByItsId},
    {"response.id_mismatch", loseResultsId},
    {"call.order", splitAnswer},
    {"signature.not_base64", damageSignature},
    {"signature.inside_call", moveSignatureInside},
    {"signature.missing", loseSignature, true, true},
    {"json.duplicate_key", spellTwice},
    {"response.orphan", addOrphan, false},
    {"response.count", answerTwice, false},
    {"call.order", startWithCalls, false},
    {"turn.ends_with_model", endWithModel, false},
    {"part.multiple_data", putTwoKindsInOnePart, false},
    {"field.invalid", loseName, false},
};

class Mutations : public testing::TestWithParam<Mutation> {};

TEST_P(Mutations, AreFoundAndMendedWhereTheRuleHasAFix) {
  const Mutation& mutation = GetParam();
  const Judge judge("gemini-3.8-flash", mutation.backend);
  int tried = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    Conversation talk(seed);
    if (!mutation.apply(talk)) continue;
    ++tried;
    const std::string body = talk.body();
    const std::vector<std::string> lines = judge.lint(body);
    ASSERT_TRUE(hasError(lines) && test::hasCode(lines, mutation.code)) << body;
    const repair::Repaired plain = repair::repairRequest(body, judge.context());
    const repair::Repaired best = repair::repairRequest(body, judge.context(), kPlaceholders);
    ASSERT_EQ(hasError(judge.lint(plain.body.text())), !mutation.mends || mutation.placeholders)
        << body << "\n"
        << plain.body.text();
    ASSERT_EQ(hasError(judge.lint(best.body.text())), !mutation.mends) << best.body.text();
    for (const repair::Repaired* each : {&plain, &best}) {
      const bool placeholders = each == &best;
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

// The places of what was mended.
std::vector<std::string> mendedPaths(const repair::Repaired& repaired, const Judge& judge) {
  std::vector<std::string> paths;
  for (const catalogue::Finding& finding : repaired.findings) {
    if (!finding.repaired) continue;
    json::Writer out;
    catalogue::writeDiagnostic(out, finding, judge.target());
    paths.push_back(test::Json(out.take()).root().find("path").text());
  }
  return paths;
}

// Whatever comes together, repair ends, gives JSON, and a second time changes nothing.
TEST(ManyMutations, AreMendedOnce) {
  std::mt19937 random(7);
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    const Judge judge("gemini-3.8-flash",
                      seed % 2 == 0 ? gemini::Backend::kGemini : gemini::Backend::kVertex);
    Conversation talk(seed);
    for (const Mutation& mutation : kMutations) {
      if (talk.below(6) == 0) mutation.apply(talk);
      if (talk.turns.empty()) break;
    }
    const std::string body = talk.body();
    const repair::Repaired repaired = repair::repairRequest(body, judge.context(), kPlaceholders);
    const std::string once = repaired.body.text();
    ASSERT_EQ(repaired.body.segments().join(), once);
    const test::Json given(body);
    for (const std::string& path : mendedPaths(repaired, judge)) {
      ASSERT_TRUE(path.empty() || json::locate(given.root(), path).item) << path << " in " << body;
    }
    ASSERT_TRUE(test::Json(once).ok()) << body << "\n" << once;
    ASSERT_EQ(repair::repairRequest(once, judge.context(), kPlaceholders).body.text(), once)
        << body;
  }
}

TEST(Repair, EveryRowWithAFixHasAMendAndNoOther) {
  const catalogue::Catalogue catalogue;
  const std::string document = test::readFile("docs/repair.md").value_or("");
  for (int i = 0; i <= static_cast<int>(catalogue::Rule::kInstancePoisoned); ++i) {
    const catalogue::RuleRow& row = catalogue.rule(static_cast<catalogue::Rule>(i));
    EXPECT_EQ(repair::hasFix(static_cast<catalogue::Rule>(i)), !row.fix.empty()) << row.code;
    const bool told = document.find("`" + std::string(row.code) + "`") != std::string::npos;
    EXPECT_TRUE(told || row.fix.empty()) << row.code << " is not in docs/repair.md";
  }
}

}  // namespace
}  // namespace strata::thread
