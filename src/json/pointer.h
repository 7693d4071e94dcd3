// Writes and resolves JSON Pointers (RFC 6901), which name the places of findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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

/// A pointer to resolve. `id` tells it from others, because resolving sorts.
struct Wanted {
  std::string_view pointer;
  size_t id;
  Value found = {};
};

/// Sets `found` of each to the value that its pointer names, or to the nearest container of a value
/// that is absent. Consumes the pointers. Reads each container on the way once: linear in their
/// members, whatever the number n of pointers is, plus O(n log n).
void findNearest(Value root, std::span<Wanted> wanted);

}  // namespace strata::json
