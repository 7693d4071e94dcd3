#include "signatures/sites.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/base64url.h"
#include "gemini/content_view.h"
#include "lint/signature.h"

namespace strata::signatures {
namespace {

// Bounds what one request can ask of a store.
constexpr size_t kMostSites = 5'000;

Site siteOf(const Place& place, const Secrets& secrets) {
  Site site;
  site.place = place;
  site.key = SipHash(secrets.places).add(bytesOf(place.state)).digest();
  if (place.callId) {
    SipHash hash(secrets.calls);
    site.callKey = hash.add(bytesOf(place.item)).add(place.callId.text()).digest();
  }
  if (place.signature) {
    site.afterKey = SipHash(secrets.ends).add(bytesOf(place.state)).digest();
    // The same for the empty text behind an item: clients move its signature to the item.
    site.partKey = SipHash(secrets.parts).add(bytesOf(place.item)).digest();
    const std::string signature = canonicalBase64(place.signature);
    site.signatureKey = SipHash(secrets.signatures).add(signature).digest();
  }
  return site;
}

std::optional<SipHash::Digest> readChain(std::string_view text) {
  const std::optional<std::string> bytes = readBase64Url(text);
  SipHash::Digest state{};
  if (!bytes || bytes->size() != state.size()) return std::nullopt;
  std::memcpy(state.data(), bytes->data(), state.size());
  return state;
}

SipHash::Key keyFor(const Hmac& secret, std::string_view purpose) {
  const Digest code = secret.of({purpose});
  SipHash::Key key{};
  std::memcpy(key.data(), code.data(), sizeof key);
  return key;
}

// Adds the `contents` of a request to a chain.
Chain walk(json::Value request, const Secrets& secrets, std::vector<Place>& places) {
  Chain chain(secrets.items);
  uint32_t index = 0;
  for (const json::Value content : gemini::repeated(request.find("contents"))) {
    chain.add(content, index++, places);
  }
  return chain;
}

std::string nameOf(const Chain& chain) {
  std::string name;
  appendBase64Url(name, bytesOf(chain.state()));
  return name;
}

}  // namespace

// Items, and so parts, depend on the caller's secret only, so that they can be compared across
// scopes.
Secrets::Secrets(const Hmac& scope, const Hmac& caller)
    : places(keyFor(scope, "places")),
      ends(keyFor(scope, "ends")),
      calls(keyFor(scope, "calls")),
      items(keyFor(caller, "items")),
      parts(keyFor(caller, "parts")),
      signatures(keyFor(caller, "signatures")) {}

Sites sitesOf(json::Value request, const Secrets& secrets) {
  std::vector<Place> places;
  Sites found;
  found.chain = nameOf(walk(request, secrets, places));
  const size_t count = std::min(places.size(), kMostSites);
  found.sites.reserve(count);
  for (size_t i = places.size() - count; i < places.size(); ++i) {
    found.sites.push_back(siteOf(places[i], secrets));
  }
  return found;
}

std::vector<Site::Key> lookupKeys(const std::vector<Site>& sites) {
  std::vector<Site::Key> keys;
  keys.reserve(sites.size());
  Site last;
  const auto add = [&](Site::Key Site::*key, const Site& site) {
    if (site.*key != last.*key) keys.push_back(site.*key);
    last.*key = site.*key;
  };
  for (const Site& site : sites) {
    const json::Value signature = site.place.signature;
    if (!signature || lint::isPlaceholder(signature.text())) {
      add(&Site::key, site);
      if (site.place.callId) add(&Site::callKey, site);
    } else {
      add(&Site::afterKey, site);
    }
    if (signature) add(&Site::signatureKey, site);
  }
  return keys;
}

std::string chainOf(json::Value request, const Secrets& secrets) {
  std::vector<Place> places;
  return nameOf(walk(request, secrets, places));
}

Result<std::vector<Site>> answerSites(json::Value content, std::string_view chain,
                                      const Secrets& secrets) {
  const std::optional<SipHash::Digest> state = readChain(chain);
  if (!state) return Error{"field.invalid", 0, "/chain", "the chain of a request"};
  std::vector<Place> places;
  Chain(secrets.items, *state).addAnswer(content, places);
  std::vector<Site> found;
  for (const Place& place : places) {
    if (place.signature) found.push_back(siteOf(place, secrets));
  }
  return found;
}

}  // namespace strata::signatures
