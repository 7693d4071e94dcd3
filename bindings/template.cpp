#include "template.h"

#include <emscripten/bind.h>

#include <array>

#include "json/writer.h"
#include "prompt/prompt_template.h"

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

}  // namespace

Result<std::string> JsHost::call(jinja::HostKind kind, size_t index, std::string_view arguments) {
  const bool ok =
      callback_(static_cast<int>(kind), static_cast<uint32_t>(index), viewOf(arguments)).as<bool>();
  if (ok) return answer_.take();
  return Error{"template.runtime", 0, "", answer_.take()};
}

TemplateBinding::TemplateBinding(Core& core, emscripten::val callback)
    : core_(core), host_(std::move(callback)) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  jinja::Options templateOptions;
  if (const Status status = readOptions(given.reader(), templateOptions); !status) {
    core.replyOptionError(status.error());
    return;
  }
  const bool callsHost = !templateOptions.filters.empty() || !templateOptions.functions.empty();
  template_.emplace(std::string(exchange.part(0)), std::move(templateOptions),
                    callsHost ? &host_ : nullptr);
  const auto& compiled = template_->compiled();
  if (!compiled) {
    exchange.reply(prompt::templateErrorJson(compiled.error()));
    return;
  }
  json::Writer out;
  out.open('{').key("variables").open('[');
  for (const std::string& name : compiled.value().variables()) out.string(name);
  out.close(']').close('}');
  exchange.reply(out.take());
}

void TemplateBinding::render() {
  Exchange& exchange = core_.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader options = given.reader();
  std::string now;
  options.string("now", now);
  if (const Status status = options.finish(); !status) {
    return core_.replyOptionError(status.error());
  }
  layers::TemplateText rendered = template_->render(exchange.part(0), now);
  if (rendered.failure) return exchange.reply(rendered.failure->json);
  Segments bytes;
  bytes.own(rendered.text);
  exchange.reply("{}", std::move(bytes));
}

EMSCRIPTEN_BINDINGS(template) {
  emscripten::class_<TemplateBinding>("Template")
      .constructor<Core&, emscripten::val>()
      .function("render", &TemplateBinding::render)
      .function("hostReply", &TemplateBinding::hostReply);
}

}  // namespace strata::bindings
