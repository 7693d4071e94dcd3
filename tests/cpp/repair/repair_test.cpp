#include "repair/repair.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/contents.h"

namespace strata::repair {
namespace {

using test::bodyOf;
using test::call;
using test::callTurn;
using test::content;
using test::Judge;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::unsignedCall;
using test::user;
using Lines = std::vector<std::string>;

const std::string kLostResponse = R"("response":{"error":"The result of this call was lost."})";

std::string lost(const std::string& name = "f", const std::string& id = "") {
  return R"({"functionResponse":{)" + test::idMember(id) + R"("name":")" + name + "\"," +
         kLostResponse + "}}";
}

/// An invalid body, its repaired form, and the repairs that are reported.
struct RepairCase {
  std::string description;
  std::string original;
  std::string repaired;
  Lines reports;
  std::string model = "gemini-3.8-flash";
  gemini::Backend backend = gemini::Backend::kGemini;
};

void PrintTo(const RepairCase& each, std::ostream* out) { *out << each.description; }

const std::string kTwoCalls = content("model", {call("f", "1"), unsignedCall("g", "2")});
const std::string kBothResults = content("user", {result("f", "1"), result("g", "2")});

// Returns a body with one step of these calls and results.
std::string step(const std::string& calls, const std::string& results) {
  return bodyOf({user(), content("model", {calls}), content("user", {results})});
}

const std::string kSameNames = content("model", {call(), unsignedCall()});
const std::string kSameNamesWithIds = content("model", {call("f", "1"), unsignedCall("f", "2")});

std::vector<RepairCase> fieldCases() {
  const std::string signedCall = R"({"functionCall":{"name":"f"},"thoughtSignature":"AAAA"})";
  return {
      {"roles of another API",
       bodyOf({content("assistant", {text("a")}), content("tool", {text("b")})}),
       bodyOf({model("a"), user("b")}),
       {"info role.invalid /contents/0/role", "info role.invalid /contents/1/role"}},
      {"a missing role",
       bodyOf({user(), R"({"parts":[{"functionCall":{"name":"f"},"thoughtSignature":"AAAA"}]})",
               R"({"role":null,"parts":[)" + result() + "]}"}),
       bodyOf({user(), R"({"parts":[)" + signedCall + R"(],"role":"model"})", resultTurn()}),
       {"info role.invalid /contents/1", "info role.invalid /contents/2"},
       "gemini-3.8-flash",
       gemini::Backend::kVertex},
      {"a field that the API refuses, in a history that starts with the model",
       bodyOf({model("a"), callTurn(), R"({"role":"user","id":"7","parts":[)" + result() + "]}"}),
       bodyOf({model("a"), callTurn(), resultTurn()}),
       {"info field.unknown /contents/2/id"},
       "gemini-3-flash-preview"},
      {"fields that the API refuses",
       bodyOf({R"({"id":"7", "role":"user","timestamp":1,"parts":[{"text":"a","callId":2}] })"}),
       bodyOf({R"({"role":"user","parts":[{"text":"a"}] })"}),
       {"info field.unknown /contents/0/id", "info field.unknown /contents/0/timestamp",
        "info field.unknown /contents/0/parts/0/callId"}},
      {"both spellings with the same value",
       step(R"({"functionCall":{"name":"f"},"function_call":{"name":"f"},)"
            R"("thoughtSignature":"AAAA"})",
            result()),
       step(signedCall, result()),
       {"info json.duplicate_key /contents/1/parts/0/function_call"}},
      {"a signature inside the call",
       step(R"({"functionCall":{"thoughtSignature":"AAAA","name":"f"}})", result()),
       step(signedCall, result()),
       {"info signature.inside_call /contents/1/parts/0/functionCall"}},
      {"a signature inside the call, an empty one on the Part",
       step(R"({"functionCall":{"name":"f","thought_signature":"AAAA"},"thoughtSignature":""})",
            result()),
       step(signedCall, result()),
       {"info signature.inside_call /contents/1/parts/0/functionCall"}},
      {"a signature that is not base64",
       bodyOf({user(), content("model", {R"({"text":"a","thoughtSignature":"no!"})"}), user()}),
       bodyOf({user(), model("a"), user()}),
       {"info signature.not_base64 /contents/1/parts/0"}},
      {"a response that is not an object",
       step(call(), R"({"functionResponse":{"name":"f","response":[1, 2]}})"),
       step(call(), R"({"functionResponse":{"name":"f","response":{"output":[1, 2]}}})"),
       {"info response.not_object /contents/2/parts/0/functionResponse/response"}},
      {"empty lists of PHP, and args that are JSON text",
       R"({"generationConfig":{"thinkingConfig":[]},)" +
           step(R"({"functionCall":{"name":"f","args":[]},"thoughtSignature":"AAAA"},)"
                R"({"functionCall":{"name":"f","args":""}},)"
                R"({"functionCall":{"name":"f","args":"{\"a\":1}"}})",
                result() + "," + result() + "," + result())
               .substr(1),
       R"({"generationConfig":{"thinkingConfig":{}},)" +
           step(R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"AAAA"},)"
                R"({"functionCall":{"name":"f","args":{}}},)"
                R"({"functionCall":{"name":"f","args":{"a":1}}})",
                result() + "," + result() + "," + result())
               .substr(1),
       {"info field.invalid /generationConfig/thinkingConfig",
        "info field.invalid /contents/1/parts/0/functionCall/args",
        "info field.invalid /contents/1/parts/1/functionCall/args",
        "info field.invalid /contents/1/parts/2/functionCall/args"}},
      {"lone surrogates anywhere",
       R"({"systemInstruction":{"parts":[{"text":"\ud83d\ud83d"}]},)" +
           step(call(), R"({"functionResponse":{"name":"f","response":{"\udc22":"a\ud83d"}}})")
               .substr(1),
       R"({"systemInstruction":{"parts":[{"text":"\ufffd\ufffd"}]},)" +
           step(call(), R"({"functionResponse":{"name":"f","response":{"\ufffd":"a\ufffd"}}})")
               .substr(1),
       {"info text.lone_surrogate /systemInstruction/parts/0/text",
        "info text.lone_surrogate /contents/2/parts/0/functionResponse/response/\ufffd"}},
      {"roles of other clients",
       bodyOf({content("human", {text("a")}), content("ai", {call()}),
               content("function", {result()})}),
       bodyOf({user("a"), callTurn(), resultTurn()}),
       {"info role.invalid /contents/0/role", "info role.invalid /contents/1/role",
        "info role.invalid /contents/2/role"},
       "gemini-3.1-pro",
       gemini::Backend::kVertex},
      {"a Part without data",
       bodyOf({content("user", {"{}", text("a"), R"({"text":null})"})}),
       bodyOf({user("a")}),
       {"info part.no_data /contents/0/parts/0", "info part.no_data /contents/0/parts/2"}},
      {"commas before brackets, and nothing else",
       "{\"contents\": [ {\"role\":\"user\",\r\n\"parts\":[{\"text\":\",]\",} ,]},\n]\n,}",
       "{\"contents\": [ {\"role\":\"user\",\r\n\"parts\":[{\"text\":\",]\"} ]}\n]\n}",
       {"info json.lenient /contents/0/parts/0", "info json.lenient /contents/0/parts",
        "info json.lenient /contents", "info json.lenient "}},
      {"commas before brackets, and fields that the API refuses",
       R"({"contents":[{"role":"user","id":"7","parts":[{"text":"a",},],},{"role":"model","parts":[)"
       R"({"text":"b"}]},{"role":"user","parts":{"text":"c","callId":1},},],})",
       R"({"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[)"
       R"({"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}]})",
       {"info json.lenient /contents/0/parts/0", "info json.lenient /contents/0/parts",
        "info json.lenient /contents/0", "info json.lenient /contents/2",
        "info json.lenient /contents", "info json.lenient ", "info field.unknown /contents/0/id",
        "info field.unknown /contents/2/parts/callId"}},
      {"single quotes and keys without quotes",
       R"({contents:[{role:'user',id:'7',parts:[{'text':'"a"',},]}]})",
       R"({"contents":[{"role":"user","parts":[{"text":"\"a\""}]}]})",
       {"info json.lenient /contents", "info json.lenient /contents/0/role",
        "info json.lenient /contents/0/role", "info json.lenient /contents/0/id",
        "info json.lenient /contents/0/id", "info json.lenient /contents/0/parts",
        "info json.lenient /contents/0/parts/0/text", "info json.lenient /contents/0/parts/0/text",
        "info json.lenient /contents/0/parts/0", "info json.lenient /contents/0/parts",
        "info field.unknown /contents/0/id"}},
      {"single objects in place of lists",
       R"({"contents":{"role":"user","id":"7","parts":{"text":"a","callId":1}}})",
       R"({"contents":[{"role":"user","parts":[{"text":"a"}]}]})",
       {"info field.unknown /contents/id", "info field.unknown /contents/parts/callId"}},
      {"an empty text on Vertex AI",
       step(call() + "," + text(""), result()),
       step(call(), result()),
       {"info text.empty /contents/1/parts/1"},
       "gemini-3.8-flash",
       gemini::Backend::kVertex},
      {"Contents without Parts",
       bodyOf({R"({"role":"user","parts":[]})", user(), R"({"role":"model"})"}),
       bodyOf({user()}),
       {"info parts.empty /contents/0", "info parts.empty /contents/2"}},
      {"empty tools",
       R"({"tools":[{},{"googleSearch":{}},{"functionDeclarations":[]}],)" +
           bodyOf({user()}).substr(1),
       R"({"tools":[{"googleSearch":{}}],)" + bodyOf({user()}).substr(1),
       {"info tools.empty /tools/0", "info tools.empty /tools/2"}},
      {"an empty tool in place of a list, and the config of its functions",
       R"({"tools":{"functionDeclarations":[]},"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},)" +
           bodyOf({user()}).substr(1),
       R"({"toolConfig":{},)" + bodyOf({user()}).substr(1),
       {"info tools.empty /tools",
        "info tools.config_without_declarations /toolConfig/functionCallingConfig"}},
      {"the search of Gemini 1.5",
       R"({"tools":[{"google_search_retrieval":{"dynamicRetrievalConfig":{}}},)"
       R"({"googleSearch":{},"googleSearchRetrieval":{}}],)" +
           bodyOf({user()}).substr(1),
       R"({"tools":[{"googleSearch":{}},{"googleSearch":{}}],)" + bodyOf({user()}).substr(1),
       {"info tools.search_retrieval /tools/0/google_search_retrieval",
        "info tools.search_retrieval /tools/1/googleSearchRetrieval"}},
      {"built-in tools beside functions",
       R"({"tools":[{"functionDeclarations":[{"name":"f"}]},{"urlContext":{}}],)" +
           bodyOf({user()}).substr(1),
       R"({"tools":[{"functionDeclarations":[{"name":"f"}]},{"urlContext":{}}],)" +
           bodyOf({user()}).substr(1, bodyOf({user()}).size() - 2) +
           R"(,"toolConfig":{"includeServerSideToolInvocations":true}})",
       {"info tools.mixed_without_flag /tools"}},
      {"built-in tools beside functions, with a config",
       R"({"tool_config":{"include_server_side_tool_invocations":false},)"
       R"("tools":[{"functionDeclarations":[{"name":"f"}]},{"urlContext":{}}],)" +
           bodyOf({user()}).substr(1),
       R"({"tool_config":{"include_server_side_tool_invocations":true},)"
       R"("tools":[{"functionDeclarations":[{"name":"f"}]},{"urlContext":{}}],)" +
           bodyOf({user()}).substr(1),
       {"info tools.mixed_without_flag /tools"}},
      {"the flag of Gemini 3 for 2.5",
       R"({"toolConfig":{"includeServerSideToolInvocations":true},"tools":[{"googleSearch":{}}],)" +
           bodyOf({user()}).substr(1),
       R"({"toolConfig":{},"tools":[{"googleSearch":{}}],)" + bodyOf({user()}).substr(1),
       {"info tools.flag_unsupported /toolConfig/includeServerSideToolInvocations"},
       "gemini-2.5-flash"},
      {"a field of Vertex AI",
       R"({"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true,"mode":"AUTO"}},)"
       R"("tools":[{"functionDeclarations":[{"name":"f"}]}],)" +
           bodyOf({user()}).substr(1),
       R"({"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},)"
       R"("tools":[{"functionDeclarations":[{"name":"f"}]}],)" +
           bodyOf({user()}).substr(1),
       {"info field.unknown /toolConfig/functionCallingConfig/streamFunctionCallArguments"}},
      {"fields that a cachedContent forbids",
       R"({"system_instruction":{"parts":[{"text":"a"}]},"cachedContent":"cachedContents/c","tools":[],)" +
           bodyOf({user()}).substr(1),
       R"({"cachedContent":"cachedContents/c",)" + bodyOf({user()}).substr(1),
       {"info cache.forbidden_fields /system_instruction", "info cache.forbidden_fields /tools"}},
  };
}

std::string withMedia(const std::string& name, const std::string& id, const std::string& data) {
  const std::string result = test::result(name, id);
  return result.substr(0, result.size() - 2) +
         R"(,"parts":[{"inlineData":{"mimeType":"image/png","data":")" + data + R"("}}]}})";
}

std::vector<RepairCase> stepCases() {
  const std::string answered = bodyOf({user(), kTwoCalls, kBothResults});
  return {
      {"one answer in several Contents",
       bodyOf({user(), model("so"), content("model", {call("f", "1")}),
               content("model", {unsignedCall("g", "2")}), kBothResults}),
       bodyOf({user(), content("model", {text("so"), call("f", "1"), unsignedCall("g", "2")}),
               kBothResults}),
       {"info call.order /contents/2", "info call.order /contents/3"}},
      {"calls and results in one Content",
       bodyOf({user(), content("model", {call("f", "1"), result("f", "1"), unsignedCall("g", "2"),
                                         result("g", "2")})}),
       answered,
       {"info response.interleaved /contents/1"}},
      {"results in two Contents, out of order",
       bodyOf({user(), kTwoCalls, content("user", {result("g", "2")}),
               content("user", {result("f", "1")})}),
       answered,
       {"info response.split /contents/3"}},
      {"user text between the calls and their results",
       bodyOf({user(), kTwoCalls, user("wait"), content("user", {result("f", "1")}),
               content("user", {text("and"), result("g", "2")})}),
       bodyOf({user(), kTwoCalls, kBothResults, user("wait"), content("user", {text("and")})}),
       {"info response.split /contents/4"}},
      {"a lost result",
       bodyOf({user(), kTwoCalls, content("user", {result("g", "2")})}),
       bodyOf({user(), kTwoCalls, content("user", {lost("f", "1"), result("g", "2")})}),
       {"info response.count /contents/2"}},
      {"results that came twice",
       bodyOf({user(), kTwoCalls,
               content("user",
                       {result("f", "1"), result("g", "2"), result("f", "1"), result("g", "2")})}),
       bodyOf({user(), kTwoCalls, kBothResults}),
       {"info response.count /contents/2"}},
      {"lost results before user text",
       bodyOf({user(), kTwoCalls, user("go on")}),
       bodyOf(
           {user(), kTwoCalls, content("user", {lost("f", "1"), lost("g", "2")}), user("go on")}),
       {"info call.open /contents/1"}},
      {"calls at the end of the request",
       bodyOf({user(), callTurn()}),
       bodyOf({user(), callTurn(), content("user", {lost()})}),
       {"info call.open /contents/1"}},
      {"an id on the result only",
       step(call(), result("f", "1")),
       step(call(), result()),
       {"info response.id_mismatch /contents/2/parts/0"}},
      {"an id on the call only",
       step(call("f", "1"), result()),
       step(call("f", "1"),
            R"({"functionResponse":{"name":"f","response":{"output":1},"id":"1"}})"),
       {"info response.id_mismatch /contents/2/parts/0"}},
      {"the call's id as the name of the result",
       step(call("f", "c1"), result("c1", "c1")),
       step(call("f", "c1"), result("f", "c1")),
       {"info response.name_mismatch /contents/2/parts/0"}},
      {"the only result under another name",
       step(call(), result("h")),
       step(call(), result()),
       {"info response.name_mismatch /contents/2/parts/0"}},
      {"results without ids, out of order",
       step(call("f") + "," + unsignedCall("g"), result("g") + "," + result("f")),
       step(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g")),
       {"info response.order /contents/2"}},
      {"calls of one name with results in call order",
       bodyOf({user(), kSameNamesWithIds, resultTurn(), resultTurn()}),
       bodyOf({user(), kSameNamesWithIds,
               content("user",
                       {R"({"functionResponse":{"name":"f","response":{"output":1},"id":"1"}})",
                        R"({"functionResponse":{"name":"f","response":{"output":1},"id":"2"}})"})}),
       {"info response.split /contents/3", "info response.id_mismatch /contents/2/parts/0",
        "info response.id_mismatch /contents/3/parts/0"}},
      {"a repair of a new Content is located at the Content it came from",
       bodyOf({user(), content("model", {call("f"), unsignedCall("g"), result("f")})}),
       bodyOf({user(), content("model", {call("f"), unsignedCall("g")}),
               content("user", {result("f"), lost("g")})}),
       {"info response.interleaved /contents/1", "info response.count /contents/1"}},
      {"two signed steps, the first without results",
       bodyOf({user(), callTurn(), content("model", {call("f", "", "BBBB")}), resultTurn()}),
       bodyOf({user(), callTurn(), content("user", {lost()}),
               content("model", {call("f", "", "BBBB")}), resultTurn()}),
       {"info call.open /contents/1"}},
      {"text after the results",
       step(call(), result() + "," + text("and")),
       bodyOf({user(), callTurn(), resultTurn(), user("and")}),
       {"info response.trailing_content /contents/2/parts/1"},
       "gemini-3.8-flash",
       gemini::Backend::kVertex},
      {"media in results, which Gemini 2.5 does not take",
       bodyOf({user(), kTwoCalls,
               content("user", {withMedia("f", "1", "AAAA"), withMedia("g", "2", "BBBB")})}),
       bodyOf({user(), kTwoCalls, kBothResults,
               content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})",
                                R"({"inlineData":{"mimeType":"image/png","data":"BBBB"}})"})}),
       {"info response.parts_unsupported /contents/2/parts/0/functionResponse/parts"},
       "gemini-2.5-flash"},
      {"an empty chunk behind a streamed call",
       bodyOf({user(), callTurn(), model(""), resultTurn()}),
       bodyOf({user(), content("model", {call(), text("")}), resultTurn()}),
       {"info call.split /contents/2"}},
  };
}

// Bodies with more than one possible repair.
std::vector<std::pair<std::string, std::string>> ambiguousCases() {
  return {
      {"one result for two calls of one name", bodyOf({user(), kSameNames, resultTurn()})},
      {"one result without an id for two calls with ids",
       bodyOf({user(), kSameNamesWithIds, resultTurn()})},
      {"a result whose id matches no call", step(call() + "," + unsignedCall(), result("f", "9"))},
      {"a result after user text", bodyOf({user(), kSameNames, user("wait"), resultTurn()})},
      {"a result between calls of one name",
       bodyOf({user(), content("model", {call(), result(), unsignedCall()})})},
      {"one of two calls of one name is answered, in order",
       step(call() + "," + unsignedCall("g") + "," + unsignedCall(), result("g") + "," + result())},
      {"two calls of one name are answered, a third call is not",
       step(call("g") + "," + unsignedCall() + "," + unsignedCall(), result() + "," + result())},
      {"all calls are answered, out of order",
       step(call() + "," + unsignedCall("g") + "," + unsignedCall(),
            result("g") + "," + result() + "," + result())},
      {"two calls with one id, out of order",
       step(call("f", "1") + "," + unsignedCall("g", "2") + "," + unsignedCall("f", "1"),
            result("g") + "," + result("f", "1"))},
      {"results that came twice, once with another name",
       bodyOf({user(), kTwoCalls,
               content("user", {result("f", "1"), result("g", "2"), result("g", "1")})})},
      {"results without ids that came twice", step(call(), result() + "," + result())},
      {"two model Contents that may be one answer",
       bodyOf({user(), callTurn(), content("model", {unsignedCall()}), resultTurn()})},
  };
}

// Google ran the first call itself (tools.mcpServers).
TEST(Repair, InventsNoResultForACallThatGoogleAnswered) {
  const Judge judge;
  const auto body = [](const std::vector<std::string>& results) {
    const std::string calls = content(
        "model", {call("f", "1"), result("f", "1"), call("g", "2"), unsignedCall("h", "3")});
    const std::string plain = bodyOf({user(), calls, content("user", results)});
    return plain.substr(0, plain.size() - 1) + R"(,"tools":[{"mcpServers":[{"name":"m"}]}]})";
  };
  const RepairResult done = repairRequest(body({result("g", "2")}), judge.context());
  EXPECT_EQ(done.body.text(), body({result("g", "2"), lost("h", "3")}));
}

// Chunks of an answer whose calls Google ran, each kept as a Content: 8be0c3c4638280ce.
TEST(Repair, GivesNoResultToALaterCall) {
  const Judge judge;
  const std::string second = call("f", "", "BBBB");
  const auto split = [&second](const std::string& end) {
    return bodyOf(
        {user(), callTurn(), content("model", {result()}), content("model", {second}), end});
  };
  const std::string lost = R"({"functionResponse":{"name":"f",)" + kLostResponse + "}}";
  EXPECT_EQ(repairRequest(split(user("stop")), judge.context()).body.text(),
            split(content("user", {lost}) + "," + user("stop")));
  const auto withServers = [](const std::string& body) {
    return body.substr(0, body.size() - 1) + R"(,"tools":[{"mcpServers":[{"name":"m"}]}]})";
  };
  const std::string answered =
      bodyOf({user(), callTurn(), content("model", {result()}), content("model", {second}),
              content("model", {result()}), model("a"), user()});
  EXPECT_EQ(repairRequest(withServers(answered), judge.context()).body.text(),
            withServers(bodyOf({user(), content("model", {call(), result(), second}),
                                content("model", {result()}), model("a"), user()})));
}

TEST(Repair, LeavesAmbiguousResultsUnrepaired) {
  const Judge judge;
  for (const auto& [description, body] : ambiguousCases()) {
    const RepairResult repaired = repairRequest(body, judge.context());
    EXPECT_EQ(repaired.body.text().find("was lost"), std::string::npos) << description;
    EXPECT_EQ(repaired.body.text().find(R"("id":"1","name":"f","response")") != std::string::npos,
              body.find(R"("id":"1","name":"f","response")") != std::string::npos)
        << description;
    const Lines lines = test::linesOf(repaired.findings, judge.target());
    EXPECT_NE(std::find_if(lines.begin(), lines.end(),
                           [](const std::string& line) { return line.rfind("error", 0) == 0; }),
              lines.end())
        << description;
  }
}

// More than any service accepts. Each would be compared with all others.
TEST(Repair, LeavesEqualDeclarationsInVeryManyTools) {
  const auto bodyWith = [](int count) {
    std::string tools;
    for (int i = 0; i < count; ++i) tools += R"({"functionDeclarations":[{"name":"f"}]},)";
    return R"({"toolConfig":{"includeServerSideToolInvocations":true},"tools":[)" + tools +
           R"({"googleSearch":{}}],"contents":[)" + user() + "]}";
  };
  const Judge judge;
  for (const auto& [count, isRepaired] : {std::pair(50, true), std::pair(30'000, false)}) {
    const std::string body = bodyWith(count);
    const RepairResult repaired = repairRequest(body, judge.context());
    EXPECT_EQ(repaired.body.text() != body, isRepaired) << count;
    const Lines lines = test::linesOf(repaired.findings, judge.target());
    EXPECT_TRUE(test::hasCode(lines, "tools.duplicate_declaration"));
  }
}

// Each would be looked for among all others.
TEST(Repair, LeavesVeryManyEmptyTools) {
  const Judge judge;
  for (const auto& [count, isRepaired] : {std::pair(500, true), std::pair(30'000, false)}) {
    std::string tools;
    for (int i = 0; i < count; ++i)
      tools += i % 2 == 0 ? "{}," : R"({"googleSearchRetrieval":{}},)";
    const std::string body =
        R"({"tools":[)" + tools + R"({"urlContext":{}}],)" + bodyOf({user()}).substr(1);
    const RepairResult repaired = repairRequest(body, judge.context());
    EXPECT_EQ(repaired.body.text() != body, isRepaired) << count;
  }
}

// Each would be looked for among all others.
TEST(Repair, LeavesBothSpellingsOfVeryManyFields) {
  const Judge judge;
  for (const auto& [count, isRepaired] : {std::pair(50, true), std::pair(20'000, false)}) {
    std::string part = R"({"text":"t")";
    for (int i = 0; i < count; ++i) {
      const std::string at = std::to_string(i);
      part += ",\"key_a" + at + "\":1,\"keyA" + at + "\":1";
    }
    const std::string body = bodyOf({content("user", {part + "}"})});
    const RepairResult repaired = repairRequest(body, judge.context());
    EXPECT_EQ(repaired.body.text() != body, isRepaired) << count;
    EXPECT_TRUE(
        test::hasCode(test::linesOf(repaired.findings, judge.target()), "json.duplicate_key"));
  }
}

TEST(Repair, RewritesTheSchemasOfACountTokensBody) {
  const auto bodyWith = [](const std::string& property) {
    return R"({"generateContentRequest":{"model":"models/gemini-3.8-flash","contents":[)" + user() +
           R"(],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object",)" +
           R"("properties":{"u":)" + property + "}}}]}]}}";
  };
  const Judge judge;
  const RepairResult repaired = repairRequest(bodyWith(R"({"const":"C"})"), judge.context());
  EXPECT_EQ(repaired.body.text(), bodyWith(R"({"enum":["C"],"type":"string"})"));
  const Lines lines = test::linesOf(repaired.findings, judge.target());
  EXPECT_EQ(std::count(lines.begin(), lines.end(),
                       "info schema.unknown_keyword /generateContentRequest/tools/0/"
                       "functionDeclarations/0/parameters/properties/u/const"),
            1);
}

TEST(Repair, ReportsTheOriginalPlaceBehindPartsInSingleQuotes) {
  const Judge judge;
  const RepairResult repaired =
      repairRequest(R"({"contents":[{"role":"user","parts":['a','b',{"text":"c","callId":1}]}]})",
                    judge.context());
  const Lines lines = test::linesOf(repaired.findings, judge.target());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "info field.unknown /contents/0/parts/2/callId"),
            1);
}

class RepairCases : public testing::TestWithParam<RepairCase> {};

TEST_P(RepairCases, ReportWhatTheyChangeAndAreIdempotent) {
  const RepairCase& each = GetParam();
  const Judge judge(each.model, each.backend);
  const RepairResult repaired = repairRequest(each.original, judge.context());
  EXPECT_EQ(repaired.body.text(), each.repaired);
  EXPECT_EQ(repaired.body.segments().join(), each.repaired);
  Lines reported;
  for (const std::string& line : test::linesOf(repaired.findings, judge.target())) {
    const bool expected =
        std::find(each.reports.begin(), each.reports.end(), line) != each.reports.end();
    if (expected) reported.push_back(line);
    EXPECT_EQ(line.rfind("error", 0), std::string::npos) << line;
  }
  EXPECT_EQ(reported, each.reports);
  const RepairResult again = repairRequest(each.repaired, judge.context());
  EXPECT_EQ(again.body.text(), each.repaired);
}

INSTANTIATE_TEST_SUITE_P(Fields, RepairCases, testing::ValuesIn(fieldCases()));
INSTANTIATE_TEST_SUITE_P(Steps, RepairCases, testing::ValuesIn(stepCases()));

// More faults than a list of findings keeps.
TEST(Repair, RepairsVeryManyFaultsAndListsSomeOfThem) {
  constexpr uint32_t kMany = 5000;
  const Judge judge;
  const std::vector<std::string> empty(kMany, "{}");
  std::vector<std::string> parts = empty;
  parts.push_back(text("a"));
  std::vector<std::string> contents = empty;
  contents.push_back(user());
  for (const std::string& body : {bodyOf({content("user", parts)}), bodyOf(contents)}) {
    const RepairResult repaired = repairRequest(body, judge.context());
    EXPECT_TRUE(judge.lint(repaired.body.text()).empty()) << repaired.body.text().substr(0, 80);
    ASSERT_EQ(repaired.findings.size(), catalogue::Findings::kMostPerGroup);
    EXPECT_EQ(repaired.findings.back().more, kMany - repaired.findings.size());
    EXPECT_LE(repaired.body.segments().pieces().size(), 3U);
  }
}

TEST(Repair, StopsAtTheLimitOfValues) {
  const Judge judge;
  const std::vector<std::string> empty(1000, "{}");
  const std::string body = bodyOf(empty);
  RepairOptions options;
  options.maxValues = 2000;
  const RepairResult stopped = repairRequest(body, judge.context(), options);
  EXPECT_TRUE(stopped.exceeded);
  EXPECT_EQ(stopped.body.text(), body);
  options.maxValues = 20'000;
  EXPECT_FALSE(repairRequest(body, judge.context(), options).exceeded);
  // A body without errors is read once.
  options.maxValues = 100;
  EXPECT_FALSE(repairRequest(bodyOf({user()}), judge.context(), options).exceeded);
}

}  // namespace
}  // namespace strata::repair
