// Why this file exists: Vertex AI can stream the arguments of a call in pieces, each with a
// JSONPath. They become the one `args` object that a history needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

/// The arguments of one call, while their pieces come.
class PartialArgs {
 public:
  /// Adds one element of `partialArgs`: `{"jsonPath":"$.a[0].b","stringValue":"…"}`. Strings at one
  /// path are joined, other values replace. False: a path that can't be read, or that crosses a
  /// value.
  bool add(json::Value piece);

  /// The arguments as a JSON object.
  std::string text() const;

 private:
  enum class Kind : uint8_t { kObject, kArray, kString, kOther, kUnset };
  struct Node {
    Kind kind = Kind::kUnset;
    std::string key;   // in its parent, when that is an object
    std::string text;  // of a string: still escaped; of another value: its JSON
    std::vector<uint32_t> children;
  };

  uint32_t child(uint32_t parent, Kind kind, std::string_view key, size_t position);
  bool resolve(std::string_view path, uint32_t& node);
  void write(json::Writer& out, uint32_t node) const;

  std::vector<Node> nodes_ = {Node{Kind::kObject, "", "", {}}};
};

}  // namespace strata::stream
