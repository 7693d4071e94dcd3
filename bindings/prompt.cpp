// Binds prompts and their arguments to JavaScript.
#include "prompt.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "json/document.h"
#include "json/writer.h"
#include "prompt/compiler.h"
#include "prompt/manifest_diff.h"
#include "prompt/prompt_arguments.h"
#include "prompt/prompt_template.h"
#include "sections/boundary.h"
#include "templates/default_templates.h"

namespace strata::bindings {
namespace {

// Opens an object with the lengths in bytes of the stable start and the dynamic end of a full text.
json::Writer openHalves(size_t stable, size_t dynamic) {
  json::Writer out;
  out.open('{').key("stable").integer(static_cast<int64_t>(stable));
  out.key("dynamic").integer(static_cast<int64_t>(dynamic));
  return out;
}

// Compiles part 0. Returns whether that succeeded; if not, has replied why.
bool compilePart(Core& core, prompt::CompiledPrompt& prompt) {
  const Result<json::Tape> input = json::Tape::read(core.exchange().part(0));
  if (!input) {
    core.replyOptionError(input.error());
    return false;
  }
  const auto failure = prompt::compilePrompt(input.value().root(), core.targetOf(""), prompt);
  if (!failure) return true;
  if (failure->error) {
    core.replyOptionError(*failure->error);
  } else {
    core.exchange().reply(prompt::templateErrorJson(*failure->templateError));
  }
  return false;
}

}  // namespace

void compilePrompt(Core& core) {
  prompt::CompiledPrompt prompt;
  if (!compilePart(core, prompt)) return;
  json::Writer out = openHalves(prompt.stableBytes, prompt.dynamicBytes);
  Segments full;
  full.own(prompt.full);
  core.exchange().reply(out.key("manifest").raw(prompt.manifest).close('}').take(),
                        std::move(full));
}

void splitPrompt(Core& core) {
  Exchange& exchange = core.exchange();
  const auto halves = sections::splitAtBoundary(exchange.part(0));
  if (!halves) return exchange.reply("{\"none\":true}");
  exchange.reply(openHalves(halves->stable.size(), halves->dynamic.size()).close('}').take());
}

void promptArguments(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<json::Tape> sources = json::Tape::read(exchange.part(0));
  if (!sources) return core.replyOptionError(sources.error());
  const auto made = prompt::promptArguments(sources.value().root());
  if (!made) return core.replyOptionError(made.error());
  json::Writer out;
  out.open('{').key("arguments").raw(made.value().json);
  out.key("diagnostics");
  catalogue::writeDiagnostics(out, made.value().findings, core.targetOf(""));
  exchange.reply(out.close('}').take());
}

void diffManifests(Core& core) {
  Exchange& exchange = core.exchange();
  const Options before(exchange.part(0));
  const Options after(exchange.part(1));
  const auto diff = prompt::diffManifests(before.root(), after.root());
  if (!diff) return core.replyOptionError(diff.error());
  exchange.reply(json::toText(diff.value()));
}

void fingerprint(Core& core) {
  Exchange& exchange = core.exchange();
  json::Writer out;
  out.open('{').key("fingerprint").string(toHex(sha256(exchange.part(0))));
  exchange.reply(out.close('}').take());
}

void defaultTemplate(Core& core) {
  const bool isStatic = core.exchange().part(0) == layers::layerName(layers::Layer::kStatic);
  Segments source;
  source.borrow(
      templates::defaultTemplate(isStatic ? layers::Layer::kStatic : layers::Layer::kDynamic));
  core.exchange().reply("{}", std::move(source));
}

}  // namespace strata::bindings
