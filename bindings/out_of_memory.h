// Ends an instance whose memory cannot grow, in a way that the shell recognizes.
#pragma once

#include <cstdint>

namespace strata::bindings {

/// 1 after an allocation failed, which traps. Read by web/sdk/core/instance.ts from the memory of
/// the trapped instance.
extern volatile uint32_t ranOutOfMemory;

}  // namespace strata::bindings
