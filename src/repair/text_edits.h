// Why this file exists: a mend changes a few bytes of a text; all others stay as they are, and what
// stays still knows where it stood at first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/segments.h"
#include "json/value.h"

namespace strata::repair {

/// New text, or, where there is none, the bytes `[begin, end)` of the text as it stands.
struct Piece {
  std::string text;
  size_t begin = 0;
  size_t end = 0;
};

Piece newText(std::string text);
Piece moved(json::Value value);

/// The bytes `[begin, end)` become `pieces`.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::vector<Piece> pieces = {};
};

/// Takes away one member of an object, or one element of an array, with a comma beside it.
Edit without(json::Value container, json::Value item);
/// The same for an element whose neighbours are known, absent where there are none.
Edit without(json::Value before, json::Value element, json::Value behind);
/// Puts `member` (`"key":value`) into an object, at its end.
Edit withMember(json::Value object, std::vector<Piece> member);
Edit replaced(json::Value value, std::vector<Piece> pieces);

/// Changes that do not touch one another, so that their order does not matter.
class Edits {
 public:
  /// Takes all changes of one mend, or none where one of them meets a change of another mend.
  bool add(const std::vector<Edit>& mend);
  bool empty() const { return inOrder_.empty(); }
  /// In the order of the text.
  const std::vector<Edit>& inOrder() const { return inOrder_; }

 private:
  bool touches(const Edit& edit) const;

  std::vector<Edit> inOrder_;
};

/// A text that was changed, and where its bytes come from.
class Revision {
 public:
  /// `source` must outlive it.
  explicit Revision(std::string_view source);

  const std::string& text() const { return text_; }
  void apply(const Edits& edits);

  /// Where the byte at `offset` stood in the source; `npos` for a new one.
  size_t origin(size_t offset) const;
  /// The text as pieces of the source and new bytes.
  Segments segments() const;

  static constexpr size_t npos = std::string::npos;

 private:
  struct Run {
    size_t at;    // in the text
    size_t from;  // in the source, or npos
    size_t length;
  };

  const Run& runAt(size_t offset) const;

  std::string_view source_;
  std::string text_;
  std::vector<Run> runs_;
};

}  // namespace strata::repair
