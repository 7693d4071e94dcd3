#include "template.h"

#include <emscripten/bind.h>

#include <array>
#include <nlohmann/json.hpp>

#include "json/writer.h"

namespace strata::bindings {
namespace {

constexpr std::array<std::string_view, 4> kUndefinedKinds = {"default", "strict", "chainable",
                                                             "debug"};
constexpr std::array<std::string_view, 3> kToJsonForms = {"html", "plain", "hf"};
constexpr std::array<std::string_view, 2> kDialects = {"jinja2", "pongo2"};

// Reads TemplateOptions, in which the shell has replaced host functions by their names.
Status readOptions(json::OptionsReader given, jinja::Options& options) {
  given.oneOf("undefined", kUndefinedKinds, options.undefined);
  given.oneOf("tojson", kToJsonForms, options.tojson);
  given.oneOf("dialect", kDialects, options.dialect);
  given.boolean("trimBlocks", options.trimBlocks).boolean("lstripBlocks", options.lstripBlocks);
  given.boolean("keepTrailingNewline", options.keepTrailingNewline);
  given.boolean("autoescape", options.autoescape);
  std::vector<std::pair<std::string, std::string>> templates;
  given.stringMap("templates", templates);
  for (auto& [name, source] : templates) {
    options.templates.push_back({std::move(name), std::move(source)});
  }
  given.strings("filters", options.filters).strings("functions", options.functions);
  given.nested("limits", [&](json::OptionsReader& limits) {
    limits.count("output", options.limits.output).count("fuel", options.limits.fuel);
    limits.count("depth", options.limits.callDepth);
  });
  return given.finish();
}

std::string_view codeOf(jinja::ErrorKind kind) {
  constexpr std::array<std::string_view, 4> kCodes = {"template.syntax", "template.undefined",
                                                      "template.limit", "template.runtime"};
  return kCodes[static_cast<size_t>(jinja::classOf(kind))];
}

}  // namespace

std::string templateErrorOf(const jinja::TemplateError& error) {
  json::Writer out;
  out.open('{').key("templateError").open('{');
  out.key("code").string(codeOf(error.kind)).key("kind").string(jinja::nameOf(error.kind));
  out.key("message").string(error.message).key("template").string(error.templateName);
  out.key("line").integer(error.line).key("column").integer(error.column);
  out.key("offset").integer(static_cast<int64_t>(error.offset));
  out.key("excerpt").string(error.excerpt);
  out.close('}').close('}');
  return out.take();
}

Result<std::string> JsHost::call(jinja::HostKind kind, size_t index, std::string_view arguments) {
  const emscripten::val bytes(emscripten::typed_memory_view(
      arguments.size(), reinterpret_cast<const uint8_t*>(arguments.data())));
  const bool ok = callback_(static_cast<int>(kind), static_cast<uint32_t>(index), bytes).as<bool>();
  if (ok) return std::move(answer_);
  return Error{"template.runtime", 0, "", std::move(answer_)};
}

emscripten::val JsHost::reply(uint32_t size) {
  answer_.resize(size);
  return emscripten::val(
      emscripten::typed_memory_view(size, reinterpret_cast<uint8_t*>(answer_.data())));
}

TemplateBinding::TemplateBinding(Core& core, emscripten::val callback)
    : core_(core),
      exchange_(core.exchange()),
      host_(std::move(callback)),
      source_(exchange_.part(0)) {
  const Options given(exchange_.part(1));
  const json::Document document = json::toDocument(given.root());
  jinja::Options templateOptions;
  if (const Status status = readOptions(given.readerOf(document), templateOptions); !status) {
    core.replyOptionError(status.error());
    return;
  }
  callsHost_ = !templateOptions.filters.empty() || !templateOptions.functions.empty();
  auto compiled = jinja::Template::compile(source_, templateOptions);
  if (!compiled) {
    exchange_.reply(templateErrorOf(compiled.error()));
    return;
  }
  compiled_ = std::move(compiled.value());
  json::Writer out;
  out.open('{').key("variables").open('[');
  for (const std::string& name : compiled_->variables()) out.string(name);
  out.close(']').close('}');
  exchange_.reply(out.take());
}

void TemplateBinding::render() {
  const Options given(exchange_.part(1));
  json::OptionsReader options = given.reader();
  std::string now;
  options.string("now", now);
  if (const Status status = options.finish(); !status) {
    return core_.replyOptionError(status.error());
  }
  auto text = compiled_->render(exchange_.part(0), {now, &host_});
  if (!text) return exchange_.reply(templateErrorOf(text.error()));
  Segments bytes;
  bytes.own(text.value());
  exchange_.reply("{}", std::move(bytes));
}

EMSCRIPTEN_BINDINGS(template) {
  emscripten::class_<TemplateBinding>("Template")
      .constructor<Core&, emscripten::val>()
      .function("render", &TemplateBinding::render)
      .function("hostReply", &TemplateBinding::hostReply);
}

}  // namespace strata::bindings
