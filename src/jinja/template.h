// Declares the public interface of the template engine, which implements Jinja2 3.1
// (https://jinja.palletsprojects.com/en/stable/templates/). docs/templates-deviations.md lists the
// differences.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/error.h"
#include "jinja/options.h"

namespace strata::jinja {

class Loader;
namespace pongo2 {
class Library;
}

/// The input that may differ between renders.
struct RenderInput {
  std::string_view now;  ///< ISO 8601 time for strftime_now: "2026-11-21T10:00:00Z".
  Host* host = nullptr;  ///< Required if Options names filters or functions.
};

/// A Jinja2 template, compiled once:
///
///     auto hello = Template::compile("Hello {{ name }}", {});
///     auto text = hello.value().render(R"({"name": "Ann"})", {});   // Hello Ann
///
/// Other templates are compiled on first use, so one Template must not render in two threads at
/// once.
class Template {
 public:
  /// Compiles `source`. `name` appears in errors. Errors: kSyntax, and kLimit for the limits of
  /// source size, parse depth and integer size.
  static Expected<Template> compile(std::string source, Options options, std::string name = "");

  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  /// The names that the template reads from its context, sorted, without globals and host functions
  /// (jinja2.meta.find_undeclared_variables). It covers templates that the template includes,
  /// extends or imports with context, if their names are constants.
  const std::vector<std::string>& variables() const { return variables_; }

  /// Renders the template. `context` is a JSON object; it is read in place and must stay valid
  /// during the call. Each render has its own Budget and memory, so the template can render again
  /// after an error. Errors: kRuntime if `context` is not a JSON object; else any ErrorKind, with
  /// the position in the template that failed.
  Expected<std::string> render(std::string_view context, const RenderInput& input) const;

 private:
  explicit Template(std::unique_ptr<Loader> loader);
  explicit Template(std::unique_ptr<pongo2::Library> library);

  // One of them, by the dialect.
  std::unique_ptr<Loader> loader_;
  std::unique_ptr<pongo2::Library> library_;
  std::vector<std::string> variables_;
};

}  // namespace strata::jinja
