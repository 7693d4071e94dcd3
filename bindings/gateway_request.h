// Defines what JavaScript can do with a request that passes through a gateway. Its body enters
// WebAssembly once and is parsed once, although the signatures that it lacks are looked up in
// between.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core.h"
#include "json/lenient.h"
#include "signatures.h"

namespace strata::bindings {

/// One request. The Core must outlive it. Part 0 of a call is the body when the request is created,
/// and nothing afterwards.
class GatewayRequestBinding {
 public:
  explicit GatewayRequestBinding(Core& core)
      : core_(core), exchange_(core.exchange()), given_(exchange_.part(0)) {}

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
    explicit Body(std::string_view bytes) : Body(std::string(bytes)) {}
    explicit Body(std::string bytes) : text(std::move(bytes)), tape(text) {}

    const std::string text;
    const json::LenientTape tape;
  };

  // Replies an error and returns false if the body is not JSON: Google's parser may take it, but
  // its places are not known.
  bool isJson();
  void reply(const Body& body, bool isEdited, const Core::LintOptions& options, bool repairs);

  Core& core_;
  Exchange& exchange_;
  const Body given_;
  std::vector<signatures::Site> sites_;
  std::unique_ptr<Body> edited_;  // What `prepare` replies may refer to it.
};

}  // namespace strata::bindings
