// Declares the texts of the rules that not every WebAssembly module reports, so that the others do
// not link them. Those of all other rules are in catalogue.cpp.
#pragma once

#include <string_view>

namespace strata::catalogue {

/// The texts that a Catalogue reads. A module without one of them reports none of its rules.
struct RuleTexts {
  std::string_view requests;  ///< Of rules about requests and turns.
  std::string_view bodies;    ///< Of rules about bodies and histories that others wrote.
  std::string_view prompts;   ///< Of rules about prompts of sections.
};

std::string_view requestRuleTexts();
std::string_view bodyRuleTexts();
std::string_view promptRuleTexts();

/// Returns all texts.
inline RuleTexts allRuleTexts() { return {requestRuleTexts(), bodyRuleTexts(), promptRuleTexts()}; }

}  // namespace strata::catalogue
