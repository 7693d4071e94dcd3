#include "prompt/glob.h"

#include <cstddef>

namespace strata::prompt {
namespace {

constexpr size_t kNone = std::string_view::npos;

// A point to backtrack to: where the glob continues after a star, and the end of the path bytes
// that the star has consumed.
struct Star {
  size_t globResume = kNone;
  size_t pathEnd = 0;
};

// Matches with backtracking. Only the last star of each kind is remembered, since it can consume
// whatever an earlier one could. The time is therefore at most proportional to glob × path.
class Matcher {
 public:
  Matcher(std::string_view glob, std::string_view path) : glob_(glob), path_(path) {}

  bool run() {
    while (pathPos_ < path_.size() || globPos_ < glob_.size()) {
      if (!step() && !backtrack()) return false;
    }
    return true;
  }

 private:
  bool step() {
    const std::string_view rest = glob_.substr(globPos_);
    if (rest.substr(0, 2) == "**") {
      // "**/" also matches zero segments, so its slash is skipped with it.
      globPos_ += rest.substr(2, 1) == "/" ? 3 : 2;
      doubleStar_ = {globPos_, pathPos_};
      singleStar_ = {};
      return true;
    }
    if (rest.substr(0, 1) == "*") {
      singleStar_ = {++globPos_, pathPos_};
      return true;
    }
    if (rest.empty() || pathPos_ == path_.size()) return false;
    if (rest[0] != path_[pathPos_] && (rest[0] != '?' || path_[pathPos_] == '/')) return false;
    ++globPos_;
    ++pathPos_;
    return true;
  }

  // Lets the last star consume more: "*" one byte within its segment, "**" one byte, "**/" up to
  // the next slash.
  bool backtrack() {
    const bool canExtend = singleStar_.globResume != kNone && singleStar_.pathEnd < path_.size();
    if (canExtend && path_[singleStar_.pathEnd] != '/') return resume(singleStar_);
    singleStar_ = {};
    if (doubleStar_.globResume == kNone || doubleStar_.pathEnd >= path_.size()) return false;
    if (glob_[doubleStar_.globResume - 1] != '/') return resume(doubleStar_);
    const size_t slash = path_.find('/', doubleStar_.pathEnd);
    if (slash == kNone) return false;
    doubleStar_.pathEnd = slash;
    return resume(doubleStar_);
  }

  bool resume(Star& star) {
    pathPos_ = ++star.pathEnd;
    globPos_ = star.globResume;
    return true;
  }

  std::string_view glob_;
  std::string_view path_;
  size_t globPos_ = 0;
  size_t pathPos_ = 0;
  Star singleStar_;
  Star doubleStar_;
};

}  // namespace

bool matchesGlob(std::string_view glob, std::string_view path) {
  if (glob.find('/') == kNone) path = path.substr(path.rfind('/') + 1);
  return Matcher(glob, path).run();
}

}  // namespace strata::prompt
