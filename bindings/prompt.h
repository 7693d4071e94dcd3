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
  ~CompiledPromptBinding() { core_.prompts().remove(id_); }
  CompiledPromptBinding(const CompiledPromptBinding&) = delete;
  CompiledPromptBinding& operator=(const CompiledPromptBinding&) = delete;

  /// Replies {"stable":…,"dynamic":…} and the full text: the lengths in bytes of its start and its
  /// end.
  void texts();

 private:
  Core& core_;
  uint32_t id_ = 0;
  prompt::CompiledPrompt prompt_;
  std::optional<Options> manifest_;
  PromptTexts texts_;  // Refer to the prompt and the manifest.
};

}  // namespace strata::bindings
