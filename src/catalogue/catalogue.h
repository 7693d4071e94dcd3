// Why this file exists: the one place that is asked about rules and models.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/model.h"
#include "catalogue/rule.h"
#include "json/value.h"

namespace strata::catalogue {

/// The rule and model rows of one instance: those of catalogue.json, and what the caller added.
class Catalogue {
 public:
  Catalogue();
  // The rows of a copy would point at the original's texts.
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  const RuleRow& rule(Rule rule) const { return rules_[static_cast<size_t>(rule)]; }
  /// The row of a code such as "response.count"; json errors name their rule so.
  Rule ruleOf(std::string_view code) const;

  /// The row for a model's name, aliases resolved. An unknown name gets the first row, `gemini-`:
  /// new models have so far kept the rules of the newest.
  const ModelRow& model(std::string_view name) const;

  /// Adds model rows (fields as in catalogue.json, missing ones as in the row the id had before) or
  /// rows of rules (`{"code": …, "severity": …, "upstream": …}`, as there). Errors: `field.invalid`
  /// with the path.
  Status addModels(json::Value rows);
  Status addRules(json::Value rows);

 private:
  const ModelRow* find(std::string_view name) const;

  std::vector<RuleRow> rules_;
  std::vector<ModelRow> models_;
  std::deque<std::string> texts_;  // of added rows; a deque, since rows point at them
};

/// "error", "warning", "info" or "off".
std::string_view severityName(Severity severity);

}  // namespace strata::catalogue
