// Binds the places of signatures to JavaScript.
#include "signatures.h"

#include <limits>

#include "base/base64url.h"
#include "json/writer.h"

namespace strata::bindings {
namespace {

using signatures::Site;

constexpr int32_t kNoPart = -2;

void writeKey(json::Writer& out, std::string_view name, const Site::Key& key) {
  std::string text;
  appendBase64Url(text, bytesOf(key));
  out.key(name).string(text);
}

// Writes what the places of requests and answers have in common.
void writeKeys(json::Writer& out, const Site& site) {
  writeKey(out, "key", site.key);
  if (site.place.callId) writeKey(out, "callKey", site.callKey);
  if (!site.place.signature) return;
  writeKey(out, "afterKey", site.afterKey);
  writeKey(out, "partKey", site.partKey);
  writeKey(out, "signatureKey", site.signatureKey);
  out.key("signature").raw(site.place.signature.bytes());
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

signatures::Secrets secretsIn(const Exchange& exchange, size_t part) {
  return {signatures::Hmac(exchange.part(part)), signatures::Hmac(exchange.part(part + 1))};
}

std::string lookupReply(const signatures::Sites& found) {
  const std::vector<Site::Key> all = signatures::lookupKeys(found.sites);
  std::string keys(all.size() * base64UrlSize(sizeof(Site::Key)), '\0');
  char* to = keys.data();
  for (const Site::Key& key : all) to = writeBase64Url(to, bytesOf(key));
  json::Writer out;
  out.open('{').key("chain").string(found.chain).key("keys").string(keys);
  return out.close('}').take();
}

std::string sitesReply(const std::vector<Site>& sites) {
  json::Writer out;
  out.open('{').key("sites").open('[');
  for (const Site& site : sites) {
    const json::Writer::Scope scope = out.object();
    out.key("content").integer(site.place.content).key("part").integer(site.place.part);
    if (site.place.isEmpty) out.key("after").boolean(true);
    writeKeys(out, site);
  }
  return out.close(']').close('}').take();
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
  const Result<std::vector<Site>> found =
      signatures::answerSites(tape.value().root(), chain, secretsIn(exchange, 2));
  if (!found) return core.replyOptionError(found.error());
  json::Writer out;
  out.open('{').key("signatures").open('[');
  for (const Site& site : found.value()) {
    const json::Writer::Scope scope = out.object();
    writeKeys(out, site);
    out.key("after").boolean(site.place.isEmpty);
  }
  exchange.reply(out.close(']').close('}').take());
}

std::vector<signatures::SignatureEdit> readEdits(json::OptionsReader& options) {
  std::vector<signatures::SignatureEdit> edits;
  options.list("edits", [&](json::OptionsReader& edit) { edits.push_back(readEdit(edit)); });
  return edits;
}

}  // namespace strata::bindings
