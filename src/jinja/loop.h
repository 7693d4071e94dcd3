// Why this file exists: a running `for` and what its body sees of it as `loop`.
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/units.h"

namespace strata::jinja {

class Interpreter;

/// Fetches items as late as Jinja2 does: the test of `for x in y if test` sees what the body did to
/// the items before.
struct Loop : Object {
  Loop(Interpreter& interpreter, const ForNode& loop, Value items, int64_t level);

  /// The next item that passes the test. False at the end and after a failure.
  bool next(Value& item);
  /// Whether there is one more; looks one item ahead.
  bool peek();
  /// How many there are in all; where that is not known, all are fetched. -1 after a failure.
  int64_t length();
  Value attribute(std::string_view name);
  bool failed() const { return failed_; }
  /// The frame around a recursive loop.
  Frame* outerFrame() const;

  const ForNode& node;
  int64_t depth;       ///< From 0.
  int64_t index = -1;  ///< From 0.
  Value lastChanged;

 private:
  bool fetch(Value& item);
  bool passes(Value item);
  Value count(int64_t less);
  Value missing(std::string_view hint);
  static std::string_view jinjaName(std::string_view name);

  Interpreter& interpreter_;
  Value iterable_;
  Iteration each_;
  Frame* frame_;  // where the test finds its names
  Activation* activation_;
  List* ahead_ = nullptr;  // fetched by peek() and length()
  size_t aheadAt_ = 0;
  Value before_;
  Value current_;
  bool failed_ = false;
};

}  // namespace strata::jinja
