#include "catalogue/core_texts.h"

namespace strata::catalogue {
namespace {

constexpr char kTexts[] = {
#define STRATA_CORE_RULE_TEXTS
#include "catalogue/catalogue.inc"
#undef STRATA_CORE_RULE_TEXTS
};

}  // namespace

std::string_view coreTexts() { return {kTexts, sizeof kTexts - 1}; }

}  // namespace strata::catalogue
