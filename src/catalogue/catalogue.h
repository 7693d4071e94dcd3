// Looks up rules and models.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalogue/model.h"
#include "catalogue/rule.h"
#include "catalogue/rule_texts.h"
#include "json/options_reader.h"

namespace strata::catalogue {

/// The model that serves a name. The views belong to the Catalogue or to the name.
struct ServedModel {
  const ModelRow* row;
  std::string_view name;         ///< The model's name, without its path.
  const Route* route = nullptr;  ///< The last route that was followed, aliases aside.
};

/// The rules and models of one instance: the rows of rules.json, and those that the caller
/// added. References to rows are valid until the next addModels or addRules.
class Catalogue {
 public:
  explicit Catalogue(RuleTexts texts = allRuleTexts());
  // The rows of a copy would point to the texts of the original.
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  /// Returns the row of `rule`.
  const RuleRow& rule(Rule rule) const { return rules_[static_cast<size_t>(rule)]; }
  /// Returns the rule with this code, such as "response.count"; kJsonInvalid if there is none.
  /// Linear.
  Rule ruleOf(std::string_view code) const;

  /// Finds the row of a model name, with resource paths, aliases and routes resolved. Linear. A
  /// name without a row of its own has that of its family: new models have kept the rules of the
  /// newest generation so far.
  ServedModel resolve(std::string_view name, Service service = {}) const;
  /// Returns the row alone.
  const ModelRow& model(std::string_view name, Service service = {}) const {
    return *resolve(name, service).row;
  }

  /// Returns the name that `model` most likely means, if it has a typing error and is no name that
  /// the services list. Returns "" otherwise, or if a caller's row is for it. Linear.
  std::string_view nearestModel(std::string_view model) const;

  /// Adds the model rows of the option `models`, which hold at every time. Missing fields are those
  /// of the rows that applied to the id before. Copies what it keeps. After an error of `options`,
  /// earlier rows stay added.
  void addModels(json::OptionsReader& options);
  /// Overrides the severity or Google's error text of the rules in the option `rules`:
  /// `{"code": …, "severity": …, "upstream": …}`, as in rules.json.
  void addRules(json::OptionsReader& options);

 private:
  const ModelRow& find(std::string_view name, Service service) const;
  std::vector<ModelRow>::iterator addedModels();
  bool isAdded(std::string_view name) const;
  void addModel(json::OptionsReader& options, json::Given given, const std::string& path);
  void addRule(json::OptionsReader& given);

  std::vector<RuleRow> rules_;
  std::vector<ModelRow> models_;
  std::list<std::string> texts_;  // of added rows; a list never moves the strings
};

/// Returns "text", "image", "speech" or "embedding".
std::string_view outputName(Output output);
/// Returns "generateContent", "live", "interactions" or "embedContent".
std::string_view apiName(Api api);
/// Returns "error", "warning", "info" or "off".
std::string_view severityName(Severity severity);

}  // namespace strata::catalogue
