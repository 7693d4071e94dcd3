#include "layers/input.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/timestamp.h"

namespace strata::layers {
namespace {

using json::Kind;
using json::Need;
using json::OptionsReader;

constexpr std::array<std::string_view, 2> kRoles = {"system", "user"};
constexpr std::array<std::string_view, 2> kPlacements = {"after-static", "before-current-turn"};
constexpr std::array<std::string_view, 2> kWires = {"generateContent", "interactions"};
constexpr std::array<std::string_view, 2> kHistoryForms = {"text", "contents"};

// Reads any JSON number, such as 1e3 or 2500.5, rounded up to whole tokens.
void readBufferTokens(OptionsReader& options, AssembleInput& input) {
  constexpr double kMaxTokens = 1e15;
  double tokens = 0;
  options.number("bufferTokens", tokens);
  input.hasBufferTokens = static_cast<bool>(options.given("bufferTokens"));
  input.bufferTokens = static_cast<int64_t>(std::ceil(std::clamp(tokens, -1.0, kMaxTokens)));
}

void readCache(OptionsReader& options, AssembleInput& input) {
  options.accept("cache");
  if (options.given("cache").is(Kind::kNull)) return;
  options.nested("cache", [&](OptionsReader& cache) {
    cache.string("name", input.cache.name, Need::kRequired);
    cache.string("model", input.cache.model, Need::kRequired);
    cache.count("turns", input.cache.turns, Need::kRequired);
    cache.string("key", input.cache.key, Need::kRequired);
    input.hasCache = true;
  });
}

// Fields whose bytes are sent as the caller's options have them.
void readFields(OptionsReader& options, AssembleInput& input) {
  bool store = false;
  std::string tier;
  std::vector<std::pair<std::string, std::string>> labels;
  options.boolean("store", store).string("serviceTier", tier).stringMap("labels", labels);
  input.store = options.given("store").value().bytes();
  input.serviceTier = options.given("serviceTier").value().bytes();
  input.labels = options.given("labels").value().bytes();
}

// What only the Interactions API has.
void readInteraction(OptionsReader& options, AssembleInput& input) {
  options.oneOf("wire", kWires, input.wire).boolean("stream", input.stream);
  options.boolean("placeholder", input.placeholder);
  options.nested("previousInteraction", [&](OptionsReader& continued) {
    continued.nonEmptyString("id", input.continued.id);
    continued.count("turns", input.continued.turns, Need::kRequired);
  });
  options.string("agent", input.agent).object("agentConfig");
  if (options.given("agent") && input.agent.empty()) options.refuse("agent", "a non-empty string");
  input.agentConfig = options.given("agentConfig").value().bytes();
  options.boolean("background", input.background);
  if (!isInteraction(input)) {
    for (const std::string_view name :
         {"stream", "placeholder", "previousInteraction", "agent", "agentConfig", "background"}) {
      if (options.given(name)) options.refuse(name, "omitted, unless wire is \"interactions\"");
    }
    return;
  }
  if (input.store == "false" && !input.continued.id.empty())
    options.refuse("store", "true: an interaction that is not stored continues none");
  if (input.store == "false" && input.background)
    options.refuse("store", "true: what runs in the background is stored");
  if (input.agent.empty() && options.given("agentConfig"))
    options.refuse("agentConfig", "omitted: a model has generationConfig");
}

void acceptLayer(OptionsReader& layer) {
  layer.accept("template").accept("variables").accept("text");
}

}  // namespace

Status readOptions(OptionsReader options, AssembleInput& input) {
  options.string("now", input.now, Need::kRequired);
  if (!readTimestamp(input.now)) options.refuse("now", "an RFC 3339 timestamp");
  options.nested("static", [&](OptionsReader& layer) {
    acceptLayer(layer);
    layer.oneOf("role", kRoles, input.staticAsUser);
  });
  options.nested("dynamic", [&](OptionsReader& layer) {
    acceptLayer(layer);
    layer.oneOf("placement", kPlacements, input.dynamicBeforeTurn);
  });
  readCache(options, input);
  options.oneOf("cachedHistory", kHistoryForms, input.cacheContents);
  readBufferTokens(options, input);
  options.boolean("strict", input.strict);
  readFields(options, input);
  readInteraction(options, input);
  for (const std::string_view name : {"compiled", "trigger", "tools", "toolConfig",
                                      "generationConfig", "safetySettings", "extra", "previous"}) {
    options.accept(name);
  }
  return options.finish();
}

}  // namespace strata::layers
