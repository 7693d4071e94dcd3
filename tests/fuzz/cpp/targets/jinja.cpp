// Renders any Jinja2 template within a small budget, and checks that it ends, with the same text or
// a located error each time.
#include "fuzz/cpp/templates.h"

namespace strata::fuzz {
namespace {

void run(std::string_view bytes) { checkTemplate(bytes, jinja::Dialect::kJinja2); }

const Registration kTarget("jinja", run);

}  // namespace
}  // namespace strata::fuzz
