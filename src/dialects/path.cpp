#include "dialects/path.h"

#include "json/pointer.h"

namespace strata::dialects {

std::string Path::text() const {
  if (parent_ == nullptr) return {};
  std::string pointer = parent_->text();
  if (key_.empty()) {
    json::appendPointer(pointer, index_);
  } else {
    json::appendPointer(pointer, key_);
  }
  return pointer;
}

}  // namespace strata::dialects
