// Why this file exists: strftime_now of chat templates, from the time that the caller gives.
#pragma once

#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

/// Formats an ISO 8601 date and time as Python's strftime does in the C locale:
/// ("%d %b %Y", "2026-11-21T10:00:00Z") gives "21 Nov 2026". What it does not know stays as it is.
Value formatTime(Runtime& runtime, std::string_view format, std::string_view now);

}  // namespace strata::jinja
