// Defines what JavaScript can do with a request that passes through a gateway. Its body enters
// WebAssembly once and is parsed once, although the signatures that it lacks are looked up in
// between.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bodies.h"
#include "json/lenient.h"
#include "signatures.h"

namespace strata::bindings {

/// One request. The Core must outlive it. Part 0 of a call is the body when the request is created,
/// and nothing afterwards. Every call replies an error if the body has more values than
/// `maxValues`, see json::Tape.
class GatewayRequestBinding {
 public:
  GatewayRequestBinding(Core& core, uint32_t maxValues)
      : core_(core), exchange_(core.exchange()), given_(exchange_.part(0), maxValues) {}

  /// Finds the places of signatures. Parts 1 and 2: the secrets of the scope and of the caller.
  /// Replies as `lookupReply` says, or the error of a body that is not JSON.
  void lookup();
  /// Replies the places that `lookup` has found, as `sitesReply` says.
  void sites() { exchange_.reply(sitesReply(sites_)); }
  /// Parts as in `lookup`. Replies {"chain":…}, or the error.
  void chain();
  /// Sets and removes signatures, validates what results, and repairs it. Part 1: PrepareOptions.
  /// Replies a report and, if the body was changed, its bytes; or an error in the options.
  void prepare();

 private:
  // A text with the index over it.
  struct Body {
    Body(std::string_view bytes, size_t maxValues) : text(bytes), tape(text, maxValues) {}
    explicit Body(std::string bytes) : text(std::move(bytes)), tape(text) {}

    const std::string text;
    const json::LenientTape tape;
  };

  // Each replies an error if it returns false.
  bool isInBounds();
  // Google's parser may take other bodies, but their places are not known.
  bool isJson();
  void reply(const Body& body, bool isEdited, const LintOptions& options, bool repairs);

  Core& core_;
  Exchange& exchange_;
  const Body given_;
  std::vector<signatures::Site> sites_;
  std::unique_ptr<Body> edited_;  // What `prepare` replies may refer to it.
};

}  // namespace strata::bindings
