// Formats the time for `strftime_now`, a function of chat templates. The core has no clock; the
// caller passes the time.
#pragma once

#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

/// Formats an ISO 8601 date and time as Python's strftime does in the C locale: ("%d %b %Y",
/// "2026-11-21T10:00:00Z") returns "21 Nov 2026". Unknown directives are copied unchanged. Fails if
/// `now` is not ISO 8601.
Value formatTime(Runtime& runtime, std::string_view format, std::string_view now);

}  // namespace strata::jinja
