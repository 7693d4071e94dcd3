// Binds the places of signatures to JavaScript.
#include "signatures.h"

#include <limits>

#include "json/writer.h"
#include "signatures/edit.h"
#include "signatures/sites.h"

namespace strata::bindings {
namespace {

constexpr int32_t kNoPart = -2;

void writeOptional(json::Writer& out, std::string_view name, std::string_view key) {
  if (!key.empty()) out.key(name).string(key);
}

// Writes what the places of requests and answers have in common.
void writeKeys(json::Writer& out, const signatures::Site& site) {
  out.key("key").string(site.key);
  writeOptional(out, "callKey", site.callKey);
  writeOptional(out, "partKey", site.partKey);
  writeOptional(out, "signatureKey", site.signatureKey);
  if (site.place.signature) out.key("signature").raw(site.place.signature.bytes());
}

void writeSite(json::Writer& out, const signatures::Site& site) {
  const json::Writer::Scope scope = out.object();
  out.key("content").integer(site.place.content).key("part").integer(site.place.part);
  if (site.place.isEmpty) out.key("after").boolean(true);
  writeKeys(out, site);
}

signatures::Secrets secretsIn(const Exchange& exchange, size_t part) {
  return {exchange.part(part), exchange.part(part + 1)};
}

signatures::SignatureEdit readEdit(json::OptionsReader& options) {
  signatures::SignatureEdit edit;
  double part = 0;
  options.count("content", edit.content, json::Need::kRequired);
  options.number("part", part, json::Need::kRequired);
  options.boolean("after", edit.after);
  options.string("signature", edit.signature);
  const bool fits = part >= -1 && part < std::numeric_limits<int32_t>::max();
  const int32_t index = fits ? static_cast<int32_t>(part) : kNoPart;
  edit.part = index == part ? index : kNoPart;
  return edit;
}

}  // namespace

void sites(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<json::Tape> tape = json::Tape::read(exchange.part(0));
  if (!tape) return exchange.replyError(tape.error(), core.targetOf(""));
  const signatures::Sites found = signatures::sitesOf(tape.value().root(), secretsIn(exchange, 1));
  json::Writer out;
  out.open('{').key("sites").open('[');
  for (const signatures::Site& site : found.sites) writeSite(out, site);
  out.close(']').key("chain").string(found.chain).close('}');
  exchange.reply(out.take());
}

void answerSignatures(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader options = given.reader();
  std::string chain;
  options.nonEmptyString("chain", chain);
  if (const Status read = options.finish(); !read) return core.replyOptionError(read.error());
  const Result<json::Tape> tape = json::Tape::read(exchange.part(0));
  if (!tape) return exchange.replyError(tape.error(), core.targetOf(""));
  const Result<std::vector<signatures::Site>> found =
      signatures::answerSites(tape.value().root(), chain, secretsIn(exchange, 2));
  if (!found) return core.replyOptionError(found.error());
  json::Writer out;
  out.open('{').key("signatures").open('[');
  for (const signatures::Site& site : found.value()) {
    const json::Writer::Scope scope = out.object();
    writeKeys(out, site);
    out.key("after").boolean(site.place.isEmpty);
  }
  exchange.reply(out.close(']').close('}').take());
}

void editSignatures(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader options = given.reader();
  std::vector<signatures::SignatureEdit> edits;
  options.list("edits", [&](json::OptionsReader& edit) { edits.push_back(readEdit(edit)); });
  if (const Status read = options.finish(); !read) return core.replyOptionError(read.error());
  Result<Segments> edited = signatures::editSignatures(exchange.part(0), edits);
  if (edited) return exchange.reply("{}", std::move(edited.value()));
  if (edited.error().code == "field.invalid") return core.replyOptionError(edited.error());
  exchange.replyError(edited.error(), core.targetOf(""));
}

}  // namespace strata::bindings
