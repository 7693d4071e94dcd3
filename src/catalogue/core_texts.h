// Declares the texts of the rules that only the module core reports.
#pragma once

#include <string_view>

namespace strata::catalogue {

/// Returns the texts that Catalogue reads for these rules.
std::string_view coreTexts();

}  // namespace strata::catalogue
