#include "prompt/argument_tree.h"

namespace strata::prompt {

ArgumentTree* ArgumentTree::find(std::string_view key) {
  const int32_t at = positions_.find(std::string(key));
  return at < 0 ? nullptr : &children_[static_cast<size_t>(at)];
}

ArgumentTree& ArgumentTree::child(std::string_view key) {
  if (ArgumentTree* existing = find(key)) return *existing;
  positions_.add(std::string(key), static_cast<int32_t>(children_.size()));
  return children_.emplace_back(std::string(key));
}

void ArgumentTree::set(json::Value value) {
  children_.clear();
  positions_.clear();
  leaf_ = {};
  if (value.isObject()) {
    merge(value);
  } else {
    leaf_ = value;
  }
}

bool ArgumentTree::makeMap() {
  const bool replacedLeaf = static_cast<bool>(leaf_);
  leaf_ = {};
  return replacedLeaf;
}

void ArgumentTree::merge(json::Value object) {
  for (const json::Member member : json::members(object)) {
    ArgumentTree& target = child(member.key.text());
    if (target.isMap() && member.value.isObject()) {
      target.merge(member.value);
    } else {
      target.set(member.value);
    }
  }
}

void ArgumentTree::write(json::Writer& out) const {
  if (leaf_) {
    out.raw(leaf_.bytes());
    return;
  }
  out.open('{');
  for (const ArgumentTree& each : children_) {
    out.key(each.key_);
    each.write(out);
  }
  out.close('}');
}

}  // namespace strata::prompt
