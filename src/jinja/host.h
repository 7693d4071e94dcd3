// Calls filters and functions of the host. Arguments and results are JSON.
#pragma once

#include <memory>
#include <vector>

#include "jinja/frame.h"
#include "jinja/options.h"
#include "jinja/runtime.h"

namespace strata::jinja {

/// The host of one render, null without one, and what it has answered so far.
struct HostCalls {
  Host* host;
  std::vector<std::unique_ptr<HostReply>>& replies;
};

/// Calls the filter or function at `index` of the options. `value` is what a filter is applied to,
/// or null.
Value callHost(Runtime& runtime, HostCalls calls, HostKind kind, size_t index, const Value* value,
               const Arguments& arguments);

}  // namespace strata::jinja
