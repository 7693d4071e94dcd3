#include "prompt/glob.h"

#include <cstddef>

namespace strata::prompt {
namespace {

constexpr size_t kNone = std::string_view::npos;

// A place to go back to: where a star stood, and up to where it has taken the path.
struct Star {
  size_t behind = kNone;
  size_t taken = 0;
};

// Each kind of star needs only its last place: what an earlier one could still take, the later one
// can take too. So this is quadratic at worst.
class Matcher {
 public:
  Matcher(std::string_view glob, std::string_view path) : glob_(glob), path_(path) {}

  bool run() {
    while (at_ < path_.size() || glob_at_ < glob_.size()) {
      if (!step() && !back()) return false;
    }
    return true;
  }

 private:
  bool step() {
    const std::string_view rest = glob_.substr(glob_at_);
    if (rest.substr(0, 2) == "**") {
      // Behind **/ a path may begin at once.
      glob_at_ += rest.substr(2, 1) == "/" ? 3 : 2;
      deep_ = {glob_at_, at_};
      flat_ = {};
      return true;
    }
    if (rest.substr(0, 1) == "*") {
      flat_ = {++glob_at_, at_};
      return true;
    }
    if (rest.empty() || at_ == path_.size()) return false;
    if (rest[0] != path_[at_] && (rest[0] != '?' || path_[at_] == '/')) return false;
    ++glob_at_;
    ++at_;
    return true;
  }

  // A star takes one byte more: a single one nothing beyond its segment.
  bool back() {
    const bool flat = flat_.behind != kNone && flat_.taken < path_.size();
    if (flat && path_[flat_.taken] != '/') return retry(flat_);
    flat_ = {};
    if (deep_.behind == kNone || deep_.taken >= path_.size()) return false;
    if (glob_[deep_.behind - 1] != '/') return retry(deep_);
    const size_t slash = path_.find('/', deep_.taken);
    if (slash == kNone) return false;
    deep_.taken = slash;
    return retry(deep_);
  }

  bool retry(Star& star) {
    at_ = ++star.taken;
    glob_at_ = star.behind;
    return true;
  }

  std::string_view glob_;
  std::string_view path_;
  size_t glob_at_ = 0;
  size_t at_ = 0;
  Star flat_;
  Star deep_;
};

}  // namespace

bool matchesGlob(std::string_view glob, std::string_view path) {
  if (glob.find('/') == kNone) path = path.substr(path.rfind('/') + 1);
  return Matcher(glob, path).run();
}

}  // namespace strata::prompt
