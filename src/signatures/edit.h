// Sets and removes signatures in the body of a request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/segments.h"
#include "json/value.h"

namespace strata::signatures {

/// One signature to set or remove.
struct SignatureEdit {
  uint32_t content = 0;  ///< The index in `contents`.
  int32_t part = 0;      ///< The index in `parts`; with `after`, -1 is in front of the first.
  bool after = false;    ///< For an empty text behind the part, which may be missing.
  std::optional<std::string> signature;  ///< nullopt removes the signature.
};

/// Returns the text of a request with the edits; all other bytes stay. Segments borrow from `text`.
/// Error: `field.invalid` with the path /edits/N for a place that the request lacks or that is
/// named twice.
Result<Segments> editSignatures(json::Value request, std::string_view text,
                                const std::vector<SignatureEdit>& edits);

}  // namespace strata::signatures
