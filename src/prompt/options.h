// Why this file exists: options of prompts come under the names of the systems they are from
// (per_file) or spelled as JavaScript spells names (perFile).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::prompt {

/// The member called `name`, in snake_case, or the same name in camelCase; null counts as absent.
json::Value option(json::Value object, std::string_view name);

/// `field.invalid`: what stands at `path`, or the member of it, must be `expected`.
Error invalidOption(std::string_view path, std::string_view expected);
Error invalidMember(std::string_view path, std::string_view member, std::string_view expected);

/// `field.unknown` for a member that is none of `known`, under either spelling: a misspelt one
/// would otherwise mean the default.
Status checkNames(json::Value object, std::string_view path,
                  std::initializer_list<std::string_view> known);

/// Checks that the member `name` of `object`, where it is there, is a string. `path` is the
/// object's place.
Status checkText(json::Value object, std::string_view name, std::string_view path = "");

/// Reads a number of things that is not negative, where one is there.
Status readCount(json::Value value, std::string_view path, size_t& count);

}  // namespace strata::prompt
