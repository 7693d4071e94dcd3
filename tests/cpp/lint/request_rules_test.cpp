#include "lint/request_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/rule_table.h"

namespace strata::lint {
namespace {

using test::bodyOf;
using test::content;
using test::Judge;
using test::RuleCase;
using test::user;

std::string with(const std::string& fields) {
  return "{" + fields + (fields.empty() ? "" : ",") + "\"contents\":[" + user() + "]}";
}

std::string thinking(const std::string& fields) {
  return with(R"("generationConfig":{"thinkingConfig":{)" + fields + "}}");
}

std::string declared(const std::string& name) {
  return with(R"("tools":[{"functionDeclarations":[{"name":"ok"},{"name":")" + name + "\"}]}]");
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// 40,000 names, of which some are declared twice and none is compared with all others.
std::string manyDeclarations() {
  std::string declared;
  for (int i = 0; i < 40'000; ++i) declared += R"({"name":"f)" + std::to_string(i) + "\"},";
  return with(R"("tools":[{"functionDeclarations":[)" + declared + R"({"name":"f0"}]}],)" +
              R"("toolConfig":{"functionCallingConfig":{"mode":"ANY",)" +
              R"("allowedFunctionNames":["f39999"]}})");
}

std::string plainBody() { return bodyOf({user()}); }

bool hasError(const std::vector<std::string>& lines, const std::string& code) {
  return std::any_of(lines.begin(), lines.end(), [&code](const std::string& line) {
    return line.rfind("error " + code + " ", 0) == 0;
  });
}

std::vector<RuleCase> cases() {
  const std::string plain = with("");
  const std::string longest(64, 'x');
  const std::string functions = R"({"functionDeclarations":[{"name":"f"}]})";
  return {
      {"field.unknown", "wwwwwwww", "/mine~1own", with(R"("mine/own":1)"),
       with(R"("safety_settings":[],"serviceTier":"flex")")},
      {"field.unknown", "EEEEEEEE", "/generationConfig/temprature",
       with(R"("generationConfig":{"temprature":1})"),
       with(R"("generationConfig":{"temperature":1})")},
      {"field.unknown", "EEEEEEEE", "/tools/0/functionDeclarations/0/paramters",
       with(R"("tools":[{"functionDeclarations":[{"name":"f","paramters":{}}]}])"),
       with(R"("tools":[{"functionDeclarations":[{"name":"f"}]}])")},
      {"field.unknown", "EEEEEEEE", "/tools/0/googleSerch", with(R"("tools":[{"googleSerch":{}}])"),
       with(R"("tools":[{"googleSearch":{}}])")},
      {"field.unknown", "EEEE----", "/labels", with(R"("labels":{})"), with(R"("labels":null)")},
      {"field.unknown", "----EEEE", "/store", with(R"("store":false)"), with(R"("store":null)")},
      {"field.unknown", "wwww----", "/modelArmorConfig", with(R"("modelArmorConfig":{})"), plain},
      // mpfaffenberger/code_puppy#293, vercel/ai#14314.
      {"field.unknown", "EEEE----",
       "/toolConfig/function_calling_config/streamFunctionCallArguments",
       with(R"("toolConfig":{"function_calling_config":{"streamFunctionCallArguments":true}})"),
       with(
           R"("toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}})")},
      {"field.unknown", "EEEEEEEE", "/toolConfig/mode", with(R"("toolConfig":{"mode":"ANY"})"),
       with(R"("toolConfig":{"retrievalConfig":{"latLng":{},"languageCode":"de"}})")},
      {"field.unknown", "EEEEEEEE", "/generationConfig/maxTokens",
       with(R"("generationConfig":{"maxTokens":5})"),
       with(R"("generationConfig":{"max_output_tokens":5,"_responseJsonSchema":{},"seed":1})")},
      {"field.unknown", "EEEEEEEE", "/generationConfig/thinkingConfig/budget",
       thinking(R"("budget":5)"), thinking(R"("include_thoughts":true)")},
      {"field.unknown", "wwww----", "/generationConfig/audioTimestamp",
       with(R"("generationConfig":{"audioTimestamp":true})"), plain},
      {"field.unknown", "EEEEEEEE", "/tools/0/functions",
       with(R"("tools":[{"functions":[{"name":"f"}]}])"),
       with(R"("tools":[{"url_context":{}},{"mcpServers":[]}])")},
      {"field.unknown", "wwww----", "/tools/0/enterpriseWebSearch",
       with(R"("tools":[{"enterpriseWebSearch":{}}])"), plain},
      {"field.unknown", "EEEEEEEE", "/tools/0/function_declarations/0/inputSchema",
       with(R"("tools":[{"function_declarations":[{"name":"f","inputSchema":{}}]}])"),
       with(R"("tools":[{"functionDeclarations":[{"name":"f","parameters_json_schema":{}}]}])")},
      {"field.unknown", "EEEEEEEE", "/generationConfig/TopP",
       with(R"("generationConfig":{"TopP":1})"), with(R"("generationConfig":{"topP":1})")},
      {"field.unknown", "EEEEEEEE", "/max_output_tokens", with(R"("max_output_tokens":5)"),
       with(R"("generationConfig":{"max_output_tokens":5})")},
      {"field.unknown", "wwwwwwww", "/audioTimestamp", with(R"("audioTimestamp":true)"), plain},
      {"field.unknown", "EEEEEEEE", "/safetySettings/0/treshold",
       with(R"("safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","treshold":"OFF"}])"),
       with(R"("safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}])")},
      {"field.unknown", "wwww----", "/safety_settings/method",
       with(R"("safety_settings":{"method":"PROBABILITY"})"), with(R"("safety_settings":{})")},
      {"field.invalid", "EEEEEEEE", "/safetySettings/1", with(R"("safetySettings":[{},5])"),
       with(R"("safetySettings":[{}])")},
      {"field.unknown", "EEEEEEEE", "/tools/0/function",
       with(R"("tools":[{"function":{"name":"f"}}])"), declared("f")},
      {"field.invalid", "wwwwwwww", "/safetySettings/0/category",
       with(R"("safetySettings":[{"category":"HARASSMENT"}])"),
       with(R"("safetySettings":[{"category":"harm_category_harassment"},)"
            R"({"category":"HARM_CATEGORY_HATE_SPEECH"}])")},
      {"field.invalid", "wwwwwwww", "/safetySettings/0/threshold",
       with(R"("safetySettings":[{"threshold":"NONE"}])"),
       with(R"("safetySettings":[{"threshold":2}])")},
      {"field.invalid", "wwwwwwww", "/toolConfig/functionCallingConfig/mode",
       with(R"("toolConfig":{"functionCallingConfig":{"mode":"REQUIRED"}})"),
       with(R"("toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}})")},
      {"field.invalid", "EEEEEEEE", "/toolConfig/functionCallingConfig/mode",
       with(R"("toolConfig":{"functionCallingConfig":{"mode":true}})"),
       with(R"("toolConfig":{"functionCallingConfig":{"mode":"auto"}})")},
      {"json.duplicate_key", "EEEEEEEE", "/tools/0/google_search",
       with(R"("tools":[{"googleSearch":{},"google_search":{}}])"),
       with(R"("tools":[{"googleSearch":{}},{"google_search":{}}])")},
      {"json.duplicate_key", "EEEEEEEE", "/toolConfig/retrieval_config",
       with(R"("toolConfig":{"retrievalConfig":{},"retrieval_config":{}})"), plain},
      {"field.invalid", "EEEEEEEE", "/generationConfig", with(R"("generationConfig":"x")"),
       with(R"("generationConfig":null)")},
      {"field.invalid", "EEEEEEEE", "/tool_config", with(R"("tool_config":5)"),
       with(R"("toolConfig":null)")},
      {"field.invalid", "EEEEEEEE", "/safetySettings", with(R"("safetySettings":true)"),
       with(R"("safetySettings":null)")},
      {"field.invalid", "EEEEEEEE", "/safetySettings", with(R"("safetySettings":"x")"),
       with(R"("safetySettings":{})")},
      {"field.invalid", "EEEEEEEE", "/tools/0", with(R"("tools":[1])"), with(R"("tools":[])")},
      {"field.invalid", "EEEEEEEE", "/tools/0/functionDeclarations/0",
       with(R"("tools":[{"functionDeclarations":[null]}])"), declared("f")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/thinkingConfig/thinkingBudget",
       thinking(R"("thinkingBudget":1.5)"), thinking(R"("thinkingBudget":1024.0)")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/candidateCount",
       with(R"("generationConfig":{"candidateCount":true})"),
       with(R"("generationConfig":{"candidateCount":"1"})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/temperature",
       with(R"("generationConfig":{"temperature":"hot"})"),
       with(R"("generationConfig":{"temperature":"0.5"})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/top_p",
       with(R"("generationConfig":{"top_p":true})"), with(R"("generationConfig":{"top_p":null})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/presencePenalty",
       with(R"("generationConfig":{"presencePenalty":[]})"),
       with(R"("generationConfig":{"presencePenalty":0})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/seed",
       with(R"("generationConfig":{"seed":1.5})"), with(R"("generationConfig":{"seed":1.0})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/responseLogprobs",
       with(R"("generationConfig":{"responseLogprobs":1})"),
       with(R"("generationConfig":{"responseLogprobs":false})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/responseMimeType",
       with(R"("generationConfig":{"responseMimeType":5})"),
       with(R"("generationConfig":{"responseMimeType":"text/plain"})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/thinkingConfig/includeThoughts",
       thinking(R"("includeThoughts":"yes")"), thinking(R"("includeThoughts":true)")},
      {"field.unknown", "----EEEE", "/tool_config/includeServerSideToolInvocations",
       with(R"("tool_config":{"includeServerSideToolInvocations":true})"),
       with(R"("tool_config":{"functionCallingConfig":{}})")},
      {"json.duplicate_key", "EEEEEEEE", "/system_instruction",
       with(R"("systemInstruction":{"parts":[{"text":"a"}]},"system_instruction":{"parts":[)"
            R"({"text":"a"}]})"),
       with(R"("systemInstruction":{"parts":[{"text":"a"}]},"system_instruction":null)")},
      {"json.duplicate_key", "EEEEEEEE", "/generationConfig/thinkingConfig/thinking_budget",
       thinking(R"("thinking_budget":1024,"thinkingBudget":1024)"),
       thinking(R"("thinkingBudget":1024)")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/thinkingConfig/thinkingLevel",
       thinking(R"("thinkingLevel":"HUGE")"), thinking(R"("thinkingLevel":"low")")},
      {"field.invalid", "EEEEEEEE", "/contents", R"({"contents":"a"})", plain},
      // A single object stands for a list of one: recorded in b3638ae15d24cf0a.
      {"field.invalid", "EEEEEEEE", "/tools", with(R"("tools":1)"), with(R"("tools":{})")},
      {"tools.name_invalid", "EEEEEEEE", "/tools/functionDeclarations/name",
       with(R"("tools":{"functionDeclarations":{"name":"1st"}})"),
       with(R"("tools":{"functionDeclarations":{"name":"f"}})")},
      {"field.invalid", "wwwwwwww", "/system_instruction/parts",
       with(R"("system_instruction":{"parts":[]})"),
       with(R"("systemInstruction":{"parts":[{"text":"a"}]})")},
      {"field.invalid", "wwwwwwww", "/systemInstruction/parts/1",
       with(R"("systemInstruction":{"parts":[{"text":"a"},{"inlineData":{"mimeType":"image/png",)"
            R"("data":"aGk="}}]})"),
       with(R"("systemInstruction":{"parts":[{"text":"a"},{"text":"b"}]})")},
      {"field.invalid", "EEEEEEEE", "/systemInstruction/parts/0",
       with(R"("systemInstruction":{"parts":[{"text":null}]})"),
       with(R"("systemInstruction":{"parts":[{"text":"a"}]})")},
      {"field.unknown", "EEEEEEEE", "/systemInstruction/parts/0/id",
       with(R"("systemInstruction":{"parts":[{"text":"a","id":"1"}]})"),
       with(R"("systemInstruction":{"parts":[{"text":"a"}]})")},
      {"field.unknown", "wwwwwwww", "/systemInstruction/kind",
       with(R"("systemInstruction":{"kind":"a","parts":[{"text":"a"}]})"),
       with(R"("systemInstruction":{"role":"system","parts":[{"text":"a"}]})")},
      {"field.invalid", "EEEEEEEE", "/system_instruction",
       with(R"("systemInstruction":null,"system_instruction":"a")"),
       with(R"("systemInstruction":null,"system_instruction":{"parts":[{"text":"a"}]})")},
      {"cache.forbidden_fields", "EEEEEEEE", "/system_instruction",
       with(R"("cachedContent":"cachedContents/c","system_instruction":{"parts":[{"text":"a"}]})"),
       with(
           R"("cachedContent":"cachedContents/c","tools":null,"generationConfig":{},"safetySettings":[])")},
      {"cache.forbidden_fields", "EEEEEEEE", "/toolConfig",
       with(R"("cachedContent":"cachedContents/c","toolConfig":{})"), with(R"("toolConfig":{})")},
      {"cache.unsupported_model", "---E---E", "/cachedContent",
       with(R"("cachedContent":"cachedContents/c")"), plain},
      {"cache.empty_contents", "EEEEEEEE", "/contents",
       R"({"cachedContent":"cachedContents/c","contents":[]})",
       with(R"("cachedContent":"cachedContents/c")")},
      {"thinking.both", "-EEE-EEE", "/generationConfig/thinkingConfig",
       thinking(R"("thinkingLevel":"LOW","thinkingBudget":1024)"),
       thinking(R"("thinking_level":"LOW","thinkingBudget":null)")},
      {"thinking.level_unsupported", "E---E---", "/generationConfig/thinkingConfig/thinkingLevel",
       thinking(R"("thinkingLevel":"LOW")"), thinking(R"("thinkingBudget":1024)")},
      {"thinking.minimal_unsupported", "-E-E-E-E", "/generationConfig/thinkingConfig/thinkingLevel",
       thinking(R"("thinkingLevel":"minimal")"), thinking(R"("thinkingLevel":"LOW")")},
      {"thinking.level_unavailable", "-www-www", "/generationConfig/thinkingConfig/thinkingLevel",
       thinking(R"("thinkingLevel":"XHIGH")"),
       thinking(R"("thinkingLevel":"THINKING_LEVEL_UNSPECIFIED")")},
      {"thinking.budget_unsupported", "---E---E", "/generationConfig/thinkingConfig/thinkingBudget",
       thinking(R"("thinkingBudget":-1)"), thinking(R"("thinkingLevel":"LOW")")},
      {"thinking.budget_range", "EEE-EEE-", "/generationConfig/thinkingConfig/thinkingBudget",
       thinking(R"("thinkingBudget":99999)"), thinking(R"("thinkingBudget":-1)")},
      {"tools.json_mode", "E---E---", "/tools",
       with(R"("tools":[{"googleSearch":{}}],"generationConfig":)"
            R"({"responseMimeType":"application/json"})"),
       with(R"("generationConfig":{"responseMimeType":"application/json"})")},
      {"tools.mixed_without_flag", "E---E---", "/tools",
       with("\"tools\":[" + functions +
            R"(,{"googleSearch":{}}],"toolConfig":{"includeServerSideToolInvocations":true})"),
       with("\"tools\":[" + functions + R"(,{"codeInterpreter":{}}])")},
      {"tools.mixed_without_flag", "EEEEE---", "/tools",
       with("\"tools\":[" + functions + R"(,{"googleSearch":{}}])"),
       with("\"tools\":[" + functions + R"(,{"googleSearch":null}])")},
      {"tools.name_invalid", "EEEEEEEE", "/tools/0/functionDeclarations/1/name", declared("1st"),
       declared(longest)},
      {"tools.name_invalid", "EEEEEEEE", "/tools/0/functionDeclarations/1/name",
       declared(longest + "x"), declared("_a.b:c-d0")},
      {"config.penalty_unsupported", "EEEEwwEE", "/generationConfig/presencePenalty",
       with(R"("generationConfig":{"presencePenalty":1})"),
       with(R"("generationConfig":{"presencePenalty":null})")},
      {"config.penalty_unsupported", "EEEEwwEE", "/generationConfig/frequency_penalty",
       with(R"("generationConfig":{"frequency_penalty":-0.1})"),
       with(R"("generationConfig":{"frequencyPenalty":0,"presencePenalty":0.0})")},
      {"config.temperature_range", "EEEEEEww", "/generationConfig/temperature",
       with(R"("generationConfig":{"temperature":1000})"),
       with(R"("generationConfig":{"temperature":2.0})")},
      {"config.output_tokens_range", "EEEEEEEE", "/generationConfig/maxOutputTokens",
       with(R"("generationConfig":{"maxOutputTokens":0})"),
       with(R"("generationConfig":{"maxOutputTokens":1})")},
      {"config.output_tokens_range", "EEEEEEEE", "/generationConfig/max_output_tokens",
       with(R"("generationConfig":{"max_output_tokens":655360})"),
       with(R"("generationConfig":{"maxOutputTokens":65536})")},
      {"config.stop_sequences", "EEEEEEEE", "/generationConfig/stopSequences",
       with(R"("generationConfig":{"stopSequences":["a","b","c","d","e","f"]})"),
       with(R"("generationConfig":{"stopSequences":["a","b","c","d","e"]})")},
      {"tools.json_mode_forced", "-EEE-EEE", "/tools",
       with("\"tools\":[" + functions +
            R"(],"generationConfig":{"responseMimeType":"application/json"},)"
            R"("toolConfig":{"functionCallingConfig":{"mode":"ANY"}})"),
       with("\"tools\":[" + functions +
            R"(],"generationConfig":{"responseMimeType":"application/json"})")},
      {"tools.mixed_without_flag", "EEEEE---", "/tools",
       with("\"tools\":[" + functions + R"(,{"codeExecution":{}}])"),
       with("\"tools\":[" + functions + R"(,{"computerUse":{}}])")},
      {"cache.name_invalid", "EEEEEEEE", "/cachedContent", with(R"("cachedContent":"1234567890")"),
       with(R"("cachedContent":"cachedContents/1")")},
      {"cache.name_invalid", "EEEE----", "/cachedContent",
       with(R"("cachedContent":"projects/p/locations/l/cachedContents/1")"), plain},
      {"field.unknown", "----EEEE", "/store", with(R"("store":false)"),
       with(R"("serviceTier":"flex","continuationToken":"a")")},
      {"config.candidate_count", "-EEE-wwE", "/generation_config/candidate_count",
       with(R"("generation_config":{"candidate_count":2})"),
       with(R"("generationConfig":{"candidateCount":1})")},
      {"config.sampling_ignored", "--ww--ww", "/generationConfig/topP",
       with(R"("generationConfig":{"topP":0.5})"), with(R"("generationConfig":{"seed":5})")},
      // ShishirPatil/gorilla#770, strands-agents/harness-sdk#1039.
      {"tools.empty", "EEEEEEEE", "/tools/0", with(R"("tools":[{"functionDeclarations":[]}])"),
       with(R"("tools":[{"functionDeclarations":[],"googleSearch":{}}])")},
      {"tools.empty", "EEEEEEEE", "/tools/1",
       with("\"tools\":[" + functions + R"(,{"function_declarations":null}])"),
       with("\"tools\":[" + functions + R"(,{"codeExecution":null,"googleSearch":{}}])")},
      {"tools.empty", "EEEEEEEE", "/tools", with(R"("tools":{})"), with(R"("tools":[])")},
      {"field.invalid", "EEEEEEEE", "/tools/0/functionDeclarations/0/description",
       with(R"("tools":[{"functionDeclarations":[{"name":"f","description":5}]}])"),
       with(R"("tools":[{"functionDeclarations":[{"name":"f","description":null}]}])")},
      // genkit-ai/genkit#1901.
      {"tools.search_retrieval", "EEEEEEEE", "/tools/0/google_search_retrieval",
       with(R"("tools":[{"google_search_retrieval":{"dynamic_retrieval_config":{}}}])"),
       with(R"("tools":[{"googleSearchRetrieval":null,"googleSearch":{}}])")},
      // egonSchiele/agency-lang#495.
      {"tools.flag_unsupported", "E-------", "/toolConfig/includeServerSideToolInvocations",
       with(R"("toolConfig":{"includeServerSideToolInvocations":true})"),
       with(R"("toolConfig":{"includeServerSideToolInvocations":false})")},
      // 567-labs/instructor#2147, microsoft/semantic-kernel#6633, Visionatrix/ComfyUI-Gemini#8.
      {"safety.category_unsupported", "EEEE----", "/safetySettings/0/category",
       with(R"("safetySettings":[{"category":"HARM_CATEGORY_IMAGE_HATE"}])"),
       with(R"("safetySettings":[{"category":"HARM_CATEGORY_CIVIC_INTEGRITY"}])")},
      {"safety.category_unsupported", "EEEE----", "/safety_settings/category",
       with(R"("safety_settings":{"category":"HARM_CATEGORY_JAILBREAK"})"),
       with(R"("safety_settings":{"category":"HARASSMENT"})")},
      {"safety.category_unsupported", "EEEEwwww", "/safetySettings/0/category",
       with(R"("safetySettings":[{"category":"HARM_CATEGORY_DANGEROUS"}])"),
       with(R"("safetySettings":[{"category":10,"threshold":3}])")},
      {"safety.category_unsupported", "EEEEwwww", "/safetySettings/0/category",
       with(R"("safetySettings":[{"threshold":"OFF"}])"), with(R"("safetySettings":[])")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/seed",
       with(R"("generationConfig":{"seed":3000000000})"),
       with(R"("generationConfig":{"seed":-2147483648})")},
      {"field.invalid", "EEEEEEEE", "/generationConfig/thinkingConfig/thinkingBudget",
       thinking(R"("thinkingBudget":2147483648)"), thinking(R"("thinkingBudget":-1)")},
      {"json.invalid", "EEEEEEEE", "/contents/0", R"({"contents":[x]})", plain},
      {"json.duplicate_key", "EEEEEEEE", "/contents", R"({"contents":[],"contents":[]})", plain},
      {"json.too_deep", "EEEEEEEE", repeated("/0", 200), repeated("[", 201), plain},
      {"json.lenient", "wwwwwwww", "/contents/0/parts",
       R"({"contents":[{"role":"user","parts":[{"text":"Hello"},]}]})", plain},
      {"json.lenient", "wwwwwwww", "/contents",
       R"({contents:[{"role":"user","parts":[{"text":"Hello"}]}]})", plain},
      {"json.invalid_utf8", "EEEEEEEE", "/a", "{\"a\":\"\xFF\"}", plain},
  };
}

class RequestRule : public testing::TestWithParam<RuleCase> {};

TEST_P(RequestRule, ReportsTheInvalidBodyAndAcceptsTheValidOne) { test::expectRule(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, RequestRule, testing::ValuesIn(cases()));

TEST(RequestRules, RejectsSeveralCandidatesFrom38On) {
  const std::string body = with(R"("generationConfig":{"candidateCount":2})");
  const std::string line = " config.candidate_count /generationConfig/candidateCount";
  const auto onVertex = [](const char* model) {
    return Judge(model, gemini::Backend::kVertex, catalogue::dayOf("2026-10-07T00:00:00Z", 0));
  };
  EXPECT_EQ(onVertex("gemini-3.7-flash").lint(body), std::vector<std::string>{"warning" + line});
  EXPECT_EQ(onVertex("gemini-3.8-flash").lint(body), std::vector<std::string>{"error" + line});
  EXPECT_EQ(Judge("gemini-3-pro").lint(body), std::vector<std::string>{"error" + line});
}

TEST(RequestRules, KnowWhatSingleModelsLack) {
  struct Case {
    const char* model;
    std::string body;
    std::string line;
  };
  const std::string json = with(R"("generationConfig":{"responseMimeType":"application/json"})");
  const std::string system = with(R"("systemInstruction":{"parts":[{"text":"a"}]})");
  const std::string audio =
      bodyOf({content("user", {R"({"inlineData":{"mimeType":"audio/wav","data":"AAAA"}})"})});
  const std::string audioFile = bodyOf({content(
      "user", {R"({"fileData":{"mimeType":"audio/wav","fileUri":"https://example.com/a.wav"}})"})});
  const std::vector<Case> cases = {
      {"gemini-2.5-flash-image", json, "config.json_mode_unsupported"},
      {"gemini-2.5-flash-preview-tts", plainBody(), "config.modality_unsupported"},
      {"gemini-2.5-flash", with(R"("generationConfig":{"responseLogprobs":true})"),
       "config.logprobs_unsupported"},
      {"gemma-3-27b-it", system, "config.instruction_unsupported"},
      {"gemma-3-27b-it", audio, "media.audio_unsupported"},
      {"gemma-3-27b-it", audioFile, "media.audio_unsupported"},
  };
  for (const Case& each : cases) {
    EXPECT_TRUE(hasError(Judge(each.model).lint(each.body), each.line)) << each.model;
    EXPECT_FALSE(test::hasCode(Judge("gemini-3.8-flash").lint(each.body), each.line));
  }
  const std::string spoken = with(R"("generationConfig":{"responseModalities":["AUDIO"]})");
  EXPECT_TRUE(Judge("gemini-2.5-pro-preview-tts").lint(spoken).empty());
}

// Gemini 2.0 accepted what 2.5 refuses: recorded in d5b362faea85e792 and 2887029d379541a4.
TEST(RequestRules, KnowThatGemini20AcceptedMore) {
  const Judge judge("gemini-2.0-flash", gemini::Backend::kGemini,
                    catalogue::dayOf("2026-05-01T00:00:00Z", 0));
  EXPECT_TRUE(judge.lint(with(R"("generationConfig":{"presencePenalty":0.5})")).empty());
  EXPECT_TRUE(judge
                  .lint(with(R"("tools":[{"functionDeclarations":[{"name":"f"}]}],)"
                             R"("generationConfig":{"responseMimeType":"application/json"})"))
                  .empty());
}

TEST(RequestRules, JudgeTheBodyOfANewCache) {
  const Judge judge("gemini-2.5-flash");
  const std::string system = R"("systemInstruction":{"parts":[{"text":")";
  const std::string head = R"({"model":"models/gemini-2.5-flash","ttl":"300s",)" + system;
  EXPECT_TRUE(judge.lint(head + std::string(20000, 'a') + R"("}]}})").empty());
  EXPECT_EQ(judge.lint(head + R"(a"}]}})"), std::vector<std::string>{"error cache.too_small "});
  const std::string long_ =
      R"({"model":"m","expireTime":"x","contents":[)" + user(std::string(20000, 'a'));
  EXPECT_TRUE(judge.lint(long_ + "]}").empty());
  EXPECT_EQ(judge.lint(long_ + "," + test::model() + "]}"),
            std::vector<std::string>{"error cache.splits_step /contents/1"});
  EXPECT_EQ(judge.lint(long_ + "," + test::callTurn() + "," + test::resultTurn() + "]}"),
            std::vector<std::string>{"error cache.splits_step /contents/2"});
  EXPECT_TRUE(test::hasCode(Judge("gemini-4-argon").lint(long_ + "]}"), "cache.unsupported_model"));
}

TEST(RequestRules, JudgeTheRequestInsideACountTokensBody) {
  const std::string body = R"({"generateContentRequest":{"model":"m","contents":[]}})";
  EXPECT_EQ(Judge().lint(body),
            std::vector<std::string>{"error contents.empty /generateContentRequest/contents"});
  EXPECT_TRUE(Judge().lint(R"({"generate_content_request":)" + plainBody() + "}").empty());
}

std::vector<std::string> lintAt(const char* date, const char* model, const std::string& body,
                                gemini::Backend backend = gemini::Backend::kGemini) {
  return Judge(model, backend, catalogue::dayOf(std::string(date) + "T12:00:00Z", 0)).lint(body);
}

using Lines = std::vector<std::string>;

// Changelog of October 8; deprecations page of November 10.
TEST(RequestRules, ReportsThatAnotherModelServesTheRequest) {
  const std::string body = with("");
  EXPECT_EQ(lintAt("2026-10-07", "gemini-3.5-flash", body), Lines{});
  EXPECT_EQ(lintAt("2026-10-08", "models/gemini-3.5-flash", body), Lines{"info model.routed "});
  EXPECT_EQ(lintAt("2026-11-30", "gemini-2.5-pro", body), Lines{});
  EXPECT_EQ(lintAt("2026-12-01", "gemini-2.5-pro", body), Lines{"info model.routed "});
  EXPECT_EQ(lintAt("2026-12-01", "gemini-2.5-pro", body, gemini::Backend::kVertex), Lines{});
  EXPECT_EQ(lintAt("2026-11-22", "gemini-flash-latest", body), Lines{});
}

// Changelog of February 18; recorded exchange 1a2999d3c2065df4.
TEST(RequestRules, WarnsAboutAModelThatIsShutDown) {
  const std::string body = with("");
  EXPECT_EQ(lintAt("2026-05-31", "gemini-2.0-flash", body), Lines{});
  EXPECT_EQ(lintAt("2026-06-01", "gemini-2.0-flash", body), Lines{"warning model.retired "});
  EXPECT_EQ(lintAt("2026-06-01", "gemini-2.5-flash", body), Lines{});
}

// maragudk/gai#369: 3.5-flash-lite refuses 0, its newer siblings take it.
TEST(RequestRules, RejectsABudgetOf0On35FlashLite) {
  const std::string body = thinking(R"("thinkingBudget":0)");
  EXPECT_EQ(Judge("gemini-3.5-flash-lite").lint(body),
            Lines{"error thinking.budget_range /generationConfig/thinkingConfig/thinkingBudget"});
  for (const char* model : {"gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash"}) {
    EXPECT_EQ(lintAt("2026-10-01", model, body), Lines{}) << model;
  }
  // From December 1 on, gemini-2.5-flash has its rules.
  EXPECT_EQ(lintAt("2026-11-30", "gemini-2.5-flash", body), Lines{});
  EXPECT_EQ(lintAt("2026-12-01", "gemini-2.5-flash", body).size(), 2U);
}

// python-genai and litellm sources.
TEST(RequestRules, RejectsEveryThinkingBudgetOnGemma) {
  const Judge gemma("gemma-4-31b-it");
  for (const char* budget : {"-1", "0", "1024"}) {
    const std::string body = thinking(R"("thinkingBudget":)" + std::string(budget));
    const catalogue::Findings findings = lint::lintRequest(body, gemma.context());
    ASSERT_EQ(findings.size(), 1U) << budget;
    json::Writer out;
    catalogue::writeDiagnostic(out, findings[0], gemma.target());
    const std::string text = out.take();
    EXPECT_NE(text.find(R"("code":"thinking.budget_unsupported","severity":"error")"),
              std::string::npos);
    EXPECT_NE(text.find(R"("upstream":"Thinking budget is not supported for this model.")"),
              std::string::npos);
  }
  EXPECT_EQ(gemma.lint(thinking(R"("thinkingLevel":"MINIMAL")")), Lines{});
}

// maximhq/bifrost#7287.
TEST(RequestRules, AcceptsMinimalAndHighOnlyOn31FlashLiteImage) {
  const Judge image("gemini-3.1-flash-lite-image");
  const std::string path = " /generationConfig/thinkingConfig/thinkingLevel";
  for (const char* level : {"MINIMAL", "high"}) {
    EXPECT_EQ(image.lint(thinking(R"("thinkingLevel":")" + std::string(level) + '"')), Lines{});
  }
  for (const char* level : {"LOW", "medium"}) {
    EXPECT_EQ(image.lint(thinking(R"("thinkingLevel":")" + std::string(level) + '"')),
              Lines{"error thinking.level_unavailable" + path});
  }
}

// Hydrogen guide; langchainjs @langchain/google 0.2.15.
TEST(RequestRules, AcceptsXhighOn4HydrogenAndWarnsElsewhere) {
  const std::string path = " /generationConfig/thinkingConfig/thinkingLevel";
  for (const char* level : {"XHIGH", "xhigh"}) {
    const std::string body = thinking(R"("thinkingLevel":")" + std::string(level) + '"');
    EXPECT_EQ(Judge("gemini-4-hydrogen").lint(body), Lines{});
    EXPECT_EQ(Judge("gemini-4-neon").lint(body), Lines{});
    EXPECT_EQ(Judge("gemini-3.8-flash").lint(body),
              Lines{"warning thinking.level_unavailable" + path});
  }
  EXPECT_EQ(Judge("gemini-4-hydrogen").lint(thinking(R"("thinkingLevel":"XXHIGH")")),
            Lines{"error field.invalid" + path});
}

// Neon guide, as read by aihubmix.
TEST(RequestRules, RejectsWhatGemini4Answers400To) {
  const std::string config = "/generationConfig";
  const std::string thinkingPath = config + "/thinkingConfig";
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {thinking(R"("thinkingBudget":1024)"),
       "error thinking.budget_unsupported " + thinkingPath + "/thinkingBudget"},
      {thinking(R"("thinkingLevel":"MINIMAL")"),
       "error thinking.minimal_unsupported " + thinkingPath + "/thinkingLevel"},
      {with(R"("generationConfig":{"frequencyPenalty":0.5})"),
       "error config.penalty_unsupported " + config + "/frequencyPenalty"},
      {with(R"("generationConfig":{"candidateCount":2})"),
       "error config.candidate_count " + config + "/candidateCount"},
  };
  for (const char* model :
       {"gemini-4-argon", "gemini-4-carbon", "gemini-4-hydrogen", "gemini-4-neon"}) {
    for (const gemini::Backend backend : {gemini::Backend::kGemini, gemini::Backend::kVertex}) {
      for (const auto& [body, line] : bodies) {
        EXPECT_EQ(Judge(model, backend).lint(body), Lines{line}) << model;
      }
    }
  }
}

// Prism-Shadow/model-message-stream-protocol; public code; OpenMinis/OpenMinis#226.
TEST(RequestRules, RejectWhatModelsForSpeechLack) {
  const std::string head = R"({"generationConfig":{"responseModalities":["AUDIO"])";
  const auto body = [&](const std::string& config, const std::string& fields) {
    return head + config + "}," + fields + R"("contents":[)" + user() + "]}";
  };
  const std::string level = R"(,"thinkingConfig":{"thinkingLevel":"LOW"})";
  const std::string thinkingError = "error thinking.unsupported /generationConfig/thinkingConfig";
  const std::string history =
      head + R"(},"contents":[)" + user() + "," + test::model() + "," + user() + "]}";
  const std::string several = head + R"(},"contents":[)" + user() + "," + user() + "]}";
  for (const char* model : {"gemini-3.1-flash-tts-preview", "gemini-3.8-flash-tts",
                            "gemini-3.8-flash-lite-tts", "gemini-2.5-flash-preview-tts"}) {
    const Judge judge(model);
    EXPECT_EQ(judge.lint(body("", "")), Lines{}) << model;
    EXPECT_EQ(judge.lint(body(level, "")), Lines{thinkingError});
    EXPECT_EQ(judge.lint(body(R"(,"thinkingConfig":{"thinkingBudget":0})", "")),
              Lines{thinkingError});
    EXPECT_EQ(judge.lint(body(R"(,"thinkingConfig":{"includeThoughts":false})", "")), Lines{});
    EXPECT_EQ(judge.lint(body("", R"("tools":{"functionDeclarations":[{"name":"f"}]},)")),
              Lines{"error tools.functions_unsupported /tools/functionDeclarations"});
    EXPECT_EQ(judge.lint(body("", R"("tools":[{"google_search":{}}],)")),
              Lines{"error tools.built_in_unsupported /tools/0/google_search"});
    EXPECT_EQ(judge.lint(body("", R"("systemInstruction":{"parts":[{"text":"a"}]},)")),
              Lines{"error config.instruction_unsupported /systemInstruction"});
    EXPECT_EQ(judge.lint(history), Lines{"error contents.multi_turn_unsupported /contents"});
    EXPECT_EQ(judge.lint(several), Lines{"warning contents.multi_turn_unsupported /contents"});
  }
  EXPECT_TRUE(test::hasCode(Judge("gemini-2.5-flash-tts", gemini::Backend::kVertex).lint(history),
                            "contents.multi_turn_unsupported"));
}

// Public code: "Thinking is not enabled for models/gemma-3-27b-it", with a thinkingBudget of 0.
TEST(RequestRules, RejectThinkingForModelsThatDoNotThink) {
  const std::string line = " thinking.unsupported /generationConfig/thinkingConfig";
  for (const char* model : {"gemma-3-27b-it", "gemini-2.5-flash-image", "gemini-3.5-transcribe"}) {
    for (const char* config : {R"("thinkingBudget":0)", R"("thinkingLevel":"LOW")"}) {
      EXPECT_EQ(Judge(model).lint(thinking(config)), Lines{"error" + line}) << model << config;
    }
    EXPECT_EQ(Judge(model).lint(thinking(R"("includeThoughts":true)")), Lines{"warning" + line});
    EXPECT_EQ(Judge(model).lint(thinking("")), Lines{});
  }
}

// agno-agi/agno#3505; public code. 3-pro-image is recorded with googleSearch: 25f82c9c46e6c0e4.
TEST(RequestRules, KnowWhichToolsAModelLacks) {
  const std::string functions = with(R"("tools":[{"functionDeclarations":[{"name":"f"}]}])");
  const std::string search = with(R"("tools":[{"googleSearch":{}}])");
  const std::string url = with(R"("tools":[{"urlContext":{}}])");
  const std::string noFunctions = "error tools.functions_unsupported /tools/0/functionDeclarations";
  const std::string noUrl = "error tools.built_in_unsupported /tools/0/urlContext";
  for (const char* model : {"gemma-3-12b-it", "gemma-3n-e4b-it"}) {
    EXPECT_EQ(Judge(model).lint(functions), Lines{noFunctions}) << model;
    EXPECT_EQ(Judge(model).lint(url), Lines{noUrl}) << model;
    EXPECT_EQ(Judge(model).lint(search), Lines{}) << model;
  }
  EXPECT_EQ(Judge("gemini-2.5-flash-image").lint(functions), Lines{noFunctions});
  EXPECT_EQ(Judge("gemini-2.5-flash-image").lint(search),
            Lines{"error tools.built_in_unsupported /tools/0/googleSearch"});
  EXPECT_EQ(Judge("gemma-4-31b-it").lint(functions), Lines{});
  EXPECT_EQ(Judge("gemini-3-pro-image").lint(search), Lines{});
  EXPECT_EQ(Judge("gemma-3-12b-it", gemini::Backend::kVertex).lint(functions),
            Lines{"warning tools.functions_unsupported /tools/0/functionDeclarations"});
}

TEST(RequestRules, QuoteGooglesWordsAboutSafetyCategories) {
  const auto upstreamOf = [](const std::string& category) {
    const Judge judge;
    const auto found = lintRequest(
        with(R"("safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT"},{"category":)" +
             category + "}]"),
        judge.context());
    return found.size() == 1 ? found[0].arg2.substr(0, 60) : std::to_string(found.size());
  };
  EXPECT_EQ(upstreamOf("\"HARM_CATEGORY_IMAGE_HATE\""),
            "Invalid value at 'safety_settings[1].category' (type.googlea");
  const std::string predicate = "* GenerateContentRequest.safety_settings[1]: element predica";
  for (const char* category :
       {"\"HARM_CATEGORY_UNSPECIFIED\"", "\"harm_category_toxicity\"", "0", "6", "null"}) {
    EXPECT_EQ(upstreamOf(category), predicate) << category;
  }
  for (const char* category : {"7", "11", "\"HARM_CATEGORY_CIVIC_INTEGRITY\""}) {
    EXPECT_EQ(upstreamOf(category), "0") << category;
  }
}

// Google lists "gemini-3.8-flash"; xenon and 3.9 would be other models.
TEST(RequestRules, WarnAboutANameWithATypingError) {
  for (const char* model : {"gemini-3.8-falsh", "models/gemini-3.8-flsh", "gemeni-3.8-flash",
                            "gemini-38-flash", "Gemini-3.8-Flash", "gemini-2.5-pro-previeu-tts"}) {
    EXPECT_TRUE(test::hasCode(Judge(model).lint(plainBody()), "model.misspelled")) << model;
  }
  for (const char* model : {"gemini-3.8-flash", "gemini-3.8-flash-001", "gemini-4-xenon",
                            "gemini-3.9-flash", "gemini-pro-latest", "my-model", "gemma-3-27b-it",
                            "gemini-2.5-flash-preview-09-2025", "gemini-3.1-pro"}) {
    EXPECT_FALSE(test::hasCode(Judge(model).lint(plainBody()), "model.misspelled")) << model;
  }
}

// Recorded in a526523ed610a22f.
TEST(RequestRules, WarnAboutAModelOfAnotherApi) {
  for (const char* model :
       {"gemini-live-2.5-flash", "gemini-3.8-live-extended-thinking",
        "deep-research-pro-preview-12-2025", "gemini-omni-1.1-flash", "gemini-embedding-001"}) {
    EXPECT_TRUE(test::hasCode(Judge(model).lint(plainBody()), "model.other_api")) << model;
  }
  EXPECT_EQ(Judge("gemini-2.5-flash").lint(plainBody()), Lines{});
}

// googleapis/python-genai#811 and recorded answers with MAX_TOKENS.
TEST(RequestRules, WarnAboutOutputTokensThatThinkingUses) {
  const auto isReported = [](const char* model, const std::string& config) {
    return test::hasCode(Judge(model).lint(with("\"generationConfig\":{" + config + "}")),
                         "thinking.output_tokens");
  };
  const auto level = [](const std::string& name) {
    return R"(,"thinkingConfig":{"thinkingLevel":")" + name + "\"}";
  };
  const std::string few = R"("maxOutputTokens":256)";
  EXPECT_TRUE(isReported("gemini-2.5-pro", few));
  EXPECT_TRUE(isReported("gemini-3.8-flash", few));
  EXPECT_TRUE(isReported("gemini-4-neon", R"("max_output_tokens":"1024")"));
  EXPECT_TRUE(isReported("gemini-3.8-flash", R"("maxOutputTokens":1024)" + level("high")));
  EXPECT_TRUE(isReported("gemini-3.1-flash-lite", R"("maxOutputTokens":100)" + level("LOW")));
  const std::string budget = R"("maxOutputTokens":2000,"thinkingConfig":{"thinkingBudget":)";
  EXPECT_TRUE(isReported("gemini-2.5-flash", budget + "2000}"));
  EXPECT_FALSE(isReported("gemini-2.5-flash", budget + "1999}"));
  const std::string off = few + R"(,"thinkingConfig":{"thinkingBudget":0})";
  for (const auto& [model, config] : std::vector<std::pair<const char*, std::string>>{
           {"gemini-2.5-flash", off},
           {"gemini-3.8-flash", off},
           {"gemini-3.6-flash", few + level("MINIMAL")},
           {"gemini-3.5-flash-lite", few},
           {"gemini-2.5-flash-lite", few},
           {"gemini-2.5-flash-image", few},
           {"gemma-3-27b-it", few},
           {"my-model", few},
           {"gemini-3.8-flash", R"("maxOutputTokens":513)"},
           {"gemini-2.0-flash", few}}) {
    EXPECT_FALSE(isReported(model, config)) << model << config;
  }
}

TEST(RequestRules, AcceptsEveryProto3JsonSpellingOfAnInteger) {
  for (const char* budget : {"1024", "1024.0", "1e3", "\"1024\"", "\"1.0e3\"", "-1.0"}) {
    const std::string body = thinking("\"thinkingBudget\":" + std::string(budget));
    EXPECT_TRUE(Judge("gemini-2.5-flash").lint(body).empty()) << budget;
  }
  for (const char* count : {"2.0", "\"2\"", "2e0"}) {
    const std::string body =
        with("\"generationConfig\":{\"candidateCount\":" + std::string(count) + "}");
    EXPECT_TRUE(test::hasCode(Judge().lint(body), "config.candidate_count")) << count;
  }
}

TEST(RequestRules, AcceptsAZeroThinkingBudgetOnlyIfTheModelCanTurnThinkingOff) {
  const std::string off = thinking(R"("thinkingBudget":0)");
  EXPECT_FALSE(test::hasCode(Judge("gemini-2.5-flash").lint(off), "thinking.budget_range"));
  EXPECT_TRUE(test::hasCode(Judge("gemini-2.5-pro").lint(off), "thinking.budget_range"));
  const std::string low = thinking(R"("thinkingBudget":100)");
  EXPECT_TRUE(test::hasCode(Judge("gemini-2.5-pro").lint(low), "thinking.budget_range"));
  EXPECT_TRUE(test::hasCode(Judge("gemini-2.5-flash-lite").lint(low), "thinking.budget_range"));
  EXPECT_FALSE(test::hasCode(Judge("gemini-2.5-flash").lint(low), "thinking.budget_range"));
}

TEST(RequestRules, ChecksModelAndSizeOfAKnownCache) {
  const Judge judge("models/gemini-2.5-pro");
  const std::string body = with(R"("cached_content":"cachedContents/c")");
  LintContext context = judge.context();
  context.cacheModel = "gemini-2.5-pro";
  context.cacheTokens = 2048;
  EXPECT_TRUE(lintRequest(body, context).empty());
  context.cacheModel = "models/gemini-2.5-flash";
  context.cacheTokens = 2047;
  EXPECT_EQ(test::linesOf(lintRequest(body, context), judge.target()),
            (std::vector<std::string>{"error cache.model_mismatch /cached_content",
                                      "error cache.too_small /cached_content"}));
}

TEST(RequestRules, ReportsMalformedBodiesWithoutFailing) {
  const Judge judge;
  for (const char* body : {"", "null", "7", "\"text\"", "[]", "{", "{}", R"({"contents":"x"})",
                           R"({"contents":[null]})", R"({"contents":[[]],"tools":[7]})"}) {
    EXPECT_FALSE(judge.lint(body).empty()) << body;
  }
}

TEST(RequestRules, ComparesMaxOutputTokensWithTheReportedLimit) {
  const Judge judge;
  lint::LintContext context = judge.context();
  const auto linesWith = [&](uint32_t limit, const std::string& tokens) {
    context.target.limits.output = limit;
    const std::string body = with(R"("generationConfig":{"maxOutputTokens":)" + tokens + "}");
    return test::linesOf(lintRequest(body, context), judge.target());
  };
  EXPECT_TRUE(linesWith(200000, "100000").empty());
  EXPECT_EQ(linesWith(8192, "60000").size(), 1U);
}

// Each of these texts is cut for a message, in the middle of a character if counted in bytes.
TEST(RequestRules, ReportLongTextsAsUtf8) {
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text += "é";
  const std::string body =
      R"({"cachedContent":")" + text + R"(","tools":[{"functionDeclarations":[{"name":")" + text +
      R"("},{"name":"f","parameters":{"type":")" + text.substr(1) +
      R"("}}]}],"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"gs://)" +
      text.substr(1) + R"("}},{"text":"b","thoughtSignature":")" + text + R"("}]}]})";
  const Judge judge;
  const auto findings = lintRequest(body, judge.context());
  json::Writer out;
  catalogue::writeDiagnostics(out, findings, judge.target());
  EXPECT_TRUE(test::Json(out.text()).ok()) << out.text();
  const std::vector<std::string> lines = test::linesOf(findings, judge.target());
  for (const char* code : {"cache.name_invalid", "tools.name_invalid", "schema.invalid_value",
                           "media.uri_unsupported", "signature.not_base64"}) {
    EXPECT_TRUE(test::hasCode(lines, code)) << code;
  }
}

TEST(RequestRules, RejectsABodyAboveTheSizeLimit) {
  const Judge judge;
  const std::string body = with("\"x\":\"" + std::string(kMaxRequestBytes, 'a') + "\"");
  EXPECT_EQ(judge.lint(body).front(), "error size.too_large ");
}

TEST(RequestRules, ComparesTheFirstOfVeryManyDeclarations) {
  const std::vector<std::string> lines = Judge().lint(manyDeclarations());
  EXPECT_TRUE(test::hasCode(lines, "tools.too_many_declarations"));
  EXPECT_TRUE(test::hasCode(lines, "tools.duplicate_declaration"));
  EXPECT_FALSE(test::hasCode(lines, "tools.allowed_name_undeclared"));
}

}  // namespace
}  // namespace strata::lint
