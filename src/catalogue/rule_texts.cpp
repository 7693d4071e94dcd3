#include "catalogue/rule_texts.h"

namespace strata::catalogue {
namespace {

constexpr char kRequests[] = {
#define STRATA_REQUEST_RULE_TEXTS
#include "catalogue/catalogue.inc"
#undef STRATA_REQUEST_RULE_TEXTS
};

constexpr char kBodies[] = {
#define STRATA_BODY_RULE_TEXTS
#include "catalogue/catalogue.inc"
#undef STRATA_BODY_RULE_TEXTS
};

constexpr char kPrompts[] = {
#define STRATA_PROMPT_RULE_TEXTS
#include "catalogue/catalogue.inc"
#undef STRATA_PROMPT_RULE_TEXTS
};

}  // namespace

std::string_view requestRuleTexts() { return {kRequests, sizeof kRequests - 1}; }

std::string_view bodyRuleTexts() { return {kBodies, sizeof kBodies - 1}; }

std::string_view promptRuleTexts() { return {kPrompts, sizeof kPrompts - 1}; }

}  // namespace strata::catalogue
