// Recognizes misspelled names, for messages that propose the right one.
#pragma once

#include <string_view>

namespace strata {

/// Returns whether `given` is `name` with a typing error: one inserted, missing, wrong or swapped
/// character, two in names of 12 or more, or in other cases. Names of less than 5 characters are
/// too short for errors. `web/sdk/internal/messages.ts` decides the same.
bool isNearName(std::string_view given, std::string_view name);

/// Returns whether `given` is `name`, the name of a model in lower case, with a typing error: one
/// in each segment between hyphens, or one in all, or in other cases. Names with other digits are
/// other versions, and elements such as xenon and neon are other models.
/// `web/files/models.ts` decides the same.
bool isNearModelName(std::string_view given, std::string_view name);

}  // namespace strata
