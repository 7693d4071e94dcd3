// Defines the options of a template.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jinja/budget.h"

namespace strata::jinja {

/// How undefined variables behave; one value for each of Jinja2's four Undefined classes
/// (https://jinja.palletsprojects.com/en/stable/api/#undefined-types).
enum class UndefinedKind : uint8_t { kDefault, kStrict, kChainable, kDebug };

/// The form of the `tojson` filter: Jinja2's own (HTML-safe, sorted keys), `json.dumps(value,
/// ensure_ascii=False)`, or the filter of Hugging Face's transformers with its parameters
/// (huggingface/transformers, src/transformers/utils/chat_template_utils.py).
enum class ToJson : uint8_t { kHtml, kPlain, kTransformers };

/// The template language. kPongo2 follows the Go library pongo2 v6, an implementation of Django's
/// templates (https://github.com/flosch/pongo2).
enum class Dialect : uint8_t { kJinja2, kPongo2 };

struct NamedSource {
  std::string name;
  std::string source;
};

struct Options {
  UndefinedKind undefined = UndefinedKind::kDefault;
  ToJson tojson = ToJson::kHtml;
  Dialect dialect = Dialect::kJinja2;
  bool trimBlocks = false;
  bool lstripBlocks = false;
  bool keepTrailingNewline = false;
  bool autoescape = false;
  bool loopControls = true;     ///< The tags break and continue (jinja2.ext.loopcontrols).
  bool doStatement = true;      ///< The tag do (jinja2.ext.do).
  bool generationBlock = true;  ///< transformers' {% generation %}, which renders its body.
  bool immutable =
      false;  ///< Rejects methods that change a list or dict (ImmutableSandboxedEnvironment).
  std::vector<NamedSource> templates;  ///< The templates that include, import and extends can load.
  std::vector<std::string> filters;    ///< Names of the filters that the Host provides.
  std::vector<std::string> functions;  ///< Names of the functions that the Host provides.
  Limits limits;
};

enum class HostKind : uint8_t { kFilter, kFunction };

/// Filters and functions that the embedder provides.
class Host {
 public:
  virtual ~Host() = default;
  /// Calls a filter or function. `index` is the position in Options::filters or Options::functions.
  /// `arguments` is a JSON array; named arguments are one object, the last element. Returns JSON.
  /// An Error ends the render with a "raised" error whose message is the error's detail.
  virtual Result<std::string> call(HostKind kind, size_t index, std::string_view arguments) = 0;
};

}  // namespace strata::jinja
