// Declares what differs between the modules. Each module links one file that defines it and
// registers the classes: core_module.cpp, lite_module.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "json/value.h"
#include "layers/template_engine.h"
#include "thread/thread.h"

namespace strata::bindings {

/// What `readHistory` returns besides the thread.
struct Imported {
  catalogue::Findings notes;  ///< What was changed or left out.
  std::string systemText;     ///< System text, which is not part of a thread.
  std::optional<Error> optionError;
  Status status;
};

/// Returns the engine that renders text layers, or nullptr if the module has none.
const layers::TemplateEngine* templateEngine();

/// Reads a history into an empty thread. `options` are ThreadOptions without `from`.
Imported readHistory(thread::Thread& thread, std::string_view bytes, json::Value options);

}  // namespace strata::bindings
