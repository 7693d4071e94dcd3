// Names the places of signatures with keys that only the holder of a secret can compute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/siphash.h"
#include "json/value.h"
#include "signatures/chain.h"
#include "signatures/hmac.h"

namespace strata::signatures {

/// What names a caller's places, one secret for each purpose. The first three also depend on
/// service and model family.
struct Secrets {
  Secrets(const Hmac& scope, const Hmac& caller);

  SipHash::Key places;
  SipHash::Key ends;
  SipHash::Key calls;
  SipHash::Key items;
  SipHash::Key parts;
  SipHash::Key signatures;
};

/// A place and its keys, which only the holder of the secrets can compute.
struct Site {
  using Key = SipHash::Digest;

  Place place;
  Key key{};      ///< What was said up to here; the same for an empty text behind it.
  Key callKey{};  ///< A functionCall and its id; zeros without an id.
  // Zeros without a signature:
  Key afterKey{};      ///< The empty text behind what `key` names.
  Key partKey{};       ///< What is said here.
  Key signatureKey{};  ///< The signature.
};

struct Sites {
  std::vector<Site> sites;
  std::string chain;  ///< Names all that was said, base64url.
};

/// Returns the places in the `contents` of a request, at most the last 5,000: only the newest Parts
/// must have their signatures. Linear in its size.
Sites sitesOf(json::Value request, const Secrets& secrets);
/// Returns the keys under which signatures are known for these places, if they are: `key` and
/// `callKey` where the Part has none, `afterKey` and `signatureKey` where it has one. A placeholder
/// is none. Equal keys that follow each other are one.
std::vector<Site::Key> lookupKeys(const std::vector<Site>& sites);
/// Returns the `chain` of a request without its places.
std::string chainOf(json::Value request, const Secrets& secrets);

/// Returns the signed places of an answer's Content. `chain` is that of its request. Error:
/// `field.invalid` for any other text.
Result<std::vector<Site>> answerSites(json::Value content, std::string_view chain,
                                      const Secrets& secrets);

}  // namespace strata::signatures
