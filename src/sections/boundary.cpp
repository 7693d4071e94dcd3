#include "sections/boundary.h"

#include "base/plain_text.h"

namespace strata::sections {
namespace {

constexpr std::string_view kMarker = kPromptBoundary.substr(1, kPromptBoundary.size() - 2);

// Replaces every `wanted`, also those that a replacement forms with the bytes around it: the search
// steps back by the length of `wanted` after each one. Returns true if it replaced any.
bool replaceAll(std::string& text, std::string_view wanted, std::string_view replacement) {
  size_t from = 0;
  bool found = false;
  for (size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, from)) {
    text.replace(at, wanted.size(), replacement);
    from = at < wanted.size() ? 0 : at - wanted.size();
    found = true;
  }
  return found;
}

}  // namespace

std::string joinHalves(const PromptHalves& halves) {
  std::string full(halves.stable);
  if (!halves.dynamic.empty()) full.append(kPromptBoundary).append(halves.dynamic);
  return full;
}

std::optional<PromptHalves> splitAtBoundary(std::string_view full) {
  const size_t at = full.find(kPromptBoundary);
  if (at == std::string_view::npos) return std::nullopt;
  return PromptHalves{trimmedEnd(full.substr(0, at)),
                      trimmedStart(full.substr(at + kPromptBoundary.size()))};
}

std::string stripBoundaries(std::string_view full) {
  std::string text(full);
  replaceAll(text, kPromptBoundary, "\n");
  return text;
}

bool removeBoundaryMarkers(std::string& text) { return replaceAll(text, kMarker, ""); }

}  // namespace strata::sections
