// Why this file exists: one mark tells the stable half of a full prompt from the dynamic one. It is
// for whoever keeps the whole text; it is never sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::prompt {

/// Pioneer's mark, its spelling included, so that its prompts are split here too.
inline constexpr std::string_view kPromptBoundary = "\n<!-- PIONEER_PROMT_CACHE_BOUNDARY -->\n";

struct PromptHalves {
  std::string_view stable;
  std::string_view dynamic;
};

/// The two halves with the boundary between them; where the dynamic one is blank there is none.
std::string joinHalves(const PromptHalves& halves);

/// What stands on both sides of the first boundary, without the white space next to it.
std::optional<PromptHalves> splitAtBoundary(std::string_view full);

/// `full` with a line feed for each boundary.
std::string withoutBoundary(std::string_view full);

/// Takes the boundary's mark, which a neighbour's line feeds would make a boundary, out of a
/// section's text. Returns whether there was one.
bool removeMarks(std::string& text);

}  // namespace strata::prompt
