// Imports any text as turns with raw responses, and checks that every turn is JSON and that the
// thread is saved and loaded without a change.
#include "fuzz/cpp/imports.h"

namespace strata::fuzz {
namespace {

void run(std::string_view bytes) { checkImport(bytes, dialects::Format::kRawResponse); }

const Registration kTarget("raw_response_history", run);

}  // namespace
}  // namespace strata::fuzz
