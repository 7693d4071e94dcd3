// Imports any text as LangChain messages, and checks that every turn is JSON and that the thread is
// saved and loaded without a change.
#include "fuzz/cpp/imports.h"

namespace strata::fuzz {
namespace {

void run(std::string_view bytes) { checkImport(bytes, dialects::Format::kLangChain); }

const Registration kTarget("langchain_history", run);

}  // namespace
}  // namespace strata::fuzz
