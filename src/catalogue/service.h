// Names where and when a request is sent. A model's row depends on both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gemini/backend.h"
#include "json/options_reader.h"

namespace strata::catalogue {

/// Days since 1970-01-01 UTC.
using Day = uint16_t;

/// The day whose rows hold if the caller gives no time: `asOf` in models.json.
inline constexpr Day kReleaseDay =
#define STRATA_RELEASE_DAY
#include "catalogue/models.inc"
#undef STRATA_RELEASE_DAY
    ;

/// A service on one day.
struct Service {
  gemini::Backend backend = gemini::Backend::kGemini;
  Day day = kReleaseDay;
};

/// Returns the day of an RFC 3339 timestamp, or `otherwise` for any other text.
Day dayOf(std::string_view timestamp, Day otherwise);

/// Returns a day as "2026-12-01".
std::string dayText(Day day);

/// Reads the option `name`, an RFC 3339 timestamp.
void readDay(json::OptionsReader& options, std::string_view name, Day& into);

/// Reads the options `backend` and `now`.
void readService(json::OptionsReader& options, Service& into);

}  // namespace strata::catalogue
