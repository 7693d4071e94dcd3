// Reads any options, and checks that an error names a place and that what is read assembles to the
// same JSON each time.
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "fuzz/cpp/checks.h"
#include "layers/assembler.h"
#include "layers/extra_fields.h"
#include "prompt/prompt_arguments.h"
#include "thread/history.h"
#include "thread/turn_meta.h"
#include "tokens/estimate.h"

namespace strata::fuzz {
namespace {

void requireOptionError(const Status& status, std::string_view text) {
  if (status) return;
  require(status.error().path.empty() || status.error().path.front() == '/',
          "an error names an option", text);
  require(!json::describeOptionError(status.error()).empty(), "an error has a message", text);
}

// The texts are those of JavaScript strings, which are UTF-8 here.
struct Texts {
  explicit Texts(Input& input)
      : staticText(validUtf8(input.line())),
        dynamicText(validUtf8(input.line())),
        trigger(validUtf8(input.line())) {}

  std::string staticText;
  std::string dynamicText;
  std::string trigger;
};

layers::TextInput plain(std::string_view text) {
  layers::TextInput input;
  input.text = text;
  return input;
}

// Assembles a request of the history that is the rest of the input; each line is one option.
void checkAssemble(Input& input) {
  const test::Judge& judge = chooseJudge(input);
  layers::AssembleInput given;
  const std::string kind(input.line());
  const test::Json options{std::string(input.line())};
  const std::string extra(input.line());
  given.model = judge.model();
  given.judgeSchema = schemas::judge;
  const Texts texts(input);
  given.staticText = plain(texts.staticText);
  given.dynamicText = plain(texts.dynamicText);
  given.triggerKind = static_cast<layers::TriggerKind>(Input(kind).below(3));
  given.trigger = texts.trigger;
  given.tools = input.line();
  given.toolConfig = input.line();
  given.generationConfig = input.line();
  given.safetySettings = input.line();
  Status status = layers::readOptions(json::OptionsReader(options.root()), given);
  if (status) status = layers::readExtra(extra, given);
  requireOptionError(status, options.text());
  if (!status) return;

  thread::Thread thread = judge.thread(false, tokens::estimateContentGemini3);
  std::vector<thread::CallRecord> records;
  thread::loadHistory(thread, input.rest(), records);
  layers::Assembler assembler;
  const layers::Assembled first = assembler.assemble(thread, given);
  if (first.failure) return;
  requireJson(first.report, "a report is JSON");
  const std::string body = first.body.join();
  if (first.ok) requireJson(body, "a body is JSON");
  require(assembler.assemble(thread, given).body.join() == body, "a request is assembled as before",
          body);
  require(layers::Assembler().assemble(thread, given).body.join() == body,
          "what is reused changes nothing", body);
}

void checkArguments(json::Value sources) {
  const auto made = prompt::promptArguments(sources);
  if (!made) return requireOptionError(made.error(), sources.bytes());
  requireJson(made.value().json, "arguments are JSON");
}

void checkCatalogue(json::Value given) {
  catalogue::Catalogue catalogue;
  json::OptionsReader options(given);
  catalogue.addModels(options);
  catalogue.addRules(options);
  requireOptionError(options.finish(), given.bytes());
  for (const json::Value model : json::elements(given.find("models"))) {
    catalogue.resolve(model.find("id").text());
  }
}

// The first choice says what is read.
void run(std::string_view bytes) {
  Input input(bytes);
  const size_t reader = input.below(4);
  if (reader == 0) return checkAssemble(input);
  input.line();
  const test::Json options{std::string(input.rest())};
  if (!options.ok()) return;
  if (reader == 1) return checkArguments(options.root());
  if (reader == 2) return checkCatalogue(options.root());
  requireOptionError(thread::checkTurnMeta(json::OptionsReader(options.root())), options.text());
}

const Registration kTarget("options", run);

}  // namespace
}  // namespace strata::fuzz
