// Names the signatures in any body, and checks that the names do not depend on how the body is
// written, that an answer has the names of the next request, and that an edit changes one Part
// only.
#include <algorithm>

#include "fuzz/cpp/checks.h"
#include "gemini/content_view.h"
#include "json/writer.h"
#include "signatures/edit.h"
#include "signatures/sites.h"

namespace strata::fuzz {
namespace {

using json::Value;
using signatures::Site;
using signatures::Sites;

const signatures::Secrets& secrets() {
  static const signatures::Secrets kSecrets{signatures::Hmac("scope"), signatures::Hmac("caller")};
  return kSecrets;
}

// Writes a value with its members in the opposite order and its escapes resolved.
void respell(json::Writer& out, Value value) {
  if (value.isObject()) {
    std::vector<json::Member> all;
    for (const json::Member member : json::members(value)) all.push_back(member);
    const json::Writer::Scope scope = out.object();
    for (auto member = all.rbegin(); member != all.rend(); ++member) {
      respell(out.key(member->key.text()), member->value);
    }
  } else if (value.isArray()) {
    const json::Writer::Scope scope = out.array();
    for (const Value element : json::elements(value)) respell(out, element);
  } else if (value.isString()) {
    out.string(value.text());
  } else {
    out.raw(value.bytes());
  }
}

// Returns whether an object has a field in both spellings: the first one counts.
bool hasBothSpellings(Value value) {
  std::vector<std::string> names;
  for (const json::Member member : json::members(value)) {
    names.push_back(gemini::toCamelCase(member.key));
    if (hasBothSpellings(member.value)) return true;
  }
  for (const Value element : json::elements(value)) {
    if (hasBothSpellings(element)) return true;
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// Returns all names, one after the other.
std::string namesIn(const Sites& found) {
  std::string names = found.chain;
  for (const Site& site : found.sites) {
    for (const Site::Key& key : {site.key, site.callKey, site.partKey, site.signatureKey}) {
      names += bytesOf(key);
    }
  }
  return names;
}

void checkSpelling(Value body, const Sites& found) {
  // More than one data field is an error of the request; the first one counts.
  for (const Value content : gemini::repeated(body.find("contents"))) {
    gemini::ContentView view;
    view.read(content);
    for (const gemini::PartView& part : view.partViews) {
      if (part.otherKey) return;
    }
  }
  if (hasBothSpellings(body)) return;
  json::Writer out;
  respell(out, body);
  const test::Json other(out.take());
  require(other.ok(), "a body is written as JSON", other.text());
  require(namesIn(signatures::sitesOf(other.root(), secrets())) == namesIn(found),
          "the names do not depend on the spelling", other.text());
}

const Site* siteAt(const Sites& found, uint32_t content, uint32_t part) {
  for (const Site& site : found.sites) {
    if (site.place.content == content && site.place.part == part) return &site;
  }
  return nullptr;
}

void checkEdit(const test::Json& body, const Sites& found, const Site& chosen) {
  const std::string signature = "QUJDRA==";
  const signatures::Place& place = chosen.place;
  const auto edited = signatures::editSignatures(
      body.root(), body.text(),
      {{place.content, static_cast<int32_t>(place.part), false, signature}});
  require(static_cast<bool>(edited), "a place can be edited", body.text());
  const test::Json after(edited.value().join());
  require(after.ok(), "an edited body is JSON", after.text());
  const Sites now = signatures::sitesOf(after.root(), secrets());
  require(now.chain == found.chain && now.sites.size() == found.sites.size(),
          "a signature is not part of what was said", after.text());
  const Site* const site = siteAt(now, place.content, place.part);
  require(site != nullptr && site->key == chosen.key && site->place.signature.equals(signature),
          "an edited place has its signature", after.text());
  const auto cleared = signatures::editSignatures(
      after.root(), after.text(),
      {{place.content, static_cast<int32_t>(place.part), false, std::nullopt}});
  const test::Json without(cleared.value().join());
  const Sites last = signatures::sitesOf(without.root(), secrets());
  require(last.chain == found.chain, "removing a signature changes nothing else", without.text());
}

// An answer that follows the user has the names that its request has as history.
void checkAnswer(Value body, const Sites& found) {
  json::Writer before;
  before.open('{').key("contents").open('[');
  std::string chain = signatures::sitesOf(Value(), secrets()).chain;
  std::string earlier;
  uint32_t index = 0;
  for (const Value content : json::elements(body.find("contents"))) {
    gemini::ContentView view;
    view.read(content);
    if (view.isModel() && chain != earlier) {
      const auto answer = signatures::answerSites(content, chain, secrets());
      require(static_cast<bool>(answer), "an answer has signatures", content.bytes());
      for (const Site& site : answer.value()) {
        const Site* const same = siteAt(found, index, site.place.part);
        require(same != nullptr && same->key == site.key && same->callKey == site.callKey,
                "an answer has the names of the next request", body.bytes());
      }
    }
    ++index;
    before.raw(content.bytes());
    const test::Json history(before.text() + "]}");
    earlier = chain;
    chain = signatures::sitesOf(history.root(), secrets()).chain;
    // The text of a model goes on in a Content of the model that follows.
    if (view.isModel()) earlier = chain;
  }
}

// The first choice picks a place; the rest is the body.
void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  const test::Json body{std::string(input.rest())};
  if (!body.ok()) return;
  const Sites found = signatures::sitesOf(body.root(), secrets());
  checkSpelling(body.root(), found);
  constexpr size_t kFewContents = 20;
  if (body.root().find("contents").size() < kFewContents) checkAnswer(body.root(), found);
  if (!found.sites.empty()) {
    checkEdit(body, found, found.sites[choices.below(found.sites.size())]);
  }
}

const Registration kTarget("signatures", run);

}  // namespace
}  // namespace strata::fuzz
