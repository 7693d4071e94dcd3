// Binds a compiled template and the host functions that it may call to JavaScript.
#pragma once

#include <emscripten/val.h>

#include <optional>
#include <string>
#include <string_view>

#include "core.h"
#include "host_reply.h"
#include "jinja/options.h"
#include "templates/jinja_template.h"

namespace strata::bindings {

/// Calls filters and functions that are written in JavaScript. The callback receives (kind, index,
/// arguments as JSON bytes) and writes its result through `reply`. It returns true for a value, as
/// JSON, or false for an error message.
class JsHost : public jinja::Host {
 public:
  explicit JsHost(emscripten::val callback) : callback_(std::move(callback)) {}

  Result<std::string> call(jinja::HostKind kind, size_t index, std::string_view arguments) override;
  /// See HostReply.
  emscripten::val reply(uint32_t size) { return answer_.buffer(size); }

 private:
  emscripten::val callback_;
  HostReply answer_;
};

/// A compiled template. The Core must outlive it.
class TemplateBinding {
 public:
  /// Compiles a template. Part 0: the source, part 1: TemplateOptions with the names of `filters`
  /// and `functions`. Replies {"variables":[…]} or a template error; after an error, delete the
  /// handle.
  TemplateBinding(Core& core, emscripten::val callback);
  TemplateBinding(const TemplateBinding&) = delete;
  TemplateBinding& operator=(const TemplateBinding&) = delete;

  /// Renders the template. Part 0: the context, part 1: {"now":…}. Replies {} and the text, or a
  /// template error.
  void render();
  emscripten::val hostReply(uint32_t size) { return host_.reply(size); }

 private:
  Core& core_;
  JsHost host_;
  std::optional<templates::JinjaTemplate> template_;
};

}  // namespace strata::bindings
