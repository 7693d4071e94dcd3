#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::append;
using test::callTurn;
using test::Made;
using test::model;
using test::resultTurn;
using test::user;

class Body : public test::Requests {};

TEST_F(Body, WhatNeverChangesComesFirst) {
  useTexts("Be brief.", R"({"todos":[]})");
  input_.safetySettings = "[]";
  input_.generationConfig = R"({"seed":1})";
  input_.toolConfig = "{}";
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  ask("go");
  EXPECT_EQ(make().fields(),
            (std::vector<std::string>{"systemInstruction", "tools", "toolConfig",
                                      "generationConfig", "safetySettings", "contents"}));
}

TEST_F(Body, TheLayersStandInTheirOrder) {
  useTexts("Be \"brief\".", R"({"todos":[]})");
  add({user("one"), model("two")});
  ask("three");
  const Made made = make();
  EXPECT_TRUE(made.ok);
  EXPECT_EQ(made.body, R"({"systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},"contents":[)"
                       R"({"role":"user","parts":[{"text":"{\"todos\":[]}"}]},)" +
                           user("one") + "," + model("two") + "," + user("three") + "]}");
  EXPECT_TRUE(judge_.lint(made.body).empty());
}

TEST_F(Body, EmptyTextsAreNotSent) {
  useTexts("", "");
  ask("go");
  EXPECT_EQ(make().body, R"({"contents":[)" + user("go") + "]}");
}

TEST_F(Body, TheHistorysBytesAreThoseThatCame) {
  const std::string odd =
      "{ \"parts\" : [ {\"text\":\"\\u0041\", \"partMetadata\":{\"n\":1.0}} ],\n\"role\":\"user\"}";
  const std::string call = callTurn();
  add({odd, call, resultTurn(), model("x")});
  ask("go");
  const Made made = make();
  EXPECT_NE(made.body.find("[" + odd + "," + call + "," + resultTurn() + "," + model("x") + ","),
            std::string::npos);
}

TEST_F(Body, TheStaticTextCanBeTheFirstUserContent) {
  useTexts("Be brief.", R"({"a":1})");
  input_.staticAsUser = true;
  ask("go");
  const Made made = make();
  EXPECT_EQ(made.fields(), std::vector<std::string>{"contents"});
  EXPECT_EQ(made.contents(),
            (std::vector<std::string>{user("Be brief."), user(R"({\"a\":1})"), user("go")}));
}

TEST_F(Body, APreviewChangesNothing) {
  add({user("one"), model("two")});
  ask("three");
  const std::string digest = test::hexDigest(thread_);
  const Made first = make();
  const Made second = make();
  EXPECT_EQ(first.body, second.body);
  EXPECT_EQ(first.report.text(), second.report.text());
  EXPECT_EQ(test::hexDigest(thread_), digest);
  EXPECT_EQ(thread_.size(), 2U);
  Assembler fresh;
  EXPECT_EQ(Made(fresh.assemble(thread_, input_)).report.text(), first.report.text());
}

TEST_F(Body, TheManifestAddsUp) {
  useTexts("Be brief.", R"({"a":1})");
  add({user("one"), model("two")});
  input_.tools = "[]";
  ask("three");
  const Made made = make();
  size_t bytes = 0;
  for (const json::Value piece : json::elements(made.manifest().find("pieces"))) {
    bytes += static_cast<size_t>(piece.find("bytes").integer(0));
  }
  EXPECT_EQ(bytes + 2, made.body.size());  // "]}" belongs to no piece
  const json::Value layers = made.manifest().find("layers");
  EXPECT_EQ(layers.at(2).find("tokens").integer(0), 20);
  EXPECT_EQ(layers.at(2).find("fingerprint").text(), test::hexDigest(thread_));
  EXPECT_EQ(made.manifest().find("model").text(), "gemini-3.8-flash");
  EXPECT_EQ(made.manifest().bytes().find("brief"), std::string_view::npos);
}

TEST_F(Body, FieldsThatAreNotJsonAreRefusedWithTheirPlace) {
  ask("go");
  input_.tools = R"([{"a":}])";
  const Made made = make();
  ASSERT_TRUE(made.failure && made.failure->error);
  EXPECT_EQ(made.failure->error->code, "json.invalid");
  EXPECT_EQ(made.failure->error->path, "/tools/0/a");
  input_.tools = "";
  EXPECT_TRUE(make().ok);
}

TEST_F(Body, WhatIsWrongWithAFieldIsSaidOnceAndForgottenWithIt) {
  ask("go");
  input_.generationConfig = R"({"presencePenalty":1})";
  const std::vector<std::string> penalty = {
      "error config.penalty_unsupported /generationConfig/presencePenalty"};
  EXPECT_EQ(make().lines(), penalty);
  EXPECT_EQ(make().lines(), penalty);
  input_.generationConfig = "";
  EXPECT_TRUE(make().lines().empty());
}

TEST_F(Body, MoreTokensThanTheContextHoldsIsAWarning) {
  append(thread_, user(), test::Policy::kWarn, R"({"tokens":1048577})");
  append(thread_, model());
  ask("go");
  buffer(-1);
  const Made made = make();
  EXPECT_TRUE(made.ok);
  EXPECT_EQ(made.lines(), std::vector<std::string>{"warning context.too_large "});
}

}  // namespace
}  // namespace strata::layers
