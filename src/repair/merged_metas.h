// Assigns the caller's metadata of turns to the Contents that those turns were repaired to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::repair {

/// Holds one JSON object of metadata per repaired Content. It keeps a reference to `contents`,
/// which must outlive it and must not be empty.
class MergedMetas {
 public:
  explicit MergedMetas(const std::vector<std::string>& contents);

  /// Assigns the metadata of `turn` to the Content with the same bytes, or else to the last Content
  /// with the same role. If the Content already has metadata, the two objects are merged: later
  /// values win, and `tokens` is dropped because it counted one of the turns only.
  void add(std::string_view turn, std::string_view meta);

  /// Returns the metadata of a Content, or "". Valid until the next `add`.
  const std::string& of(size_t content) const { return metas_[content]; }

 private:
  size_t successorOf(std::string_view turn) const;

  const std::vector<std::string>& contents_;
  std::vector<std::string> metas_;
};

}  // namespace strata::repair
