// Why this file exists: a rule is one row. Its code, when it counts, how grave it is, what Google
// answers and what mends it stand in catalogue.json, and nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gemini/backend.h"

namespace strata::catalogue {

/// Models of one generation share their rules. 3.6 is where the strict histories begin.
enum class Generation : uint8_t { k2_5, k3, k3_6, k3_8, k4 };
inline constexpr size_t kGenerations = 5;

enum class Severity : uint8_t { kOff, kInfo, kWarning, kError };

/// How long a finding counts: for good, until a new turn opens, or for one request.
enum class Scope : uint8_t { kContent, kTurn, kRequest };

enum class Rule : uint8_t {
#define STRATA_RULE_NAMES
#include "catalogue/catalogue.inc"
#undef STRATA_RULE_NAMES
};

struct RuleRow {
  std::string_view code;
  Scope scope;
  bool strict;  ///< An error in a thread with strict sequencing, whatever the severity says.
  std::array<std::array<Severity, kGenerations>, 2> severity;  ///< By backend and generation.
  // Texts may hold {content}, {part}, {arg1} and {arg2}.
  std::string_view message;
  std::array<std::string_view, 2> upstream;  ///< What Google answers, by backend; "" is unknown.
  std::string_view fix;                      ///< What repair does; "" is nothing.

  Severity severityFor(gemini::Backend backend, Generation generation) const {
    return severity[static_cast<size_t>(backend)][static_cast<size_t>(generation)];
  }
};

}  // namespace strata::catalogue
