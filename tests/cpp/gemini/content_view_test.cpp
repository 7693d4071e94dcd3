#include "gemini/content_view.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::gemini {
namespace {

using test::Json;

TEST(ContentView, FindsEveryFieldInBothSpellings) {
  const Json camel(R"({"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}},
      "thoughtSignature":"AA","thought":true},{"inlineData":{}},{"functionResponse":{"name":"g",
      "response":{"a":1}}}]})");
  const Json snake(R"({"role":"model","parts":[{"function_call":{"id":"1","name":"f","args":{}},
      "thought_signature":"AA","thought":true},{"inline_data":{}},{"function_response":{"name":"g",
      "response":{"a":1}}}]})");
  for (const Json* json : {&camel, &snake}) {
    ContentView view;
    view.read(json->root());
    EXPECT_TRUE(view.isModel());
    EXPECT_EQ(view.calls, 1U);
    EXPECT_EQ(view.responses, 1U);
    EXPECT_TRUE(view.hasMedia);
    ASSERT_EQ(view.partViews.size(), 3U);
    const PartView& call = view.partViews[0];
    EXPECT_TRUE(call.isCall() && call.isSigned() && call.thought);
    EXPECT_EQ(call.id.text() + call.name.text() + std::string(call.payload.bytes()), "1f{}");
    EXPECT_EQ(view.partViews[2].payload.bytes(), R"({"a":1})");
    EXPECT_FALSE(call.unknownKey || view.unknownKey);
  }
}

TEST(ContentView, ResolvesEscapesOfKeysAndRoles) {
  const Json json(
      R"({"r\u006fle":"\u006dodel","p\u0061rts":[{"function\u005fcall":{"n\u0061me":"f"},
      "thought\u0053ignature":"AA"}]})");
  ContentView view;
  view.read(json.root());
  EXPECT_TRUE(view.isModel());
  ASSERT_EQ(view.partViews.size(), 1U);
  EXPECT_TRUE(view.partViews[0].isCall() && view.partViews[0].isSigned());
  EXPECT_EQ(view.partViews[0].name.text(), "f");
}

TEST(ContentView, RejectsOtherSpellings) {
  for (const char* key : {"functioncall", "FunctionCall", "function_Call", "function-call",
                          "functionCall_", "_function_call", "function_cal", "function__call"}) {
    const Json json(std::string(R"({"role":"user","parts":[{")") + key + R"(":{"name":"f"}}]})");
    ContentView view;
    view.read(json.root());
    EXPECT_EQ(view.calls, 0U) << key;
    EXPECT_TRUE(view.partViews[0].unknownKey) << key;
  }
}

// Also keys that end within the name, such as at its underscore.
TEST(ContentView, RequiresTheWholeNameOfAField) {
  const std::string snake = "function_call";
  const std::string camel = "functionCall";
  for (const std::string& name : {snake, camel}) {
    EXPECT_TRUE(isField(Json("\"" + name + "\"").root(), camel));
    EXPECT_FALSE(isField(Json("\"" + name + "s\"").root(), camel));
    for (size_t length = 0; length < name.size(); ++length) {
      const Json key("\"" + name.substr(0, length) + "\"");
      EXPECT_FALSE(isField(key.root(), camel)) << name.substr(0, length);
    }
  }
}

TEST(ContentView, ReadsRoles) {
  const auto role = [](const std::string& member) {
    const Json json("{" + member + "}");
    ContentView view;
    view.read(json.root());
    return view.roleKind;
  };
  EXPECT_EQ(role(R"("role":"user")"), Role::kUser);
  EXPECT_EQ(role(R"("role":"model")"), Role::kModel);
  EXPECT_EQ(role(R"("role":"function")"), Role::kFunction);
  EXPECT_EQ(role(R"("role":"User")"), Role::kUnknown);
  EXPECT_EQ(role(R"("role":7)"), Role::kUnknown);
  EXPECT_EQ(role(R"("role":null)"), Role::kMissing);
  EXPECT_EQ(role(""), Role::kMissing);
}

TEST(ContentView, TreatsNullAsUnset) {
  const Json json(R"({"role":"user","parts":[{"text":"a","functionCall":null,"inlineData":null,
      "thoughtSignature":null},{"functionResponse":{"id":null,"name":"f","response":null}}]})");
  ContentView view;
  view.read(json.root());
  EXPECT_EQ(view.partViews[0].kind, PartKind::kText);
  EXPECT_FALSE(view.partViews[0].otherKey || view.partViews[0].signature);
  EXPECT_FALSE(view.hasMedia || view.hasCalls());
  EXPECT_FALSE(view.partViews[1].id || view.partViews[1].payload);
}

TEST(ContentView, FindsMediaInAFunctionResponse) {
  const auto hasMedia = [](const std::string& nested) {
    const Json json(R"({"role":"user","parts":[{"functionResponse":{"name":"f","parts":)" + nested +
                    "}}]}");
    ContentView view;
    view.read(json.root());
    return view.hasMedia;
  };
  EXPECT_TRUE(hasMedia(R"([{"inlineData":{}}])"));
  EXPECT_TRUE(hasMedia(R"([{"text":"a"},{"file_data":{}}])"));
  EXPECT_FALSE(hasMedia(R"([{"text":"a"},{"inlineData":null}])"));
}

TEST(ContentView, ReplacesThePreviousContent) {
  ContentView view;
  const Json rich(R"({"role":"model","x":1,"parts":[{"functionCall":{}},{"inlineData":{}}]})");
  const Json poor(R"({})");
  view.read(rich.root());
  view.read(poor.root());
  EXPECT_TRUE(view.partViews.empty());
  EXPECT_FALSE(view.hasCalls() || view.hasMedia || view.unknownKey || view.role || view.parts);
  EXPECT_EQ(view.roleKind, Role::kMissing);
}

TEST(ContentView, HasNoPartsForOtherValues) {
  for (const char* text : {"7", "[]", "null", R"({"parts":"x"})", R"({"parts":7})"}) {
    const Json json(text);
    ContentView view;
    view.read(json.root());
    EXPECT_TRUE(view.partViews.empty()) << text;
  }
}

}  // namespace
}  // namespace strata::gemini
