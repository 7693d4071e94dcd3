// Declares what differs between the modules. Each module links one file that defines it and
// registers the classes: core_module.cpp, lite_module.cpp, gateway_module.cpp.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "json/options_reader.h"
#include "layers/template_engine.h"
#include "lint/lint.h"
#include "repair/edits_of.h"
#include "thread/saved_form.h"
#include "thread/thread.h"

namespace strata::bindings {

/// What `readHistory` returns besides the thread.
struct Imported {
  catalogue::Findings notes;                ///< What was changed or left out.
  std::string systemText;                   ///< System text, which is not part of a thread.
  std::vector<thread::CallRecord> records;  ///< Of open calls, in a saved thread.
  Status optionStatus;
  Status status;
};

/// Returns the texts of the rules that only the module `core` reports, or "".
std::string_view coreTexts();

/// Returns the engine that renders text layers, or nullptr if the module has none.
const layers::TemplateEngine* templateEngine();

/// Returns what judges schemas, or nullptr if the module has nothing that does.
lint::SchemaJudge schemaJudge();
/// Returns what repairs schemas, or nullptr.
repair::SchemaRewrite schemaRewrite();
using EditsFinder = decltype(&repair::findEdits);
/// Returns `repair::findEdits`, or nullptr if the module repairs nothing.
EditsFinder editsFinder();

/// Reads the ThreadOptions that are about histories, which are the last ones of `options`, and then
/// a history into an empty thread.
Imported readHistory(thread::Thread& thread, std::string_view bytes, json::OptionsReader& options);

}  // namespace strata::bindings
