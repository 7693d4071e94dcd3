// Implements Python's `format % arguments`
// (https://docs.python.org/3.11/library/stdtypes.html#printf-style-string-formatting).
#include <cmath>
#include <string>

#include "base/utf8.h"
#include "jinja/format/conversion.h"
#include "jinja/format/number_format.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

class PercentFormatter {
 public:
  PercentFormatter(Runtime& runtime, Value format, Value arguments)
      : runtime_(runtime),
        text_(format.text()),
        safe_(format.isSafe()),
        arguments_(arguments),
        out_(runtime) {}

  Value run() {
    if (!runtime_.canExamine(text_)) return Value::failure();
    size_t at = 0;
    while (!out_.failed()) {
      const size_t percent = text_.find('%', at);
      out_.append(text_.substr(at, percent - at));
      if (percent == std::string_view::npos) break;
      at = percent + 1;
      if (!conversion(at)) return Value::failure();
    }
    if (!allUsed()) {
      return runtime_.fail("not all arguments converted during string formatting");
    }
    return out_.take(safe_);
  }

 private:
  // Returns whether all arguments are used. A tuple holds several arguments; any other value is
  // one. A mapping or sequence need not be used.
  bool allUsed() const {
    if (arguments_.is(Type::kTuple)) return used_ == arguments_.asList().size();
    const bool mapping = arguments_.is(Type::kDict) || arguments_.is(Type::kList) ||
                         arguments_.is(Type::kRange) || arguments_.isUndefined();
    return mapping || used_ > 0;
  }

  bool fail(const char* pattern, std::string_view first = {}, std::string_view second = {}) {
    runtime_.fail(ErrorKind::kRuntime, pattern, first, second);
    return false;
  }

  bool next(Value& out) {
    if (named_.isAbsent() && arguments_.is(Type::kTuple)) {
      const auto items = arguments_.asList().items();
      if (used_ >= items.size()) return fail("not enough arguments for format string");
      out = items[used_++];
      return true;
    }
    if (named_.isAbsent() && used_++ > 0) return fail("not enough arguments for format string");
    out = named_.isAbsent() ? arguments_ : named_;
    return true;
  }

  // Reads `(key)`, which selects a member of the dict.
  bool key(size_t& at) {
    named_ = Value::absent();
    if (at >= text_.size() || text_[at] != '(') return true;
    if (!arguments_.is(Type::kDict)) return fail("format requires a mapping");
    size_t depth = 0;
    const size_t begin = ++at;
    for (; at < text_.size(); ++at) {
      if (text_[at] == '(') ++depth;
      if (text_[at] == ')' && depth-- == 0) break;
    }
    if (at == text_.size()) return fail("incomplete format key");
    const std::string_view name = text_.substr(begin, at++ - begin);
    const Value* member = arguments_.asDict().find(name);
    if (member == nullptr) return fail("'{}'", name);
    named_ = *member;
    return true;
  }

  void flags(size_t& at, FormatSpec& spec) {
    for (; at < text_.size(); ++at) {
      switch (text_[at]) {
        case '-':
          spec.align = '<';
          break;
        case '0':
          if (spec.align != '<') spec.align = '=';
          break;
        case '+':
          spec.sign = '+';
          break;
        case ' ':
          if (spec.sign == 0) spec.sign = ' ';
          break;
        case '#':
          spec.alternate = true;
          break;
        default:
          return;
      }
    }
  }

  // Reads digits, or `*` for the next argument.
  bool number(size_t& at, int64_t& out) {
    if (at < text_.size() && text_[at] == '*') {
      ++at;
      Value argument;
      if (!next(argument)) return false;
      if (!argument.isInteger() || safe_) return fail("* wants int");
      out = argument.asInteger();
      return true;
    }
    out = readCount(text_, at);
    return true;
  }

  bool conversion(size_t& at) {
    FormatSpec spec;
    if (!key(at)) return false;
    flags(at, spec);
    if (!number(at, spec.width)) return false;
    if (spec.width < 0) {
      spec.align = '<';
      spec.width = -std::max(spec.width, -INT64_MAX);
    }
    if (at < text_.size() && text_[at] == '.') {
      if (!number(++at, spec.precision)) return false;
      spec.precision = std::max<int64_t>(spec.precision, 0);
    }
    while (at < text_.size() && (text_[at] == 'h' || text_[at] == 'l' || text_[at] == 'L')) ++at;
    if (at == text_.size()) return fail("incomplete format");
    spec.type = text_[at++];
    if (spec.type == '%') {
      out_.append('%');
      return true;
    }
    Value argument;
    return next(argument) && convert(spec, argument);
  }

  bool convert(FormatSpec& spec, Value argument) {
    switch (spec.type) {
      case 's':
      case 'r':
      case 'a':
        return text(spec, argument);
      case 'c':
        return character(spec, argument);
      case 'd':
      case 'i':
      case 'u':
        return decimal(spec, argument);
      case 'x':
      case 'X':
      case 'o':
        // Markup wraps each argument in _MarkupEscapeHelper, which is neither an integer nor a
        // string.
        if (!argument.isAnyInteger() || safe_) {
          return fail("%{} format: an integer is required, not {}", {&spec.type, 1},
                      safe_ ? "_MarkupEscapeHelper" : typeName(argument));
        }
        return integer(spec, argument);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return floating(spec, argument);
      default:
        return fail("unsupported format character '{}'", std::string_view(&spec.type, 1));
    }
  }

  bool text(FormatSpec& spec, Value argument) {
    Value shown = spec.type == 's' ? toText(runtime_, argument) : toRepr(runtime_, argument);
    if (spec.type == 'a' && shown.isString()) shown = toAscii(runtime_, shown);
    if (safe_) shown = escape(runtime_, shown);
    if (shown.failed()) return false;
    std::string_view view = shown.text();
    if (spec.precision >= 0) {
      view = view.substr(0, codePointOffset(view, static_cast<size_t>(spec.precision)));
    }
    if (spec.align != '<') spec.align = '>';
    appendPadded(out_, spec, view);
    return true;
  }

  bool character(FormatSpec& spec, Value argument) {
    std::string one;
    if (safe_) return fail("%c requires int or char");
    int64_t code = 0;
    if (clampToInteger(argument, code)) {
      if (code < 0 || code > 0x10FFFF) return fail("%c arg not in range(0x110000)");
      appendUtf8(one, static_cast<uint32_t>(code));
    } else if (argument.isString() && codePoints(argument.text()) == 1) {
      one = argument.text();
    } else {
      return fail("%c requires int or char");
    }
    if (spec.align != '<') spec.align = '>';
    appendPadded(out_, spec, one);
    return true;
  }

  bool decimal(FormatSpec& spec, Value argument) {
    if (argument.isUndefined()) return !runtime_.undefinedFailure(argument).failed();
    const Value value = toInteger(runtime_, argument);
    return !value.failed() && integer(spec, value);
  }

  bool integer(FormatSpec& spec, Value value) {
    if (spec.align == '=') spec.fill = "0";
    return appendInteger(runtime_, out_, spec, value);
  }

  bool floating(FormatSpec& spec, Value argument) {
    if (spec.align == '=') spec.fill = "0";
    if (argument.isUndefined()) return !runtime_.undefinedFailure(argument).failed();
    if (!argument.isNumber()) return fail("must be real number, not {}", typeName(argument));
    return appendDouble(runtime_, out_, spec, argument);
  }

  Runtime& runtime_;
  std::string_view text_;
  bool safe_;
  Value arguments_;
  Text out_;
  Value named_;
  size_t used_ = 0;
};

}  // namespace

Value formatPercent(Runtime& runtime, Value format, Value arguments) {
  return PercentFormatter(runtime, format, arguments).run();
}

}  // namespace strata::jinja
