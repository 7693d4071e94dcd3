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

/// The secrets of a caller's keys: of those that also depend on service and model family, and of
/// the others.
class Secrets {
 public:
  Secrets(std::string_view scope, std::string_view caller);

  const Hmac& scope() const { return scope_; }
  const Hmac& caller() const { return caller_; }
  /// The key of the items.
  const SipHash::Key& items() const { return items_; }

 private:
  Hmac scope_;
  Hmac caller_;
  SipHash::Key items_;
};

/// A place and its keys: 128 bits of a code, as base64url.
struct Site {
  Place place;
  std::string key;           ///< What was said up to here; the same for an empty text behind it.
  std::string callKey;       ///< A functionCall and its id, or "".
  std::string partKey;       ///< What is said here; "" without a signature.
  std::string signatureKey;  ///< The signature, or "".
};

struct Sites {
  std::vector<Site> sites;
  std::string chain;  ///< Names all that was said, base64url.
};

/// Returns the places in the `contents` of a request, at most the last 20,000. Linear in its size.
Sites sitesOf(json::Value request, const Secrets& secrets);

/// Returns the signed places of an answer's Content. `chain` is that of its request. Error:
/// `field.invalid` for any other text.
Result<std::vector<Site>> answerSites(json::Value content, std::string_view chain,
                                      const Secrets& secrets);

}  // namespace strata::signatures
