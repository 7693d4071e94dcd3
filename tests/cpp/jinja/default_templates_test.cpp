// The default prompts are JSON, whatever the titles, paths and texts in them hold.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/template.h"
#include "json/tape.h"
#include "json/value.h"
#include "json/writer.h"
#include "support/json_file.h"

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

/// The keys of a rendered prompt in their order; the text itself where it is not a JSON object.
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

/// Texts out of what breaks JSON, HTML and templates.
class Nasty {
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
  /// Writes `name` most of the time.
  bool chance() { return random_() % 4 != 0; }
  size_t below(size_t end) { return random_() % end; }

 private:
  std::mt19937 random_{20261121};
};

std::string staticContext(Nasty& nasty) {
  json::Writer w;
  w.open('{');
  for (const char* name :
       {"description", "main_instruction", "constraints", "session_goal", "procedure"}) {
    if (nasty.chance()) w.key(name).string(nasty.text());
  }
  if (nasty.chance()) {
    w.key("roles").open('[');
    for (size_t i = nasty.below(3); i > 0; --i) w.string(nasty.text());
    w.close(']');
  }
  if (nasty.chance()) w.key("cached_history").string(nasty.text());
  if (nasty.chance()) w.key("multi_step_reasoning_active").boolean(nasty.chance());
  return w.close('}').take();
}

std::string dynamicContext(Nasty& nasty) {
  json::Writer w;
  w.open('{');
  if (nasty.chance()) {
    w.key("file_references").open('[');
    for (size_t i = nasty.below(4); i > 0; --i) {
      w.open('{').key("path").string(nasty.text());
      if (nasty.chance()) w.key("disabled").boolean(nasty.chance());
      if (nasty.chance()) w.key("ttl").integer(static_cast<int64_t>(nasty.below(4)) - 1);
      w.key("content").string(nasty.text()).close('}');
    }
    w.close(']');
  }
  if (nasty.chance()) {
    w.key("artifacts").open('[').open('{').key("path").string(nasty.text());
    w.key("contents").string(nasty.text()).close('}').close(']');
  }
  if (nasty.chance()) {
    w.key("todos").open('[').open('{').key("title").string(nasty.text());
    w.key("description").string(nasty.text()).key("checked").boolean(nasty.chance());
    w.close('}').close(']');
  }
  if (nasty.chance()) w.key("current_datetime").string(nasty.text());
  return w.close('}').take();
}

TEST(DefaultTemplates, AreJsonWhateverTheyAreGiven) {
  const Template fixed = staticPrompt();
  const Template moving = dynamicPrompt();
  Nasty nasty;
  for (int i = 0; i < 2000; ++i) {
    for (const auto& [prompt, context] :
         {std::pair(&fixed, staticContext(nasty)), std::pair(&moving, dynamicContext(nasty))}) {
      const auto text = prompt->render(context, {});
      ASSERT_TRUE(text) << context << text.error().message;
      const auto tape = json::Tape::read(text.value());
      ASSERT_TRUE(tape) << context << "\n" << text.value();
      ASSERT_TRUE(tape.value().root().isObject()) << text.value();
    }
  }
}

TEST(DefaultTemplates, KeepTheStaticLayersInOrder) {
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

TEST(DefaultTemplates, SayOnlyTheTimeWhenThereIsNothingElse) {
  const Template prompt = dynamicPrompt();
  EXPECT_EQ(keysOf(prompt, R"({"current_datetime": "now", "todos": [], "artifacts": []})"),
            (std::vector<std::string>{"current_datetime"}));
  EXPECT_EQ(keysOf(prompt, "{}"), (std::vector<std::string>{"current_datetime"}));
}

TEST(DefaultTemplates, LeaveOutReferencesThatAreOffOrHaveExpired) {
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
