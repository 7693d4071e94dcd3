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

const std::string kLost = R"("response":{"error":"The result of this call was lost."})";

std::string lost(const std::string& name = "f", const std::string& id = "") {
  return R"({"functionResponse":{)" + test::idMember(id) + R"("name":")" + name + "\"," + kLost +
         "}}";
}

/// A faulty body, what repair makes of it, and what it says it did.
struct MendCase {
  std::string what;
  std::string bad;
  std::string repaired;
  Lines says;
  std::string model = "gemini-3.8-flash";
  gemini::Backend backend = gemini::Backend::kGemini;
};

void PrintTo(const MendCase& each, std::ostream* out) { *out << each.what; }

const std::string kTwo = content("model", {call("f", "1"), unsignedCall("g", "2")});
const std::string kBoth = content("user", {result("f", "1"), result("g", "2")});

// A step whose call and result are these.
std::string step(const std::string& calls, const std::string& results) {
  return bodyOf({user(), content("model", {calls}), content("user", {results})});
}

const std::string kSame = content("model", {call(), unsignedCall()});
const std::string kSameWithIds = content("model", {call("f", "1"), unsignedCall("f", "2")});

std::vector<MendCase> fieldCases() {
  const std::string signedCall = R"({"functionCall":{"name":"f"},"thoughtSignature":"AAAA"})";
  return {
      {"a role that others use",
       bodyOf({content("assistant", {text("a")}), content("tool", {text("b")})}),
       bodyOf({model("a"), user("b")}),
       {"info role.invalid /contents/0/role", "info role.invalid /contents/1/role"}},
      {"a missing role",
       bodyOf({user(), R"({"parts":[{"functionCall":{"name":"f"},"thoughtSignature":"AAAA"}]})",
               R"({"role":null,"parts":[)" + result() + "]}"}),
       bodyOf({user(), R"({"parts":[)" + signedCall + R"(],"role":"model"})", resultTurn()}),
       {"info role.invalid /contents/1", "info role.invalid /contents/2"}},
      {"refused fields",
       bodyOf({R"({"id":"7", "role":"user","timestamp":1,"parts":[{"text":"a","callId":2}] })"}),
       bodyOf({R"({"role":"user","parts":[{"text":"a"}] })"}),
       {"info field.unknown /contents/0/id", "info field.unknown /contents/0/timestamp",
        "info field.unknown /contents/0/parts/0/callId"}},
      {"both spellings that say the same",
       step(R"({"functionCall":{"name":"f"},"function_call":{"name":"f"},)"
            R"("thoughtSignature":"AAAA"})",
            result()),
       step(signedCall, result()),
       {"info json.duplicate_key /contents/1/parts/0/function_call"}},
      {"a signature inside the call",
       step(R"({"functionCall":{"thoughtSignature":"AAAA","name":"f"}})", result()),
       step(signedCall, result()),
       {"info signature.inside_call /contents/1/parts/0/functionCall"}},
      {"a signature inside the call, an empty one beside it",
       step(R"({"functionCall":{"name":"f","thought_signature":"AAAA"},"thoughtSignature":""})",
            result()),
       step(signedCall, result()),
       {"info signature.inside_call /contents/1/parts/0/functionCall"}},
      {"a signature that is none",
       bodyOf({user(), content("model", {R"({"text":"a","thoughtSignature":"no!"})"}), user()}),
       bodyOf({user(), model("a"), user()}),
       {"info signature.not_base64 /contents/1/parts/0"}},
      {"a result that is no object",
       step(call(), R"({"functionResponse":{"name":"f","response":[1, 2]}})"),
       step(call(), R"({"functionResponse":{"name":"f","response":{"output":[1, 2]}}})"),
       {"info response.not_object /contents/2/parts/0/functionResponse/response"}},
      {"a Part without data",
       bodyOf({content("user", {"{}", text("a"), R"({"thought":true})"})}),
       bodyOf({user("a")}),
       {"info part.no_data /contents/0/parts/0", "info part.no_data /contents/0/parts/2"}},
      {"a signature that stands alone",
       bodyOf({user(), content("model", {text("a"), R"({"thoughtSignature":"AAAA"})"}), user()}),
       bodyOf({user(), content("model", {text("a"), R"({"thoughtSignature":"AAAA","text":""})"}),
               user()}),
       {"info part.no_data /contents/1/parts/1"}},
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
      {"what may not stand beside a cache",
       R"({"system_instruction":{"parts":[{"text":"a"}]},"cachedContent":"c","tools":[],)" +
           bodyOf({user()}).substr(1),
       R"({"cachedContent":"c",)" + bodyOf({user()}).substr(1),
       {"info cache.forbidden_fields /system_instruction", "info cache.forbidden_fields /tools"}},
  };
}

std::vector<MendCase> stepCases() {
  const std::string answered = bodyOf({user(), kTwo, kBoth});
  return {
      {"one answer in several Contents",
       bodyOf({user(), model("so"), content("model", {call("f", "1")}),
               content("model", {unsignedCall("g", "2")}), kBoth}),
       bodyOf(
           {user(), content("model", {text("so"), call("f", "1"), unsignedCall("g", "2")}), kBoth}),
       {"info call.order /contents/2", "info call.order /contents/3"}},
      {"calls and results in one Content",
       bodyOf({user(), content("model", {call("f", "1"), result("f", "1"), unsignedCall("g", "2"),
                                         result("g", "2")})}),
       answered,
       {"info response.interleaved /contents/1"}},
      {"results in two Contents, in another order",
       bodyOf({user(), kTwo, content("user", {result("g", "2")}),
               content("user", {result("f", "1")})}),
       answered,
       {"info response.split /contents/3"}},
      {"words between the calls and their results",
       bodyOf({user(), kTwo, user("wait"), content("user", {result("f", "1")}),
               content("user", {text("and"), result("g", "2")})}),
       bodyOf({user(), kTwo, kBoth, user("wait"), content("user", {text("and")})}),
       {"info response.split /contents/4"}},
      {"a lost result",
       bodyOf({user(), kTwo, content("user", {result("g", "2")})}),
       bodyOf({user(), kTwo, content("user", {lost("f", "1"), result("g", "2")})}),
       {"info response.count /contents/2"}},
      {"lost results before the user's words",
       bodyOf({user(), kTwo, user("go on")}),
       bodyOf({user(), kTwo, content("user", {lost("f", "1"), lost("g", "2")}), user("go on")}),
       {"info call.open /contents/1"}},
      {"calls that end the request",
       bodyOf({user(), callTurn()}),
       bodyOf({user(), callTurn(), content("user", {lost()})}),
       {"info call.open /contents/1"}},
      {"an id on the result's side only",
       step(call(), result("f", "1")),
       step(call(), result()),
       {"info response.id_mismatch /contents/2/parts/0"}},
      {"an id on the call's side only",
       step(call("f", "1"), result()),
       step(call("f", "1"),
            R"({"functionResponse":{"name":"f","response":{"output":1},"id":"1"}})"),
       {"info response.id_mismatch /contents/2/parts/0"}},
      {"a call's id as the result's name",
       step(call("f", "c1"), result("c1", "c1")),
       step(call("f", "c1"), result("f", "c1")),
       {"info response.name_mismatch /contents/2/parts/0"}},
      {"the only result under another name",
       step(call(), result("h")),
       step(call(), result()),
       {"info response.name_mismatch /contents/2/parts/0"}},
      {"results without ids in another order",
       step(call("f") + "," + unsignedCall("g"), result("g") + "," + result("f")),
       step(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g")),
       {"info response.order /contents/2"}},
      {"equal calls whose results stand in their order",
       bodyOf({user(), kSameWithIds, resultTurn(), resultTurn()}),
       bodyOf({user(), kSameWithIds,
               content("user",
                       {R"({"functionResponse":{"name":"f","response":{"output":1},"id":"1"}})",
                        R"({"functionResponse":{"name":"f","response":{"output":1},"id":"2"}})"})}),
       {"info response.split /contents/3", "info response.id_mismatch /contents/2/parts/0",
        "info response.id_mismatch /contents/3/parts/0"}},
      {"what was made by a mend is told where it was made from",
       bodyOf({user(), content("model", {call("f"), unsignedCall("g"), result("f")})}),
       bodyOf({user(), content("model", {call("f"), unsignedCall("g")}),
               content("user", {result("f"), lost("g")})}),
       {"info response.interleaved /contents/1", "info response.count /contents/1"}},
      {"two signed steps, the first without results",
       bodyOf({user(), callTurn(), content("model", {call("f", "", "BBBB")}), resultTurn()}),
       bodyOf({user(), callTurn(), content("user", {lost()}),
               content("model", {call("f", "", "BBBB")}), resultTurn()}),
       {"info call.open /contents/1"}},
      {"words behind the results",
       step(call(), result() + "," + text("and")),
       step(call(), text("and") + "," + result()),
       {"info response.trailing_content /contents/2/parts/1"}},
  };
}

// What could be mended in two ways.
std::vector<std::pair<std::string, std::string>> unsureCases() {
  return {
      {"one result of two equal calls", bodyOf({user(), kSame, resultTurn()})},
      {"the calls' ids say nothing of it", bodyOf({user(), kSameWithIds, resultTurn()})},
      {"its own id is no call's", step(call() + "," + unsignedCall(), result("f", "9"))},
      {"a late result", bodyOf({user(), kSame, user("wait"), resultTurn()})},
      {"a result among the calls",
       bodyOf({user(), content("model", {call(), result(), unsignedCall()})})},
      {"one of them is there, in order",
       step(call() + "," + unsignedCall("g") + "," + unsignedCall(), result("g") + "," + result())},
      {"each of two could be either, where a third is lost",
       step(call("g") + "," + unsignedCall() + "," + unsignedCall(), result() + "," + result())},
      {"all are there, not in order", step(call() + "," + unsignedCall("g") + "," + unsignedCall(),
                                           result("g") + "," + result() + "," + result())},
      {"the same id twice, not in order",
       step(call("f", "1") + "," + unsignedCall("g", "2") + "," + unsignedCall("f", "1"),
            result("g") + "," + result("f", "1"))},
      {"two fragments that may be one answer",
       bodyOf({user(), callTurn(), content("model", {unsignedCall()}), resultTurn()})},
  };
}

TEST(Repair, NeverGuessesWhoseAResultIs) {
  const Judge judge;
  for (const auto& [what, body] : unsureCases()) {
    const Repaired repaired = repairRequest(body, judge.context());
    EXPECT_EQ(repaired.body.text().find("was lost"), std::string::npos) << what;
    EXPECT_EQ(repaired.body.text().find(R"("id":"1","name":"f","response")") != std::string::npos,
              body.find(R"("id":"1","name":"f","response")") != std::string::npos)
        << what;
    const Lines lines = test::linesOf(repaired.findings, judge.target());
    EXPECT_NE(std::find_if(lines.begin(), lines.end(),
                           [](const std::string& line) { return line.rfind("error", 0) == 0; }),
              lines.end())
        << what;
  }
}

class Mends : public testing::TestWithParam<MendCase> {};

TEST_P(Mends, DoWhatTheySayOnce) {
  const MendCase& each = GetParam();
  const Judge judge(each.model, each.backend);
  const Repaired repaired = repairRequest(each.bad, judge.context());
  EXPECT_EQ(repaired.body.text(), each.repaired);
  EXPECT_EQ(repaired.body.segments().join(), each.repaired);
  Lines mends;
  for (const std::string& line : test::linesOf(repaired.findings, judge.target())) {
    const bool known = std::find(each.says.begin(), each.says.end(), line) != each.says.end();
    if (known) mends.push_back(line);
    EXPECT_EQ(line.rfind("error", 0), std::string::npos) << line;
  }
  EXPECT_EQ(mends, each.says);
  const Repaired again = repairRequest(each.repaired, judge.context());
  EXPECT_EQ(again.body.text(), each.repaired);
}

INSTANTIATE_TEST_SUITE_P(Fields, Mends, testing::ValuesIn(fieldCases()));
INSTANTIATE_TEST_SUITE_P(Steps, Mends, testing::ValuesIn(stepCases()));

}  // namespace
}  // namespace strata::repair
