// Tests stablePrefixTokens, and the finding about a prompt whose start changes in front of history
// that is sent again.
#include <algorithm>

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::callTurn;
using test::model;
using test::resultTurn;
using test::user;

class PromptStart : public test::Requests {
 protected:
  PromptStart() { useTexts("Be brief.", R"({"now":1})"); }

  void next() {
    input_.previous = request_ ? request_->manifest() : json::Value();
    previous_ = std::move(request_);
    request_ = std::make_unique<AssembledRequest>(assembler_.assemble(thread_, input_));
  }
  int64_t stable() const { return request_->manifest().find("stablePrefixTokens").integer(-1); }
  int64_t prompt() const { return request_->manifest().find("promptTokens").integer(-1); }
  int64_t tokensOf(size_t layer) const {
    return request_->manifest().find("layers").at(layer).find("tokens").integer(-1);
  }
  // Returns the index of the first byte that differs from the previous body.
  size_t firstDifference() const {
    const std::string& a = previous_->body;
    const std::string& b = request_->body;
    return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).second -
                               b.begin());
  }
  // Returns the message about a broken prefix, or "".
  std::string broken() const {
    for (const json::Value each : json::elements(request_->report.root().find("diagnostics"))) {
      if (each.find("code").equals("cache.prefix_broken")) {
        EXPECT_TRUE(each.find("severity").equals("info"));
        return each.find("path").text() + " " + each.find("message").text();
      }
    }
    return {};
  }
  std::string message(const std::string& path, const std::string& title, size_t byte) const {
    return path + " From byte " + std::to_string(byte) + " of the body on, in " + title +
           ", the prompt differs from the previous one. An implicit cache cannot serve the turns "
           "behind it.";
  }

  std::unique_ptr<AssembledRequest> previous_;
  std::unique_ptr<AssembledRequest> request_;
};

TEST_F(PromptStart, CountsTheWholePrompt) {
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  input_.generationConfig = R"({"seed":1})";
  add({user("one"), model("two")});
  setInstruction("three");
  next();
  EXPECT_EQ(stable(), 0);
  const int64_t texts = tokensOf(0) + tokensOf(1) + tokensOf(2) + tokensOf(3);
  EXPECT_GT(prompt(), texts);
  input_.tools = "";
  next();
  EXPECT_EQ(prompt(), texts);
}

TEST_F(PromptStart, GrowsWithTheHistoryIfTheDynamicTextIsBehindIt) {
  input_.dynamicBeforeTurn = true;
  add({user("one")});
  next();
  for (int i = 0; i < 4; ++i) {
    const std::string now = R"({"now":)" + std::to_string(i + 2) + "}";
    add({model("two"), user("three")});
    useTexts("Be brief.", now);
    next();
    EXPECT_EQ(stable(), tokensOf(0) + 10 * 2 * i) << i;
    EXPECT_EQ(broken(), "") << i;
  }
}

TEST_F(PromptStart, CoversTheTurnThatWasTheTrigger) {
  useTexts("Be brief.", "");
  add({user("one")});
  next();
  add({callTurn(), resultTurn()});
  next();
  EXPECT_EQ(stable(), tokensOf(0) + 10);
  add({model("two"), user("three")});
  next();
  EXPECT_EQ(stable(), tokensOf(0) + 30);
}

TEST_F(PromptStart, OfARetryIsTheWholePrompt) {
  add({user("one"), model("two"), user("three")});
  next();
  next();
  EXPECT_EQ(stable(), prompt());
}

TEST_F(PromptStart, DoesNotDependOnFieldsOutsideThePrompt) {
  add({user("one"), model("two"), user("three")});
  next();
  input_.generationConfig = R"({"seed":2})";
  input_.safetySettings = "[]";
  input_.store = "false";
  input_.labels = R"({"request":"2"})";
  next();
  EXPECT_EQ(stable(), prompt());
  EXPECT_EQ(broken(), "");
}

TEST_F(PromptStart, IsBrokenByADynamicTextInFrontOfHistory) {
  add({user("one"), model("two"), user("three")});
  next();
  EXPECT_EQ(broken(), "");
  useTexts("Be brief.", R"({"now":2})");
  add({model("four"), user("five")});
  next();
  EXPECT_EQ(broken(), message("/contents/0", "the dynamic layer", firstDifference()));
  EXPECT_EQ(stable(), tokensOf(0));
  EXPECT_TRUE(request_->ok);
}

TEST_F(PromptStart, NamesTheFirstByteOfTheLayerIfTheEarlierTextIsUnknown) {
  add({user("one"), model("two"), user("three")});
  next();
  useTexts("Be brief.", R"({"now":2})");
  assembler_ = Assembler();
  next();
  const size_t text = request_->body.find(R"("{\"now\":2}")");
  EXPECT_EQ(broken(), message("/contents/0", "the dynamic layer", text));
}

TEST_F(PromptStart, IsBrokenByADynamicTextThatChangesWithinAToolLoop) {
  input_.dynamicBeforeTurn = true;
  add({user("one"), model("two"), user("three")});
  next();
  add({callTurn(), resultTurn()});
  next();
  EXPECT_EQ(broken(), "");
  useTexts("Be brief.", R"({"now":2})");
  add({callTurn(), resultTurn()});
  next();
  EXPECT_EQ(broken(), message("/contents/2", "the dynamic layer", firstDifference()));
}

TEST_F(PromptStart, IsBrokenByAChangedInstructionOrTool) {
  add({user("one"), model("two"), user("three")});
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  next();
  useTexts("Be brisk.", R"({"now":1})");
  next();
  EXPECT_EQ(broken(), message("/systemInstruction", "the static layer", firstDifference()));
  EXPECT_EQ(stable(), 0);
  input_.tools = R"([{"functionDeclarations":[{"name":"g"}]}])";
  next();
  EXPECT_EQ(broken(), message("/tools", "tools", firstDifference()));
  EXPECT_EQ(stable(), tokensOf(0));
  input_.staticAsUser = true;
  next();
  EXPECT_NE(broken(), "");
  useTexts("Be brief.", R"({"now":1})");
  next();
  EXPECT_EQ(broken(), message("/contents/0", "the static layer", firstDifference()));
}

TEST_F(PromptStart, NamesAFieldThatWasAddedOrRemoved) {
  add({user("one"), model("two"), user("three")});
  next();
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  next();
  EXPECT_EQ(broken().rfind("/tools ", 0), 0U) << broken();
  EXPECT_NE(broken().find(", in tools, "), std::string::npos) << broken();
  input_.tools = "";
  next();
  EXPECT_EQ(broken().rfind("/tools ", 0), 0U) << broken();
  EXPECT_NE(broken().find(", in tools, "), std::string::npos) << broken();
}

TEST_F(PromptStart, IsNotBrokenByHistoryThatWasRewrittenOrRewound) {
  add({user("one"), model("two"), user("three")});
  next();
  thread_.rewind(0);
  add({user("other"), model("two"), user("three")});
  useTexts("Be brief.", R"({"now":2})");
  next();
  EXPECT_EQ(broken(), "");
  thread_.rewind(1);
  useTexts("Be brief.", "");
  next();
  EXPECT_EQ(broken(), "");
}

TEST_F(PromptStart, IsNotBrokenByHistoryThatMovesIntoTheStaticLayer) {
  useTexts("Be brief.", "");
  add({user("one"), model("two"), user("three"), model("four"), user("five")});
  buffer(-1);
  next();
  buffer(0);
  next();
  EXPECT_NE(request_->instruction(), "Be brief.");
  EXPECT_EQ(broken(), "");
}

TEST_F(PromptStart, IsNotBrokenByACacheThatComesOrGoes) {
  useTexts("Be brief.", "");
  input_.cacheContents = true;
  add({user("one"), model("two"), user("three"), model("four"), user("five")});
  next();
  buffer(0);
  input_.forCache = true;
  const CacheBody cache = assembler_.cacheBody(thread_, input_);
  input_.forCache = false;
  ASSERT_GT(cache.turns, 0U);
  input_.hasCache = true;
  input_.cache = {"cachedContents/a", input_.model, cache.turns, cache.key};
  next();
  EXPECT_EQ(request_->manifest().find("cache").find("decision").text(), "hit");
  EXPECT_EQ(broken(), "");
  const int64_t whole = prompt();
  EXPECT_EQ(stable(), 0);
  add({model("six"), user("seven")});
  next();
  EXPECT_EQ(stable(), whole);
  input_.hasCache = false;
  next();
  EXPECT_EQ(broken(), "");
}

TEST_F(PromptStart, OfAnotherModelIsNotCompared) {
  add({user("one"), model("two"), user("three")});
  next();
  input_.model = "gemini-3.6-flash";
  useTexts("Be brisk.", R"({"now":2})");
  next();
  EXPECT_EQ(stable(), 0);
  EXPECT_EQ(broken(), "");
}

}  // namespace
}  // namespace strata::layers
