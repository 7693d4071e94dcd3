// Why this file exists: a compiled template over the border, with the host functions that it may
// call.
#pragma once

#include <emscripten/val.h>

#include <optional>
#include <string>
#include <string_view>

#include "core.h"
#include "jinja/template.h"

namespace strata::bindings {

/// Calls filters and functions that JavaScript brings. The callback gets (kind, index, arguments as
/// JSON bytes), answers through `reply` and returns whether that is a value or an error's message.
class JsHost : public jinja::Host {
 public:
  explicit JsHost(emscripten::val callback) : callback_(std::move(callback)) {}

  Result<std::string> call(jinja::HostKind kind, size_t index, std::string_view arguments) override;
  /// A view of `size` bytes for the answer.
  emscripten::val reply(uint32_t size);

 private:
  emscripten::val callback_;
  std::string answer_;
};

class TemplateBinding {
 public:
  /// Part 0: the source, part 1: TemplateOptions with `filters` and `functions` as names. Replies
  /// {"variables":[…]} or a template error; then the handle is of no use.
  TemplateBinding(Core& core, emscripten::val callback);

  /// Part 0: the context, part 1: {"now":…}. Replies {} and the text, or a template error.
  void render();
  emscripten::val hostReply(uint32_t size) { return host_.reply(size); }

  const jinja::Template* compiled() const { return compiled_ ? &*compiled_ : nullptr; }
  /// Nothing where the options name no filter and no function.
  jinja::Host* host() { return callsHost_ ? &host_ : nullptr; }
  const std::string& source() const { return source_; }

 private:
  Exchange& exchange_;
  JsHost host_;
  bool callsHost_ = false;
  std::string source_;
  std::optional<jinja::Template> compiled_;
};

/// `{"templateError":{…}}`
std::string templateErrorOf(const jinja::TemplateError& error);

}  // namespace strata::bindings
