// Tests the fields of a request that are no part of the prompt: store, serviceTier, labels, extra.
#include "layers/extra_fields.h"

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::Json;
using test::model;
using test::user;

class ExtraFields : public test::Requests {
 protected:
  void useExtra(const std::string& json) {
    extra_ = json;
    EXPECT_TRUE(readExtra(extra_, input_));
    setInstruction("go");
  }

  std::string extra_;
};

TEST_F(ExtraFields, AreWrittenBetweenTheOtherFieldsAndContents) {
  input_.serviceTier = R"("flex")";
  input_.store = "false";
  input_.labels = R"({"team":"a"})";
  input_.safetySettings = "[]";
  useExtra(R"({"newField":1})");
  EXPECT_EQ(assemble().fields(),
            (std::vector<std::string>{"systemInstruction", "safetySettings", "serviceTier", "store",
                                      "labels", "newField", "contents"}));
}

TEST_F(ExtraFields, KeepTheirBytes) {
  useExtra(" { \"a\\u0062c\" : 1.0e+2 ,\n\"big\":12345678901234567890, \"nested\":{ \"x\":[ ]} } ");
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_NE(request.body.find(
                ",\"a\\u0062c\" : 1.0e+2 ,\n\"big\":12345678901234567890, \"nested\":{ \"x\":[ ]},"
                "\"contents\":["),
            std::string::npos)
      << request.body;
  size_t bytes = 0;
  for (const json::Value piece : json::elements(request.manifest().find("pieces"))) {
    bytes += static_cast<size_t>(piece.find("bytes").integer(0));
  }
  EXPECT_EQ(bytes + 2, request.body.size());
}

TEST_F(ExtraFields, AreNamedByAnInfoEach) {
  useExtra(R"({"newField":1,"a/b":{}})");
  const std::vector<std::string> expected = {"info field.extra /newField",
                                             "info field.extra /a~1b"};
  EXPECT_EQ(assemble().lines(), expected);
  EXPECT_EQ(assemble().lines(), expected);
  input_.extra = {};
  EXPECT_TRUE(assemble().lines().empty());
}

TEST_F(ExtraFields, ThatThePackageKnowsAreCheckedLikeAnyOther) {
  useExtra(R"({"model":"models/x","modelArmorConfig":{}})");
  EXPECT_EQ(assemble().lines(),
            std::vector<std::string>{"warning field.unknown /modelArmorConfig"});
}

TEST_F(ExtraFields, AreLeftOutIfThereAreNone) {
  useTexts("", "");
  useExtra("{ }");
  EXPECT_EQ(assemble().body, R"({"contents":[)" + user("go") + "]}");
}

TEST_F(ExtraFields, StandAloneInABody) {
  useTexts("", "");
  useExtra(R"({"a":1})");
  EXPECT_EQ(assemble().body, R"({"a":1,"contents":[)" + user("go") + "]}");
}

TEST_F(ExtraFields, AreInNoCacheAndChangeNoKey) {
  add({user("one"), model("two")});
  input_.forCache = true;
  input_.cacheContents = true;
  buffer(0);
  const CacheBody plain = assembler_.cacheBody(thread_, input_);
  input_.serviceTier = R"("flex")";
  input_.store = "false";
  input_.labels = R"({"team":"a"})";
  useExtra(R"({"newField":1})");
  input_.triggerKind = TriggerKind::kNone;
  const CacheBody cache = assembler_.cacheBody(thread_, input_);
  EXPECT_EQ(cache.body.join(), plain.body.join());
  EXPECT_EQ(cache.key, plain.key);
}

TEST(ReadExtra, RefusesFieldsThatTheAssemblerWrites) {
  for (const char* name :
       {"systemInstruction", "system_instruction", "contents", "cachedContent", "cached_content",
        "tools", "toolConfig", "generationConfig", "generation_config", "safetySettings",
        "serviceTier", "service_tier", "store", "labels"}) {
    AssembleInput input;
    const Status status = readExtra(R"({"a":1,")" + std::string(name) + R"(":null})", input);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, "field.invalid");
    EXPECT_EQ(status.error().path, "/extra/" + std::string(name));
    EXPECT_TRUE(input.extra.empty());
  }
}

TEST(ReadExtra, RefusesWhatIsNoObject) {
  for (const char* json : {"[]", "null", "1", "\"a\""}) {
    AssembleInput input;
    const Status status = readExtra(json, input);
    ASSERT_FALSE(status) << json;
    EXPECT_EQ(status.error().path, "/extra");
  }
  AssembleInput input;
  const Status status = readExtra(R"({"a":[1,}})", input);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "json.invalid");
  EXPECT_EQ(status.error().path, "/extra/a/1");
}

class VertexFields : public test::Requests {
 protected:
  VertexFields() : Requests("gemini-3.8-flash") { setInstruction("go"); }

  std::vector<std::string> linesFor(gemini::Backend backend) {
    test::Judge judge("gemini-3.8-flash", backend);
    thread::Thread thread = judge.thread();
    return AssembledRequest(Assembler().assemble(thread, input_)).lines();
  }
};

TEST_F(VertexFields, StoreIsAFieldOfTheGeminiApiOnly) {
  input_.store = "true";
  EXPECT_TRUE(linesFor(gemini::Backend::kGemini).empty());
  EXPECT_EQ(linesFor(gemini::Backend::kVertex),
            std::vector<std::string>{"error field.unknown /store"});
}

TEST_F(VertexFields, LabelsAreAFieldOfVertexAiOnly) {
  input_.labels = R"({"team":"a"})";
  EXPECT_TRUE(linesFor(gemini::Backend::kVertex).empty());
  EXPECT_EQ(linesFor(gemini::Backend::kGemini),
            std::vector<std::string>{"error field.unknown /labels"});
}

TEST_F(VertexFields, ServiceTierIsAFieldOfBoth) {
  input_.serviceTier = R"("flex")";
  EXPECT_TRUE(linesFor(gemini::Backend::kVertex).empty());
  EXPECT_TRUE(linesFor(gemini::Backend::kGemini).empty());
}

}  // namespace
}  // namespace strata::layers
