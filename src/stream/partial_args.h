// Assembles the `args` object of a functionCall whose arguments Vertex AI streams in pieces, each
// with a JSONPath.
//
// Source: googleapis/js-genai, src/types.ts (PartialArg).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.h"
#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

/// The arguments of one call.
class PartialArgs {
 public:
  /// Adds one element of `partialArgs`, such as `{"jsonPath":"$.a[0].b","stringValue":"…"}`.
  /// Strings with the same path are joined; other values replace the one before. Returns false and
  /// ignores the value if the path is invalid, crosses a value, has more than 100 steps, or if all
  /// paths together skip more than 1000 elements of arrays. Complexity: O(log n) for each step,
  /// with n values so far.
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

  uint32_t findOrAddMember(uint32_t parent, std::string_view key);
  uint32_t findOrAddElement(uint32_t parent, size_t position);
  bool isOrBecomes(uint32_t node, Kind kind);
  uint32_t addNode(uint32_t parent, std::string_view key);
  bool resolve(std::string_view path, uint32_t& node);
  void write(json::Writer& out, uint32_t node) const;

  std::vector<Node> nodes_ = {Node{Kind::kObject, "", "", {}}};
  TextIndex members_;   // the nodes by parent and key
  size_t skipped_ = 0;  // elements of arrays
};

}  // namespace strata::stream
