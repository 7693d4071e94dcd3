// Assembles the `args` object of a functionCall whose arguments Vertex AI streams in pieces, each
// with a JSONPath.
//
// Source: googleapis/js-genai, src/types.ts (PartialArg).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

/// The arguments of one call.
class PartialArgs {
 public:
  /// Adds one element of `partialArgs`, such as `{"jsonPath":"$.a[0].b","stringValue":"…"}`.
  /// Strings with the same path are joined; other values replace the one before. Returns false and
  /// ignores the value if the path is invalid, crosses a value, has more than 100 steps, or skips
  /// more than 1000 elements of an array.
  bool add(json::Value piece);

  /// Returns the arguments as a JSON object. Missing array elements are null.
  std::string text() const;

 private:
  enum class Kind : uint8_t { kObject, kArray, kString, kOther, kUnset };
  struct Node {
    Kind kind = Kind::kUnset;
    std::string key;   // in its parent, if that is an object
    std::string text;  // a string without quotes, still escaped, or the JSON of another value
    std::vector<uint32_t> children;
  };

  uint32_t findOrAddChild(uint32_t parent, Kind kind, std::string_view key, size_t position);
  bool resolve(std::string_view path, uint32_t& node);
  void write(json::Writer& out, uint32_t node) const;

  std::vector<Node> nodes_ = {Node{Kind::kObject, "", "", {}}};
};

}  // namespace strata::stream
