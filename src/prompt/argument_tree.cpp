#include "prompt/argument_tree.h"

namespace strata::prompt {

ArgumentTree* ArgumentTree::find(std::string_view key) {
  for (ArgumentTree& each : children_) {
    if (each.key_ == key) return &each;
  }
  return nullptr;
}

ArgumentTree& ArgumentTree::child(std::string_view key) {
  if (ArgumentTree* there = find(key)) return *there;
  return children_.emplace_back(std::string(key));
}

void ArgumentTree::set(json::Value value) {
  children_.clear();
  leaf_ = {};
  if (value.isObject()) {
    merge(value);
  } else {
    leaf_ = value;
  }
}

bool ArgumentTree::makeMap() {
  const bool gaveWay = static_cast<bool>(leaf_);
  leaf_ = {};
  return gaveWay;
}

void ArgumentTree::merge(json::Value object) {
  for (const json::Member member : json::members(object)) {
    ArgumentTree& place = child(member.key.text());
    if (place.isMap() && member.value.isObject()) {
      place.merge(member.value);
    } else {
      place.set(member.value);
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
