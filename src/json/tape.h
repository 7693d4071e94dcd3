// Why this file exists: JSON is read once, into an index over its bytes, never into a tree of
// copies. Number spelling, key order, escapes and unknown fields survive because nothing is written
// anew.
//
//     bytes   {"role":"model","parts":[{"text":"hi"}]}
//     nodes   0 {      next 7, 2 members
//             1 "role"   2 "model"
//             3 "parts"  4 [  next 7, 1 element
//                        5 {  next ...          keys and values alternate, in the order of the text
//
// Look at the values through json/value.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strata::json {

/// Containers may nest this deep; more is `json.too_deep`. Google's own JSON reader stops at 100.
inline constexpr size_t kMaxDepth = 200;

enum class Kind : uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

class Value;

/// The index of one JSON text. It does not own the bytes: they must outlive it.
class Tape {
 public:
  /// One value, 16 bytes. `begin` and `end` are byte offsets, quotes and brackets included.
  struct Node {
    uint32_t begin;
    uint32_t end;
    uint32_t next;  ///< The node after this value and all that is inside it.
    uint32_t meta;  ///< Kind in the low 3 bits, then "has escapes", then the number of children.

    Kind kind() const { return static_cast<Kind>(meta & 7U); }
    bool escaped() const { return (meta & 8U) != 0; }
    uint32_t count() const { return meta >> 4U; }
  };

  /// Reads exactly one JSON value, white space around it allowed. Errors: `json.invalid`,
  /// `json.invalid_utf8`, `json.too_deep`, `json.duplicate_key`, `size.too_large`, each with the
  /// byte offset and the JSON Pointer of the place.
  static Result<Tape> read(std::string_view bytes);
  /// The same into a tape that is used again and again: its memory stays. After an error it is of
  /// no use until the next read.
  static Status read(std::string_view bytes, Tape& into);

  Value root() const;
  std::string_view source() const { return source_; }
  const Node& node(uint32_t index) const { return nodes_[index]; }

 private:
  friend class Scanner;

  std::string_view source_;
  std::vector<Node> nodes_;
};

}  // namespace strata::json
