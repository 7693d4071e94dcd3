// Tests that the default prompts are valid JSON for any titles, paths and texts.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/template.h"
#include "json/tape.h"
#include "json/value.h"
#include "json/writer.h"
#include "support/files.h"

namespace strata::jinja {
namespace {

Template load(const std::string& path) {
  Options options;
  options.trimBlocks = options.lstripBlocks = true;
  options.tojson = ToJson::kPlain;
  auto compiled = Template::compile(test::readFile(path).value_or("{{"), options, path);
  EXPECT_TRUE(compiled) << path;
  return std::move(compiled.value());
}

Template staticPrompt() { return load("templates/gemini_static_prompt.j2"); }
Template dynamicPrompt() { return load("templates/gemini_dynamic_prompt.j2"); }

/// Returns the keys of a rendered prompt in order, or its text if it is not a JSON object.
std::vector<std::string> keysOf(const Template& prompt, std::string_view context) {
  const auto text = prompt.render(context, {});
  if (!text) return {text.error().message};
  const auto tape = json::Tape::read(text.value());
  if (!tape || !tape.value().root().isObject()) return {text.value()};
  std::vector<std::string> keys;
  for (const json::Member member : json::members(tape.value().root())) {
    keys.push_back(member.key.text());
  }
  return keys;
}

/// Generates texts from pieces that break JSON, HTML or templates.
class HostileTexts {
 public:
  std::string text() {
    static const std::vector<std::string> kPieces = {
        "\"",   "\\",        "\n",      "\r\n",     "\t", std::string(1, '\0'),
        "\x7f", "\x01",      "{{ x }}", "{% if %}", "}",  "]",
        ",",    "</script>", "&'",      "\u2028",   "é",  "日本",
        "😀",    "\\u0041",   "```",     "a b"};
    std::string out;
    for (size_t i = random_() % 6; i > 0; --i) out += kPieces[random_() % kPieces.size()];
    return out;
  }
  /// Returns true three times out of four.
  bool chance() { return random_() % 4 != 0; }
  size_t below(size_t end) { return random_() % end; }

 private:
  std::mt19937 random_{20261121};
};

std::string staticContext(HostileTexts& texts) {
  json::Writer w;
  w.open('{');
  for (const char* name :
       {"description", "main_instruction", "constraints", "session_goal", "procedure"}) {
    if (texts.chance()) w.key(name).string(texts.text());
  }
  if (texts.chance()) {
    w.key("roles").open('[');
    for (size_t i = texts.below(3); i > 0; --i) w.string(texts.text());
    w.close(']');
  }
  if (texts.chance()) w.key("cached_history").string(texts.text());
  if (texts.chance()) w.key("multi_step_reasoning_active").boolean(texts.chance());
  return w.close('}').take();
}

std::string dynamicContext(HostileTexts& texts) {
  json::Writer w;
  w.open('{');
  if (texts.chance()) {
    w.key("file_references").open('[');
    for (size_t i = texts.below(4); i > 0; --i) {
      w.open('{').key("path").string(texts.text());
      if (texts.chance()) w.key("disabled").boolean(texts.chance());
      if (texts.chance()) w.key("ttl").integer(static_cast<int64_t>(texts.below(4)) - 1);
      w.key("content").string(texts.text()).close('}');
    }
    w.close(']');
  }
  if (texts.chance()) {
    w.key("artifacts").open('[').open('{').key("path").string(texts.text());
    w.key("contents").string(texts.text()).close('}').close(']');
  }
  if (texts.chance()) {
    w.key("todos").open('[').open('{').key("title").string(texts.text());
    w.key("description").string(texts.text()).key("checked").boolean(texts.chance());
    w.close('}').close(']');
  }
  if (texts.chance()) w.key("current_datetime").string(texts.text());
  return w.close('}').take();
}

TEST(DefaultTemplates, RenderValidJsonForAnyInput) {
  const Template staticLayer = staticPrompt();
  const Template dynamicLayer = dynamicPrompt();
  HostileTexts texts;
  for (int i = 0; i < 2000; ++i) {
    for (const auto& [prompt, context] : {std::pair(&staticLayer, staticContext(texts)),
                                          std::pair(&dynamicLayer, dynamicContext(texts))}) {
      const auto text = prompt->render(context, {});
      ASSERT_TRUE(text) << context << text.error().message;
      const auto tape = json::Tape::read(text.value());
      ASSERT_TRUE(tape) << context << "\n" << text.value();
      ASSERT_TRUE(tape.value().root().isObject()) << text.value();
    }
  }
}

TEST(DefaultTemplates, RenderTheSectionsOfTheStaticLayerInOrder) {
  const Template prompt = staticPrompt();
  EXPECT_EQ(
      keysOf(prompt, R"({"cached_history": "old", "roles": ["r"], "procedure": "p",
                               "session_goal": "g", "constraints": "c", "description": "d",
                               "main_instruction": "m", "multi_step_reasoning_active": true})"),
      (std::vector<std::string>{"description", "main_instruction", "constraints", "session_goal",
                                "procedure", "roles", "cached_history", "reasoning_process"}));
  const auto bare = keysOf(prompt, "{}");
  ASSERT_GE(bare.size(), 2U);
  EXPECT_EQ(bare[0], "description");
  EXPECT_EQ(bare[1], "main_instruction");
}

TEST(DefaultTemplates, RenderOnlyTheTimeForAnEmptyContext) {
  const Template prompt = dynamicPrompt();
  EXPECT_EQ(keysOf(prompt, R"({"current_datetime": "now", "todos": [], "artifacts": []})"),
            (std::vector<std::string>{"current_datetime"}));
  EXPECT_EQ(keysOf(prompt, "{}"), (std::vector<std::string>{"current_datetime"}));
}

TEST(DefaultTemplates, OmitDisabledAndExpiredReferences) {
  const Template prompt = dynamicPrompt();
  const auto text = prompt.render(R"({"file_references": [
      {"path": "a", "disabled": true}, {"path": "b", "ttl": 0}, {"path": "c", "ttl": 2},
      {"path": "d"}]})",
                                  {});
  ASSERT_TRUE(text);
  const auto tape = json::Tape::read(text.value());
  ASSERT_TRUE(tape);
  const json::Value kept = tape.value().root().find("file_references");
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept.at(0).find("path").text(), "c");
  EXPECT_EQ(kept.at(1).find("path").text(), "d");
}

}  // namespace
}  // namespace strata::jinja
