// Defines the row of a rule: code, scope, severity, texts. rules.json is the only source of the
// rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gemini/backend.h"

namespace strata::catalogue {

/// Models of one generation share their rules. The API validates histories more strictly from 3.6
/// on.
enum class Generation : uint8_t { k2, k2_5, k3, k3_6, k3_8, k4 };
inline constexpr size_t kGenerations = 6;

/// How severe a finding is. Findings with kOff are not reported.
enum class Severity : uint8_t { kOff, kInfo, kWarning, kError };

/// How long a finding is valid: as long as the Content stays, until a new turn opens, for one
/// request, or for one answer.
enum class Scope : uint8_t { kContent, kTurn, kRequest, kAnswer };

enum class Rule : uint8_t {
#define STRATA_RULE_NAMES
#include "catalogue/catalogue.inc"
#undef STRATA_RULE_NAMES
};

/// One rule. The views have static storage, or belong to the Catalogue.
struct RuleRow {
  std::string_view code;
  Scope scope;
  bool strict;  ///< In a thread with strict sequencing, an error regardless of `severity`.
  std::array<std::array<Severity, kGenerations>, 2> severity;  ///< By backend and generation.
  // The texts may contain {content}, {part}, {at}, {arg1} and {arg2}.
  std::string_view message;
  std::array<std::string_view, 2> upstream;  ///< Google's error text, by backend; "" if unknown.
  /// The same up to Gemini 2.5, where it differs.
  std::array<std::string_view, 2> upstream2;
  std::string_view fix;  ///< What repair does; "" if nothing.

  Severity severityFor(gemini::Backend backend, Generation generation) const {
    return severity[static_cast<size_t>(backend)][static_cast<size_t>(generation)];
  }

  /// Returns Google's error text, or "".
  std::string_view upstreamFor(gemini::Backend backend, Generation generation) const {
    const auto at = static_cast<size_t>(backend);
    return generation <= Generation::k2_5 && !upstream2[at].empty() ? upstream2[at] : upstream[at];
  }
};

}  // namespace strata::catalogue
