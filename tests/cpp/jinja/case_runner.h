// Why this file exists: a case of the oracle's files (shared/jinja/oracle.py says what one holds)
// runs the same way in the tests and in the fuzzer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "jinja/template.h"
#include "json/writer.h"

namespace strata::jinja {

using Json = nlohmann::ordered_json;

/// What became of a case: its output, or the kind and line of its error.
struct CaseResult {
  bool rendered = false;
  std::string output;
  std::string kind;
  uint32_t line = 0;
  std::string message;
};

/// The two functions of the Python runner: raise_exception is the engine's own, strftime_now there
/// knows two answers.
class CaseHost : public Host {
 public:
  Result<std::string> call(HostKind kind, size_t, std::string_view arguments) override {
    if (kind == HostKind::kFilter) {  // pydantic_dump gives back what it gets
      const Json values = Json::parse(arguments, nullptr, false);
      return values.at(0).dump();
    }
    const bool longForm = arguments.find("%d %b") != std::string_view::npos;
    return std::string(longForm ? "\"26 Jul 2024\"" : "\"2024-07-26\"");
  }
};

inline UndefinedKind undefinedKind(const std::string& name) {
  if (name == "strict") return UndefinedKind::kStrict;
  if (name == "chainable") return UndefinedKind::kChainable;
  return name == "debug" ? UndefinedKind::kDebug : UndefinedKind::kDefault;
}

inline ToJson tojsonForm(const std::string& name) {
  if (name == "plain") return ToJson::kPlain;
  return name == "hf" ? ToJson::kTransformers : ToJson::kHtml;
}

inline bool has(const Json& list, const char* name) {
  for (const Json& item : list) {
    if (item == name) return true;
  }
  return false;
}

inline Options optionsOf(const Json& given) {
  Options options;
  options.trimBlocks = given.value("trim_blocks", false);
  options.lstripBlocks = given.value("lstrip_blocks", false);
  options.keepTrailingNewline = given.value("keep_trailing_newline", false);
  options.autoescape = given.value("autoescape", false);
  options.undefined = undefinedKind(given.value("undefined", std::string()));
  options.tojson = tojsonForm(given.value("tojson", std::string()));
  const Json extensions = given.value("extensions", Json::array());
  options.loopControls = has(extensions, "loopcontrols");
  options.doStatement = has(extensions, "do");
  options.generationBlock = has(extensions, "generation");
  options.immutable = given.value("sandbox", Json(false)) == "immutable";
  if (has(given.value("filters", Json::array()), "pydantic_dump")) {
    options.filters.push_back("pydantic_dump");
  }
  if (has(given.value("globals", Json::array()), "strftime_now")) {
    options.functions.push_back("strftime_now");
  }
  return options;
}

inline CaseResult failed(const TemplateError& error) {
  return {false, "", std::string(nameOf(error.kind)), error.line, error.message};
}

inline CaseResult runCase(const Json& given) {
  Options options = optionsOf(given.value("options", Json::object()));
  const Json templates = given.value("templates", Json::object());
  for (const auto& [name, source] : templates.items()) {
    options.templates.push_back({name, source.get<std::string>()});
  }
  const auto compiled =
      Template::compile(given.at("template").get<std::string>(), std::move(options));
  if (!compiled) return failed(compiled.error());
  CaseHost host;
  const std::string context = given.value("context", Json::object()).dump();
  const auto text = compiled.value().render(context, {"2024-07-26T00:00:00Z", &host});
  if (!text) return failed(text.error());
  return {true, text.value(), "", 0, ""};
}

inline std::string runCaseLine(const std::string& line) {
  const Json given = Json::parse(line, nullptr, false);
  if (!given.is_object()) return R"({"name":"","err":{"kind":"not a case"}})";
  const CaseResult result = runCase(given);
  json::Writer out;
  out.open('{').key("name").string(given.value("name", std::string()));
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
