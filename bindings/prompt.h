// Keeps a compiled prompt in WebAssembly, so that its text need not leave it to be assembled.
#pragma once

#include <optional>
#include <string_view>

#include "core.h"
#include "prompt/compiler.h"

namespace strata::bindings {

/// A compiled prompt. `assemble` takes it by its id. The Core must outlive it.
class CompiledPromptBinding {
 public:
  /// Compiles a prompt. Part 0: a PromptInput. Replies {"id":…,"manifest":{…}}, or an error, or a
  /// template error; after an error, delete the handle.
  explicit CompiledPromptBinding(Core& core);
  ~CompiledPromptBinding() { core_.removePrompt(id_); }
  CompiledPromptBinding(const CompiledPromptBinding&) = delete;
  CompiledPromptBinding& operator=(const CompiledPromptBinding&) = delete;

  /// Replies {"stable":…,"dynamic":…} and the full text, as `Core::compile` does.
  void texts();

  // Valid as long as the prompt.
  std::string_view stable() const {
    return std::string_view(prompt_.full).substr(0, prompt_.stableBytes);
  }
  std::string_view dynamic() const {
    return std::string_view(prompt_.full).substr(prompt_.full.size() - prompt_.dynamicBytes);
  }
  json::Value manifest() const { return manifest_->root(); }

 private:
  Core& core_;
  uint32_t id_;
  prompt::CompiledPrompt prompt_;
  std::optional<Options> manifest_;
};

}  // namespace strata::bindings
