#include <gtest/gtest.h>

#include "support/imports.h"

namespace strata::dialects {
namespace {

using test::Import;
using test::Lines;

std::string messages(const std::vector<std::string>& all) { return "[" + test::joined(all) + "]"; }

// Two parallel calls as Google's OpenAI-compatible endpoint returns them: only the first is signed.
const std::string kCalls =
    R"({"role":"assistant","content":null,"tool_calls":[)"
    R"({"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Z\\u00fcrich\", \"n\": 9007199254740993, \"x\": 1.0}"},)"
    R"("extra_content":{"google":{"thought_signature":"RW9Cc2ln"}}},)"
    R"({"id":"c2","type":"function","function":{"name":"time","arguments":""}}]})";

std::string toolMessage(const std::string& id, const std::string& content) {
  return R"({"role":"tool","tool_call_id":")" + id + R"(","content":)" + content + "}";
}

std::string userMessage(const std::string& text) {
  return R"({"role":"user","content":")" + text + "\"}";
}

TEST(ImportOpenAi, ConvertsAStepToTwoContentsInCallOrder) {
  const Import import(messages({userMessage("Weather?"), kCalls, toolMessage("c2", R"("noon")"),
                                toolMessage("c1", R"("{\"sky\":\"clear\",\"t\":21.0}")"),
                                R"({"role":"assistant","content":"Clear, noon."})"}));
  ASSERT_EQ(import.error(), "");
  EXPECT_EQ(
      import.turns(),
      (Lines{
          R"({"role":"user","parts":[{"text":"Weather?"}]})",
          R"({"role":"model","parts":[{"functionCall":{"id":"c1","name":"weather","args":{"city": "Z\u00fcrich", "n": 9007199254740993, "x": 1.0}},"thoughtSignature":"RW9Cc2ln"},{"functionCall":{"id":"c2","name":"time","args":{}}}]})",
          R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"weather","response":{"sky":"clear","t":21.0}}},{"functionResponse":{"id":"c2","name":"time","response":{"output":"noon"}}}]})",
          R"({"role":"model","parts":[{"text":"Clear, noon."}]})"}));
  EXPECT_EQ(import.lines(), Lines{});
  EXPECT_EQ(import.notes(), Lines{"info import.converted /3"});
}

// Gateways store signatures in fields that OpenAI's messages do not define.
TEST(ImportOpenAi, FindsSignaturesOfGateways) {
  const auto asked = [](const std::string& id, const std::string& extra) {
    return messages({userMessage("Weather?"),
                     R"({"role":"assistant","tool_calls":[{"id":")" + id +
                         R"(","type":"function","function":{"name":"f","arguments":"{}"})" + extra +
                         "}]}",
                     toolMessage(id, R"("clear")")});
  };
  const Import lite(asked("call_1__thought__RW9C", ""));
  EXPECT_EQ(
      lite.turns()[1],
      R"({"role":"model","parts":[{"functionCall":{"id":"call_1","name":"f","args":{}},"thoughtSignature":"RW9C"}]})");
  EXPECT_EQ(
      lite.turns()[2],
      R"({"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"f","response":{"output":"clear"}}}]})");
  EXPECT_EQ(lite.lines(), Lines{});

  const std::string vertex =
      asked("c", R"(,"extra_content":{"vertex":{"thought_signature":"RW9C"}})");
  EXPECT_EQ(Import(vertex).lines(), Lines{"error signature.foreign /contents/1/parts/0"});
  EXPECT_EQ(Import(vertex, {}, "gemini-3.8-flash", gemini::Backend::kVertex).lines(), Lines{});
}

TEST(ImportOpenAi, FindsASignatureInEveryKnownField) {
  const auto answer = [](const std::string& call, const std::string& function) {
    return messages({userMessage("Hello"),
                     R"({"role":"assistant","tool_calls":[{"id":"c","type":"function","function":)"
                     R"({"name":"f","arguments":"{}")" +
                         function + "}" + call + "}]}"});
  };
  const std::string own = R"(,"thought_signature":"RW9C")";
  const std::string lite = R"(,"provider_specific_fields":{"thought_signature":"RW9C"})";
  for (const std::string& body :
       {answer(own, ""), answer(lite, ""), answer("", own), answer("", lite)}) {
    const Import import(body);
    EXPECT_EQ(import.turns()[1], test::content("model", {test::call("f", "c", "RW9C")})) << body;
    EXPECT_EQ(import.notes(), Lines{});
  }
  const Import number(answer(R"(,"extra_content":{"google":{"thought_signature":5}})",
                             R"(,"thought_signature":[1],"provider_specific_fields":7)"));
  EXPECT_EQ(number.notes(),
            (Lines{"warning import.left_out /1/tool_calls/0/thought_signature",
                   "info import.left_out /1/tool_calls/0/function/provider_specific_fields"}));
  EXPECT_EQ(number.imported.notes[0].arg2, "it is not a string (2 times)");
}

TEST(ImportOpenAi, KeepsTheSignatureOfAMessage) {
  const std::string sign = R"("extra_content":{"google":{"thought_signature":"RW9C"}}})";
  const std::string empty = R"({"text":"","thoughtSignature":"RW9C"})";
  const std::vector<std::pair<std::string, std::string>> contents = {
      {R"("Hi!")", R"({"text":"Hi!","thoughtSignature":"RW9C"})"},
      {"null", empty},
      {"[]", empty},
      {R"([{"type":"text","text":"Hi!"},{"type":"video"}])", R"({"text":"Hi!"},)" + empty},
      {R"([{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}])",
       R"({"inlineData":{"mimeType":"audio/wav","data":"AA=="},"thoughtSignature":"RW9C"})"}};
  for (const auto& [content, parts] : contents) {
    const Import import(messages(
        {userMessage("Hello"), R"({"role":"assistant","content":)" + content + "," + sign}));
    EXPECT_EQ(import.turns()[1], test::content("model", {parts})) << content;
  }
}

TEST(ImportOpenAi, GivesACallTheSignatureThatNamesIt) {
  const auto answer = [](const std::string& fields, const std::string& details) {
    return messages({userMessage("Hello"),
                     R"({"role":"assistant",)" + fields +
                         R"(,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}],)"
                         R"("reasoning_details":[)" +
                         details +
                         R"({"type":"reasoning.encrypted","id":"a","data":"Q0FMTA=="}]})"});
  };
  const std::string call = test::call("f", "a", "Q0FMTA==");
  const std::string text = R"("content":"T")";
  const std::string signedText = R"({"text":"T","thoughtSignature":"VEVYVA=="})";
  const Import unnamed(answer(text, R"({"type":"reasoning.text","signature":"VEVYVA=="},)"));
  EXPECT_EQ(unnamed.turns()[1], test::content("model", {signedText, call}));
  const Import unknown(
      answer(text, R"({"type":"reasoning.encrypted","id":"zz","data":"VEVYVA=="},)"));
  EXPECT_EQ(unknown.turns()[1], test::content("model", {signedText, call}));
  EXPECT_EQ(unknown.notes(), Lines{});
}

TEST(ImportOpenAi, ReportsASignatureThatFindsNoPlace) {
  const auto detail = [](const std::string& id, const std::string& data) {
    return R"({"type":"reasoning.encrypted","id":")" + id + R"(","data":")" + data + "\"}";
  };
  const Import import(
      messages({userMessage("Hello"),
                R"({"role":"assistant","content":"T",)"
                R"("tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}],)"
                R"("reasoning_details":[)" +
                    test::joined({detail("a", "MQ=="), detail("a", "Mg=="), detail("", "Mw=="),
                                  detail("", "NA==")}) +
                    "]}"}));
  EXPECT_EQ(import.turns()[1], test::content("model", {R"({"text":"T","thoughtSignature":"Mw=="})",
                                                       test::call("f", "a", "MQ==")}));
  ASSERT_EQ(import.imported.notes.size(), 1U);
  EXPECT_EQ(import.imported.notes[0].arg2,
            "the message does not show which Part it signs (2 times)");
}

TEST(ImportOpenAi, ReturnsLeadingSystemTextAndConvertsLaterOnes) {
  const Import import(
      messages({R"({"role":"system","content":"Be kind."})",
                R"({"role":"developer","content":[{"type":"text","text":"Be brief."}]})",
                userMessage("Hi"), R"({"role":"assistant","content":"Hi!"})",
                R"({"role":"system","content":"The user is in Rome."})", userMessage("Weather?")}));
  EXPECT_EQ(import.imported.systemText, "Be kind.\n\nBe brief.");
  EXPECT_EQ(import.turns()[2], test::user("The user is in Rome."));
  EXPECT_EQ(import.notes(), (Lines{"warning import.system_text /0", "info import.converted /4"}));
  EXPECT_EQ(import.lines(), Lines{});
}

TEST(ImportOpenAi, ConvertsMediaToInlineDataOrFileData) {
  const Import import(messages({R"({"role":"user","content":[
    {"type":"text","text":"What is this?"},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},
    {"type":"image_url","image_url":{"url":"https://example.com/a.jpg?x=1"}},
    {"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}},
    {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]})"}));
  EXPECT_EQ(
      import.turns(),
      Lines{
          R"({"role":"user","parts":[{"text":"What is this?"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"fileData":{"mimeType":"image/jpeg","fileUri":"https://example.com/a.jpg?x=1"}},{"inlineData":{"mimeType":"audio/mp3","data":"SUQz"}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}]})"});
  EXPECT_EQ(import.lines(), Lines{});
}

TEST(ImportOpenAi, ReportsUnsupportedFieldsOnceWithACount) {
  const Import import(
      R"({"model":"gpt-5","tools":[],"messages":[{"role":"user","name":"ann","content":"a"},)"
      R"({"role":"assistant","content":"b","annotations":[],"refusal":null,"audio":{"id":"x"}},)"
      R"({"role":"user","name":"ann","content":[{"type":"video_url","video_url":{}}, {"type":"text","text":"c"}]}]})");
  EXPECT_EQ(import.notes(),
            (Lines{"info import.left_out /model", "info import.left_out /messages/0/name",
                   "info import.left_out /messages/1/audio",
                   "warning import.left_out /messages/2/content/0"}));
  EXPECT_EQ(import.imported.notes[1].arg2, "Contents have no field for it (2 times)");
}

TEST(ImportOpenAi, ReportsNonTextWhereOnlyTextIsAllowed) {
  const Import import(messages(
      {R"({"role":"system","content":[{"type":"text","text":"Be kind."},{"type":"image_url"}]})",
       userMessage("Hi"),
       R"({"role":"assistant","content":"Hello","reasoning":{"steps":[1]},"refusal":null})"}));
  EXPECT_EQ(import.imported.systemText, "Be kind.");
  EXPECT_EQ(import.notes(),
            (Lines{"warning import.system_text /0", "warning import.left_out /0/content/1",
                   "info import.left_out /2/reasoning"}));
}

TEST(ImportOpenAi, KeepsNonObjectArgumentsAsText) {
  for (const std::string arguments : {R"("{\"city\": \"Ro")", R"("[1]")", R"("Rome")"}) {
    const Import import(messages(
        {userMessage("a"),
         R"({"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":)" +
             arguments + "}}]}"}));
    EXPECT_NE(import.turns()[1].find(R"("args":{"arguments":)" + arguments + "}"),
              std::string::npos);
    EXPECT_EQ(import.notes(), Lines{"info import.converted /1/tool_calls/0"});
  }
}

TEST(ImportOpenAi, ReadsNullAsNoArguments) {
  for (const std::string given :
       {R"("arguments":"null")", R"("arguments":" null ")", R"("arguments":null)",
        R"("arguments":"")", R"("arguments":" \n")", R"("parameters":null)", R"("arguments":"[]")",
        R"("arguments":" [ ]\n")", R"("arguments":[])"}) {
    const std::string function = R"({"name":"f",)" + given + "}";
    for (const std::string& call : {R"("tool_calls":[{"id":"c","function":)" + function + "}]",
                                    R"("function_call":)" + function}) {
      const Import import(messages({userMessage("a"), R"({"role":"assistant",)" + call + "}"}));
      EXPECT_NE(import.turns()[1].find(R"("args":{})"), std::string::npos) << given;
      EXPECT_EQ(import.notes(), Lines{}) << given;
    }
  }
}

// A call without arguments is answered like any other.
TEST(ImportOpenAi, PairsTheResultOfACallWithoutArguments) {
  const Import import(messages({userMessage("a"),
                                R"({"role":"assistant","tool_calls":[{"id":"c","type":"function",)"
                                R"("function":{"name":"f","arguments":"null"}}]})",
                                toolMessage("c", R"("done")")}));
  EXPECT_EQ(import.turns()[1],
            test::content("model", {R"({"functionCall":{"id":"c","name":"f","args":{}}})"}));
  EXPECT_EQ(
      import.turns()[2],
      R"({"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"output":"done"}}}]})");
  EXPECT_EQ(import.notes(), Lines{});
}

TEST(ImportOpenAi, TakesTheImagesOfAResultInBothForms) {
  const std::string image = R"("data:image/png;base64,iVBO")";
  for (const std::string& url : {image, R"({"url":)" + image + "}"}) {
    const std::string parts =
        R"([{"type":"text","text":"a"},{"type":"image_url","image_url":)" + url + "}]";
    const Import import(
        messages({userMessage("a"),
                  R"({"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]})",
                  toolMessage("c", parts)}));
    EXPECT_EQ(
        import.turns()[2],
        R"({"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]}}]})");
    EXPECT_EQ(import.notes(), Lines{});
  }
}

TEST(ImportOpenAi, KeepsAResultWithoutACallAsText) {
  const Import import(messages({userMessage("a"), toolMessage("gone", R"("42 \"degrees\"")")}));
  EXPECT_EQ(import.turns()[1],
            R"({"role":"user","parts":[{"text":"Tool response: 42 \"degrees\""}]})");
  EXPECT_EQ(import.notes(), Lines{"warning import.text_fallback /1"});
  EXPECT_EQ(import.lines(), Lines{});
}

std::string resultPart(const std::string& id, const std::string& name, const std::string& output) {
  return R"({"functionResponse":{"id":")" + id + R"(","name":")" + name +
         R"(","response":{"output":")" + output + R"("}}})";
}

// The results of a step must be one Content directly behind its calls.
TEST(ImportOpenAi, WritesMessagesBetweenTheResultsOfAStepAfterThem) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"role":"system","content":"Hurry."})", "Hurry."},
      {userMessage("Hurry."), "Hurry."},
      {toolMessage("c1", R"("2")"), "Tool response: 2"},
      {toolMessage("gone", R"("1")"), "Tool response: 1"},
  };
  const std::string results =
      test::joined({resultPart("c1", "weather", "1"), resultPart("c2", "time", "noon")});
  for (const auto& [message, text] : cases) {
    const Import import(
        messages({userMessage("a"), kCalls, toolMessage("c1", R"("1")"), message,
                  toolMessage("c2", R"("noon")"), R"({"role":"assistant","content":"Done."})"}));
    ASSERT_EQ(import.thread.size(), 5U) << message;
    EXPECT_EQ(import.turns()[2], test::content("user", {results}));
    EXPECT_EQ(import.turns()[3], test::user(text));
    EXPECT_EQ(import.turns()[4], test::model("Done."));
    EXPECT_EQ(import.notes().back(), "info import.converted /4") << message;
  }
}

TEST(ImportOpenAi, LeavesOutAResultThatRepeatsAnother) {
  const std::string first = toolMessage("c1", R"("1")");
  const std::string second = toolMessage("c2", R"("noon")");
  for (const std::vector<std::string>& given : std::vector<std::vector<std::string>>{
           {first, first, second}, {first, second, first}, {second, first, second}}) {
    const Import import(messages({userMessage("a"), kCalls, given[0], given[1], given[2],
                                  R"({"role":"assistant","content":"Done."})"}));
    EXPECT_EQ(import.thread.size(), 4U);
    EXPECT_EQ(import.turns()[2], test::content("user", {resultPart("c1", "weather", "1"),
                                                        resultPart("c2", "time", "noon")}));
    EXPECT_EQ(import.lines(), Lines{});
    EXPECT_EQ(import.notes().back().substr(0, 24), "warning import.left_out ");
  }
}

TEST(ImportOpenAi, MergesConsecutiveAssistantMessages) {
  const Import import(messages({userMessage("a"), R"({"role":"assistant","content":"Let me see."})",
                                kCalls, toolMessage("c1", "\"1\""), toolMessage("c2", "\"2\"")}));
  EXPECT_EQ(import.thread.size(), 3U);
  EXPECT_EQ(import.lines(), Lines{});
  EXPECT_EQ(import.notes(), Lines{"info import.converted /2"});
}

TEST(ImportOpenAi, ReadsARefusalAsTheTextOfTheModel) {
  const Import import(
      messages({userMessage("a"), R"({"role":"assistant","content":null,"refusal":"I can't."})"}));
  EXPECT_EQ(import.turns(), (Lines{R"({"role":"user","parts":[{"text":"a"}]})",
                                   R"({"role":"model","parts":[{"text":"I can't."}]})"}));
}

TEST(ImportOpenAi, ReportsMissingSignaturesAndKeepsRealOnes) {
  const Import import(messages(
      {userMessage("a"),
       R"({"role":"assistant","tool_calls":[{"id":"call_1","function":{"name":"f","arguments":"{}"}}]})",
       toolMessage("call_1", "\"ok\"")}));
  EXPECT_EQ(import.lines(), Lines{"error signature.missing /contents/1/parts/0"});
  ImportOptions options;
  options.signatures = ForeignSignatures::kDummy;
  const Import filled(
      messages({userMessage("a"), kCalls, toolMessage("c1", "\"1\""), toolMessage("c2", "\"2\"")}),
      options);
  EXPECT_NE(filled.turns()[1].find("RW9Cc2ln"), std::string::npos) << "a real signature stays";
}

TEST(ImportOpenAi, PutsToolImagesIntoTheFunctionResponse) {
  const Import import(messages(
      {userMessage("a"), kCalls,
       toolMessage(
           "c1",
           R"([{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}])"),
       toolMessage("c2", "null")}));
  EXPECT_NE(
      import.turns()[2].find(
          R"("response":{"output":"a\nb"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}]}})"),
      std::string::npos)
      << import.turns()[2];
  EXPECT_EQ(import.lines(), Lines{});
}

// Models before Gemini 3 refuse media in a functionResponse.
TEST(ImportOpenAi, PutsToolImagesBehindTheResultsForOlderModels) {
  const std::string image =
      R"([{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}])";
  const std::string media = R"({"inlineData":{"mimeType":"image/png","data":"iVBO"}})";
  for (const char* model : {"gemini-2.5-flash", "gemini-2.0-flash"}) {
    const Import import(messages({userMessage("a"), kCalls, toolMessage("c2", R"("b")"),
                                  toolMessage("c1", image), userMessage("Go on")}),
                        {}, model);
    ASSERT_EQ(import.turns().size(), 5U);
    EXPECT_EQ(import.turns()[2].find("\"parts\":[{\"inlineData"), std::string::npos);
    const test::Json read(import.turns()[2]);
    EXPECT_EQ(read.root().find("parts").size(), 2U);
    EXPECT_EQ(
        import.turns()[3].find(R"({"role":"user","parts":[{"text":"Media of the tool response ()"),
        0U)
        << import.turns()[3];
    EXPECT_TRUE(import.turns()[3].ends_with(media + "]}")) << import.turns()[3];
    EXPECT_EQ(import.turns()[4], test::content("user", {test::text("Go on")}));
    EXPECT_EQ(import.notes(), (Lines{"info import.converted /3", "info import.converted /3"}))
        << model;
  }
}

TEST(ImportOpenAi, KeepsTheImageOfAResultWithoutACall) {
  const Import import(messages(
      {userMessage("a"),
       toolMessage(
           "c9",
           R"([{"type":"text","text":"b"},{"type":"image_url","image_url":"data:image/png;base64,iVBO"}])")}));
  EXPECT_EQ(
      import.turns()[1],
      R"({"role":"user","parts":[{"text":"Tool response: b"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]})");
}

TEST(ImportOpenAi, NamesTheTypeOfASound) {
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"wav", "audio/wav"},       {"MP3", "audio/mp3"},
      {"audio/ogg", "audio/ogg"}, {"audio/mp4;x=1", "audio/mp4;x=1"},
      {"pcm16", "audio/pcm"},     {"", "audio/wav"}};
  for (const auto& [format, type] : formats) {
    const Import import(messages(
        {R"({"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":")" +
         format + R"("}}]})"}));
    EXPECT_EQ(import.turns()[0], R"({"role":"user","parts":[{"inlineData":{"mimeType":")" + type +
                                     R"(","data":"UklGRg=="}}]})");
  }
  const Import mp3(messages(
      {R"({"role":"user","content":[{"type":"input_audio","input_audio":{"data":"SUQz"}}]})"}));
  EXPECT_NE(mp3.turns()[0].find("audio/mpeg"), std::string::npos);
}

TEST(ImportOpenAi, ReportsThePathOfAnInvalidChatMessage) {
  ImportOptions options;
  options.format = Format::kOpenAi;
  const auto errorOf = [&](const std::string& from) { return Import(from, options).error(); };
  EXPECT_EQ(errorOf("7"), ": an array of chat messages");
  EXPECT_EQ(errorOf("{}"), "/messages: an array of chat messages");
  EXPECT_EQ(errorOf(R"([{"role":"user","content":"a"},{"role":"robot"}])").substr(0, 7), "/1/role");
  EXPECT_EQ(errorOf("[5]").substr(0, 7), "/0/role");
  EXPECT_EQ(errorOf(R"([{"role":"user","content":5}])"), "/0/content: text or an array of parts");
  EXPECT_EQ(errorOf(R"([{"role":"user","content":[5]}])"), "/0/content/0: a part with a type");
  EXPECT_EQ(errorOf(R"([{"role":"assistant","tool_calls":[{"id":"x"}]}])"),
            "/0/tool_calls/0: a function call with a name");
}

}  // namespace
}  // namespace strata::dialects
