// Reads what Google's JSON parser takes and RFC 8259 does not have: a comma before ] or }, texts in
// single quotes, and keys without quotes.
//
// Source: ParseEntry, ParseArrayValue and GetNextTokenType of protobuf's JsonStreamParser,
// https://github.com/protocolbuffers/protobuf/blob/v3.20.0/src/google/protobuf/util/internal/json_stream_parser.cc
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/tape.h"
#include "json/text_place.h"
#include "json/value.h"

namespace strata::json {

/// A text with more departures is not read.
inline constexpr size_t kMaxDepartures = 10'000;

/// A place of a text that is not JSON, although Google's parser takes it.
struct Departure {
  std::string_view what;  ///< Such as "A comma before ]"; static storage.
  std::string path;       ///< JSON Pointer of the value there, or of one that contains it.
  size_t begin = 0;       ///< The bytes [begin, end) of the text.
  size_t end = 0;
  std::string strict;  ///< What JSON has instead.
  size_t at = 0;       ///< Where `strict` is in the JSON text.
};

/// A text that is JSON except for its departures.
class LenientText {
 public:
  std::vector<Departure> departures;  ///< At least one, in the order of the text.
  std::string json;                   ///< The text with each departure replaced.
  Status status;                      ///< Why `json` is no JSON either; its offset is in the text.

  /// Returns where in the text the byte at `offset` of `json` is written. O(log departures).
  size_t sourceOf(size_t offset) const { return sourceBehind(offset, offset); }
  /// Returns where in the text the value that ends at `offset` of `json` ends.
  size_t sourceOfEnd(size_t offset) const { return sourceBehind(offset, offset - 1); }

 private:
  // Maps `offset` by the last departure at or before `before`.
  size_t sourceBehind(size_t offset, size_t before) const;
};

/// Reads a text that `Tape::read` refuses. Returns nothing if it has no departures, or more than
/// kMaxDepartures. `maxValues` as for `Tape::read`. Linear in the size of the text.
std::optional<LenientText> readLenient(std::string_view text, size_t maxValues = SIZE_MAX);

/// The tape of a text that Google's parser takes, which knows where values are written in the text.
/// The text must outlive it.
class LenientTape {
 public:
  /// `maxValues` as for `Tape::read`.
  explicit LenientTape(std::string_view text, size_t maxValues = SIZE_MAX);
  LenientTape(const LenientTape&) = delete;
  LenientTape& operator=(const LenientTape&) = delete;

  std::string_view text() const { return text_; }
  /// Returns why the text cannot be read; the offset is in the text.
  const Status& status() const { return status_; }
  bool hasTooManyValues() const { return !status_ && status_.error().code == kTooManyValues; }
  /// Returns what the text has that is not JSON, or nothing if it is JSON.
  const std::optional<LenientText>& lenient() const { return lenient_; }
  /// Returns the outermost value. Requires a successful status.
  Value root() const { return tape_.root(); }
  /// Returns the bytes of the text in which a value of this tape is written.
  TextRange rangeOf(Value value) const;

 private:
  std::string_view text_;
  std::optional<LenientText> lenient_;
  Tape tape_;
  Status status_;
};

}  // namespace strata::json
