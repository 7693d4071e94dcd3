#include "layers/text_layer.h"

#include <array>

#include "json/string.h"
#include "layers/cached_history.h"
#include "sections/boundary.h"
#include "tokens/estimate.h"

namespace strata::layers {
namespace {

// A JSON object of variables, and whether a member was added to the caller's own.
struct Variables {
  std::string json;
  bool added = false;
};

// Returns `object` with the member `name` inserted first. Leaves it as it is if it has that member
// or if `value` is "".
Result<Variables> addMember(std::string_view object, std::string_view name,
                            std::string_view value) {
  if (object.empty()) object = "{}";
  const Result<json::Tape> tape = json::Tape::read(object);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  if (!root.isObject()) return Error{"field.invalid", 0, "", "an object of variables"};
  if (value.empty() || root.find(name)) return Variables{std::string(root.bytes()), false};
  std::string out;
  out.append("{\"").append(name).append("\":").append(value);
  if (root.size() > 0) out.push_back(',');
  out.append(root.bytes().substr(1));
  return Variables{std::move(out), true};
}

// Returns true if the output of `source` may contain the current time: directly, or through another
// template that it loads.
bool mayRenderTime(std::string_view source) {
  for (const std::string_view word : {"now", "include", "import", "extends", "ssi"}) {
    if (source.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// Returns whether the text is the input's own, whatever the time and the variables are.
bool isFinished(const TextInput& input, const std::string& cachedHistory) {
  return input.compiled == nullptr && input.variables.empty() && cachedHistory.empty();
}

// Returns everything the text depends on, and the time only if the text may contain it.
std::string renderInputs(const TextInput& input, const AssembleInput& request,
                         const std::string& variables, bool hasTime) {
  std::string inputs = std::to_string(input.templateId) + ":" + std::to_string(request.strict);
  const std::string_view text = input.compiled == nullptr ? input.text : std::string_view();
  inputs.append(":").append(std::to_string(text.size())).append(":").append(text);
  inputs.append(variables);
  if (hasTime) inputs.append(request.now);
  inputs.append(input.half);
  return inputs;
}

}  // namespace

std::string_view layerName(Layer layer) {
  constexpr std::array<std::string_view, 4> kLayers = {"static", "dynamic", "buffered", "trigger"};
  return kLayers[static_cast<size_t>(layer)];
}

std::optional<LayerFailure> TextLayer::render(const TextInput& input, const AssembleInput& request,
                                              const std::string& cachedHistory) {
  if (isFinished(input, cachedHistory)) return takeFinished(input);
  std::string now;
  json::appendQuoted(now, request.now);
  const bool dynamic = layer_ == Layer::kDynamic;
  const Result<Variables> withValue =
      addMember(input.variables, dynamic ? "current_datetime" : "cached_history",
                dynamic ? now : cachedHistory);
  if (!withValue) {
    Error error = withValue.error();
    error.path = "/" + std::string(layerName(layer_)) + "/variables" + error.path;
    return LayerFailure{std::move(error), {}};
  }
  const std::string& variables = withValue.value().json;
  // If the caller has a variable of that name, no template can render the history.
  const bool shadowed = !cachedHistory.empty() && !withValue.value().added;
  std::string inputs = renderInputs(input, request, variables, rendersTime(input));
  if (shadowed) inputs += cachedHistory;
  // A host function may return another value each time, so its template is always rendered.
  const bool callsHost = input.compiled != nullptr && input.compiled->callsHost();
  if (!callsHost && inputs == rendered_.inputs) return std::nullopt;
  rendered_ = {};
  bool historyRendered = cachedHistory.empty();
  if (input.compiled == nullptr) {
    rendered_.text = input.text;
    if (dynamic) ensureJson("");
  } else if (auto failure = renderTemplate(input, request, variables, historyRendered)) {
    return failure;
  }
  if (shadowed || !historyRendered) rendered_.text += fenceHistory(cachedHistory);
  rendered_.inputs = std::move(inputs);
  finish(input.half);
  return std::nullopt;
}

// Looks through a source only once: templates are long and stay the same.
bool TextLayer::rendersTime(const TextInput& input) {
  if (input.compiled == nullptr) return false;
  if (input.templateId != timed_.id || timed_.id == 0)
    timed_ = {input.templateId, mayRenderTime(input.compiled->source())};
  return timed_.mayRenderTime;
}

std::optional<LayerFailure> TextLayer::takeFinished(const TextInput& input) {
  std::string inputs = "text " + std::to_string(input.text.size()) + ":";
  inputs.append(input.text).append(input.half);
  if (inputs == rendered_.inputs) return std::nullopt;
  rendered_ = {};
  rendered_.text = input.text;
  if (layer_ == Layer::kDynamic) ensureJson("");
  rendered_.inputs = std::move(inputs);
  finish(input.half);
  return std::nullopt;
}

std::optional<LayerFailure> TextLayer::renderTemplate(const TextInput& input,
                                                      const AssembleInput& request,
                                                      const std::string& variables,
                                                      bool& historyRendered) {
  TemplateText rendered = input.compiled->render(variables, request.now);
  if (!rendered.failure) {
    rendered_.text = std::move(rendered.text);
    historyRendered = historyRendered || input.compiled->reads("cached_history");
    if (layer_ == Layer::kDynamic) ensureJson(variables);
    return std::nullopt;
  }
  if (request.strict) return LayerFailure{std::nullopt, std::move(rendered.failure->json)};
  catalogue::Finding& finding = rendered_.findings.emplace_back(rendered.failure->finding);
  finding.path = "/" + std::string(layerName(layer_));
  rendered_.text = layer_ == Layer::kDynamic ? variables : std::string(input.text);
  return std::nullopt;
}

// Ensures that layer 2 is JSON: replaces any other text by the variables, or wraps it in an object.
void TextLayer::ensureJson(std::string_view variables) {
  if (rendered_.text.empty() || json::Tape::read(rendered_.text)) return;
  catalogue::Finding& finding = rendered_.findings.emplace_back();
  finding.rule = catalogue::Rule::kDynamicNotJson;
  finding.path = "/dynamic";
  if (!variables.empty()) {
    rendered_.text = variables;
    return;
  }
  std::string wrapped = "{\"text\":";
  json::appendQuoted(wrapped, rendered_.text);
  rendered_.text = wrapped + "}";
}

// Prepends the half of a compiled prompt, then computes JSON, digest and tokens.
void TextLayer::finish(std::string_view half) {
  std::string& text = rendered_.text;
  rendered_.ownSection = sections::sectionEntry(std::string(layerName(layer_)),
                                                layer_ == Layer::kDynamic, rendered_.text);
  if (!half.empty()) {
    text = text.empty() ? sections::stripBoundaries(half)
                        : sections::stripBoundaries(half) + "\n\n" + text;
  }
  rendered_.json.clear();
  json::appendQuoted(rendered_.json, text);
  rendered_.digest = sha256(rendered_.json);
  rendered_.tokens = half.empty() ? rendered_.ownSection.tokens
                                  : static_cast<uint32_t>(tokens::estimateText(text));
}

}  // namespace strata::layers
