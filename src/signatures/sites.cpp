#include "signatures/sites.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/base64url.h"
#include "gemini/content_view.h"

namespace strata::signatures {
namespace {

constexpr size_t kKeyBytes = 16;
// More than a context of a million tokens has. The newest places count.
constexpr size_t kMostSites = 20'000;

// The first letter of a message keeps the keys of one secret apart.
constexpr char kPlace = 'p';
constexpr char kCall = 'c';
constexpr char kItem = 'i';
constexpr char kSignature = 's';

std::string keyOf(const Hmac& secret, char purpose, std::string_view first,
                  std::string_view second = {}) {
  const Digest code = secret.of({{&purpose, 1}, first, second});
  std::string key;
  appendBase64Url(key, bytesOf(code).substr(0, kKeyBytes));
  return key;
}

Site siteOf(const Place& place, const Secrets& secrets) {
  Site site;
  site.place = place;
  site.key = keyOf(secrets.scope(), kPlace, bytesOf(place.state));
  if (place.callId) {
    site.callKey = keyOf(secrets.scope(), kCall, bytesOf(place.item), place.callId.text());
  }
  if (place.signature) {
    // The same for the empty text behind an item: clients move its signature to the item.
    site.partKey = keyOf(secrets.caller(), kItem, bytesOf(place.item));
    site.signatureKey = keyOf(secrets.caller(), kSignature, canonicalBase64(place.signature));
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

SipHash::Key itemKey(const Hmac& caller) {
  const Digest code = caller.of({"items"});
  SipHash::Key key{};
  std::memcpy(key.data(), code.data(), sizeof key);
  return key;
}

}  // namespace

// Items depend on the caller's secret only, so that parts can be compared across scopes.
Secrets::Secrets(std::string_view scope, std::string_view caller)
    : scope_(scope), caller_(caller), items_(itemKey(caller_)) {}

Sites sitesOf(json::Value request, const Secrets& secrets) {
  Chain chain(secrets.items());
  std::vector<Place> places;
  uint32_t index = 0;
  for (const json::Value content : gemini::repeated(request.find("contents"))) {
    chain.add(content, index++, places);
  }
  Sites found;
  const size_t count = std::min(places.size(), kMostSites);
  found.sites.reserve(count);
  for (size_t i = places.size() - count; i < places.size(); ++i) {
    found.sites.push_back(siteOf(places[i], secrets));
  }
  appendBase64Url(found.chain, bytesOf(chain.state()));
  return found;
}

Result<std::vector<Site>> answerSites(json::Value content, std::string_view chain,
                                      const Secrets& secrets) {
  const std::optional<SipHash::Digest> state = readChain(chain);
  if (!state) return Error{"field.invalid", 0, "/chain", "the chain of a request"};
  std::vector<Place> places;
  Chain(secrets.items(), *state).addAnswer(content, places);
  std::vector<Site> found;
  for (const Place& place : places) {
    if (place.signature) found.push_back(siteOf(place, secrets));
  }
  return found;
}

}  // namespace strata::signatures
