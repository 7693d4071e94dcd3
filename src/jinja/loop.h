// Defines a running `for` loop, which its body sees as `loop` (jinja2.runtime.LoopContext;
// https://jinja.palletsprojects.com/en/stable/templates/#for).
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/units.h"

namespace strata::jinja {

class Interpreter;

/// A running loop. Items are fetched on demand as in Jinja2: the test of `for x in y if test` sees
/// what the body did with earlier items.
struct Loop : Object {
  Loop(Interpreter& interpreter, const ForNode& loop, Value items, int64_t level);

  /// Fetches the next item that passes the test. Returns false at the end and after a failure.
  bool next(Value& item);
  /// Returns whether another item follows. Fetches one item ahead.
  bool peek();
  /// Returns the number of items, or -1 after a failure. Fetches all items if the number is
  /// unknown.
  int64_t length();
  /// Returns `loop.name`, or an absent value. kFailure after a failure.
  Value attribute(std::string_view name);
  bool failed() const { return failed_; }
  /// Returns the frame outside of a recursive loop.
  Frame* outerFrame() const;

  const ForNode& node;
  int64_t depth;       ///< Nesting of recursive loops, from 0.
  int64_t index = -1;  ///< From 0.
  Value lastChanged;

 private:
  bool fetch(Value& item);
  bool passesTest(Value item);
  Value lengthMinus(int64_t amount);
  Value missing(std::string_view hint);

  Interpreter& interpreter_;
  Value iterable_;
  Iteration each_;
  Frame* frame_;  // the frame in which the test is evaluated
  Activation* activation_;
  List* lookahead_ = nullptr;  // items fetched by peek() and length()
  size_t lookaheadIndex_ = 0;
  Value previous_;
  Value current_;
  bool failed_ = false;
};

}  // namespace strata::jinja
