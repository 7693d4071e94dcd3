// Why this file exists: what a caller may choose about a template, in one plain struct.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jinja/budget.h"

namespace strata::jinja {

/// What happens to a variable that is not there: Jinja2's four classes.
enum class UndefinedKind : uint8_t { kDefault, kStrict, kChainable, kDebug };

/// What `tojson` is: Jinja2's own (HTML-safe, keys sorted), `json.dumps(value,
/// ensure_ascii=False)`, or that of Hugging Face's transformers with its parameters.
enum class ToJson : uint8_t { kHtml, kPlain, kTransformers };

/// Django's manners as the Go library pongo2 has them, for documents written for it.
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
  bool loopControls = true;            ///< The tags break and continue.
  bool doStatement = true;             ///< The tag do.
  bool generationBlock = true;         ///< transformers' {% generation %}, which changes nothing.
  bool immutable = false;              ///< Methods that change a list or dict are refused.
  std::vector<NamedSource> templates;  ///< For include, import and extends.
  std::vector<std::string> filters;    ///< Names of the host's filters.
  std::vector<std::string> functions;  ///< Names of the host's functions.
  Limits limits;
};

enum class HostKind : uint8_t { kFilter, kFunction };

/// Filters and functions that the embedder brings.
class Host {
 public:
  virtual ~Host() = default;
  /// `index` counts in Options::filters or Options::functions; `arguments` is a JSON array. Answers
  /// with JSON; an Error ends the render as a "raised" error with its detail as the message.
  virtual Result<std::string> call(HostKind kind, size_t index, std::string_view arguments) = 0;
};

}  // namespace strata::jinja
