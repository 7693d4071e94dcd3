// Converts media between Parts and Content.
#pragma once

#include <string>

#include "gemini/content_view.h"
#include "interactions/convert.h"
#include "json/value.h"

namespace strata::interactions {

/// Returns the Content of a Part with inlineData or fileData. The MIME type decides which kind it
/// is, or the end of the URI. `resolution` is that of the request, such as "high", or "".
std::string contentOfMedia(const gemini::PartView& part, const std::string& path,
                           std::string_view resolution, Losses& losses);

/// Returns the members of a Part, without brackets, for a Content with `data` or `uri`; "" if it
/// has neither. `isOfResult`: it is a part of a functionResponse, which has no resolution.
std::string partOfMedia(json::Value content, const std::string& path, Losses& losses,
                        bool isOfResult = false);

/// Returns "high" for "MEDIA_RESOLUTION_HIGH", and "" for a level that the other API has not.
std::string resolutionOf(std::string_view level);

}  // namespace strata::interactions
