// Reads JSON once into an index over its bytes; no tree of objects is built. Since the bytes stay
// as they are, the form of numbers, the order of keys, escapes and unknown fields are preserved.
//
//     bytes   {"role":"model","parts":[{"text":"hi"}]}
//     nodes   0 {      7 nodes, 2 members
//             1 "role"   2 "model"
//             3 "parts"  4 [  4 nodes, 1 element
//                        5 {  ...               keys and values alternate, in the order of the text
//
// Read the values with json/value.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strata::json {

/// The maximum nesting depth of containers. Deeper JSON is the error `json.too_deep`. Protobuf's
/// own JSON parser allows 100 levels.
inline constexpr size_t kMaxDepth = 200;

enum class Kind : uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

/// The code of the error of a text with more values than its reader takes.
inline constexpr std::string_view kTooManyValues = "size.too_many_values";

/// Texts of this size or more are not read.
inline constexpr size_t kMaxBytes = size_t{512} << 20U;

class Value;

/// The index of one JSON text. The tape does not own the bytes: they must outlive it and all
/// Values.
class Tape {
 public:
  /// One value. Its bytes include quotes and brackets.
  struct Node {
    const char* bytes;
    uint32_t size;
    uint32_t offset;  ///< Of `bytes` in the source.
    uint32_t span;    ///< The number of nodes: this one and its descendants.
    uint32_t meta;    ///< Bits 0-2: kind; bit 3: has escapes; bits 4-31: number of children.

    Kind kind() const { return static_cast<Kind>(meta & 7U); }
    bool escaped() const { return (meta & 8U) != 0; }
    uint32_t count() const { return meta >> 4U; }
  };

  /// Reads one JSON value (RFC 8259), surrounded by optional whitespace, in O(n); objects with many
  /// keys are sorted to find duplicates. Errors: `json.invalid`, `json.invalid_utf8`,
  /// `json.too_deep`, `json.duplicate_key`, `size.too_large` (512 MiB), each with byte offset and
  /// JSON Pointer. `maxDepth` is at most kMaxDepth.
  static Result<Tape> read(std::string_view bytes, size_t maxDepth = kMaxDepth);
  /// Like `read`, but reuses the memory of `into`; Values of its previous text become invalid.
  /// After an error, do not use `into` until the next successful read. More commas and opening
  /// brackets than `maxValues` are the error `size.too_many_values`, before the tape has grown
  /// further.
  static Status read(std::string_view bytes, Tape& into, size_t maxDepth = kMaxDepth,
                     size_t maxValues = SIZE_MAX);

  /// Returns the outermost value, which is valid as long as the tape.
  Value root() const;

 private:
  friend class Scanner;

  std::vector<Node> nodes_;
};

}  // namespace strata::json
