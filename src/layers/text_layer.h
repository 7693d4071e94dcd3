// Why this file exists: layers 1 and 2 are texts, rendered once and kept while their inputs are the
// same bytes. A template that fails never leaves a hole: its source, or its variables, take its
// place.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "layers/input.h"
#include "layers/rendered_text.h"
#include "prompt/prompt_template.h"

namespace strata::layers {

enum class Layer : uint8_t { kStatic, kDynamic, kBuffered, kTrigger };

/// "static", "dynamic", "buffered" or "trigger".
std::string_view layerName(Layer layer);

/// Layer 1 or 2 of one thread.
class TextLayer {
 public:
  explicit TextLayer(Layer layer) : layer_(layer) {}

  /// The text for `input`, as the member `rendered()`. `cachedHistory` is a JSON array or "".
  std::optional<prompt::LayerFailure> render(const TextInput& input, const AssembleInput& request,
                                             const std::string& cachedHistory);
  const RenderedText& rendered() const { return rendered_; }

 private:
  std::optional<prompt::LayerFailure> renderTemplate(const TextInput& input,
                                                     const AssembleInput& request,
                                                     const std::string& variables,
                                                     bool& toldHistory);
  const jinja::Template* templateFor(const TextInput& input, jinja::TemplateError& error);
  std::optional<prompt::LayerFailure> fail(const jinja::TemplateError& error,
                                           const TextInput& input, const AssembleInput& request,
                                           const std::string& variables);
  void keepJson(std::string_view variables);
  void finish(std::string_view half);
  catalogue::Finding& add(catalogue::Rule rule, std::string arg1 = {});

  Layer layer_;
  RenderedText rendered_;
  std::optional<jinja::Template> compiled_;
  std::string compiledSource_;
};

}  // namespace strata::layers
