// Converts the body of a request from one wire to the other: history, tools, configuration and
// schemas. What the other wire does not have is a finding, and is left out.
#pragma once

#include <string_view>

#include "catalogue/finding.h"
#include "interactions/convert.h"
#include "interactions/to_contents.h"
#include "json/value.h"

namespace strata::interactions {

/// Returns the Interactions body for a generateContent body, an object, that is sent to `model`. It
/// is stateless: `store` is false unless the body says otherwise. Where a `convert.refused` is
/// found, the request would mean something else. O(bytes of the body).
Converted interactionOf(json::Value body, std::string_view model, const catalogue::Target& target,
                        const ConvertOptions& options = {});

/// Returns the generateContent body for an Interactions body, an object. Its model and `stream` are
/// a part of the URL there. O(bytes of the body).
Converted generateContentOf(json::Value body, const catalogue::Target& target,
                            const ConvertOptions& options = {});

/// Returns what becomes of calls without a signature, which this model may need.
UnsignedCalls unsignedCallsFor(const catalogue::Target& target, const ConvertOptions& options);

}  // namespace strata::interactions
