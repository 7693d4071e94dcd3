// Tests requests of the Interactions API: the layers as steps, options, stored state, and that what
// is reused between requests changes no byte.
#include "layers/extra_fields.h"
#include "layers/requests.h"
#include "thread/append_steps.h"

namespace strata::layers {
namespace {

using test::append;
using test::AssembledRequest;
using test::call;
using test::content;
using test::Json;
using test::model;
using test::result;
using test::unsignedCall;
using test::user;

const std::string kThought = R"({"type":"thought","signature":"c2ln"})";
const std::string kSearch = R"({"type":"google_search_call","id":"s","arguments":{},"new": 1})";
const std::string kOutput = R"({"type":"model_output","content":[{"type":"text", "text":"ok"}]})";

std::string input(const std::string& text) {
  return R"({"type":"user_input","content":[{"type":"text","text":")" + text + R"("}]})";
}

class InteractionRequests : public test::Requests {
 protected:
  InteractionRequests() { input_.wire = interactions::Wire::kInteractions; }

  void addSteps(const std::vector<std::string>& steps) {
    const Json read("[" + test::joined(steps) + "]");
    const auto done = thread::appendSteps(thread_, read.root(), {}, thread::Thread::Policy::kWarn);
    ASSERT_TRUE(done);
  }
  // Returns the input of a body.
  static std::string steps(const AssembledRequest& request) {
    return std::string(Json(request.body).root().find("input").bytes());
  }
  std::string steps() { return steps(assemble()); }
  std::vector<std::string> lint(const std::string& body) const { return judge_.lint(body); }
};

TEST_F(InteractionRequests, WritesTheLayersInOrder) {
  useTexts("Be \"brief\".", R"({"todos":[]})");
  add({user("one"), model("two")});
  setInstruction("three");
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.body,
            R"({"model":"gemini-3.8-flash","store":false,"system_instruction":"Be \"brief\".",)"
            R"("input":[)" +
                input(R"({\"todos\":[]})") + "," + input("one") +
                R"(,{"type":"model_output","content":[{"type":"text","text":"two"}]},)" +
                input("three") + "]}");
  EXPECT_EQ(lint(request.body), std::vector<std::string>());
  EXPECT_TRUE(request.manifest().find("wire").equals("interactions"));
  size_t bytes = 2;  // "]}"
  for (const json::Value piece : json::elements(request.manifest().find("pieces")))
    bytes += static_cast<size_t>(piece.find("bytes").integer(0));
  EXPECT_EQ(bytes, request.body.size());
}

TEST_F(InteractionRequests, WritesTheStaticTextAsAUserInput) {
  input_.staticAsUser = true;
  setInstruction("go");
  EXPECT_EQ(steps(), "[" + input("Be brief.") + "," + input("go") + "]");
}

TEST_F(InteractionRequests, ConvertsTheOptionsOfGenerateContent) {
  setInstruction("go");
  input_.tools =
      R"([{"functionDeclarations":[{"name":"f","description":"d"}]},{"googleSearch":{}}])";
  input_.toolConfig = R"({"functionCallingConfig":{"mode":"ANY"}})";
  input_.generationConfig = R"({"seed":1,"responseMimeType":"application/json"})";
  input_.labels = R"({"a":"b"})";
  input_.store = "true";
  input_.stream = true;
  input_.extra = R"({"background":true,"safety_settings":[]})";
  const AssembledRequest request = assemble();
  EXPECT_EQ(request.fields(),
            (std::vector<std::string>{"model", "store", "stream", "system_instruction", "tools",
                                      "generation_config", "response_format", "labels",
                                      "background", "safety_settings", "input"}));
  const Json body(request.body);
  EXPECT_EQ(body.root().find("generation_config").bytes(), R"({"seed":1,"tool_choice":"any"})");
  EXPECT_EQ(body.root().find("tools").bytes(),
            R"([{"type":"function","name":"f","description":"d"},{"type":"google_search"}])");
  EXPECT_TRUE(body.root().find("store").isTrue());
  EXPECT_EQ(assemble().body, request.body);
}

TEST_F(InteractionRequests, ReportsOptionsThatTheApiDoesNotHave) {
  setInstruction("go");
  input_.generationConfig = R"({"thinkingConfig":{"thinkingBudget":5}})";
  input_.safetySettings = "[]";
  EXPECT_EQ(assemble().lines(),
            (std::vector<std::string>{"warning convert.lost /generationConfig/thinkingConfig",
                                      "warning convert.lost /safetySettings"}));
  input_.hasCache = true;
  const AssembledRequest request = assemble();
  EXPECT_FALSE(request.ok);
  EXPECT_EQ(request.lines().back(), "error convert.refused /cachedContent");
  input_.forCache = true;
  ASSERT_TRUE(assembler_.cacheBody(thread_, input_).failure);
}

TEST_F(InteractionRequests, RefusesAFormatThatIsGivenTwice) {
  setInstruction("go");
  input_.extra = R"({"response_format":[{"type":"video"}]})";
  EXPECT_TRUE(assemble().ok);
  input_.generationConfig = R"({"responseMimeType":"application/json"})";
  const AssembledRequest request = assemble();
  ASSERT_TRUE(request.failure && request.failure->error);
  EXPECT_EQ(request.failure->error->path, "/extra/response_format");
}

TEST_F(InteractionRequests, CopiesTurnsThatCameAsSteps) {
  const std::string odd = R"({"type": "user_input", "content": "hi"})";
  addSteps({odd, kThought, kSearch, kOutput});
  add({user("go")});
  const AssembledRequest request = assemble();
  EXPECT_EQ(steps(request),
            "[" + test::joined({odd, kThought, kSearch, kOutput, input("go")}) + "]");
  EXPECT_EQ(request.lines(), std::vector<std::string>());
  // generateContent has no form for the search.
  input_.wire = interactions::Wire::kGenerateContent;
  const AssembledRequest other = assemble();
  EXPECT_EQ(other.contents()[1],
            R"({"role":"model","parts":[{"text":"ok","thoughtSignature":"c2ln"}]})");
  EXPECT_EQ(other.lines(), std::vector<std::string>({"warning convert.lost /contents/1/steps/1"}));
}

// The API has sent each of these, and refuses it in the next request.
TEST_F(InteractionRequests, WriteStepsThatTheApiRefusesAnew) {
  const std::string call = R"({"type":"function_call","id":"a","name":"f","arguments":{}})";
  const std::string result =
      R"({"type":"function_result","call_id":"a","name":"f","result":{"x":1}})";
  const std::string bare = R"({"type":"thought","summary":[{"type":"text","text":"t"}]})";
  const std::string empty = R"({"type":"model_output","content":[{"type":"text","text":""}]})";
  const std::string signedBare =
      R"({"type":"thought","signature":"c2ln","summary":[{"type":"text","text":"t"}]})";
  const auto written = [&](const std::vector<std::string>& answer) {
    thread_.rewind(0);
    addSteps({input("hi")});
    addSteps(answer);
    addSteps({result});
    const AssembledRequest request = assemble();
    EXPECT_EQ(lint(request.body), std::vector<std::string>()) << request.body;
    return steps(request);
  };
  const auto expected = [&](const std::vector<std::string>& answer) {
    return "[" + test::joined({input("hi"), test::joined(answer), result}) + "]";
  };
  EXPECT_EQ(written({kThought, kOutput, call}), expected({kThought, kOutput, call}));
  const std::string ok = R"({"type":"model_output","content":[{"type":"text","text":"ok"}]})";
  EXPECT_EQ(written({ok, kThought, call}), expected({kThought, ok, call}));
  EXPECT_EQ(written({ok, kThought, ok, kThought, call}),
            expected({kThought, ok, kThought, ok, kThought, call}));
  EXPECT_EQ(written({bare, kThought, call}), expected({signedBare, call}));
  EXPECT_EQ(written({kThought, empty, call}), expected({kThought, call}));
}

TEST_F(InteractionRequests, PairsResultsWithCallsOfEitherForm) {
  addSteps(
      {input("hi"), kThought, R"({"type":"function_call","id":"k","name":"f","arguments":{}})"});
  const std::string response = content("user", {result("f")});
  setTriggerContent(response);
  EXPECT_NE(steps().find(R"({"type":"function_result","call_id":"k","name":"f")"),
            std::string::npos)
      << steps();
  thread_.rewind(0);
  add({user(), content("model", {call("f"), unsignedCall("g")})});
  const std::string trigger = content("user", {result("f"), result("g")});
  setTriggerContent(trigger);
  const AssembledRequest request = assemble();
  EXPECT_NE(request.body.find(R"("call_id":"call_1","name":"f")"), std::string::npos)
      << request.body;
  EXPECT_NE(request.body.find(R"("call_id":"call_2","name":"g")"), std::string::npos);
  EXPECT_EQ(lint(request.body), std::vector<std::string>());
  append(thread_, trigger);
  EXPECT_EQ(assemble().body, request.body);
}

TEST_F(InteractionRequests, ContinuesAStoredInteraction) {
  add({user("one"), content("model", {call("f", "a")}), content("user", {result("f", "a")})});
  input_.continued = {"v1_x", 2};
  useTexts("Be brief.", R"({"todos":[]})");
  const AssembledRequest request = assemble();
  EXPECT_EQ(request.body,
            R"({"model":"gemini-3.8-flash","store":true,"previous_interaction_id":"v1_x",)"
            R"("system_instruction":"Be brief.","input":[)"
            R"({"type":"function_result","call_id":"a","name":"f","result":{"output":1}}]})");
  // Google has the dynamic text, too, of the request that led to the call.
  input_.continued.id.clear();
  const AssembledRequest whole = assemble();
  EXPECT_EQ(request.report.root().find("promptTokens").integer(0),
            whole.report.root().find("promptTokens").integer(0));
  input_.continued.id = "v1_x";
  input_.continued.turns = 4;
  ASSERT_TRUE(assemble().failure);
}

// The results must stand directly behind their calls, which Google has.
TEST_F(InteractionRequests, WriteNoTextBetweenStoredCallsAndTheirResults) {
  const std::string response = content("user", {result("f", "a")});
  const std::string step =
      R"([{"type":"function_result","call_id":"a","name":"f","result":{"output":1}}])";
  add({user("one"), content("model", {call("f", "a")})});
  useTexts("Be brief.", R"({"todos":[]})");
  const AssembledRequest first = [&] {
    thread_.rewind(1);
    return assemble();
  }();
  add({content("model", {call("f", "a")})});
  input_.continued = {"v1_x", 2};
  input_.previous = first.manifest();
  for (const bool asUser : {false, true}) {
    for (const bool beforeTurn : {false, true}) {
      input_.staticAsUser = asUser;
      input_.dynamicBeforeTurn = beforeTurn;
      setTriggerContent(response);
      EXPECT_EQ(steps(), step) << asUser << beforeTurn;
      append(thread_, response);
      input_.triggerKind = TriggerKind::kNone;
      const AssembledRequest request = assemble();
      EXPECT_EQ(steps(request), step) << asUser << beforeTurn;
      EXPECT_EQ(request.lines(), std::vector<std::string>());
      thread_.rewind(2);
    }
  }
  input_.staticAsUser = false;
  append(thread_, response);
  add({model("done"), user("two")});
  EXPECT_EQ(steps(), step.substr(0, step.size() - 1) +
                         R"(,{"type":"model_output","content":[{"type":"text","text":"done"}]},)" +
                         input(R"({\"todos\":[]})") + "," + input("two") + "]");
  // Google has lost the interaction: the whole history has the text again, and nothing broke.
  input_.dynamicBeforeTurn = false;
  thread_.rewind(3);
  const AssembledRequest continued = assemble();
  input_.previous = continued.manifest();
  input_.continued = {};
  const AssembledRequest whole = assemble();
  EXPECT_EQ(Json(whole.body).root().find("input").size(), 5);
  EXPECT_EQ(whole.lines(), std::vector<std::string>());
}

TEST_F(InteractionRequests, GiveUnsignedCallsThePlaceholderIfAsked) {
  add({user("one"), content("model", {unsignedCall("f")}), content("user", {result("f")})});
  const AssembledRequest unsignedRequest = assemble();
  EXPECT_EQ(unsignedRequest.body.find("skip_thought_signature_validator"), std::string::npos);
  const std::vector<std::string> lines = unsignedRequest.lines();
  EXPECT_NE(std::find(lines.begin(), lines.end(), "warning convert.unsigned /contents/1"),
            lines.end());
  input_.placeholder = true;
  const AssembledRequest request = assemble();
  EXPECT_NE(
      request.body.find(R"({"type":"thought","signature":"skip_thought_signature_validator")"),
      std::string::npos)
      << request.body;
  input_.placeholder = false;
  EXPECT_EQ(assemble().body, unsignedRequest.body);
}

// The bytes must not depend on what earlier requests have left, and what was sent stays a prefix.
TEST_F(InteractionRequests, AreThoseOfANewAssembler) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    test::RandomHistory random(seed);
    const std::vector<std::string> contents = random.contents(30);
    thread_.rewind(0);
    for (size_t i = 0; i < contents.size(); ++i) {
      if (random.below(6) == 0) thread_.rewind(random.below(thread_.size() + 1));
      if (random.below(4) == 0) {
        addSteps({input("again"), kSearch, kThought, kOutput});
      } else {
        append(thread_, contents[i]);
      }
      if (random.below(3) == 0) setInstruction("go");
      if (random.below(5) == 0) input_.placeholder = !input_.placeholder;
      const AssembledRequest request = assemble();
      Assembler fresh;
      const AssembledRequest other(fresh.assemble(thread_, input_));
      ASSERT_EQ(request.body, other.body) << "seed " << seed << " turn " << i;
      ASSERT_EQ(request.report.text(), other.report.text()) << "seed " << seed;
      ASSERT_TRUE(Json(request.body).ok()) << request.body;
    }
  }
}

TEST_F(InteractionRequests, BeginWithTheBytesOfTheOnesBefore) {
  std::string before;
  for (int turn = 0; turn < 20; ++turn) {
    const std::string number = std::to_string(turn);
    add({user("go " + number)});
    std::string body = assemble().body;
    body.resize(body.size() - 2);
    EXPECT_EQ(body.substr(0, before.size()), before) << turn;
    add({content("model", {call("f"), unsignedCall("g")}),
         content("user", {result("f"), result("g")})});
    if (turn % 2 == 0) {
      add({model("done")});
    } else {
      add({content("model", {test::text("a")}), content("model", {test::text("b")})});
    }
    before = body;
  }
}

TEST_F(InteractionRequests, CompareWithARequestOfTheSameWireOnly) {
  add({user("one"), model("two"), user("three")});
  input_.wire = interactions::Wire::kGenerateContent;
  const AssembledRequest first = assemble();
  input_.previous = first.manifest();
  input_.wire = interactions::Wire::kInteractions;
  const AssembledRequest second = assemble();
  EXPECT_EQ(second.manifest().find("stablePrefixBytes").integer(-1), 0);
  EXPECT_EQ(second.manifest().find("stablePrefixTokens").integer(-1), 0);
  input_.previous = second.manifest();
  const AssembledRequest third = assemble();
  EXPECT_EQ(static_cast<size_t>(third.manifest().find("stablePrefixBytes").integer(0)),
            third.body.size() - 2);
}

TEST_F(InteractionRequests, SayWhereAChangeBrokeThePrefix) {
  add({user("one"), model("two"), user("three")});
  const AssembledRequest first = assemble();
  input_.previous = first.manifest();
  useTexts("Be long.", "");
  add({model("four"), user("five")});
  const AssembledRequest second = assemble();
  const std::string at = std::to_string(second.body.find("long."));
  const std::string message(second.report.root().find("diagnostics").at(0).find("message").text());
  EXPECT_NE(message.find(at), std::string::npos) << message << second.body;
  EXPECT_EQ(second.lines().front(), "info cache.prefix_broken /static");
  input_.previous = second.manifest();
  useTexts("Be long.", "{}");
  add({model("six"), user("seven")});
  EXPECT_EQ(assemble().lines().front(), "info cache.prefix_broken /dynamic");
}

TEST_F(InteractionRequests, NamesAnAgentInPlaceOfTheModel) {
  setInstruction("go");
  input_.agent = "deep-research-preview-04-2026";
  input_.agentConfig = R"({"type":"deep-research"})";
  input_.background = true;
  EXPECT_EQ(assemble().body,
            R"({"agent":"deep-research-preview-04-2026","agent_config":{"type":"deep-research"},)"
            R"("store":true,"background":true,"system_instruction":"Be brief.","input":[)" +
                input("go") + "]}");
  input_.generationConfig = R"({"temperature":1})";
  EXPECT_EQ(assemble().failure->error->path, "/generationConfig");
}

TEST_F(InteractionRequests, NamesTheFieldsOfExtraThatAreNotKnown) {
  setInstruction("go");
  input_.extra = R"({"safety_settings":[],"new_field":1})";
  const AssembledRequest request = assemble();
  EXPECT_NE(request.body.find(R"("new_field":1)"), std::string::npos);
  EXPECT_EQ(request.lines(), std::vector<std::string>{"info field.extra /new_field"});
}

class OmniRequests : public test::Requests {
 protected:
  OmniRequests() : Requests("gemini-omni-flash-preview") {}
};

// Only the Interactions API serves this model.
TEST_F(OmniRequests, AreForTheApiThatServesTheModel) {
  add({user("hi")});
  EXPECT_EQ(assemble().lines(), std::vector<std::string>({"warning model.other_api "}));
  input_.wire = interactions::Wire::kInteractions;
  EXPECT_EQ(assemble().lines(), std::vector<std::string>());
}

TEST(InteractionOptions, BelongToTheirWire) {
  const auto read = [](const std::string& options) {
    const Json given(options);
    AssembleInput input;
    const Status status = readOptions(json::OptionsReader(given.root()), input);
    return status ? std::string() : status.error().path;
  };
  const std::string now = R"("now":"2026-11-21T10:00:00Z")";
  EXPECT_EQ(read("{" + now + R"(,"wire":"interactions","stream":true})"), "");
  EXPECT_EQ(read("{" + now + R"(,"stream":true})"), "/stream");
  EXPECT_EQ(read("{" + now + R"(,"placeholder":true})"), "/placeholder");
  EXPECT_EQ(read("{" + now + R"(,"wire":"http"})"), "/wire");
  EXPECT_EQ(read("{" + now + R"(,"previousInteraction":{"id":"a","turns":0}})"),
            "/previousInteraction");
  const std::string continued = R"(,"wire":"interactions","previousInteraction":)";
  EXPECT_EQ(read("{" + now + continued + R"({"id":"a","turns":0}})"), "");
  EXPECT_EQ(read("{" + now + continued + R"({"id":"","turns":0}})"), "/previousInteraction/id");
  EXPECT_EQ(read("{" + now + continued + R"({"id":"a","turns":0},"store":false})"), "/store");
  const std::string background = R"(,"wire":"interactions","background":true)";
  EXPECT_EQ(read("{" + now + background + "}"), "");
  EXPECT_EQ(read("{" + now + background + R"(,"store":false})"), "/store");
  EXPECT_EQ(read("{" + now + R"(,"background":true})"), "/background");
  EXPECT_EQ(read("{" + now + R"(,"wire":"interactions","agentConfig":{}})"), "/agentConfig");
  AssembleInput input;
  input.wire = interactions::Wire::kInteractions;
  EXPECT_TRUE(readExtra(R"({"safetySettings":[]})", input));
  const Status refused = readExtra(R"({"previous_interaction_id":"a"})", input);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "/extra/previous_interaction_id");
}

}  // namespace
}  // namespace strata::layers
