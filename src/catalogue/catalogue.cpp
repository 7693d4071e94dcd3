#include "catalogue/catalogue.h"

#include <array>
#include <optional>

#include "json/enum_named.h"
#include "json/number.h"

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
constexpr std::array<std::string_view, kGenerations> kGenerationNames = {"2.5", "3", "3.6", "3.8",
                                                                         "4"};
constexpr std::array<std::string_view, 2> kBackendNames = {"gemini", "vertex"};

Error invalidRow(std::string path, std::string detail) {
  return Error{"field.invalid", 0, std::move(path), std::move(detail)};
}

template <typename Number>
void readNumber(json::Value row, std::string_view name, Number& into) {
  into = static_cast<Number>(row.find(name).integer(static_cast<int64_t>(into)));
}

void readPrice(json::Value price, Price& into) {
  const auto read = [&](std::string_view name, double& number) {
    number = json::readDouble(price.find(name).bytes()).value_or(number);
  };
  read("input", into.input);
  read("cacheRead", into.cached);
  read("storagePerHour", into.storage);
}

// Reads one word, or words by generation. A generation that is not named keeps its severity.
bool readSeverity(json::Value given, std::array<Severity, kGenerations>& into) {
  if (given.isObject()) {
    for (size_t i = 0; i < kGenerations; ++i) {
      const json::Value word = given.find(kGenerationNames[i]);
      const auto severity = json::enumNamed<Severity>(word, kSeverityNames);
      if (word && !severity) return false;
      into[i] = severity.value_or(into[i]);
    }
    return true;
  }
  const auto severity = json::enumNamed<Severity>(given, kSeverityNames);
  if (severity) into.fill(*severity);
  return severity.has_value();
}

// Reads a severity for both backends, or one per backend.
bool readSeverities(json::Value given, RuleRow& row) {
  const json::Value gemini = given.find(kBackendNames[0]);
  const json::Value vertex = given.find(kBackendNames[1]);
  if (!gemini && !vertex) {
    return readSeverity(given, row.severity[0]) && readSeverity(given, row.severity[1]);
  }
  return (!gemini || readSeverity(gemini, row.severity[0])) &&
         (!vertex || readSeverity(vertex, row.severity[1]));
}

void readThinking(json::Value thinking, ModelRow& row) {
  if (!thinking) return;
  const json::Value levels = thinking.find("levels");
  const json::Value budget = thinking.find("budget");
  row.levels = !levels ? ThinkingLevels::kNone : ThinkingLevels::kNoMinimal;
  for (const json::Value level : json::elements(levels)) {
    if (level.equals("MINIMAL")) row.levels = ThinkingLevels::kAll;
  }
  row.budgetLow = static_cast<int32_t>(budget.at(0).integer(row.budgetLow));
  row.budgetHigh = static_cast<int32_t>(budget.at(1).integer(row.budgetHigh));
  row.thinkingOff = thinking.find("off").isTrue();
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

Status Catalogue::addModels(json::Value rows) {
  size_t at = 0;
  for (const json::Value given : json::elements(rows)) {
    const std::string path = "/models/" + std::to_string(at++);
    if (!given.find("id").isString()) return invalidRow(path + "/id", "a string");
    texts_.push_back(given.find("id").text());
    ModelRow row = model(texts_.back());
    row.id = texts_.back();
    if (const json::Value generation = given.find("generation")) {
      const auto known = json::enumNamed<Generation>(generation, kGenerationNames);
      if (!known) return invalidRow(path + "/generation", "2.5, 3, 3.6, 3.8 or 4");
      row.generation = *known;
    }
    readNumber(given, "contextTokens", row.contextTokens);
    readNumber(given, "outputTokens", row.outputTokens);
    readNumber(given, "cacheMinimum", row.cacheMinimum);
    readNumber(given, "bufferTokens", row.bufferTokens);
    if (const json::Value cache = given.find("explicitCache")) row.explicitCache = cache.isTrue();
    if (const json::Value ids = given.find("callIds")) row.callIds = ids.isTrue();
    if (const json::Value checks = given.find("checksSignatures")) {
      row.checksSignatures = checks.isTrue();
    }
    readThinking(given.find("thinking"), row);
    readPrice(given.find("price"), row.price);
    models_.push_back(row);
  }
  return {};
}

Status Catalogue::addRules(json::Value rows) {
  size_t at = 0;
  for (const json::Value given : json::elements(rows)) {
    const std::string path = "/rules/" + std::to_string(at++);
    const Rule rule = ruleOf(given.find("code").text());
    RuleRow& row = rules_[static_cast<size_t>(rule)];
    if (!given.find("code").equals(row.code))
      return invalidRow(path + "/code", "a code of the catalogue");
    if (!readSeverities(given.find("severity"), row)) {
      return invalidRow(path + "/severity", "off, info, warning or error, or these by generation");
    }
    for (size_t i = 0; i < kBackendNames.size(); ++i) {
      const json::Value upstream = given.find("upstream");
      const json::Value text = upstream.isString() ? upstream : upstream.find(kBackendNames[i]);
      if (text.isString()) row.upstream[i] = texts_.emplace_back(text.text());
    }
  }
  return {};
}

std::string_view bareModelName(std::string_view model) {
  const size_t slash = model.rfind('/');
  return slash == std::string_view::npos ? model : model.substr(slash + 1);
}

std::string_view severityName(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

}  // namespace strata::catalogue
