// Why this file exists: the cache planner over the border; its state travels as JSON and is the
// caller's.
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

cache::Occasion readOccasion(json::Value options, const catalogue::ModelRow& model) {
  cache::Occasion now;
  now.now = number(options, "now");
  now.promptTokens = number(options, "promptTokens");
  now.cacheableTokens = number(options, "cacheableTokens");
  now.cacheTokens = number(options.find("cache"), "tokens");
  now.cacheEnds = number(options.find("cache"), "ends");
  now.minimumTokens = number(options, "minimumTokens", model.cacheMinimum);
  return now;
}

}  // namespace

void Core::planCache() {
  const Options options(exchange_.part(0));
  const json::Value root = options.root();
  const catalogue::ModelRow& model = catalogue_.model(root.find("model").text());
  PlannerState state = readState(root.find("state"));
  cache::settle(state, readOutcome(root.find("last")), model.price);
  const cache::Occasion now = readOccasion(root, model);
  const cache::Plan plan = cache::plan(state, now, model);
  json::Writer out;
  out.open('{').key("decision").string(cache::decisionName(plan.decision));
  out.key("ttlSeconds").number(plan.ttl).key("minimumTokens").number(now.minimumTokens);
  out.key("extraCost").number(plan.extra).key("savingPerRequest").number(plan.gain);
  out.key("expectedRequests").number(plan.expected).key("overpaid").number(plan.overpaid);
  writeState(out, state);
  exchange_.reply(out.close('}').take());
}

}  // namespace strata::bindings
