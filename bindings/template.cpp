#include "template.h"

#include <emscripten/bind.h>

#include <array>

#include "json/enum_named.h"
#include "json/writer.h"
#include "prompt/prompt_template.h"

namespace strata::bindings {
namespace {

constexpr std::array<std::string_view, 4> kUndefinedKinds = {"default", "strict", "chainable",
                                                             "debug"};
constexpr std::array<std::string_view, 3> kToJsonForms = {"html", "plain", "hf"};
constexpr std::array<std::string_view, 2> kDialects = {"jinja2", "pongo2"};

std::vector<std::string> namesIn(json::Value array) {
  std::vector<std::string> names;
  for (const json::Value name : json::elements(array)) names.push_back(name.text());
  return names;
}

void readLimits(json::Value given, jinja::Limits& limits) {
  limits.output =
      static_cast<size_t>(given.find("output").integer(static_cast<int64_t>(limits.output)));
  limits.fuel =
      static_cast<uint64_t>(given.find("fuel").integer(static_cast<int64_t>(limits.fuel)));
  limits.callDepth = static_cast<uint32_t>(given.find("depth").integer(limits.callDepth));
}

jinja::Options readOptions(json::Value given) {
  jinja::Options options;
  options.undefined =
      json::enumNamed<jinja::UndefinedKind>(given.find("undefined"), kUndefinedKinds)
          .value_or(options.undefined);
  options.tojson =
      json::enumNamed<jinja::ToJson>(given.find("tojson"), kToJsonForms).value_or(options.tojson);
  options.dialect =
      json::enumNamed<jinja::Dialect>(given.find("dialect"), kDialects).value_or(options.dialect);
  options.trimBlocks = given.find("trimBlocks").isTrue();
  options.lstripBlocks = given.find("lstripBlocks").isTrue();
  options.keepTrailingNewline = given.find("keepTrailingNewline").isTrue();
  options.autoescape = given.find("autoescape").isTrue();
  for (const json::Member member : json::members(given.find("templates"))) {
    options.templates.push_back({member.key.text(), member.value.text()});
  }
  options.filters = namesIn(given.find("filters"));
  options.functions = namesIn(given.find("functions"));
  readLimits(given.find("limits"), options.limits);
  return options;
}

}  // namespace

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
    : core_(core), host_(std::move(callback)) {
  Exchange& exchange = core.exchange();
  const Options options(exchange.part(1));
  jinja::Options templateOptions = readOptions(options.root());
  const bool callsHost = !templateOptions.filters.empty() || !templateOptions.functions.empty();
  template_.emplace(std::string(exchange.part(0)), std::move(templateOptions),
                    callsHost ? &host_ : nullptr);
  const auto& compiled = template_->compiled();
  if (!compiled) {
    exchange.reply(prompt::templateErrorJson(compiled.error()));
    return;
  }
  id_ = core.templates().add(*template_);
  json::Writer out;
  out.open('{').key("id").integer(id_).key("variables").open('[');
  for (const std::string& name : compiled.value().variables()) out.string(name);
  out.close(']').close('}');
  exchange.reply(out.take());
}

void TemplateBinding::render() {
  Exchange& exchange = core_.exchange();
  const Options options(exchange.part(1));
  const std::string now = options.root().find("now").text();
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
