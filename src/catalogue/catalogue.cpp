#include "catalogue/catalogue.h"

#include <algorithm>
#include <array>
#include <optional>

namespace strata::catalogue {
namespace {

constexpr RuleRow kRules[] = {
#define STRATA_RULE_ROWS
#include "catalogue/catalogue.inc"
#undef STRATA_RULE_ROWS
};

constexpr ModelRow kModels[] = {
#define STRATA_MODEL_ROWS
#include "catalogue/catalogue.inc"
#undef STRATA_MODEL_ROWS
};

struct Alias {
  std::string_view name;
  std::string_view id;
};

constexpr Alias kAliases[] = {
#define STRATA_MODEL_ALIASES
#include "catalogue/catalogue.inc"
#undef STRATA_MODEL_ALIASES
};

constexpr std::array<std::string_view, 4> kSeverityNames = {"off", "info", "warning", "error"};
constexpr std::array<std::string_view, kGenerations> kGenerationNames = {"2",   "2.5", "3",
                                                                         "3.6", "3.8", "4"};
using gemini::kBackendNames;
using json::Given;
using json::Kind;
using json::OptionsReader;

void readPrice(OptionsReader& given, Price& into) {
  given.amount("input", into.input).amount("cacheRead", into.cached);
  given.amount("storagePerHour", into.storage);
  // Not used by the planner.
  given.accept("output").accept("asOf").accept("until").accept("then");
}

// Reads one word, or words by generation. A generation that is not named keeps its severity.
void readSeverity(OptionsReader& given, std::string_view name,
                  std::array<Severity, kGenerations>& into) {
  if (!given.given(name).is(Kind::kObject)) {
    std::optional<Severity> severity;
    given.oneOf(name, kSeverityNames, severity);
    if (severity) into.fill(*severity);
    return;
  }
  given.nested(name, [&](OptionsReader& words) {
    for (size_t i = 0; i < kGenerations; ++i) {
      words.oneOf(kGenerationNames[i], kSeverityNames, into[i]);
    }
  });
}

// Reads a severity for both backends, or one per backend.
void readSeverities(OptionsReader& given, RuleRow& row) {
  const Given severity = given.given("severity");
  if (severity.find(kBackendNames[0]) || severity.find(kBackendNames[1])) {
    given.nested("severity", [&](OptionsReader& words) {
      for (size_t i = 0; i < kBackendNames.size(); ++i) {
        readSeverity(words, kBackendNames[i], row.severity[i]);
      }
    });
    return;
  }
  for (auto& ofBackend : row.severity) readSeverity(given, "severity", ofBackend);
}

// Reads the text for both backends, or one per backend, into `texts`.
void readUpstream(OptionsReader& given, std::array<std::optional<std::string>, 2>& texts) {
  if (given.given("upstream").is(Kind::kObject)) {
    given.nested("upstream", [&](OptionsReader& upstream) {
      for (size_t i = 0; i < kBackendNames.size(); ++i) upstream.string(kBackendNames[i], texts[i]);
    });
    return;
  }
  given.string("upstream", texts[0]);
  texts[1] = texts[0];
}

void readLevels(OptionsReader& thinking, ModelRow& row) {
  constexpr std::string_view kLevels[] = {"MINIMAL", "LOW", "MEDIUM", "HIGH"};
  std::vector<std::string> levels;
  thinking.strings("levels", levels);
  row.levels = thinking.given("levels") ? ThinkingLevels::kNoMinimal : ThinkingLevels::kNone;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == kLevels[0]) row.levels = ThinkingLevels::kAll;
    if (std::find(std::begin(kLevels), std::end(kLevels), levels[i]) != std::end(kLevels)) continue;
    thinking.refuse("levels", i, "'MINIMAL' or 'LOW' or 'MEDIUM' or 'HIGH'");
  }
}

void readBudget(OptionsReader& thinking, ModelRow& row) {
  const std::vector<Given> range = thinking.array("budget").elements();
  if (!thinking.given("budget")) return;
  const auto bound = [&](size_t i) {
    return i < range.size() ? range[i].number().value_or(-1) : -1;
  };
  const double low = bound(0);
  const double high = bound(1);
  if (range.size() != 2 || low < 0 || high < low || high > INT32_MAX) {
    thinking.refuse("budget", "two numbers of tokens, the lowest and the highest");
    return;
  }
  row.budgetLow = static_cast<int32_t>(low);
  row.budgetHigh = static_cast<int32_t>(high);
}

void readRefused(OptionsReader& given, ModelRow& row) {
  constexpr std::array<std::string_view, kFeatures> kNames = {
      "jsonMode", "logprobs", "systemInstruction", "audioInput", "textAnswers"};
  std::vector<std::string> names;
  given.strings("refuses", names);
  if (given.given("refuses")) row.refused = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto* found = std::find(kNames.begin(), kNames.end(), names[i]);
    if (found == kNames.end()) {
      given.refuse("refuses", i, "a feature of catalogue.json");
    } else {
      row.refused = static_cast<uint8_t>(row.refused | 1U << (found - kNames.begin()));
    }
  }
}

void readThinking(OptionsReader& thinking, ModelRow& row) {
  readLevels(thinking, row);
  readBudget(thinking, row);
  row.thinkingOff = false;
  thinking.boolean("off", row.thinkingOff);
}

}  // namespace

Catalogue::Catalogue()
    : rules_(std::begin(kRules), std::end(kRules)),
      models_(std::begin(kModels), std::end(kModels)) {}

Rule Catalogue::ruleOf(std::string_view code) const {
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].code == code) return static_cast<Rule>(i);
  }
  return Rule::kJsonInvalid;
}

const ModelRow* Catalogue::find(std::string_view name) const {
  const ModelRow* best = nullptr;
  for (const ModelRow& row : models_) {
    const bool matches = name.substr(0, row.id.size()) == row.id;
    if (matches && (best == nullptr || row.id.size() >= best->id.size())) best = &row;
  }
  return best;
}

const ModelRow& Catalogue::model(std::string_view name) const {
  name = bareModelName(name);
  const ModelRow* row = find(name);
  // An added row with the name of an alias takes precedence over the alias.
  const bool exact = row != nullptr && row->id == name;
  for (const Alias& alias : kAliases) {
    if (!exact && name == alias.name) row = find(alias.id);
  }
  return row == nullptr ? models_.front() : *row;
}

void Catalogue::addModel(OptionsReader& given) {
  std::string id;
  given.nonEmptyString("id", id);
  ModelRow row = model(id);
  given.oneOf("generation", kGenerationNames, row.generation);
  given.count("contextTokens", row.contextTokens).count("outputTokens", row.outputTokens);
  given.count("cacheMinimum", row.cacheMinimum).boolean("explicitCache", row.explicitCache);
  double buffer = row.bufferTokens;
  given.number("bufferTokens", buffer);
  row.bufferTokens = static_cast<int32_t>(std::clamp<double>(buffer, -1, INT32_MAX));
  given.boolean("callIds", row.callIds).boolean("checksSignatures", row.checksSignatures);
  readRefused(given, row);
  given.nested("thinking", [&](OptionsReader& thinking) { readThinking(thinking, row); });
  given.nested("price", [&](OptionsReader& price) { readPrice(price, row.price); });
  given.accept("note");
  if (!given.ok()) return;
  texts_.push_back(std::move(id));
  row.id = texts_.back();
  models_.push_back(row);
}

void Catalogue::addModels(OptionsReader& options) {
  options.list("models", [&](OptionsReader& given) { addModel(given); });
}

void Catalogue::addRule(OptionsReader& given) {
  std::string code;
  given.nonEmptyString("code", code);
  const auto index = static_cast<size_t>(ruleOf(code));
  RuleRow row = rules_[index];
  if (row.code != code) given.refuse("code", "a code of the catalogue");
  readSeverities(given, row);
  std::array<std::optional<std::string>, 2> upstream;
  readUpstream(given, upstream);
  if (!given.ok()) return;
  for (size_t i = 0; i < upstream.size(); ++i) {
    if (upstream[i]) row.upstream[i] = texts_.emplace_back(std::move(*upstream[i]));
  }
  rules_[index] = row;
}

void Catalogue::addRules(OptionsReader& options) {
  options.list("rules", [&](OptionsReader& given) { addRule(given); });
}

std::string_view bareModelName(std::string_view model) {
  const size_t slash = model.rfind('/');
  return slash == std::string_view::npos ? model : model.substr(slash + 1);
}

std::string_view severityName(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

}  // namespace strata::catalogue
