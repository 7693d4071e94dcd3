// Reads prompt options, whose names may be written in snake_case (per_file) or camelCase (perFile).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::prompt {

/// Returns the member `name` (in snake_case) of `object`, or the same name in camelCase; snake_case
/// wins. Returns an absent Value if there is neither, or if the value is null.
json::Value option(json::Value object, std::string_view name);

/// Returns the error `field.invalid`: the value at `path`, or its member, must be `expected`.
Error invalidOption(std::string_view path, std::string_view expected);
Error invalidMember(std::string_view path, std::string_view member, std::string_view expected);

/// Returns `field.unknown` for the first member of `object` that `known` (in snake_case) does not
/// list in either spelling. Without this check a misspelled name would silently select the default.
Status checkMemberNames(json::Value object, std::string_view path,
                        std::initializer_list<std::string_view> known);

/// Returns `field.invalid` if the member `name` of `object` is present and not a string. `path` is
/// the path of `object`.
Status checkOptionalString(json::Value object, std::string_view name, std::string_view path = "");

/// Reads `value` into `count`; leaves `count` as it is if `value` is absent. Returns
/// `field.invalid` unless the value is a non-negative integer.
Status readCount(json::Value value, std::string_view path, size_t& count);

}  // namespace strata::prompt
