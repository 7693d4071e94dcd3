// Why this file exists: what the other rooms use of this one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/error.h"
#include "jinja/options.h"

namespace strata::jinja {

class Loader;

/// What may differ from one render to the next.
struct RenderInput {
  std::string_view now;  ///< ISO 8601, for strftime_now: "2026-11-21T10:00:00Z".
  Host* host = nullptr;  ///< Needed where Options names filters or functions.
};

/// A Jinja2 template, compiled once:
///
///     auto hello = Template::compile("Hello {{ name }}!", {});
///     auto text = hello.value().render(R"({"name": "Ann"})", {});   // Hello Ann!
///
/// Other templates are compiled when they are first needed.
class Template {
 public:
  /// `name` stands in errors. Errors: syntax, and the limits of reading.
  static Expected<Template> compile(std::string source, Options options, std::string name = "");

  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  /// What the template reads from its context, sorted; no globals, no host functions (Jinja2's
  /// meta.find_undeclared_variables). Templates that it includes, extends or imports with context
  /// count where their names are constants.
  const std::vector<std::string>& variables() const { return variables_; }

  /// `context` is a JSON object; its bytes are read where they lie. After an error the template
  /// renders again as if nothing had been.
  Expected<std::string> render(std::string_view context, const RenderInput& input) const;

 private:
  explicit Template(std::unique_ptr<Loader> loader);

  std::unique_ptr<Loader> loader_;
  std::vector<std::string> variables_;
};

}  // namespace strata::jinja
