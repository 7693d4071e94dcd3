// Binds the cache planner to JavaScript. The caller keeps the planner's state as JSON.
#include "cache/planner.h"

#include "core.h"
#include "json/number.h"
#include "json/writer.h"

namespace strata::bindings {
namespace {

using cache::PlannerState;

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

double number(json::Value object, std::string_view name, double fallback = 0) {
  return json::readDouble(object.find(name).bytes()).value_or(fallback);
}

PlannerState readState(json::Value object) {
  PlannerState state;
  for (const StateField& field : kStateFields) {
    state.*field.member = number(object, field.name, state.*field.member);
  }
  return state;
}

void writeState(json::Writer& out, const PlannerState& state) {
  out.key("state").open('{');
  for (const StateField& field : kStateFields) out.key(field.name).number(state.*field.member);
  out.close('}');
}

cache::Outcome readOutcome(json::Value last) {
  cache::Outcome outcome;
  outcome.known = last.isObject();
  outcome.promptTokens = number(last, "promptTokens");
  outcome.cachedTokens = number(last, "cachedTokens");
  outcome.explicitTokens = number(last, "explicitTokens");
  return outcome;
}

cache::PlanInput readInput(json::Value options, const catalogue::ModelRow& model) {
  cache::PlanInput input;
  input.now = number(options, "now");
  input.promptTokens = number(options, "promptTokens");
  input.cacheableTokens = number(options, "cacheableTokens");
  input.cacheTokens = number(options.find("cache"), "tokens");
  input.cacheEnds = number(options.find("cache"), "ends");
  input.minimumTokens = number(options, "minimumTokens", model.cacheMinimum);
  return input;
}

}  // namespace

void Core::planCache() {
  const Options options(exchange_.part(0));
  const json::Value root = options.root();
  const catalogue::ModelRow& model = catalogue_.model(root.find("model").text());
  PlannerState state = readState(root.find("state"));
  cache::recordOutcome(state, readOutcome(root.find("last")), model.price);
  const cache::PlanInput input = readInput(root, model);
  const cache::Plan plan = cache::plan(state, input, model);
  json::Writer out;
  out.open('{').key("decision").string(cache::decisionName(plan.decision));
  out.key("ttlSeconds").number(plan.ttl).key("minimumTokens").number(input.minimumTokens);
  out.key("extraCost").number(plan.extraCost).key("savingPerRequest").number(plan.savingPerRequest);
  out.key("expectedRequests").number(plan.expectedRequests).key("overpaid").number(plan.overpaid);
  writeState(out, state);
  exchange_.reply(out.close('}').take());
}

}  // namespace strata::bindings
