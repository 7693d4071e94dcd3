// Why this file exists: what the caller said of a turn stays with its bytes, also where repair has
// joined them with others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::repair {

/// The caller's JSON about each of some Contents that turns were mended to.
class MergedMetas {
 public:
  explicit MergedMetas(const std::vector<std::string>& contents);

  /// What was said of a turn goes to the same Content, else to the last one of its role. What is
  /// said of two is joined, the later word counts; tokens that were counted for one are left out.
  void give(std::string_view turn, std::string_view meta);

  const std::string& of(size_t content) const { return metas_[content]; }

 private:
  size_t heirOf(std::string_view turn) const;

  const std::vector<std::string>& contents_;
  std::vector<std::string> metas_;
};

}  // namespace strata::repair
