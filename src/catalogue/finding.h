// Why this file exists: rules yield findings and nothing else; what is done about one (refuse,
// mend, tell) is decided elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "json/writer.h"

namespace strata::catalogue {

/// One thing that a rule found. The place is a Content and Part of the history, or, for a finding
/// about the rest of a request, only `path`.
struct Finding {
  Rule rule;
  int32_t content = -1;   ///< Index of the Content, or -1.
  int32_t part = -1;      ///< Index of the Part in it, or -1.
  std::string path = {};  ///< JSON Pointer below that place, such as "/functionCall".
  std::string arg1 = {};
  std::string arg2 = {};
  Severity severityCap =
      Severity::kError;  ///< What is uncertain is not an error, whatever the row says.
  bool ofOptions =
      false;  ///< About the caller's options: nothing that Google sees or repair mends.
  bool hasUpstream = true;  ///< The row's words of Google's are those for this case, if any are.
  bool repaired = false;    ///< It stood in what was given and is gone: a note, not a fault.
};

using Findings = std::vector<Finding>;

/// For whom findings are judged.
struct Target {
  const Catalogue* catalogue = nullptr;
  const ModelRow* model = nullptr;
  gemini::Backend backend = gemini::Backend::kGemini;
  bool strict = false;  ///< Whether rows marked `strict` are errors.

  const RuleRow& row(Rule rule) const { return catalogue->rule(rule); }
  Severity severity(const Finding& finding) const;
};

/// Writes one Diagnostic of the public shape. `contentOffset` is added to the Content's index:
/// where a history stands in a body, other Contents may come first.
void writeDiagnostic(json::Writer& out, const Finding& finding, const Target& target,
                     int32_t contentOffset = 0);

/// Writes an array of them; findings that are off are left out.
void writeDiagnostics(json::Writer& out, const Findings& findings, const Target& target);

/// The finding that a failed read of JSON is.
Finding findingOf(const Error& error, const Catalogue& catalogue);

}  // namespace strata::catalogue
