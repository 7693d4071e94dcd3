#include <gtest/gtest.h>

#include "support/imports.h"

namespace strata::dialects {
namespace {

using test::content;
using test::Import;
using test::Lines;

// The three forms in which LangChain stores a message.
std::string constructed(const std::string& name, const std::string& fields) {
  return R"({"lc":1,"type":"constructor","id":["langchain_core","messages",")" + name +
         R"("],"kwargs":{)" + fields + "}}";
}
std::string stored(const std::string& type, const std::string& fields) {
  return R"({"type":")" + type + R"(","data":{)" + fields + "}}";
}
std::string flat(const std::string& type, const std::string& fields) {
  return "{" + fields + R"(,"type":")" + type + R"(","name":null,"id":null,"example":false})";
}

std::string list(const std::vector<std::string>& messages) {
  return "[" + test::joined(messages) + "]";
}

std::string text(const std::string& value) { return R"("content":")" + value + "\""; }

const std::string kHello = flat("human", text("Hello"));

// Returns the Parts of an answer with these fields, after a question.
std::string answered(const std::string& fields) {
  const Import import(list({kHello, flat("ai", fields)}));
  EXPECT_EQ(import.error(), "") << fields;
  const std::string start = R"({"role":"model","parts":[)";
  const std::string turn = import.turns().size() < 2 ? start + "]}" : import.turns()[1];
  return turn.substr(start.size(), turn.size() - start.size() - 2);
}

// Returns the Parts of a user's message with these blocks.
std::string asked(const std::string& blocks) {
  const Import import(list({flat("human", "\"content\":[" + blocks + "]")}));
  EXPECT_EQ(import.error(), "") << blocks;
  const std::string start = R"({"role":"user","parts":[)";
  const std::string turn = import.turns().empty() ? start + "]}" : import.turns()[0];
  return turn.substr(start.size(), turn.size() - start.size() - 2);
}

std::string signedText(const std::string& value, const std::string& signature) {
  return R"({"text":")" + value + R"(","thoughtSignature":")" + signature + "\"}";
}

const std::string kCall = R"({"name":"f","args":{"n": 1.0},"id":"c1","type":"tool_call"})";

std::string callPart(const std::string& id, const std::string& signature) {
  return R"({"functionCall":{"id":")" + id + R"(","name":"f","args":{"n": 1.0}})" +
         (signature.empty() ? "" : R"(,"thoughtSignature":")" + signature + "\"") + "}";
}

TEST(ImportLangChain, ReadsTheSameHistoryInEveryForm) {
  const std::string call = R"("content":"","tool_calls":[)" + kCall + "]";
  const std::string result = R"("content":"{\"sky\":\"clear\"}","tool_call_id":"c1","name":"f")";
  const std::vector<std::vector<std::string>> histories = {
      {constructed("SystemMessage", text("Be kind.")), constructed("HumanMessage", text("Hello")),
       constructed("AIMessage", call), constructed("ToolMessage", result),
       constructed("AIMessageChunk", text("Clear."))},
      {stored("system", text("Be kind.")), stored("human", text("Hello")), stored("ai", call),
       stored("tool", result), stored("AIMessageChunk", text("Clear."))},
      {flat("system", text("Be kind.")), flat("human", text("Hello")), flat("ai", call),
       R"({"type":"tool",)" + result + "}", flat("AIMessageChunk", text("Clear."))}};
  for (const std::vector<std::string>& messages : histories) {
    for (const std::string& from :
         {list(messages), R"({"messages":)" + list(messages) + R"(,"step":null})"}) {
      const Import import(from);
      ASSERT_EQ(import.error(), "") << from;
      EXPECT_EQ(import.imported.systemText, "Be kind.");
      EXPECT_EQ(
          import.turns(),
          (Lines{
              test::user("Hello"), content("model", {callPart("c1", "")}),
              R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"sky":"clear"}}}]})",
              test::model("Clear.")}));
      ImportOptions options;
      options.format = Format::kLangChain;
      EXPECT_EQ(Import(from, options).turns(), import.turns());
    }
  }
}

TEST(ImportLangChain, KnowsEveryTypeOfMessage) {
  const std::vector<std::pair<std::string, std::string>> roles = {
      {flat("human", text("a")), "user"},
      {flat("HumanMessageChunk", text("a")), "user"},
      {constructed("HumanMessageChunk", text("a")), "user"},
      {flat("user", text("a")), "user"},
      {flat("ai", text("a")), "model"},
      {flat("assistant", text("a")), "model"},
      {flat("chat", text("a") + R"(,"role":"model")"), "model"},
      {stored("generic", text("a") + R"(,"role":"Assistant")"), "model"},
      {constructed("ChatMessage", text("a") + R"(,"role":"user")"), "user"},
      {constructed("ChatMessageChunk", text("a") + R"(,"role":"critic")"), "user"}};
  for (const auto& [message, role] : roles) {
    EXPECT_EQ(Import(list({message})).turns(), Lines{content(role, {R"({"text":"a"})"})})
        << message;
  }
  for (const std::string& message :
       {flat("system", text("a")), flat("developer", text("a")),
        constructed("SystemMessageChunk", R"("content":[{"type":"text","text":"a"}])"),
        flat("chat", text("a") + R"(,"role":"system")")}) {
    EXPECT_EQ(Import(list({message})).imported.systemText, "a") << message;
  }
  // The oldest form has no content.
  ImportOptions options;
  options.format = Format::kLangChain;
  EXPECT_EQ(Import(R"([{"type":"human","text":"a"}])", options).turns(), Lines{test::user("a")});
  const Import removed(list({kHello, flat("remove", text(""))}));
  EXPECT_EQ(removed.turns(), Lines{test::user("Hello")});
  EXPECT_EQ(removed.notes(), Lines{"warning import.left_out /1"});
}

// @langchain/google copies Parts into blocks, except for a single text.
TEST(ImportLangChain, FindsSignaturesOfLangChainGoogle) {
  EXPECT_EQ(
      answered(
          R"("content":[{"thought":true,"type":"text","text":"a","thoughtSignature":"QQ=="},{"type":"text","text":"b"},{"thoughtSignature":"Qg==","type":"functionCall","functionCall":{"name":"f","args":{"n": 1.0},"id":"c1"}}],"tool_calls":[{"type":"tool_call","id":"c1","name":"f","args":{"n": 1.0},"thoughtSignature":"Qg=="}])"),
      R"({"text":"a","thought":true,"thoughtSignature":"QQ=="},{"text":"b"},)" +
          callPart("c1", "Qg=="));
  const std::string original =
      R"(,"additional_kwargs":{"originalTextContentBlock":{"type":"text","text":"x","thoughtSignature":"QQ=="}})";
  EXPECT_EQ(answered(text("a") + original), signedText("a", "QQ=="));
  EXPECT_EQ(answered(text("") + original), signedText("", "QQ=="));
  // A stream's text is joined to blocks that came before it.
  EXPECT_EQ(
      answered(
          R"("content":[{"type":"text","text":"a","thought":true},{"type":"text","text":"b"}])" +
          original),
      R"({"text":"a","thought":true},)" + signedText("b", "QQ=="));
  EXPECT_EQ(
      answered(R"("content":[{"type":"text","text":"a","thoughtSignature":"QQ=="}])" + original),
      signedText("a", "QQ=="));
  // The signature came after the call, in a Part of its own.
  EXPECT_EQ(answered(R"("content":[],"tool_calls":[)" + kCall + "]" + original),
            callPart("c1", "") + "," + signedText("", "QQ=="));
}

// The block of a call has no id, or that of the message; its entry in tool_calls has another one.
TEST(ImportLangChain, JoinsTheBlockOfACallAndItsEntry) {
  const std::string block =
      R"({"type":"functionCall","functionCall":{"name":"f","args":{"n": 1.0}},"thoughtSignature":"QQ=="})";
  EXPECT_EQ(answered("\"content\":[" + block + R"(],"tool_calls":[)" + kCall + "]"),
            callPart("c1", "QQ=="));
  // Two calls of one name: by id, then by arguments, then in order.
  const std::string second = R"({"name":"f","args":{"n": 2},"id":"c2"})";
  const std::string secondPart = R"({"functionCall":{"id":"c2","name":"f","args":{"n": 2}}})";
  EXPECT_EQ(answered("\"content\":[" + block + R"(],"tool_calls":[)" + second + "," + kCall + "]"),
            callPart("c1", "QQ==") + "," + secondPart);
  EXPECT_EQ(answered(R"("content":[{"type":"tool_use","id":"c2","name":"f","input":{}},)" + block +
                     R"(],"tool_calls":[)" + kCall + "," + second + "]"),
            secondPart + "," + callPart("c1", "QQ=="));
  // LangChain 1 repeats each call with the id of the message.
  const std::string repeated =
      R"("id":"run-1","content":[{"type":"tool_call","id":"run-1","name":"f","args":{"n": 1.0},"thoughtSignature":"QQ=="},{"type":"tool_call","id":"c1","name":"f","args":{"n": 1.0}}],"tool_calls":[)" +
      kCall + R"(,{"type":"tool_call","id":"run-1","name":"f","args":{"n": 1.0}}])";
  const Import import(list({kHello, R"({"type":"ai",)" + repeated + "}"}));
  EXPECT_EQ(import.turns()[1], content("model", {callPart("c1", "QQ==")}));
  // Without any entry, the blocks are the calls.
  EXPECT_EQ(answered("\"content\":[" + block + "," + block + "]"),
            R"({"functionCall":{"name":"f","args":{"n": 1.0}},"thoughtSignature":"QQ=="},)"
            R"({"functionCall":{"name":"f","args":{"n": 1.0}},"thoughtSignature":"QQ=="})");
}

TEST(ImportLangChain, FindsSignaturesOfLangChainGoogleGenAi) {
  const std::string calls =
      R"("tool_calls":[)" + kCall +
      R"(,{"name":"f","args":{"n": 1.0},"id":"c2"}],)"
      R"("additional_kwargs":{"function_call":{"name":"f","arguments":"{}"},)"
      R"("__gemini_function_call_thought_signatures__":{"c1":"QQ==","c2":""}})";
  EXPECT_EQ(answered(R"("content":"",)" + calls),
            callPart("c1", "QQ==") + "," + callPart("c2", ""));
  EXPECT_EQ(
      answered(
          R"("content":[{"type":"thinking","thinking":"a","signature":"Qg=="},{"type":"text","text":"b","extras":{"signature":"Qw=="}}],)" +
          calls),
      R"({"text":"a","thought":true,"thoughtSignature":"Qg=="},)" + signedText("b", "Qw==") + "," +
          callPart("c1", "QQ==") + "," + callPart("c2", ""));
  EXPECT_EQ(
      answered(R"("content":[{"type":"reasoning","reasoning":"a","extras":{"signature":"Qg=="}}])"),
      R"({"text":"a","thought":true,"thoughtSignature":"Qg=="})");
  EXPECT_EQ(
      answered(
          R"("content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"},"extras":{"signature":"Qg=="}}])"),
      R"({"inlineData":{"mimeType":"image/png","data":"iVBO"},"thoughtSignature":"Qg=="})");
  EXPECT_EQ(
      answered(
          R"("content":[{"type":"function_call_signature","signature":"Qg==","index":1},{"type":"function_call_signature","signature":"Qw==","index":0}],"tool_calls":[)" +
          kCall + R"(,{"name":"f","args":{"n": 1.0},"id":"c2"}])"),
      callPart("c1", "Qw==") + "," + callPart("c2", "Qg=="));
}

// @langchain/google-common lists a signature for each Part of the answer.
TEST(ImportLangChain, FindsSignaturesOfLangChainGoogleCommon) {
  const auto listed = [](const std::string& signatures) {
    return R"(,"additional_kwargs":{"signatures":[)" + signatures + "]}";
  };
  const std::string calls =
      R"(,"tool_calls":[)" + kCall + R"(,{"name":"f","args":{"n": 1.0},"id":"c2"}])";
  EXPECT_EQ(answered(text("a") + listed(R"("QQ==")")), signedText("a", "QQ=="));
  EXPECT_EQ(
      answered(R"("content":[{"type":"reasoning","reasoning":"a"},{"type":"text","text":"b"}])" +
               calls + listed(R"("","Qg==","QQ==","")")),
      R"({"text":"a","thought":true},)" + signedText("b", "Qg==") + "," + callPart("c1", "QQ==") +
          "," + callPart("c2", ""));
  // A stream lists one for each chunk, and joins the texts.
  EXPECT_EQ(answered(text("a") + calls + listed(R"("","","QQ==","")")),
            R"({"text":"a"},)" + callPart("c1", "QQ==") + "," + callPart("c2", ""));
  EXPECT_EQ(answered(text("a") + listed(R"("","","QQ==")")), signedText("a", "QQ=="));
  EXPECT_EQ(answered(text("a") + calls + listed(R"("QQ==")")),
            R"({"text":"a"},)" + callPart("c1", "QQ==") + "," + callPart("c2", ""));
}

// A call must not get the signature of a text.
TEST(ImportLangChain, GuessesNoSignatureOfACall) {
  const std::string calls = R"(,"tool_calls":[)" + kCall + "]";
  const std::string signatures = R"(,"additional_kwargs":{"signatures":["","QQ==","Qg=="]})";
  const Import import(list({kHello, flat("ai", text("a") + calls + signatures)}));
  EXPECT_EQ(import.turns()[1], content("model", {R"({"text":"a"})", callPart("c1", "")}));
  EXPECT_EQ(import.notes(), Lines{"warning import.left_out /1/additional_kwargs/signatures"});
}

TEST(ImportLangChain, ReportsSignaturesWithoutAPart) {
  const auto notes = [](const std::string& fields) {
    return Import(list({kHello, flat("ai", fields)})).notes();
  };
  const std::string note = "warning import.left_out /1/additional_kwargs";
  EXPECT_EQ(
      notes(
          text("a") +
          R"(,"additional_kwargs":{"__gemini_function_call_thought_signatures__":{"c9":"QQ=="}})"),
      Lines{note + "/__gemini_function_call_thought_signatures__/c9"});
  EXPECT_EQ(notes(text("a") + R"(,"additional_kwargs":{"signatures":["QQ==","Qg=="]})"),
            Lines{note + "/signatures"});
  EXPECT_EQ(notes(R"("content":["a",{"type":"function_call_signature","signature":"QQ=="}])"),
            Lines{"warning import.left_out /1/content/1"});
}

TEST(ImportLangChain, ReadsCallsThatAreOnlyInOlderFields) {
  EXPECT_EQ(
      answered(
          R"("content":"","tool_calls":[],"additional_kwargs":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\": 1.0}"}}]})"),
      callPart("c1", ""));
  EXPECT_EQ(
      answered(
          R"("content":"","additional_kwargs":{"function_call":{"name":"f","arguments":"null"}})"),
      R"({"functionCall":{"name":"f","args":{}}})");
  EXPECT_EQ(
      answered(R"("content":"","tool_call_chunks":[{"name":"f","args":"{\"n\": 1.0}","id":"c1"}])"),
      callPart("c1", ""));
}

TEST(ImportLangChain, KeepsCallsWhoseArgumentsAreNotJson) {
  const std::string invalid =
      R"("content":"","tool_calls":[],"invalid_tool_calls":[{"name":"f","args":"{n:","id":"c1","error":"Malformed args.","type":"invalid_tool_call"}])";
  const Import import(
      list({kHello, flat("ai", invalid), stored("tool", R"("content":"no","tool_call_id":"c1")")}));
  EXPECT_EQ(
      import.turns()[1],
      R"({"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":{"arguments":"{n:"}}}]})");
  EXPECT_EQ(
      import.turns()[2],
      R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"no"}}}]})");
  EXPECT_EQ(import.notes(), Lines{"info import.converted /1/invalid_tool_calls/0"});
}

// LangChain wraps objects with a key `lc`, which its own loader reads.
TEST(ImportLangChain, RemovesTheEscapesOfArguments) {
  const auto args = [](const std::string& given) {
    const std::string part =
        answered(R"("content":"","tool_calls":[{"id":"c","name":"f","args":)" + given + "}]");
    const std::string start = R"({"functionCall":{"id":"c","name":"f","args":)";
    return part.substr(start.size(), part.size() - start.size() - 2);
  };
  EXPECT_EQ(args(R"({"__lc_escaped__":{"lc":1, "a":{"__lc_escaped__":{}}}})"),
            R"({"lc":1, "a":{"__lc_escaped__":{}}})");
  EXPECT_EQ(args(R"({"a":[1.0,{"__lc_escaped__":{"lc":2}},"__lc_escaped__"],"é":null})"),
            R"({"a":[1.0,{"lc":2},"__lc_escaped__"],"é":null})");
}

TEST(ImportLangChain, ConvertsBlocksToParts) {
  const std::string png = R"({"inlineData":{"mimeType":"image/png","data":"iVBO"}})";
  const std::string url = R"({"fileData":{"mimeType":"image/png","fileUri":"https://a/b.png"}})";
  const std::vector<std::pair<std::string, std::string>> blocks = {
      {R"("a")", R"({"text":"a"})"},
      {R"({"type":"text","text":"a"})", R"({"text":"a"})"},
      {R"({"type":"text","source_type":"text","text":"a"})", R"({"text":"a"})"},
      {R"({"type":"text-plain","text":"a","title":"b"})", R"({"text":"a"})"},
      {R"({"type":"image_url","image_url":"data:image/png;base64,iVBO"})", png},
      {R"({"type":"image_url","image_url":{"url":"https://a/b.png","detail":"low"}})", url},
      {R"({"type":"image","source_type":"base64","mime_type":"image/png","data":"iVBO"})", png},
      {R"({"type":"image","source_type":"url","url":"https://a/b.png"})", url},
      {R"({"type":"image","mimeType":"image/png","data":"iVBO"})", png},
      {R"({"type":"image","base64":"iVBORw"})",
       R"({"inlineData":{"mimeType":"image/png","data":"iVBORw"}})"},
      {R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}})",
       png},
      {R"({"type":"image/png","data":"iVBO"})", png},
      {R"({"type":"media","mime_type":"image/png","data":"iVBO"})", png},
      {R"({"type":"media","mimeType":"image/png","fileUri":"https://a/b.png"})", url},
      {R"({"type":"file","mimeType":"image/png","fileId":"https://a/b.png"})", url},
      {R"({"type":"file","source_type":"id","mime_type":"image/png","id":"https://a/b.png"})", url},
      {R"({"type":"file","file":{"file_data":"data:image/png;base64,iVBO","filename":"b"}})", png},
      {R"({"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}})",
       R"({"inlineData":{"mimeType":"audio/wav","data":"AA=="}})"},
      {R"({"type":"video","mimeType":"video/mp4","data":"AA==","metadata":{"videoMetadata":{"fps":1}}})",
       R"({"inlineData":{"mimeType":"video/mp4","data":"AA=="},"videoMetadata":{"fps":1}})"},
      {R"({"type":"inlineData","inlineData":{"mimeType":"image/png","data":"iVBO"}})", png},
      {R"({"inlineData":{"mimeType":"image/png","data":"iVBO"}})", png},
      {R"({"type":"non_standard","value":{"type":"fileData","fileData":{"mimeType":"image/png","fileUri":"https://a/b.png"}}})",
       url}};
  for (const auto& [block, part] : blocks) EXPECT_EQ(asked(block), part) << block;
}

TEST(ImportLangChain, ConvertsBlocksOfAModel) {
  const std::string code = R"({"executableCode":{"language":"PYTHON","code":"1+1"}})";
  const std::string output = R"({"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}})";
  const std::string failure =
      R"({"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"2"}})";
  const std::vector<std::pair<std::string, std::string>> blocks = {
      {R"({"type":"refusal","refusal":"a"})", R"({"text":"a"})"},
      {R"({"type":"reasoning","reasoning":"a","reasoningContentBlock":{"type":"text","text":"a"}})",
       R"({"text":"a","thought":true})"},
      {R"({"type":"reasoning","reasoning":"","thought":true,"reasoningContentBlock":{"type":"file","mimeType":"image/png","data":"iVBO"}})",
       R"({"inlineData":{"mimeType":"image/png","data":"iVBO"},"thought":true})"},
      {R"({"type":"inlineData","thought":true,"inlineData":{"mimeType":"image/png","data":"iVBO"},"thoughtSignature":"QQ=="})",
       R"({"thought":true,"inlineData":{"mimeType":"image/png","data":"iVBO"},"thoughtSignature":"QQ=="})"},
      {R"({"type":"executableCode","executableCode":{"language":"PYTHON","code":"1+1"}})", code},
      {R"({"type":"executable_code","executable_code":"1+1","language":"PYTHON","id":"x"})", code},
      {R"({"type":"server_tool_call","name":"code_interpreter","args":{"code":"1+1","language":"python"},"id":"x"})",
       code},
      {R"({"type":"codeExecutionResult","codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}})",
       output},
      {R"({"type":"code_execution_result","code_execution_result":"2","outcome":1,"tool_call_id":""})",
       output},
      {R"({"type":"code_execution_result","code_execution_result":"2","outcome":2})", failure},
      {R"({"type":"server_tool_result","output":"2","status":"error","tool_call_id":"x","extras":{"block_type":"code_execution_result"}})",
       failure},
      {R"({"type":"server_tool_result","output":"2","extras":{"block_type":"code_execution_result","outcome":"OUTCOME_OK"}})",
       output},
      {R"({"toolCall":{"id":"t","toolType":"GOOGLE_SEARCH_WEB","args":{}},"thoughtSignature":"QQ=="})",
       R"({"toolCall":{"id":"t","toolType":"GOOGLE_SEARCH_WEB","args":{}},"thoughtSignature":"QQ=="})"},
      {R"({"type":"function_call","name":"f","arguments":"{\"n\": 1.0}","call_id":"c1","id":"fc_1"})",
       callPart("c1", "")}};
  for (const auto& [block, part] : blocks)
    EXPECT_EQ(answered("\"content\":[" + block + "]"), part) << block;
  // A single block in place of a list.
  EXPECT_EQ(answered(R"("content":{"type":"text","text":"a"})"), R"({"text":"a"})");
  EXPECT_EQ(answered(R"("content_blocks":[{"type":"text","text":"a"}],"content":null)"),
            R"({"text":"a"})");
  EXPECT_EQ(
      answered(R"("content":"b","additional_kwargs":{"reasoning_content":"a","refusal":"c"})"),
      R"({"text":"a","thought":true},{"text":"b"},{"text":"c"})");
}

TEST(ImportLangChain, NotesWhatItLeavesOut) {
  const auto notes = [](const std::string& message) {
    return Import(list({kHello, message})).notes();
  };
  EXPECT_EQ(notes(flat("human", R"("content":["a",{"type":"file","file_id":"file-1"}])")),
            Lines{"warning import.left_out /1/content/1"});
  EXPECT_EQ(notes(flat("ai", R"("content":["a",{"type":"server_tool_call","name":"web_search"}])")),
            Lines{"warning import.left_out /1/content/1"});
  EXPECT_EQ(notes(flat("ai", R"("content":["a",{"type":"citation","url":"https://a"}])")),
            Lines{"warning import.left_out /1/content/1"});
  EXPECT_EQ(notes(constructed(
                "AIMessage",
                text("a") + R"(,"name":"model","additional_kwargs":{"audio":"AA","index":0})")),
            (Lines{"info import.left_out /1/kwargs/name",
                   "info import.left_out /1/kwargs/additional_kwargs/audio"}));
  EXPECT_EQ(
      notes(flat("ai",
                 R"("content":[{"type":"text","text":"a","annotations":[{"type":"citation"}]}])")),
      Lines{"info import.left_out /1/content/0/annotations"});
  EXPECT_EQ(notes(flat("system", R"("content":["a",{"type":"image","data":"AA"}])")),
            (Lines{"info import.converted /1", "warning import.left_out /1/content/1"}));
  // The signature of a block that can't be carried is kept.
  EXPECT_EQ(answered(R"("content":[{"type":"who","thoughtSignature":"QQ=="}])"),
            signedText("", "QQ=="));
}

TEST(ImportLangChain, ConvertsResultsOfTools) {
  const auto response = [](const std::string& fields) {
    const Import import(list({kHello, flat("ai", R"("content":"","tool_calls":[)" + kCall + "]"),
                              R"({"type":"tool","tool_call_id":"c1",)" + fields + "}"}));
    EXPECT_EQ(import.error(), "");
    const std::string start =
        R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":)";
    const std::string turn = import.turns()[2];
    return turn.substr(start.size(), turn.size() - start.size() - 4);
  };
  EXPECT_EQ(response(text("a")), R"({"output":"a"})");
  EXPECT_EQ(response(R"("content":"[1]")"), R"({"output":"[1]"})");
  EXPECT_EQ(response(R"("content":"{\"a\":1.0}","artifact":[1])"), R"({"a":1.0})");
  EXPECT_EQ(response(R"("content":"{\"a\":1.0}","status":"error")"), R"({"error":{"a":1.0}})");
  EXPECT_EQ(response(R"("content":"no","status":"error")"), R"({"error":"no"})");
  EXPECT_EQ(response(R"("content":null)"), R"({"output":""})");
  EXPECT_EQ(response(R"("content":{"a":[1.0]})"), R"({"a":[1.0]})");
  const std::string media =
      R"({"output":"a\nb"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}},)"
      R"({"inlineData":{"mimeType":"image/png","data":"iVBO"}}])";
  EXPECT_EQ(
      response(
          R"("content":["a",{"type":"text","text":"b"},{"type":"image_url","image_url":"data:image/png;base64,iVBO"},{"type":"inlineData","inlineData":{"mimeType":"image/png","data":"iVBO"}}])"),
      media);
  const Import unknown(
      list({kHello, flat("ai", R"("content":"","tool_calls":[)" + kCall + "]"),
            R"({"type":"tool","tool_call_id":"c1","content":["a",{"type":"who"}]})"}));
  EXPECT_EQ(unknown.notes(), Lines{"warning import.left_out /2/content/1"});
}

TEST(ImportLangChain, FindsTheCallOfAResult) {
  const std::string calls = flat(
      "ai", R"("content":"","tool_calls":[)" + kCall + R"(,{"name":"g","args":{},"id":"c2"}])");
  const Import import(
      list({kHello, calls, stored("tool", R"("content":"2","tool_call_id":"c2")"),
            stored("function", R"("content":"1","name":"f")"),
            stored("tool", R"("content":"3","tool_call_id":"c3","name":"g","artifact":{"a":1})")}));
  EXPECT_EQ(
      import.turns()[2],
      R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"c2","name":"g","response":{"output":"2"}}}]})");
  EXPECT_EQ(import.turns()[3], test::user("Tool response (g): 3"));
  EXPECT_EQ(import.notes(),
            (Lines{"info import.converted /3/data", "info import.left_out /4/data/artifact",
                   "warning import.text_fallback /4/data"}));
}

TEST(ImportLangChain, ReadsTheOriginOfAModelTurn) {
  const auto lines = [](const std::string& metadata) {
    return Import(
               list(
                   {kHello,
                    flat(
                        "ai",
                        R"("content":[{"type":"text","text":"a","extras":{"signature":"QQ=="}}],"response_metadata":)" +
                            metadata),
                    kHello}))
        .lines();
  };
  EXPECT_EQ(lines("{}"), Lines{});
  EXPECT_EQ(lines(R"({"model_provider":"google_genai","model_name":"gemini-3.8-flash"})"), Lines{});
  EXPECT_EQ(lines(R"({"model_name":"gemini-2.5-pro"})"),
            Lines{"warning signature.foreign /contents/1/parts/0"});
  const Lines foreign = {"error signature.foreign /contents/1/parts/0"};
  EXPECT_EQ(lines(R"({"model_provider":"google_vertexai"})"), foreign);
  EXPECT_EQ(lines(R"({"model_provider":"anthropic"})"), foreign);
  EXPECT_EQ(lines(R"({"model_provider":"openai","model":"gpt-5"})"), foreign);
}

TEST(ImportLangChain, ReportsThePathOfAnInvalidMessage) {
  ImportOptions options;
  options.format = Format::kLangChain;
  const auto errorOf = [&](const std::string& from) { return Import(from, options).error(); };
  EXPECT_EQ(errorOf("{}"), "/messages: an array of LangChain messages");
  const std::string type = ": a message of the type human, ai, system, tool, function or chat";
  EXPECT_EQ(errorOf(R"([{"type":"who","content":"a"}])"), "/0" + type);
  EXPECT_EQ(errorOf(R"([{"lc":1,"type":"not_implemented","id":["a","Tool"]}])"), "/0" + type);
  EXPECT_EQ(errorOf(list({constructed("Tool", text("a"))})), "/0" + type);
  EXPECT_EQ(errorOf(list({flat("human", "\"content\":5")})),
            "/0/content: text or an array of content blocks");
  EXPECT_EQ(errorOf(list({stored("human", "\"content\":[5]")})),
            "/0/data/content/0: text or a content block");
  EXPECT_EQ(errorOf(list({stored("human", R"("content":[{"a":5}])")})),
            "/0/data/content/0: a content block with a type");
  EXPECT_EQ(errorOf(list({constructed("AIMessage", R"("content":"","tool_calls":[{"id":"c"}])")})),
            "/0/kwargs/tool_calls/0: a call with the name of a tool");
  EXPECT_EQ(errorOf(list({flat("system", "\"content\":5")})),
            "/0/content: text or an array of content blocks");
}

TEST(ImportLangChain, KeepsTheResultsOfAStepTogether) {
  const auto call = [](const std::string& id) {
    return R"({"name":"f","args":{},"id":")" + id + R"(","type":"tool_call"})";
  };
  const auto result = [](const std::string& id) {
    return flat("tool", text("1") + R"(,"tool_call_id":")" + id + "\"");
  };
  const Import import(
      list({kHello, flat("ai", text("") + R"(,"tool_calls":[)" + call("a") + "," + call("b") + "]"),
            result("a"), result("a"), flat("system", text("Hurry.")), result("b")}));
  ASSERT_EQ(import.thread.size(), 4U);
  EXPECT_EQ(import.turns()[3], test::user("Hurry."));
  EXPECT_EQ(import.notes(), (Lines{"warning import.left_out /3", "info import.converted /4",
                                   "info import.converted /5"}));
}

TEST(ImportLangChain, PlacesManyCallsInLinearTime) {
  std::string blocks;
  std::string calls;
  std::string map;
  for (int i = 0; i < 50'000 / STRATA_SHARE; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    const std::string id = "\"c" + std::to_string(i) + "\"";
    blocks += comma + R"({"type":"tool_use","name":"f","input":{},"id":)" + id + "}";
    calls += comma + R"({"name":"f","args":{},"id":)" + id + "}";
    map += comma + id + R"(:"QUJD")";
  }
  const std::string signatures =
      R"("additional_kwargs":{"__gemini_function_call_thought_signatures__":{)" + map + "}}";
  const Import import(list({kHello, flat("ai", "\"content\":[" + blocks + R"(],"tool_calls":[)" +
                                                   calls + "]," + signatures)}));
  EXPECT_EQ(import.thread.size(), 2U);
}

}  // namespace
}  // namespace strata::dialects
