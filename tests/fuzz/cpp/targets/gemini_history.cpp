// Imports any text as Contents of Gemini, Gemini CLI or python-genai, and checks that every turn is
// JSON and that the thread is saved and loaded without a change.
#include "fuzz/cpp/imports.h"

namespace strata::fuzz {
namespace {

void run(std::string_view bytes) { checkImport(bytes, dialects::Format::kGemini); }

const Registration kTarget("gemini_history", run);

}  // namespace
}  // namespace strata::fuzz
