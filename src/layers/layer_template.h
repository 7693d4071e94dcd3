// Declares what the text layers need of a template, so that this folder links without a template
// engine. `bindings/host_template.h` and `templates/jinja_template.h` implement it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "catalogue/finding.h"

namespace strata::layers {

enum class Layer : uint8_t { kStatic, kDynamic, kBuffered, kTrigger };

/// Returns "static", "dynamic", "buffered" or "trigger".
std::string_view layerName(Layer layer);

/// Why a template failed.
struct TemplateFailure {
  catalogue::Finding finding;  ///< Without a path.
  std::string json;            ///< `{"templateError":{…}}`
};

/// A rendered text, or the failure. `text` is empty after a failure.
struct TemplateText {
  std::string text;
  std::optional<TemplateFailure> failure;
};

/// A compiled template of a text layer. A template that does not compile fails when it renders.
class LayerTemplate {
 public:
  virtual ~LayerTemplate() = default;

  /// Valid as long as this object.
  virtual std::string_view source() const = 0;
  virtual bool reads(std::string_view variable) const = 0;
  /// Returns whether the template calls functions of the host, which may return another value each
  /// time.
  virtual bool callsHost() const = 0;
  /// Renders with a JSON object of variables; `now` is an RFC 3339 time.
  virtual TemplateText render(std::string_view variables, std::string_view now) const = 0;
};

/// Why a request could not be built. Exactly one member is set: `error` for invalid input,
/// `templateError` for a template that failed under `strict`.
struct LayerFailure {
  std::optional<Error> error;
  std::string templateError;  ///< The `json` of a TemplateFailure.
};

}  // namespace strata::layers
