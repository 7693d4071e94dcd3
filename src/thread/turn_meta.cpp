#include "thread/turn_meta.h"

#include <optional>

#include "gemini/backend.h"

namespace strata::thread {

Status checkTurnMeta(json::OptionsReader meta) {
  std::optional<std::string> text;
  std::optional<gemini::Backend> backend;
  uint64_t tokens = 0;
  meta.string("at", text).string("model", text).oneOf("backend", gemini::kBackendNames, backend);
  meta.count("tokens", tokens).object("manifest").object("spent");
  return meta.finish();
}

}  // namespace strata::thread
