// Declares what differs between the modules. Each module links one file that defines it and
// registers the classes: talk_module.cpp, templates_module.cpp, check_module.cpp.
#pragma once

#include "catalogue/rule_texts.h"

namespace strata::bindings {

/// Returns the texts of the rules that the module reports.
catalogue::RuleTexts moduleTexts();

}  // namespace strata::bindings
