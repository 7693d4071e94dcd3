#include "dialects/openai_request.h"

#include <gtest/gtest.h>

#include <set>

#include "support/imports.h"

namespace strata::dialects {
namespace {

using test::Lines;

// Converts a request on construction.
struct Converted {
  explicit Converted(const std::string& bytes, const OpenAiRequestOptions& options = {})
      : result(convertOpenAiRequest(bytes, options, catalogue)) {}

  const OpenAiRequest& request() const { return result.value(); }
  // The notes, or the refusal.
  Lines lines() const {
    const OpenAiRequest& read = request();
    if (read.refusal) return test::linesOf({*read.refusal}, read.target);
    return test::linesOf(read.notes, read.target);
  }
  std::string refusal() const {
    if (!request().refusal) return "";
    return request().refusal->path + " must be " + request().refusal->arg2;
  }

  catalogue::Catalogue catalogue;
  Result<OpenAiRequest> result;
};

OpenAiRequestOptions onVertex() { return {"", {gemini::Backend::kVertex}}; }

std::string withFields(const std::string& fields, const std::string& model = "gemini-3.8-flash") {
  return R"({"model":")" + model + R"(","messages":[{"role":"user","content":"Hi"}])" +
         (fields.empty() ? "" : ",") + fields + "}";
}

std::string withMessages(const std::string& messages) {
  return R"({"model":"gemini-3.8-flash","messages":[)" + messages + "]}";
}

const std::string kHi = R"("contents":[{"role":"user","parts":[{"text":"Hi"}]}])";

struct FieldCase {
  std::string given;     // fields of the request
  std::string expected;  // fields of the body beside contents
  Lines notes = {};
  std::string model = "gemini-3.8-flash";
};

void expectFields(const std::vector<FieldCase>& cases, const OpenAiRequestOptions& options = {}) {
  for (const FieldCase& field : cases) {
    const Converted converted(withFields(field.given, field.model), options);
    ASSERT_TRUE(converted.result) << field.given;
    EXPECT_EQ(converted.refusal(), "") << field.given;
    const std::string rest = field.expected.empty() ? "" : "," + field.expected;
    EXPECT_EQ(converted.request().body, "{" + kHi + rest + "}") << field.given;
    EXPECT_EQ(converted.lines(), field.notes) << field.given;
  }
}

std::string config(const std::string& fields) { return R"("generationConfig":{)" + fields + "}"; }

std::string dropped(const std::string& severity, const std::string& path) {
  return severity + " import.left_out " + path;
}

TEST(OpenAiRequest, ConvertsEachFieldOfTheConfiguration) {
  expectFields({
      {"", ""},
      {R"("temperature":0.7)", config(R"("temperature":0.7)")},
      {R"("temperature":null,"top_p":null,"stop":null,"seed":null,"n":null,"tools":null)", ""},
      {R"("top_p":1.0,"top_k":40)", config(R"("topP":1.0,"topK":40)")},
      {R"("max_tokens":100)", config(R"("maxOutputTokens":100)")},
      {R"("max_completion_tokens":100)", config(R"("maxOutputTokens":100)")},
      {R"("max_completion_tokens":100,"max_tokens":50)",
       config(R"("maxOutputTokens":100)"),
       {dropped("warning", "/max_tokens")}},
      {R"("n":1)", ""},
      {R"("n":3)", config(R"("candidateCount":3)")},
      {R"("stop":"\n\n")", config(R"("stopSequences":["\n\n"])")},
      {R"("stop":["a","b"])", config(R"("stopSequences":["a","b"])")},
      {R"("stop":[])", ""},
      {R"("seed":7)", config(R"("seed":7)")},
      {R"("seed":4294967299)", config(R"("seed":3)"), {"info import.converted /seed"}},
      {R"("presence_penalty":0,"frequency_penalty":0.0)", ""},
      {R"("presence_penalty":0.5,"frequency_penalty":-1)",
       config(R"("presencePenalty":0.5,"frequencyPenalty":-1)")},
      {R"("logprobs":false,"top_logprobs":0)", ""},
      {R"("logprobs":true)", config(R"("responseLogprobs":true)")},
      {R"("logprobs":true,"top_logprobs":5)", config(R"("responseLogprobs":true,"logprobs":5)")},
      {R"("modalities":["text"])", ""},
      {R"("modalities":["text","image"])", config(R"("responseModalities":["TEXT","IMAGE"])")},
      {R"("response_format":{"type":"text"})", ""},
      {R"("response_format":{"type":"json_object"})",
       config(R"("responseMimeType":"application/json")")},
      {R"("service_tier":"auto")", ""},
      {R"("service_tier":"default")", R"("serviceTier":"standard")"},
      {R"("service_tier":"flex")", R"("serviceTier":"flex")"},
      {R"("service_tier":"scale")", "", {dropped("warning", "/service_tier")}},
      {R"("store":false)", R"("store":false)"},
  });
}

TEST(OpenAiRequest, NotesEachFieldThatHasNoEffect) {
  expectFields({
      {R"("user":"u1","metadata":{"a":"b"},"safety_identifier":"s","prompt_cache_key":"k")",
       "",
       {dropped("info", "/user"), dropped("info", "/metadata"),
        dropped("info", "/safety_identifier"), dropped("info", "/prompt_cache_key")}},
      {R"("logit_bias":{},"metadata":{})", ""},
      {R"("logit_bias":{"5":1},"verbosity":"low")",
       "",
       {dropped("warning", "/logit_bias"), dropped("warning", "/verbosity")}},
      {R"("min_p":0.1,"stream_options":{"include_usage":true,"x":1},"extra_body":{"a":1})",
       "",
       {dropped("warning", "/extra_body/a"), dropped("warning", "/stream_options/x"),
        dropped("warning", "/min_p")}},
  });
  expectFields({{R"("store":true)", "", {dropped("warning", "/store")}}}, onVertex());
}

TEST(OpenAiRequest, ReadsStreamAndUsage) {
  const Converted plain(withFields(""));
  EXPECT_FALSE(plain.request().stream);
  EXPECT_FALSE(plain.request().includeUsage);
  const Converted stream(withFields(R"("stream":true,"stream_options":{"include_usage":true})"));
  EXPECT_TRUE(stream.request().stream);
  EXPECT_TRUE(stream.request().includeUsage);
}

TEST(OpenAiRequest, ReadsTheModelFromTheRequestOrTheOptions) {
  for (const std::string name :
       {"gemini-3.8-flash", "models/gemini-3.8-flash", "google/gemini-3.8-flash"}) {
    EXPECT_EQ(Converted(withFields("", name)).request().model, "gemini-3.8-flash");
  }
  EXPECT_EQ(Converted(withFields(""), {"gemini-2.5-pro", {}}).request().model, "gemini-2.5-pro");
  for (const std::string name : {"", "a b", "..", "gemini?x", "gemini%2f", "a#b"}) {
    EXPECT_EQ(Converted(withFields("", name)).refusal(),
              "/model must be the name of a Gemini model")
        << name;
  }
}

std::string thinking(const std::string& fields) {
  return config(R"("thinkingConfig":{)" + fields + "}");
}

TEST(OpenAiRequest, ConvertsTheEffortByModel) {
  const auto level = [](const std::string& name) {
    return thinking(R"("thinkingLevel":")" + name + '"');
  };
  const auto budget = [](const std::string& tokens) {
    return thinking(R"("thinkingBudget":)" + tokens);
  };
  const auto effort = [](const std::string& name) {
    return R"("reasoning_effort":")" + name + '"';
  };
  const Lines converted = {"info import.converted /reasoning_effort"};
  expectFields({
      {effort("low"), level("LOW")},
      {effort("medium"), level("MEDIUM")},
      {effort("high"), level("HIGH")},
      {effort("minimal"), level("LOW"), converted},
      {effort("xhigh"), level("HIGH"), converted},
      {effort("none"), budget("0")},
      {effort("xhigh"), level("XHIGH"), {}, "gemini-4-hydrogen"},
      {effort("none"), level("LOW"), converted, "gemini-4-hydrogen"},
      {effort("minimal"), budget("1024"), {}, "gemini-2.5-flash"},
      {effort("medium"), budget("8192"), {}, "gemini-2.5-flash"},
      {effort("high"), budget("24576"), {}, "gemini-2.5-flash"},
      {effort("xhigh"), budget("24576"), {}, "gemini-2.5-flash"},
      {effort("xhigh"), budget("32768"), {}, "gemini-2.5-pro"},
      {effort("none"), budget("0"), {}, "gemini-2.5-flash"},
      {effort("none"), budget("128"), converted, "gemini-2.5-pro"},
  });
  EXPECT_EQ(Converted(withFields(effort("max"))).refusal(),
            "/reasoning_effort must be none, minimal, low, medium, high or xhigh");
}

TEST(OpenAiRequest, ReadsGooglesOwnFields) {
  const std::string google =
      R"({"thinking_config":{"thinking_level":"low","include_thoughts":true},"cached_content":"cachedContents/a"})";
  const std::string expected = R"("cachedContent":"cachedContents/a",)" +
                               thinking(R"("thinkingLevel":"low","includeThoughts":true)");
  expectFields({
      {R"("extra_body":{"google":)" + google + "}", expected},
      {R"("google":)" + google, expected},
      {R"("reasoning_effort":"low","google":{"thinking_config":{"include_thoughts":true}})",
       thinking(R"("thinkingLevel":"LOW","includeThoughts":true)")},
      {R"("google":{"safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]})",
       R"("safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}])"},
      {R"("google":{"thought_tag_marker":"think"})",
       "",
       {dropped("warning", "/google/thought_tag_marker")}},
  });
  EXPECT_EQ(
      Converted(
          withFields(
              R"("reasoning_effort":"low","google":{"thinking_config":{"thinking_budget":5}})"))
          .refusal(),
      "/google/thinking_config/thinking_budget must be left out beside reasoning_effort");
}

std::string functionTool(const std::string& name, const std::string& fields = "") {
  return R"({"type":"function","function":{"name":")" + name + '"' + fields + "}}";
}

std::string declarations(const std::string& list) {
  return R"("tools":[{"functionDeclarations":[)" + list + "]}]";
}

TEST(OpenAiRequest, ConvertsTools) {
  const std::string schema =
      R"({"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false})";
  expectFields({
      {R"("tools":[])", ""},
      {R"("tools":[)" + functionTool("f") + "]", declarations(R"({"name":"f"})")},
      {R"("tools":[)" + functionTool("f", R"(,"description":"d","parameters":)" + schema) + "," +
           functionTool("g") + "]",
       declarations(R"({"name":"f","description":"d","parametersJsonSchema":)" + schema +
                    R"(},{"name":"g"})")},
      {R"("tools":[)" + functionTool("f", R"(,"strict":true)") + R"(],"parallel_tool_calls":false)",
       declarations(R"({"name":"f"})"),
       {dropped("info", "/tools/0/function/strict"), dropped("warning", "/parallel_tool_calls")}},
      {R"("tools":[)" + functionTool("f", R"(,"strict":false)") + R"(],"parallel_tool_calls":true)",
       declarations(R"({"name":"f"})")},
  });
}

TEST(OpenAiRequest, ConvertsTheToolChoice) {
  const std::string tools = R"("tools":[)" + functionTool("f") + "," + functionTool("g") + "]";
  const std::string declared = declarations(R"({"name":"f"},{"name":"g"})");
  const auto choice = [&](const std::string& given, const std::string& mode) {
    return FieldCase{tools + R"(,"tool_choice":)" + given,
                     declared + R"(,"toolConfig":{"functionCallingConfig":{"mode":)" + mode + "}}"};
  };
  const std::string onlyF = R"([{"type":"function","function":{"name":"f"}}])";
  expectFields({
      choice(R"("none")", R"("NONE")"),
      choice(R"("auto")", R"("AUTO")"),
      choice(R"("required")", R"("ANY")"),
      choice(R"({"type":"function","function":{"name":"g"}})",
             R"("ANY","allowedFunctionNames":["g"])"),
      choice(R"({"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":)" + onlyF + "}}",
             R"("VALIDATED","allowedFunctionNames":["f"])"),
      choice(
          R"({"type":"allowed_tools","allowed_tools":{"mode":"required","tools":)" + onlyF + "}}",
          R"("ANY","allowedFunctionNames":["f"])"),
      {R"("tool_choice":"auto")", ""},
      {R"("tool_choice":"none")", ""},
  });
}

TEST(OpenAiRequest, GivesFunctionsNamesThatGeminiTakes) {
  const std::string longName = "mcp__" + std::string(70, 'a');
  const std::string cut = longName.substr(0, 64);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {longName, cut},       {"get weather", "get_weather"},
      {"9lives", "_9lives"}, {"wetter/süd", "wetter_s_d"},
      {"天気", "__"},        {"a.b:c-d_1", "a.b:c-d_1"}};
  for (const auto& [name, given] : cases) {
    const Converted converted(
        withFields(R"("tools":[)" + functionTool(name) +
                   R"(],"tool_choice":{"type":"function","function":{"name":")" + name + R"("}})"));
    EXPECT_NE(
        converted.request().body.find(R"("functionDeclarations":[{"name":")" + given + R"("}])"),
        std::string::npos)
        << converted.request().body;
    EXPECT_NE(converted.request().body.find(R"("allowedFunctionNames":[")" + given + R"("])"),
              std::string::npos);
    const bool renamed = name != given;
    EXPECT_EQ(converted.lines(),
              renamed ? Lines{"info import.converted /tools/0/function/name"} : Lines{});
    ASSERT_EQ(converted.request().names.size(), renamed ? 1U : 0U);
    if (!renamed) continue;
    EXPECT_EQ(converted.request().names[0], std::pair(given, name));
  }
}

TEST(OpenAiRequest, KeepsRenamedFunctionsApart) {
  const std::string first = std::string(64, 'a') + "1";
  const std::string second = std::string(64, 'a') + "2";
  // The one that Gemini takes keeps its name, wherever it is declared.
  const Converted converted(withFields(R"("tools":[)" + functionTool(first) + "," +
                                       functionTool(second) + "," +
                                       functionTool(std::string(64, 'a')) + "]"));
  std::set<std::string> names;
  for (const auto& [name, client] : converted.request().names) {
    EXPECT_EQ(name.size(), 64U);
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 2U);
  EXPECT_FALSE(names.contains(std::string(64, 'a')));
  EXPECT_EQ(converted.lines(), (Lines{"info import.converted /tools/0/function/name",
                                      "info import.converted /tools/1/function/name"}));
}

TEST(OpenAiRequest, RenamesTheCallsAndResultsOfTheHistory) {
  const std::string call =
      R"({"id":"c","type":"function","function":{"name":"my f","arguments":"{}"}})";
  const std::string messages =
      R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[)" + call +
      R"(]},{"role":"tool","tool_call_id":"c","name":"my f","content":"1"})";
  for (const bool declared : {true, false}) {
    const std::string tools = declared ? R"(,"tools":[)" + functionTool("my f") + "]" : "";
    const Converted converted(R"({"model":"gemini-3.8-flash","messages":[)" + messages + "]" +
                              tools + "}");
    const std::string& body = converted.request().body;
    EXPECT_NE(body.find(R"("functionCall":{"id":"c","name":"my_f","args":{}})"), std::string::npos)
        << body;
    EXPECT_NE(body.find(R"("functionResponse":{"id":"c","name":"my_f")"), std::string::npos)
        << body;
    EXPECT_EQ(body.find("my f"), std::string::npos);
  }
}

TEST(OpenAiRequest, ConvertsSchemasWithoutLoss) {
  const std::string schema =
      R"({"type":"object","properties":{"kind":{"const":"a"},"n":{"type":["integer","null"]}},"required":["kind","n"],"additionalProperties":false})";
  const Converted format(withFields(
      R"("response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":)" +
      schema + "}}"));
  EXPECT_EQ(
      format.request().body,
      "{" + kHi + "," +
          config(
              R"("responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"kind":{"enum":["a"]},"n":{"type":["integer","null"]}},"required":["kind","n"],"additionalProperties":false})") +
          "}");
}

TEST(OpenAiRequest, SendsIgnoredKeywordsAndRefusesWhatGeminiRefuses) {
  const std::string ignored =
      R"({"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}})";
  const Converted kept(
      withFields(R"("tools":[)" + functionTool("f", R"(,"parameters":)" + ignored) + "]"));
  EXPECT_NE(kept.request().body.find(R"("parametersJsonSchema":)" + ignored), std::string::npos);
  EXPECT_EQ(kept.lines(), Lines{"info schema.keyword_ignored "
                                "/tools/0/function/parameters/properties/a/pattern"});
  const std::string dangling = R"({"type":"object","properties":{"a":{"$ref":"#/$defs/missing"}}})";
  EXPECT_EQ(Converted(withFields(R"("tools":[)" +
                                 functionTool("f", R"(,"parameters":)" + dangling) + "]"))
                .lines(),
            Lines{"error schema.ref_undefined /tools/0/function/parameters/properties/a/$ref"});
  EXPECT_EQ(
      Converted(
          withFields(
              R"("response_format":{"type":"json_schema","json_schema":{"name":"x","schema":)" +
              dangling + "}}"))
          .lines(),
      Lines{"error schema.ref_undefined /response_format/json_schema/schema/properties/a/$ref"});
}

TEST(OpenAiRequest, RefusesAThinkingOptionInTwoSpellings) {
  EXPECT_EQ(
      Converted(
          withFields(R"("google":{"thinking_config":{"thinking_budget":5,"thinkingBudget":6}})"))
          .refusal(),
      "/google/thinking_config/thinkingBudget must be given once");
}

TEST(OpenAiRequest, CopiesManyThinkingOptionsInLinearTime) {
  std::string config;
  for (int i = 0; i < 100'000; ++i) config += "\"a" + std::to_string(i) + "\":1,";
  const Converted converted(
      withFields(R"("google":{"thinking_config":{)" + config + R"("include_thoughts":true}})"));
  EXPECT_EQ(converted.refusal(), "");
  EXPECT_NE(converted.request().body.find(R"("includeThoughts":true)"), std::string::npos);
}

TEST(OpenAiRequest, RefusesWhatHasNoEquivalent) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("temperature":"hot")", "/temperature must be a number"},
      {R"("max_tokens":0)", "/max_tokens must be an integer of at least 1"},
      {R"("n":1.5)", "/n must be an integer of at least 1"},
      {R"("stop":[1])", "/stop must be a string or an array of strings"},
      {R"("stop":1)", "/stop must be a string or an array of strings"},
      {R"("stream":"yes")", "/stream must be a boolean"},
      {R"("top_logprobs":3)", "/top_logprobs must be left out unless logprobs is true"},
      {R"("modalities":["audio"])", "/modalities must be text and image"},
      {R"("audio":{"voice":"x"})",
       "/audio must be left out: answers in this dialect have no sound"},
      {R"("functions":[])", "/functions must be left out: declare functions in tools"},
      {R"("web_search_options":{})",
       "/web_search_options must be left out: Google's search has no form in this dialect"},
      {R"("tools":{})", "/tools must be an array of tools"},
      {R"("tools":[{"type":"custom","custom":{}}])",
       "/tools/0/type must be \"function\", the only kind that has a Gemini form"},
      {R"("tools":[{"type":"function","function":{}}])",
       "/tools/0/function/name must be the name of a function"},
      {R"("tools":[)" + functionTool("f", R"(,"parameters":[])") + "]",
       "/tools/0/function/parameters must be a JSON Schema"},
      {R"("tool_choice":"required")",
       "/tool_choice must be \"none\" or \"auto\", as there are no tools"},
      {R"("tools":[)" + functionTool("f") +
           R"(],"tool_choice":{"type":"function","function":{"name":"g"}})",
       "/tool_choice/function/name must be the name of one of the tools"},
      {R"("response_format":{"type":"grammar"})",
       "/response_format/type must be text, json_object or json_schema"},
      {R"("response_format":{"type":"json_schema","json_schema":{"name":"x"}})",
       "/response_format/json_schema/schema must be a JSON Schema"},
      {R"("google":{},"extra_body":{"google":{}})",
       "/google must be left out beside extra_body.google"},
  };
  for (const auto& [fields, refusal] : cases) {
    EXPECT_EQ(Converted(withFields(fields)).refusal(), refusal) << fields;
  }
  EXPECT_EQ(Converted("5").refusal(), " must be an object");
  EXPECT_EQ(Converted(R"({"model":"gemini-3.8-flash"})").refusal(),
            "/messages must be an array with at least one message");
  EXPECT_EQ(Converted("{").result.error().code, "json.invalid");
}

TEST(OpenAiRequest, RefusesMessagesWhoseContentWouldBeLost) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"role":"robot"})", "/messages/0/role"},
      {R"({"role":"user","content":[{"type":"video_url","video_url":{}}]})",
       "/messages/0/content/0"},
      {R"({"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]})",
       "/messages/0/content/0"},
      {R"({"role":"system","content":[{"type":"image_url"}]},{"role":"user","content":"Hi"})",
       "/messages/0/content/0"},
      {R"({"role":"user","content":""})", "/messages"},
  };
  for (const auto& [messages, path] : cases) {
    const Converted converted(withMessages(messages));
    ASSERT_TRUE(converted.request().refusal) << messages;
    EXPECT_EQ(converted.request().refusal->path, path) << messages;
    EXPECT_EQ(converted.lines(), Lines{"error field.invalid " + path});
  }
}

TEST(OpenAiRequest, PutsSystemMessagesIntoTheSystemInstruction) {
  const std::string system = R"({"role":"system","content":"Be \"kind\"."})";
  const Converted both(withMessages(system + R"(,{"role":"developer","content":"Be brief."},)" +
                                    R"({"role":"user","content":"Hi"})"));
  EXPECT_EQ(
      both.request().body,
      R"({"systemInstruction":{"parts":[{"text":"Be \"kind\".\n\nBe brief."}]},)" + kHi + "}");
  EXPECT_EQ(both.lines(), Lines{});
  const Converted alone(withMessages(system));
  EXPECT_EQ(alone.request().body,
            R"({"contents":[{"role":"user","parts":[{"text":"Be \"kind\"."}]}]})");
  EXPECT_EQ(alone.lines(), Lines{"info import.converted /messages"});
}

TEST(OpenAiRequest, ConvertsMediaOfTheUser) {
  const Converted converted(withMessages(R"({"role":"user","content":[
    {"type":"text","text":"What?"},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}},
    {"type":"image_url","image_url":{"url":"https://example.com/a.jpg"}},
    {"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}},
    {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]})"));
  EXPECT_EQ(
      converted.request().body,
      R"({"contents":[{"role":"user","parts":[{"text":"What?"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"fileData":{"mimeType":"image/jpeg","fileUri":"https://example.com/a.jpg"}},{"inlineData":{"mimeType":"audio/mp3","data":"SUQz"}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}]}]})");
  EXPECT_EQ(converted.lines(),
            Lines{"info import.left_out /messages/0/content/1/image_url/detail"});
}

TEST(OpenAiRequest, NotesUnknownFieldsOfContentParts) {
  const std::string mark = R"("cache_control":{"type":"ephemeral"})";
  const Converted user(
      withMessages(R"({"role":"user","content":[{"type":"text","text":"Hi",)" + mark + "}]}"));
  EXPECT_EQ(user.request().body, "{" + kHi + "}");
  EXPECT_EQ(user.lines(), Lines{"info import.left_out /messages/0/content/0/cache_control"});
  const Converted system(
      withMessages(R"({"role":"system","content":[{"type":"text","text":"Be kind.",)" + mark +
                   R"(}]},{"role":"user","content":"Hi"})"));
  EXPECT_EQ(system.lines(), Lines{"info import.left_out /messages/0/content/0/cache_control"});
}

TEST(OpenAiRequest, NamesATypeForAnImageOfAnUnknownKind) {
  const Converted converted(withMessages(
      R"({"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a?id=5","detail":"auto"}}]})"));
  EXPECT_EQ(
      converted.request().body,
      R"({"contents":[{"role":"user","parts":[{"fileData":{"mimeType":"image/jpeg","fileUri":"https://example.com/a?id=5"}}]}]})");
  EXPECT_EQ(converted.lines(), Lines{});
}

TEST(OpenAiRequest, StripsSignaturesOfTheOtherService) {
  const std::string messages =
      R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"vertex":{"thought_signature":"RW9C"}}}]},{"role":"tool","tool_call_id":"c","content":"1"})";
  const Converted there(withMessages(messages), onVertex());
  EXPECT_NE(there.request().body.find("RW9C"), std::string::npos);
  EXPECT_EQ(there.lines(), Lines{});
  const Converted here(withMessages(messages));
  EXPECT_EQ(here.request().body.find("RW9C"), std::string::npos);
  EXPECT_EQ(here.lines(), Lines{"warning import.left_out /contents/1/parts/0"});
}

// A step of one call, with `extra` in the message and in the call.
std::string stepWith(const std::string& id, const std::string& extra, const std::string& inCall) {
  return withMessages(R"({"role":"user","content":"Hi"},{"role":"assistant","content":null)" +
                      extra + R"(,"tool_calls":[{"id":")" + id +
                      R"(","type":"function","function":{"name":"f","arguments":"{}"})" + inCall +
                      R"(}]},{"role":"tool","tool_call_id":")" + id + R"(","content":"1"})");
}

TEST(OpenAiRequest, AcceptsASignatureFromEveryCarrier) {
  const std::string expected =
      R"({"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"RW9C"}]},)"
      R"({"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"output":"1"}}}]})";
  const std::string sign = R"("thought_signature":"RW9C")";
  const std::vector<std::string> bodies = {
      stepWith("c", "", R"(,"extra_content":{"google":{)" + sign + "}}"),
      stepWith("c", "", "," + sign),
      stepWith("c", "", R"(,"provider_specific_fields":{)" + sign + "}"),
      stepWith("c__thought__RW9C", "", ""),
      stepWith("c", R"(,"provider_specific_fields":{"thought_signatures":["RW9C"]})", ""),
      stepWith(
          "c",
          R"(,"reasoning_details":[{"type":"reasoning.encrypted","data":"RW9C","id":"c","format":"google-gemini-v1"}])",
          ""),
      stepWith(
          "c",
          R"(,"reasoning_details":[{"type":"reasoning.encrypted","data":"RW9C","id":"other"}])",
          ""),
      stepWith("c", R"(,"thinking_blocks":[{"type":"thinking","thinking":"","signature":"RW9C"}])",
               ""),
      stepWith("c", R"(,"provider_specific_fields":{"thought_signatures":["RW9C"]})",
               R"(,"extra_content":{"google":{)" + sign + "}}"),
  };
  for (const std::string& body : bodies) {
    const Converted converted(body);
    EXPECT_NE(converted.request().body.find(expected), std::string::npos)
        << body << "\n"
        << converted.request().body;
    EXPECT_EQ(converted.lines(), Lines{}) << body;
  }
  const Converted foreign(stepWith(
      "c",
      R"(,"reasoning_details":[{"type":"reasoning.encrypted","data":"RW9C","format":"anthropic-claude-v1"}])",
      ""));
  EXPECT_EQ(foreign.request().body.find("RW9C"), std::string::npos);
  EXPECT_EQ(foreign.lines(), Lines{"warning import.left_out /messages/1/reasoning_details/0"});
}

TEST(OpenAiRequest, ReadsThinkingPartsInAnthropicsForm) {
  const Converted text(withMessages(
      R"({"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"RW9C"},{"type":"text","text":"Yes"}]},{"role":"user","content":"Ok"})"));
  EXPECT_EQ(
      text.request().body,
      "{" + kHi.substr(0, kHi.size() - 1) +
          R"(,{"role":"model","parts":[{"text":"Hm","thought":true},{"text":"Yes","thoughtSignature":"RW9C"}]},{"role":"user","parts":[{"text":"Ok"}]}]})");
}

TEST(OpenAiRequest, ReadsNullAndAnEmptyListAsNoArguments) {
  for (const std::string given : {"null", "[]", "{}", ""}) {
    const Converted converted(withMessages(
        R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":")" +
        given + R"("}}]},{"role":"tool","tool_call_id":"c","content":"1"})"));
    EXPECT_NE(converted.request().body.find(R"("functionCall":{"id":"c","name":"f","args":{}})"),
              std::string::npos);
    EXPECT_EQ(converted.lines(), Lines{});
  }
}

// Large requests. If one list were scanned for each element of another, they would take minutes.
constexpr int kVeryMany = 200'000 / STRATA_SHARE;

// Joins `make(i)` of all numbers below `count` with commas.
template <typename Make>
std::string listOf(int count, const Make& make) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + make(std::to_string(i));
  return list;
}

std::string callOf(const std::string& id, const std::string& name) {
  return R"({"type":"function",)" + (id.empty() ? "" : R"("id":")" + id + "\",") +
         R"("function":{"name":")" + name + R"(","arguments":"{}"}})";
}

std::string functionOf(const std::string& i) {
  return R"({"type":"function","function":{"name":"f)" + i + R"("}})";
}

size_t countOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(OpenAiRequest, PairsVeryManyResultsInTheReverseOrder) {
  const auto call = [](const std::string& i) { return callOf("c" + i, "f"); };
  const auto result = [](const std::string& i) {
    const std::string id = std::to_string(kVeryMany - 1 - std::stoi(i));
    return R"({"role":"tool","tool_call_id":"c)" + id + R"(","content":"r)" + id + "\"}";
  };
  const Converted converted(
      withMessages(R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[)" +
                   listOf(kVeryMany, call) + "]}," + listOf(kVeryMany, result)));
  EXPECT_EQ(converted.refusal(), "");
  const std::string& body = converted.request().body;
  EXPECT_EQ(countOf(body, "\"functionResponse\""), size_t{kVeryMany});
  EXPECT_LT(body.find("\"r0\""), body.find("\"r1\""));
  EXPECT_LT(body.find("\"r" + std::to_string(kVeryMany - 2) + "\""),
            body.find("\"r" + std::to_string(kVeryMany - 1) + "\""));
}

TEST(OpenAiRequest, PairsVeryManyResultsOfOneName) {
  const auto call = [](const std::string&) { return callOf("", "f"); };
  const auto result = [](const std::string& i) {
    return R"({"role":"function","name":"f","content":"r)" + i + "\"}";
  };
  const Converted converted(
      withMessages(R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[)" +
                   listOf(kVeryMany, call) + "]}," + listOf(kVeryMany, result)));
  EXPECT_EQ(converted.refusal(), "");
  EXPECT_EQ(countOf(converted.request().body, "\"functionResponse\""), size_t{kVeryMany});
}

TEST(OpenAiRequest, PlacesVeryManyCarriedSignatures) {
  const auto call = [](const std::string& i) { return callOf("c" + i, "f"); };
  const auto detail = [](const std::string& i) {
    return R"({"type":"reasoning.encrypted","id":"c)" + i + R"(","data":"s)" + i + "\"}";
  };
  const Converted converted(withMessages(
      R"({"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[)" +
      listOf(kVeryMany, call) + R"(],"reasoning_details":[)" + listOf(kVeryMany, detail) + "]}"));
  EXPECT_EQ(converted.refusal(), "");
  EXPECT_EQ(countOf(converted.request().body, "\"thoughtSignature\""), size_t{kVeryMany});
}

TEST(OpenAiRequest, PlacesVeryManyDescribedImages) {
  const auto image = [](const std::string& i) {
    return R"({"type":"image_url","image_url":{"url":"https://a.test/)" + i + "\"}}";
  };
  const auto place = [](const std::string& i) { return R"({"image":)" + i + "}"; };
  const Converted converted(
      withMessages(R"({"role":"user","content":"Hi"},{"role":"assistant","images":[)" +
                   listOf(kVeryMany, image) + R"(],"extra_content":{"google":{"parts":[)" +
                   listOf(kVeryMany, place) + "]}}}"));
  EXPECT_EQ(converted.refusal(), "");
  const std::string& body = converted.request().body;
  EXPECT_EQ(countOf(body, "\"fileData\""), size_t{kVeryMany});
  EXPECT_LT(body.find("a.test/" + std::to_string(kVeryMany - 2) + "\""),
            body.find("a.test/" + std::to_string(kVeryMany - 1) + "\""));
}

TEST(OpenAiRequest, NotesTheFirstOfVeryManyUnknownFieldsAndCountsTheOthers) {
  const auto field = [](const std::string& i) { return "\"u" + i + "\":1"; };
  const Converted converted(withFields(listOf(kVeryMany, field)));
  const catalogue::Findings& notes = converted.request().notes;
  ASSERT_EQ(notes.size(), catalogue::Findings::kMostPerGroup);
  EXPECT_EQ(notes.front().path, "/u0");
  EXPECT_EQ(notes.back().path, "/u99");
  EXPECT_EQ(notes.back().more, kVeryMany - notes.size());
}

TEST(OpenAiRequest, TakesVeryManyToolsOfWhichAllAreAllowed) {
  const std::string tools = listOf(40'000, functionOf);
  const Converted converted(
      withFields(R"("tools":[)" + tools +
                 R"(],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto",)" +
                 R"("tools":[)" + tools + "]}}"));
  EXPECT_EQ(converted.refusal(), "");
  EXPECT_EQ(countOf(converted.request().body, "\"f39999\""), 2U);
}

}  // namespace
}  // namespace strata::dialects
