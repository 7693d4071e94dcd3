// Binds prompts and their arguments to JavaScript.
#include "prompt.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "json/document.h"
#include "json/writer.h"
#include "prompt/manifest_diff.h"
#include "prompt/prompt_arguments.h"
#include "prompt/prompt_template.h"
#include "sections/boundary.h"

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

CompiledPromptBinding::CompiledPromptBinding(Core& core) : core_(core) {
  if (!compilePart(core, prompt_)) return;
  manifest_.emplace(prompt_.manifest);
  const std::string_view full = prompt_.full;
  texts_ = {full.substr(0, prompt_.stableBytes), full.substr(full.size() - prompt_.dynamicBytes),
            manifest_->root()};
  id_ = core.prompts().add(texts_);
  json::Writer out;
  out.open('{').key("id").integer(id_);
  core.exchange().reply(out.key("manifest").raw(prompt_.manifest).close('}').take());
}

void CompiledPromptBinding::texts() {
  Segments full;
  full.borrow(prompt_.full);
  core_.exchange().reply(openHalves(prompt_.stableBytes, prompt_.dynamicBytes).close('}').take(),
                         std::move(full));
}

void Core::splitPrompt() {
  const auto halves = sections::splitAtBoundary(exchange_.part(0));
  if (!halves) return exchange_.reply("{\"none\":true}");
  exchange_.reply(openHalves(halves->stable.size(), halves->dynamic.size()).close('}').take());
}

void Core::promptArguments() {
  const Result<json::Tape> sources = json::Tape::read(exchange_.part(0));
  if (!sources) return replyOptionError(sources.error());
  const auto made = prompt::promptArguments(sources.value().root());
  if (!made) return replyOptionError(made.error());
  json::Writer out;
  out.open('{').key("arguments").raw(made.value().json);
  out.key("diagnostics");
  catalogue::writeDiagnostics(out, made.value().findings, targetOf(""));
  exchange_.reply(out.close('}').take());
}

void Core::diffManifests() {
  const Options before(exchange_.part(0));
  const Options after(exchange_.part(1));
  const auto diff = prompt::diffManifests(before.root(), after.root());
  if (!diff) return replyOptionError(diff.error());
  exchange_.reply(json::toText(diff.value()));
}

void Core::fingerprint() {
  json::Writer out;
  out.open('{').key("fingerprint").string(toHex(sha256(exchange_.part(0))));
  exchange_.reply(out.close('}').take());
}

}  // namespace strata::bindings
