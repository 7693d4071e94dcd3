// Holds prompt arguments as nested maps, so that they can be merged and extended before a template
// reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.h"
#include "json/value.h"
#include "json/writer.h"

namespace strata::prompt {

/// A map of arguments, or one value in it. Leaves borrow from the tapes they were read from, which
/// must outlive the tree. Lookups are logarithmic in the number of children of one map.
class ArgumentTree {
 public:
  explicit ArgumentTree(std::string key = {}) : key_(std::move(key)) {}

  const std::string& key() const { return key_; }
  bool isMap() const { return !leaf_; }
  json::Value leaf() const { return leaf_; }

  /// Returns the child named `key`, or nullptr. Adding a child to this map invalidates the pointer.
  ArgumentTree* find(std::string_view key);
  /// Returns the child named `key`, creating an empty map if there is none. Adding another child to
  /// this map invalidates the reference.
  ArgumentTree& child(std::string_view key);

  /// Replaces this node with `value`.
  void set(json::Value value);
  /// Turns this node into a map. Returns true if that discarded a leaf value.
  bool makeMap();
  /// Merges the members of `object` into this map, recursively where both sides are maps. Any other
  /// member replaces the existing one.
  void merge(json::Value object);

  /// Appends this node as JSON. Leaves keep their original bytes.
  void write(json::Writer& out) const;

 private:
  std::string key_;
  json::Value leaf_;
  std::vector<ArgumentTree> children_;
  TextIndex positions_;  // of the children, by their keys
};

}  // namespace strata::prompt
