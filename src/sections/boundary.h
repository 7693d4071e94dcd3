// Joins and splits the stable and the dynamic half of a prompt at a boundary marker. The marker is
// for callers that store the full text; it is never sent.
//
//     stable half  "\n<!-- PIONEER_PROMT_CACHE_BOUNDARY -->\n"  dynamic half
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::sections {

/// The boundary: the marker between two line feeds. The spelling is that of the GitHub repository
/// pioneerdotai/pioneer, crates/promt, so that its prompts can be split as well.
inline constexpr std::string_view kPromptBoundary = "\n<!-- PIONEER_PROMT_CACHE_BOUNDARY -->\n";

/// The two halves of a prompt. The views borrow from the text that was split.
struct PromptHalves {
  std::string_view stable;
  std::string_view dynamic;
};

/// Returns both halves with the boundary between them, or the stable half alone if the dynamic one
/// is empty.
std::string joinHalves(const PromptHalves& halves);

/// Splits `full` at its first boundary and trims the white space next to it. Returns nullopt if
/// there is no boundary. The views borrow from `full`.
std::optional<PromptHalves> splitAtBoundary(std::string_view full);

/// Returns `full` with each boundary replaced by one line feed.
std::string stripBoundaries(std::string_view full);

/// Removes each boundary marker from `text`, with or without line feeds around it: next to the line
/// feeds of another section, a bare marker would form a boundary. Returns true if it removed any.
bool removeBoundaryMarkers(std::string& text);

}  // namespace strata::sections
