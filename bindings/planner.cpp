// Binds the cache planner to JavaScript. The caller keeps the planner's state as JSON.
#include "cache/planner.h"

#include <nlohmann/json.hpp>

#include "json/document.h"
#include "planner.h"

namespace strata::bindings {
namespace {

using cache::PlannerState;
using json::Need;

struct StateField {
  std::string_view name;
  double PlannerState::*member;
};

constexpr StateField kStateFields[] = {
    {"requests", &PlannerState::requests},
    {"at", &PlannerState::at},
    {"prompt", &PlannerState::prompt},
    {"cacheable", &PlannerState::cacheable},
    {"repeated", &PlannerState::repeated},
    {"wait", &PlannerState::wait},
    {"written", &PlannerState::written},
    {"reuses", &PlannerState::reuses},
    {"misses", &PlannerState::misses},
    {"pace", &PlannerState::pace},
    {"implicitRate", &PlannerState::implicitRate},
    {"observed", &PlannerState::observed},
    {"overpaid", &PlannerState::overpaid},
    {"spent", &PlannerState::spent},
    {"never", &PlannerState::never},
};

// Reads a state that another version of the package may have written: only what it knows.
PlannerState readState(json::OptionsReader& options) {
  PlannerState state;
  options.object("state");
  const json::Given given = options.given("state");
  for (const StateField& field : kStateFields) {
    double& number = state.*field.member;
    number = given.find(field.name).number().value_or(number);
  }
  return state;
}

json::Document stateDocument(const PlannerState& state) {
  json::Document document = json::Document::object();
  for (const StateField& field : kStateFields) {
    document[std::string(field.name)] = state.*field.member;
  }
  return document;
}

cache::Outcome readOutcome(json::OptionsReader& options) {
  cache::Outcome outcome;
  options.nested("last", [&](json::OptionsReader& last) {
    outcome.known = true;
    last.number("promptTokens", outcome.promptTokens, Need::kRequired);
    last.number("cachedTokens", outcome.cachedTokens, Need::kRequired);
    last.number("explicitTokens", outcome.explicitTokens, Need::kRequired);
  });
  return outcome;
}

void readInput(json::OptionsReader& options, cache::PlanInput& input) {
  options.number("now", input.now, Need::kRequired);
  options.number("promptTokens", input.promptTokens, Need::kRequired);
  options.number("cacheableTokens", input.cacheableTokens, Need::kRequired);
  options.nested("cache", [&](json::OptionsReader& cache) {
    cache.number("tokens", input.cacheTokens, Need::kRequired);
    cache.number("ends", input.cacheEnds, Need::kRequired);
  });
  options.number("minimumTokens", input.minimumTokens);
}

}  // namespace

void planCache(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(0));
  json::OptionsReader options = given.reader();
  std::string name;
  catalogue::Service service;
  options.nonEmptyString("model", name).oneOf("backend", gemini::kBackendNames, service.backend);
  catalogue::readDay(options, "at", service.day);
  const catalogue::ModelRow& model = core.catalogue().model(name, service);
  cache::PlanInput input;
  input.minimumTokens = model.cacheMinimum;
  readInput(options, input);
  const cache::Outcome outcome = readOutcome(options);
  PlannerState state = readState(options);
  if (const Status status = options.finish(); !status) return core.replyOptionError(status.error());
  cache::recordOutcome(state, outcome, model.price);
  const cache::Plan plan = cache::plan(state, input, model);
  json::Document reply = json::Document::object();
  reply["decision"] = std::string(cache::decisionName(plan.decision));
  reply["ttlSeconds"] = plan.ttl;
  reply["minimumTokens"] = input.minimumTokens;
  reply["extraCost"] = plan.extraCost;
  reply["savingPerRequest"] = plan.savingPerRequest;
  reply["expectedRequests"] = plan.expectedRequests;
  reply["overpaid"] = plan.overpaid;
  reply["state"] = stateDocument(state);
  exchange.reply(json::toText(reply));
}

}  // namespace strata::bindings
