// Runs one case of the conformance suite (tests/cases/jinja2_*.json) for the tests and the fuzzer.
#pragma once

#include <string>

#include "jinja/template.h"
#include "json/value.h"
#include "json/writer.h"
#include "support/cases.h"

namespace strata::jinja {

/// The result of a case: its output, or the kind and line of its error.
struct CaseResult {
  bool rendered = false;
  std::string output;
  std::string kind;
  uint32_t line = 0;
  std::string message;
};

/// Provides the two host functions that the cases use: strftime_now returns one of two dates, and
/// pydantic_dump returns its argument.
class CaseHost : public Host {
 public:
  Result<std::string> call(HostKind kind, size_t, std::string_view arguments) override {
    if (kind == HostKind::kFilter) {
      const auto values = json::Tape::read(arguments);
      return std::string(values.value().root().at(0).bytes());
    }
    const bool longForm = arguments.find("%d %b") != std::string_view::npos;
    return std::string(longForm ? "\"26 Jul 2024\"" : "\"2024-07-26\"");
  }
};

inline bool contains(test::Case list, std::string_view name) {
  for (const test::Case item : list.elements()) {
    if (item.equals(name)) return true;
  }
  return false;
}

inline UndefinedKind undefinedKind(test::Case name) {
  if (name.equals("strict")) return UndefinedKind::kStrict;
  if (name.equals("chainable")) return UndefinedKind::kChainable;
  return name.equals("debug") ? UndefinedKind::kDebug : UndefinedKind::kDefault;
}

inline ToJson tojsonForm(test::Case name) {
  if (name.equals("plain")) return ToJson::kPlain;
  return name.equals("hf") ? ToJson::kTransformers : ToJson::kHtml;
}

inline Options optionsOf(test::Case given) {
  Options options;
  options.trimBlocks = given.find("trim_blocks").isTrue();
  options.lstripBlocks = given.find("lstrip_blocks").isTrue();
  options.keepTrailingNewline = given.find("keep_trailing_newline").isTrue();
  options.autoescape = given.find("autoescape").isTrue();
  options.undefined = undefinedKind(given.find("undefined"));
  options.tojson = tojsonForm(given.find("tojson"));
  const test::Case extensions = given.find("extensions");
  options.loopControls = contains(extensions, "loopcontrols");
  options.doStatement = contains(extensions, "do");
  options.generationBlock = contains(extensions, "generation");
  options.immutable = given.find("sandbox").equals("immutable");
  if (contains(given.find("filters"), "pydantic_dump")) options.filters.push_back("pydantic_dump");
  if (contains(given.find("globals"), "strftime_now")) options.functions.push_back("strftime_now");
  return options;
}

inline CaseResult failed(const TemplateError& error) {
  return {false, "", std::string(nameOf(error.kind)), error.line, error.message};
}

/// Renders `source` with the context, options and other templates of `given`.
inline CaseResult runCase(test::Case given, std::string source) {
  Options options = optionsOf(given.find("options"));
  for (const test::CaseMember& other : given.find("templates").members()) {
    options.templates.push_back({other.key, other.value.text()});
  }
  const auto compiled = Template::compile(std::move(source), std::move(options));
  if (!compiled) return failed(compiled.error());
  CaseHost host;
  const test::Case context = given.find("context");
  const auto text =
      compiled.value().render(context ? context.bytes() : "{}", {"2024-07-26T00:00:00Z", &host});
  if (!text) return failed(text.error());
  return {true, text.value(), "", 0, ""};
}

inline CaseResult runCase(test::Case given) {
  return runCase(given, given.find("template").text());
}

/// Runs one line of the grader's protocol: a JSON case in, a JSON result out.
inline std::string runCaseLine(const std::string& line) {
  const test::Cases read(line);
  if (!read.ok()) return R"({"name":"","err":{"kind":"not a case"}})";
  const test::Case given = read.root();
  const CaseResult result = runCase(given);
  json::Writer out;
  out.open('{').key("name").string(given.find("name").text());
  if (result.rendered) {
    out.key("out").string(result.output);
  } else {
    out.key("err").open('{').key("kind").string(result.kind);
    out.key("line").integer(result.line);
    out.key("message").string(result.message).close('}');
  }
  return out.close('}').take();
}

}  // namespace strata::jinja
