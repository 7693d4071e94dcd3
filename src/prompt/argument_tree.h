// Why this file exists: arguments are maps in maps that are merged and extended before a template
// reads them; the tree holds the maps, its leaves stay the JSON that they came as.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::prompt {

/// A map of arguments, or one value in it. Leaves borrow the tapes that they were read into.
class ArgumentTree {
 public:
  explicit ArgumentTree(std::string key = {}) : key_(std::move(key)) {}

  const std::string& key() const { return key_; }
  bool isMap() const { return !leaf_; }
  json::Value leaf() const { return leaf_; }

  ArgumentTree* find(std::string_view key);
  /// The child called `key`, which is made where there is none.
  ArgumentTree& child(std::string_view key);

  /// Becomes `value`, whatever it was.
  void set(json::Value value);
  /// Becomes a map; returns whether a value gave way to it.
  bool makeMap();
  /// Members of `object` come in: a map into a map, anything else in place of what was there.
  void merge(json::Value object);

  void write(json::Writer& out) const;

 private:
  std::string key_;
  json::Value leaf_;
  std::vector<ArgumentTree> children_;
};

}  // namespace strata::prompt
