// Writes and resolves JSON Pointers (RFC 6901), which name the places of findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace strata::json {

/// Appends `/key`, with `~` escaped as `~0` and `/` as `~1`.
void appendPointer(std::string& pointer, std::string_view key);
/// Appends `/index`.
void appendPointer(std::string& pointer, size_t index);

/// The target of a pointer: an array element, or the key of an object member, and its container.
struct Place {
  Value container;
  Value item;
};

/// Returns the value that `pointer` names, or an absent Value. "" names `root`.
Value valueAt(Value root, std::string_view pointer);

/// Returns the place that `pointer` names. `item` is absent if there is none, or if `pointer` is
/// "". Looks into no object with more than `mostMembers` members.
Place locate(Value root, std::string_view pointer, size_t mostMembers = SIZE_MAX);

/// Returns for each pointer the value that it names, or the nearest container of an absent one.
/// Reads each container on the way once: linear in their members, whatever the number n of pointers
/// is, plus O(n log n).
std::vector<Value> findNearest(Value root, const std::vector<std::string>& pointers);

}  // namespace strata::json
