// Edits JSON text in place: all bytes outside an edit are preserved, and every byte of the result
// is traceable to its offset in the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/segments.h"
#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::repair {

/// New text or, if `text` is empty, the bytes `[begin, end)` of the text being edited.
struct Piece {
  std::string text;
  size_t begin = 0;
  size_t end = 0;
};

/// Returns a piece of new text.
Piece newText(std::string text);
/// Returns a piece that copies the bytes of `value`, which must be a value of the edited text.
Piece copyOf(json::Value value);

/// Replaces the bytes `[begin, end)` with `pieces`.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::vector<Piece> pieces = {};
  size_t fix = 0;  ///< The number of the fix that it belongs to, from 1; 0 if nobody asks.
};

/// Returns the edit that removes one array element, or the object member whose key is `item`,
/// together with one adjacent comma. Linear in the size of `container`.
Edit removal(json::Value container, json::Value item);
/// Does the same in O(1) for an element with known neighbors. An absent value means no neighbor.
Edit removal(json::Value before, json::Value element, json::Value after);
/// Returns the edit that appends `member` (`"key":value`) to an object.
Edit insertion(json::Value object, std::vector<Piece> member);
/// Returns the edit that replaces a value.
Edit replacement(json::Value value, std::vector<Piece> pieces);
Edit replacement(json::Value value, Piece piece);
/// Returns the edit that puts text before and after a value.
Edit wrapping(json::Value value, std::string before, std::string after);

/// The edits of one fix. Empty if there is nothing to change.
using Changes = std::vector<Edit>;

/// Returns the only edit of a fix.
Changes changesOf(Edit edit);

/// A set of edits to one text that neither overlap nor touch, except within one fix. The order in
/// which fixes are added does not matter.
class Edits {
 public:
  /// Adds all edits of one fix, or none if any of them touches an edit of another fix. Returns
  /// whether edits were added. `number` is the number of their fix.
  bool add(Changes fix, size_t number = 0);
  bool empty() const { return sorted_.empty(); }
  /// Returns the edits by ascending offset. Valid until the next `add`.
  const std::vector<Edit>& sorted() const { return sorted_; }

 private:
  bool touches(const Edit& edit) const;

  std::vector<Edit> sorted_;
};

/// An edited text that records where its bytes come from, as runs:
///
///     source   {"id":1,"role":"user"}
///     text     {"role":"model"}
///     runs     {│"role":│"model"│}     three runs of source bytes, one of new bytes
class Revision {
 public:
  /// `source` must outlive the revision.
  explicit Revision(std::string_view source);

  /// Returns the current text. Valid until the next `apply`.
  const std::string& text() const { return text_; }
  /// Applies edits whose offsets refer to the current text. Linear in the text and its runs.
  void apply(const Edits& edits);

  /// Returns the source offset of the byte at `offset`, or `npos` for a new byte. O(log runs).
  size_t origin(size_t offset) const;
  /// Returns the text as segments. Those of source bytes borrow from `source`, new bytes are
  /// copied.
  Segments segments() const;

  /// Returns the differences from the source, in its order, each with the number of a fix that made
  /// it. Between two of them there are bytes that stayed where they were. Fixes that made one of
  /// them together are joined. Valid until the next `apply`.
  std::vector<catalogue::TextEdit> differences();
  /// Says that two fixes belong together: one of them alone would leave a body that nobody meant.
  void join(size_t fix, size_t other);
  /// Returns the same number for all fixes that belong together, which is that of one of them.
  size_t groupOf(size_t fix) const;

  static constexpr size_t npos = std::string::npos;

 private:
  struct Run {
    size_t at;    // Offset in the text.
    size_t from;  // Offset in the source, or npos for new bytes.
    size_t length;
    size_t fix = 0;        // That wrote or moved these bytes.
    bool isMoved = false;  // Source bytes that are no longer in the order of the source.
    bool stays() const { return from != npos && !isMoved; }
  };
  // Source bytes that a fix removed from their place.
  struct Removal {
    size_t from;
    size_t fix;
  };

  struct Draft {
    std::string text;
    std::vector<Run> runs;
  };

  const Run& runAt(size_t offset) const;
  template <typename Visit>
  void visitRuns(size_t begin, size_t end, const Visit& visit) const;
  void joinNew(size_t begin, size_t end, size_t fix);
  void noteRemoval(size_t begin, size_t end, size_t fix);
  void copy(size_t begin, size_t end, size_t movedBy, Draft& draft) const;
  void applyEdit(const Edit& edit, Draft& draft);

  std::string_view source_;
  std::string text_;
  std::vector<Run> runs_;
  std::vector<Removal> removals_;
  std::vector<size_t> groups_;  // Of each fix, another one of its group that has a lower number.
};

}  // namespace strata::repair
