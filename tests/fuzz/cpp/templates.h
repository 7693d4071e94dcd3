// Compiles and renders any template with any context, for the targets of the two dialects.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"
#include "fuzz/cpp/checks.h"
#include "jinja/template.h"

namespace strata::fuzz {

/// Returns its first argument, or raises an error if there is none.
class EchoHost final : public jinja::Host {
 public:
  Result<std::string> call(jinja::HostKind, size_t, std::string_view arguments) override {
    const Result<json::Tape> tape = json::Tape::read(arguments);
    require(static_cast<bool>(tape), "the arguments of the host are JSON", arguments);
    const json::Value first = tape.value().root().at(0);
    if (!first) return Error{"template.runtime", 0, "", "no argument"};
    return std::string(first.bytes());
  }
};

inline jinja::Options templateOptions(Input& choices, jinja::Dialect dialect,
                                      const std::string& source) {
  jinja::Options options;
  options.dialect = dialect;
  options.undefined = static_cast<jinja::UndefinedKind>(choices.below(4));
  options.tojson = static_cast<jinja::ToJson>(choices.below(3));
  options.autoescape = choices.flag();
  options.trimBlocks = options.lstripBlocks = choices.flag();
  options.keepTrailingNewline = choices.flag();
  options.immutable = choices.flag();
  options.filters = {"echo"};
  options.functions = {"host"};
  options.templates = {
      {"self", source},
      {"base", "{% block a %}{{ x }}{% endblock %}{% block b %}{% endblock %}"},
      {"macros", "{% macro m(a, b=1) %}{{ a }}{{ caller() }}{% endmacro %}"},
      {"exported",
       "{% macro p(a, b=1) export %}{% block a %}{{ b }}{% endblock %}{% endmacro %}"
       "{% macro q(a, a) export %}{% cycle a 2 as b %}{{ b }}{% endmacro %}"}};
  options.limits.fuel = 30'000;
  options.limits.output = options.limits.string = 1U << 16U;
  options.limits.collection = 10'000;
  options.limits.range = 1'000;
  options.limits.memory = 8U << 20U;
  return options;
}

inline void requireLocated(const jinja::TemplateError& error, std::string_view source) {
  // As in Jinja2, the message about a template that is not found is its name, which may be empty.
  const bool isNameless = error.kind == jinja::ErrorKind::kNotFound;
  require(!error.message.empty() || isNameless, "an error has a message", source);
  const bool isMain = error.templateName == "main" || error.templateName == "self";
  require(!isMain || error.offset <= source.size(), "an error is at a byte of the template",
          source);
}

/// The first line of `bytes` holds choices, the second the context, the rest is the template.
inline void checkTemplate(std::string_view bytes, jinja::Dialect dialect) {
  Input input(bytes);
  Input choices(input.line());
  const std::string context(input.line());
  // JavaScript strings have no other form.
  const std::string source = validUtf8(input.rest());
  const jinja::Options options = templateOptions(choices, dialect, source);
  const auto compiled = jinja::Template::compile(source, options, "main");
  if (!compiled) return requireLocated(compiled.error(), source);
  EchoHost host;
  const jinja::RenderInput given{"2026-11-21T10:00:00Z", &host};
  const auto text = compiled.value().render(context, given);
  const auto again = compiled.value().render(context, given);
  require(static_cast<bool>(text) == static_cast<bool>(again), "a template renders as before");
  if (!text) {
    require(text.error().message == again.error().message, "a template fails as before");
    return requireLocated(text.error(), source);
  }
  require(text.value() == again.value(), "a template renders the same text", text.value());
  require(text.value().size() <= options.limits.output, "the output is within its limit");
  require(validUtf8(text.value()) == text.value(), "the output is UTF-8", text.value());
}

}  // namespace strata::fuzz
