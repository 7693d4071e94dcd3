#include "catalogue/catalogue.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/near_name.h"

namespace strata::catalogue {
namespace {

// One literal without pointers takes half the bytes of a table in a compressed file. The code of
// each rule, and how it applies: a digit for the scope, 's' if it is strict, a letter for its
// RuleTexts, and digits for the severities, by backend and generation.
constexpr char kRules[] = {
#define STRATA_RULE_ROWS
#include "catalogue/catalogue.inc"
#undef STRATA_RULE_ROWS
};

// The message of each rule, Google's text by backend, the earlier one by backend, and the fix.
constexpr char kTexts[] = {
#define STRATA_RULE_TEXTS
#include "catalogue/catalogue.inc"
#undef STRATA_RULE_TEXTS
};

constexpr ModelRow kModels[] = {
#define STRATA_MODEL_ROWS
#include "catalogue/models.inc"
#undef STRATA_MODEL_ROWS
};

constexpr Route kRoutes[] = {
#define STRATA_ROUTE_ROWS
#include "catalogue/models.inc"
#undef STRATA_ROUTE_ROWS
};

// The names that the services list. One literal takes less than a table, see kRules.
constexpr char kNames[] = {
#define STRATA_MODEL_NAMES
#include "catalogue/models.inc"
#undef STRATA_MODEL_NAMES
};

constexpr std::array<std::string_view, 4> kSeverityNames = {"off", "info", "warning", "error"};
constexpr std::array<std::string_view, kGenerations> kGenerationNames = {"2",   "2.5", "3",
                                                                         "3.6", "3.8", "4"};
constexpr std::array<std::string_view, 4> kOutputNames = {"text", "image", "speech", "embedding"};
constexpr std::array<std::string_view, 4> kApiNames = {"generateContent", "live", "interactions",
                                                       "embedContent"};
using gemini::kBackendNames;
using json::Given;
using json::Kind;
using json::OptionsReader;

// Removes the first text and the NUL behind it; "" if there is none.
std::string_view takeText(std::string_view& texts) {
  const std::string_view text = texts.substr(0, texts.find('\0'));
  texts.remove_prefix(std::min(text.size() + 1, texts.size()));
  return text;
}

void readKind(std::string_view kind, RuleRow& row) {
  row.scope = static_cast<Scope>(kind[0] - '0');
  row.strict = kind[1] == 's';
  const std::string_view digits = kind.substr(3);
  size_t at = 0;
  for (auto& ofBackend : row.severity) {
    for (Severity& severity : ofBackend) {
      severity = static_cast<Severity>(digits[at++ % digits.size()] - '0');
    }
  }
}

// Reads a text by backend; "=" is that of the first one.
void takeTexts(std::string_view& texts, std::array<std::string_view, 2>& into) {
  for (std::string_view& text : into) text = takeText(texts);
  if (into[1] == "=") into[1] = into[0];
}

void readTexts(std::string_view& texts, RuleRow& row) {
  row.message = takeText(texts);
  takeTexts(texts, row.upstream);
  takeTexts(texts, row.upstream2);
  row.fix = takeText(texts);
}

// Returns the texts in which those of a rule are next.
std::string_view& textsOf(char owner, RuleTexts& texts, std::string_view& others) {
  if (owner == 'r') return texts.requests;
  if (owner == 'c') return texts.bodies;
  return owner == 't' ? texts.prompts : others;
}

void readPrice(OptionsReader& given, Price& into) {
  given.amount("input", into.input).amount("cacheRead", into.cached);
  given.amount("storagePerHour", into.storage).amount("output", into.output);
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

// Returns "'a' or 'b'", as OptionsReader::oneOf words it.
template <size_t n>
std::string oneOf(const std::array<std::string_view, n>& words) {
  std::string text;
  for (const std::string_view word : words) {
    text.append(text.empty() ? "'" : " or '").append(word).append("'");
  }
  return text;
}

void readLevels(OptionsReader& thinking, ModelRow& row) {
  std::vector<std::string> levels;
  thinking.strings("levels", levels);
  row.levels = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto* const level = std::find(kThinkingLevels.begin(), kThinkingLevels.end(), levels[i]);
    if (level == kThinkingLevels.end()) {
      thinking.refuse("levels", i, oneOf(kThinkingLevels));
      continue;
    }
    row.levels = static_cast<uint8_t>(row.levels | 1U << (level - kThinkingLevels.begin()));
  }
}

void readBudget(OptionsReader& thinking, ModelRow& row) {
  if (thinking.given("budget").is(Kind::kFalse)) {
    thinking.accept("budget");
    row.budgetHigh = -1;
    return;
  }
  const std::vector<Given> range = thinking.array("budget").elements();
  if (!thinking.given("budget")) return;
  const auto bound = [&](size_t i) {
    return i < range.size() ? range[i].number().value_or(-1) : -1;
  };
  const double low = bound(0);
  const double high = bound(1);
  if (range.size() != 2 || low < 0 || high < low || high > INT32_MAX) {
    thinking.refuse("budget", "false, or two numbers of tokens, the lowest and the highest");
    return;
  }
  row.budgetLow = static_cast<int32_t>(low);
  row.budgetHigh = static_cast<int32_t>(high);
}

void readRefused(OptionsReader& given, ModelRow& row) {
  constexpr std::array<std::string_view, kFeatures> kFeatureNames = {
      "jsonMode",     "logprobs",   "systemInstruction", "audioInput", "functions",
      "googleSearch", "urlContext", "codeExecution",     "multiTurn"};
  std::vector<std::string> names;
  given.strings("refuses", names);
  if (given.given("refuses")) row.refused = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto* found = std::find(kFeatureNames.begin(), kFeatureNames.end(), names[i]);
    if (found == kFeatureNames.end()) {
      given.refuse("refuses", i, oneOf(kFeatureNames));
    } else {
      row.refused = static_cast<uint16_t>(row.refused | 1U << (found - kFeatureNames.begin()));
    }
  }
}

void readThinking(OptionsReader& thinking, ModelRow& row) {
  readLevels(thinking, row);
  constexpr std::array<std::string_view, 6> kDefaults = {"MINIMAL", "LOW",   "MEDIUM",
                                                         "HIGH",    "XHIGH", "OFF"};
  row.defaultLevel = kNoLevel;
  thinking.oneOf("default", kDefaults, row.defaultLevel);
  readBudget(thinking, row);
  row.thinkingOff = false;
  thinking.boolean("off", row.thinkingOff);
}

void readModel(OptionsReader& given, ModelRow& row) {
  std::string id;
  given.nonEmptyString("id", id);
  given.oneOf("generation", kGenerationNames, row.generation);
  given.oneOf("output", kOutputNames, row.output).oneOf("api", kApiNames, row.api);
  given.count("contextTokens", row.contextTokens).count("outputTokens", row.outputTokens);
  given.count("cacheMinimum", row.cacheMinimum).boolean("explicitCache", row.explicitCache);
  given.count("implicitCacheMinimum", row.implicitMinimum);
  double buffer = row.bufferTokens;
  given.number("bufferTokens", buffer);
  row.bufferTokens = static_cast<int32_t>(std::clamp<double>(buffer, -1, INT32_MAX));
  given.boolean("callIds", row.callIds).boolean("checksSignatures", row.checksSignatures);
  readRefused(given, row);
  given.nested("thinking", [&](OptionsReader& thinking) { readThinking(thinking, row); });
  given.nested("price", [&](OptionsReader& price) { readPrice(price, row.price); });
  given.accept("note");
}

constexpr bool holds(uint8_t backends, Day from, Service service) {
  return (backends >> static_cast<unsigned>(service.backend) & 1U) != 0 && from <= service.day;
}

// Returns whether `name` is `model`, or a stable version of it such as gemini-3.5-flash-001.
bool namesModel(std::string_view name, std::string_view model) {
  if (name.substr(0, model.size()) != model) return false;
  const std::string_view version = name.substr(model.size());
  return version.empty() ||
         (version.size() == 4 && version[0] == '-' && ascii::isDigit(version[1]) &&
          ascii::isDigit(version[2]) && ascii::isDigit(version[3]));
}

// Returns the newest route of a name, or null.
const Route* findRoute(std::string_view name, Service service) {
  const Route* newest = nullptr;
  for (const Route& route : kRoutes) {
    const bool newer = newest == nullptr || route.from >= newest->from;
    if (newer && holds(route.backends, route.from, service) && namesModel(name, route.name))
      newest = &route;
  }
  return newest;
}

}  // namespace

Catalogue::Catalogue(RuleTexts texts) : models_(std::begin(kModels), std::end(kModels)) {
  std::string_view others(kTexts, sizeof kTexts - 1);
  for (std::string_view rows(kRules, sizeof kRules - 1); !rows.empty();) {
    RuleRow& row = rules_.emplace_back();
    row.code = takeText(rows);
    const std::string_view kind = takeText(rows);
    readKind(kind, row);
    readTexts(textsOf(kind[2], texts, others), row);
  }
}

Rule Catalogue::ruleOf(std::string_view code) const {
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].code == code) return static_cast<Rule>(i);
  }
  return Rule::kJsonInvalid;
}

// The first row has the id "", which every name starts with.
const ModelRow& Catalogue::find(std::string_view name, Service service) const {
  const ModelRow* best = models_.data();
  for (const ModelRow& row : models_) {
    const bool longer = row.id.size() >= best->id.size() && holds(row.backends, row.from, service);
    if (longer && name.substr(0, row.id.size()) == row.id) best = &row;
  }
  return *best;
}

ServedModel Catalogue::resolve(std::string_view name, Service service) const {
  ServedModel served{nullptr, bareModelName(name)};
  for (;;) {
    served.row = &find(served.name, service);
    // An added row takes precedence over the routes of its id.
    const bool isAdded = served.row >= models_.data() + std::size(kModels);
    const Route* route = findRoute(served.name, service);
    if (route == nullptr || (isAdded && served.row->id == served.name)) return served;
    served.name = route->to;
    if (!route->isAlias) served.route = route;
  }
}

bool Catalogue::isAdded(std::string_view name) const {
  const auto* row = &find(name, {});
  return row >= models_.data() + std::size(kModels) && !row->id.empty();
}

std::string_view Catalogue::nearestModel(std::string_view model) const {
  const std::string_view name = bareModelName(model);
  std::string_view near;
  for (std::string_view names(kNames, sizeof kNames - 1); !names.empty();) {
    const std::string_view listed = takeText(names);
    if (namesModel(name, listed)) return "";
    // One with the same digits: another version is rather a model that is newer than this table.
    if (near.empty() && isNearModelName(name, listed)) near = listed;
  }
  return near.empty() || isAdded(name) ? "" : near;
}

std::vector<ModelRow>::iterator Catalogue::addedModels() {
  return models_.begin() + std::size(kModels);
}

// Adds a copy of each row that the id has at some time and backend, with the given fields changed.
// Copies that were added before are replaced: all of them would double with each addition.
void Catalogue::addModel(OptionsReader& options, Given given, const std::string& path) {
  const std::string id = given.find("id").text();
  // Of the routes only those of aliases: a model that is routed keeps its own rows here.
  const Route* alias = findRoute(id, {});
  const bool isAlias = alias != nullptr && alias->isAlias;
  const std::string_view before = find(isAlias ? alias->to : id, {}).id;
  const auto hasId = [](std::string_view wanted) {
    return [wanted](const ModelRow& row) { return row.id == wanted; };
  };
  const auto added = std::find_if(addedModels(), models_.end(), hasId(before));
  std::vector<ModelRow> rows;
  for (auto row = added == models_.end() ? models_.begin() : added; row != models_.end(); ++row) {
    if (row->id != before) continue;
    OptionsReader fields(given, path);
    if (fields.ok()) readModel(fields, rows.emplace_back(*row));
    options.add(fields.finish());
  }
  if (!options.ok()) return;
  models_.erase(std::remove_if(addedModels(), models_.end(), hasId(id)), models_.end());
  texts_.push_back(id);
  for (ModelRow& row : rows) {
    row.id = texts_.back();
    models_.push_back(row);
  }
}

void Catalogue::addModels(OptionsReader& options) {
  const std::vector<Given> all = options.array("models").elements();
  for (size_t i = 0; i < all.size(); ++i) {
    addModel(options, all[i], options.pathOf("models") + "/" + std::to_string(i));
  }
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

std::string_view apiName(Api api) { return kApiNames[static_cast<size_t>(api)]; }

std::string_view outputName(Output output) { return kOutputNames[static_cast<size_t>(output)]; }

std::string_view severityName(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

}  // namespace strata::catalogue
