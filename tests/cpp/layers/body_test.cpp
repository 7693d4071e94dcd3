// Tests the bytes of an assembled body, its manifest and the diagnostics of its fields.
#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::append;
using test::AssembledRequest;
using test::callTurn;
using test::model;
using test::resultTurn;
using test::user;

class Body : public test::Requests {};

TEST_F(Body, OrdersFieldsByHowRarelyTheyChange) {
  useTexts("Be brief.", R"({"todos":[]})");
  input_.safetySettings = "[]";
  input_.generationConfig = R"({"seed":1})";
  input_.toolConfig = "{}";
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  setInstruction("go");
  EXPECT_EQ(assemble().fields(),
            (std::vector<std::string>{"systemInstruction", "tools", "toolConfig",
                                      "generationConfig", "safetySettings", "contents"}));
}

TEST_F(Body, WritesTheLayersInOrder) {
  useTexts("Be \"brief\".", R"({"todos":[]})");
  add({user("one"), model("two")});
  setInstruction("three");
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.body,
            R"({"systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},"contents":[)"
            R"({"role":"user","parts":[{"text":"{\"todos\":[]}"}]},)" +
                user("one") + "," + model("two") + "," + user("three") + "]}");
  EXPECT_TRUE(judge_.lint(request.body).empty());
}

TEST_F(Body, NamesTheSectionsOfItsTexts) {
  useTexts("Be brief.", R"({"todos":[]})");
  setInstruction("go");
  const AssembledRequest request = assemble();
  std::vector<std::string> sections;
  for (const json::Value each : json::elements(request.manifest().find("sections"))) {
    sections.push_back(each.find("id").text() + " " + each.find("stability").text());
  }
  EXPECT_EQ(sections, (std::vector<std::string>{"static stable", "dynamic dynamic"}));
}

TEST_F(Body, OmitsEmptyTexts) {
  useTexts("", "");
  setInstruction("go");
  EXPECT_EQ(assemble().body, R"({"contents":[)" + user("go") + "]}");
}

TEST_F(Body, KeepsTheBytesOfTheHistory) {
  const std::string odd =
      "{ \"parts\" : [ {\"text\":\"\\u0041\", \"partMetadata\":{\"n\":1.0}} ],\n\"role\":\"user\"}";
  const std::string call = callTurn();
  add({odd, call, resultTurn(), model("x")});
  setInstruction("go");
  const AssembledRequest request = assemble();
  EXPECT_NE(request.body.find("[" + odd + "," + call + "," + resultTurn() + "," + model("x") + ","),
            std::string::npos);
}

TEST_F(Body, SendsTheStaticTextAsTheFirstUserContentOnRequest) {
  useTexts("Be brief.", R"({"a":1})");
  input_.staticAsUser = true;
  setInstruction("go");
  const AssembledRequest request = assemble();
  EXPECT_EQ(request.fields(), std::vector<std::string>{"contents"});
  EXPECT_EQ(request.contents(),
            (std::vector<std::string>{user("Be brief."), user(R"({\"a\":1})"), user("go")}));
}

TEST_F(Body, AssemblingChangesNeitherThreadNorResult) {
  add({user("one"), model("two")});
  setInstruction("three");
  const std::string digest = test::hexDigest(thread_);
  const AssembledRequest first = assemble();
  const AssembledRequest second = assemble();
  EXPECT_EQ(first.body, second.body);
  EXPECT_EQ(first.report.text(), second.report.text());
  EXPECT_EQ(test::hexDigest(thread_), digest);
  EXPECT_EQ(thread_.size(), 2U);
  Assembler fresh;
  EXPECT_EQ(AssembledRequest(fresh.assemble(thread_, input_)).report.text(), first.report.text());
}

TEST_F(Body, ThePiecesOfTheManifestAddUpToTheBody) {
  useTexts("Be brief.", R"({"a":1})");
  add({user("one"), model("two")});
  input_.tools = "[]";
  setInstruction("three");
  const AssembledRequest request = assemble();
  size_t bytes = 0;
  for (const json::Value piece : json::elements(request.manifest().find("pieces"))) {
    bytes += static_cast<size_t>(piece.find("bytes").integer(0));
  }
  EXPECT_EQ(bytes + 2, request.body.size());  // "]}" belongs to no piece
  const json::Value layers = request.manifest().find("layers");
  EXPECT_EQ(layers.at(2).find("tokens").integer(0), 20);
  EXPECT_EQ(layers.at(2).find("fingerprint").text(), test::hexDigest(thread_));
  EXPECT_EQ(request.manifest().find("model").text(), "gemini-3.8-flash");
  EXPECT_EQ(request.manifest().bytes().find("brief"), std::string_view::npos);
}

TEST_F(Body, RejectsAFieldThatIsNotJsonWithItsPath) {
  setInstruction("go");
  input_.tools = R"([{"a":}])";
  const AssembledRequest request = assemble();
  ASSERT_TRUE(request.failure && request.failure->error);
  EXPECT_EQ(request.failure->error->code, "json.invalid");
  EXPECT_EQ(request.failure->error->path, "/tools/0/a");
  input_.tools = "";
  EXPECT_TRUE(assemble().ok);
}

TEST_F(Body, ReportsAnInvalidFieldOnceWhileItIsPresent) {
  setInstruction("go");
  input_.generationConfig = R"({"presencePenalty":1})";
  const std::vector<std::string> penalty = {
      "error config.penalty_unsupported /generationConfig/presencePenalty"};
  EXPECT_EQ(assemble().lines(), penalty);
  EXPECT_EQ(assemble().lines(), penalty);
  input_.generationConfig = "";
  EXPECT_TRUE(assemble().lines().empty());
}

TEST_F(Body, WarnsAboutMoreTokensThanTheContextHolds) {
  append(thread_, user(), test::Policy::kWarn, R"({"tokens":1048577})");
  append(thread_, model());
  setInstruction("go");
  buffer(-1);
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.lines(), std::vector<std::string>{"warning context.too_large "});
}

TEST_F(Body, CountsToolsAgainstTheContext) {
  setInstruction("go");
  const std::string tools = R"([{"functionDeclarations":[{"name":"f","description":")" +
                            std::string(4'400'000, 'a') + R"("}]}])";
  input_.tools = tools;
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning context.too_large "});
}

}  // namespace
}  // namespace strata::layers
