// Imports any text as ModelMessages of the AI SDK, and checks that every turn is JSON and that the
// thread is saved and loaded without a change.
#include "fuzz/cpp/imports.h"

namespace strata::fuzz {
namespace {

void run(std::string_view bytes) { checkImport(bytes, dialects::Format::kAiSdk); }

const Registration kTarget("ai_sdk_history", run);

}  // namespace
}  // namespace strata::fuzz
