// Registers the classes of the module `core`, which does everything that the package does.
#include <emscripten/bind.h>

#include "base_classes.h"
#include "dialects/import.h"
#include "module.h"
#include "prompt.h"
#include "repair/fix_schemas.h"
#include "schemas/judge.h"
#include "stream/content_builder.h"
#include "templates/jinja_engine.h"

namespace strata::bindings {
namespace {

// Joins the Contents of a stream's chunks into one.
std::string composeContents(const std::vector<std::string>& contents) {
  stream::ContentBuilder builder;
  for (const std::string& content : contents) {
    const Result<json::Tape> tape = json::Tape::read(content);
    if (!tape) continue;
    builder.addContent(tape.value().root());
    for (const json::Value part : json::elements(tape.value().root().find("parts"))) {
      builder.endCallBefore(part);
      builder.addPart(part);
    }
  }
  builder.endCall();
  return std::string(builder.text());
}

}  // namespace

std::string_view coreTexts() { return catalogue::coreTexts(); }

const layers::TemplateEngine* templateEngine() { return &templates::jinjaEngine(); }

lint::SchemaJudge schemaJudge() { return schemas::judge; }

repair::SchemaRewrite schemaRewrite() { return repair::rewriteSchemas; }

EditsFinder editsFinder() { return repair::findEdits; }

Imported readHistory(thread::Thread& thread, std::string_view bytes, json::OptionsReader& options) {
  Imported result;
  dialects::ImportOptions importOptions = dialects::readImportOptions(options);
  result.optionStatus = options.finish();
  if (!result.optionStatus) return result;
  importOptions.compose = composeContents;
  dialects::Imported imported;
  result.status = dialects::importHistory(thread, bytes, importOptions, imported);
  result.records = std::move(imported.records);
  result.notes = std::move(imported.notes);
  result.systemText = std::move(imported.systemText);
  return result;
}

EMSCRIPTEN_BINDINGS(core) {
  registerCore()
      .function("planCache", &Core::planCache)
      .function("repair", &Core::repair)
      .function("locate", &Core::locate)
      .function("timeline", &Core::timeline)
      .function("schema", &Core::schema)
      .function("splitPrompt", &Core::splitPrompt)
      .function("promptArguments", &Core::promptArguments)
      .function("diffManifests", &Core::diffManifests)
      .function("fingerprint", &Core::fingerprint);
  emscripten::class_<CompiledPromptBinding>("CompiledPrompt")
      .constructor<Core&>()
      .function("texts", &CompiledPromptBinding::texts);
  registerThread()
      .function("mask", &ThreadBinding::mask)
      .function("shorten", &ThreadBinding::shorten)
      .function("compression", &ThreadBinding::compression)
      .function("budget", &ThreadBinding::budget)
      .function("rewrite", &ThreadBinding::rewrite)
      .function("cacheBody", &ThreadBinding::cacheBody)
      .function("cachePreview", &ThreadBinding::cachePreview);
}

}  // namespace strata::bindings
