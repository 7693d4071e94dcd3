// Renders layers 1 and 2, the static and the dynamic text, and renders them again only if their
// inputs change.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "layers/input.h"
#include "layers/layer_template.h"
#include "layers/rendered_text.h"

namespace strata::layers {

/// Layer 1 or 2 of one thread.
class TextLayer {
 public:
  explicit TextLayer(Layer layer) : layer_(layer) {}

  /// Renders the text for `input` into `rendered()`, which stays as it is if the inputs are the
  /// same. `cachedHistory` is a JSON array or "". A template that does not read it gets it
  /// appended, in a fence. If a template fails, the static text is its source and the dynamic text
  /// its variables. Returns a failure for invalid variables and, under `request.strict`, for a
  /// failing template.
  std::optional<LayerFailure> render(const TextInput& input, const AssembleInput& request,
                                     const std::string& cachedHistory);
  /// The reference is valid as long as this object; `render` changes its target.
  const RenderedText& rendered() const { return rendered_; }

 private:
  std::optional<LayerFailure> takeFinished(const TextInput& input);
  std::optional<LayerFailure> renderTemplate(const TextInput& input, const AssembleInput& request,
                                             const std::string& variables, bool& historyRendered);
  bool rendersTime(const TextInput& input);
  void ensureJson(std::string_view variables);
  void finish(std::string_view half);

  Layer layer_;
  RenderedText rendered_;
  /// Of the template that was asked about last.
  struct {
    uint32_t id = 0;
    bool mayRenderTime = false;
  } timed_;
};

}  // namespace strata::layers
