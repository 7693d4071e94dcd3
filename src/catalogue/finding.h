// Defines findings, their severity for a target, and their form as public diagnostics. Rules only
// produce findings; the caller decides whether to reject, repair or report them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "json/writer.h"

namespace strata::catalogue {

/// A violation of a rule. Its place is a Content and a Part of the history, or only `path` for a
/// finding about another part of the request.
struct Finding {
  Rule rule;
  int32_t content = -1;   ///< Index of the Content, or -1.
  int32_t part = -1;      ///< Index of the Part in it, or -1.
  std::string path = {};  ///< JSON Pointer relative to that place, such as "/functionCall".
  std::string arg1 = {};  ///< For {arg1} and {arg2} in the texts of the rule.
  std::string arg2 = {};
  /// The highest severity of this finding, for cases that are less certain than the row.
  Severity severityCap = Severity::kError;
  /// Whether the finding is about the caller's options, which are neither sent nor repaired.
  bool aboutOptions = false;
  bool hasUpstream = true;  ///< Whether Google's text in the row applies to this case.
  bool repaired = false;    ///< Whether repair has removed it; then its severity is info.
  /// Whether `contents`, or the Content's `parts`, is a single object: then the path has no index.
  bool singleContent = false;
  bool singlePart = false;
  /// The place of the request in the body, such as "/generateContentRequest"; static storage.
  std::string_view root = {};
  /// The bytes [begin, end) of the body that a finding about its text is about; npos if there are
  /// none.
  size_t begin = std::string::npos;
  size_t end = std::string::npos;
};

using Findings = std::vector<Finding>;

/// Token limits that the API reported for a model. 0: those of the model's row.
struct TokenLimits {
  uint32_t input = 0;
  uint32_t output = 0;
};

/// The model and service that findings are judged for. The pointers must outlive it.
struct Target {
  const Catalogue* catalogue = nullptr;
  const ModelRow* model = nullptr;
  gemini::Backend backend = gemini::Backend::kGemini;
  bool strict = false;  ///< Whether findings of `strict` rows are errors.
  Day day = kReleaseDay;
  TokenLimits limits = {};
  /// Whether the model's Contents may hold functionCalls that Google ran itself (server-side MCP),
  /// with their functionResponses.
  bool serverCalls = false;

  Service service() const { return {backend, day}; }
  uint32_t contextTokens() const { return limits.input > 0 ? limits.input : model->contextTokens; }
  uint32_t outputTokens() const { return limits.output > 0 ? limits.output : model->outputTokens; }
  const RuleRow& row(Rule rule) const { return catalogue->rule(rule); }
  /// Returns the severity of `finding` for this target.
  Severity severity(const Finding& finding) const;
};

/// Returns whether a finding is about a field with a misspelled name. Its {arg2} proposes the right
/// one, which is a guess, so nothing is repaired.
bool isMisspelled(const Finding& finding);

/// Writes `finding` as a public Diagnostic. `contentOffset` is added to the index of the Content,
/// for a history that other Contents precede in the body.
void writeDiagnostic(json::Writer& out, const Finding& finding, const Target& target,
                     int32_t contentOffset = 0);

/// Writes an array of Diagnostics. Findings with the severity off are left out.
void writeDiagnostics(json::Writer& out, const Findings& findings, const Target& target);

/// Appends `name` in snake_case.
void appendSnakeCase(std::string& out, std::string_view name);
/// Returns a JSON Pointer in the notation of Google's error texts:
/// `tools[0].function_declarations`.
std::string toGoogleNotation(std::string_view pointer);

/// Converts an Error, such as one of Tape::read, to the finding of the rule with its code.
Finding toFinding(const Error& error, const Catalogue& catalogue);
/// Does the same for an error of `Tape::read` in `text`, and says the line and the column.
Finding toFinding(const Error& error, const Catalogue& catalogue, std::string_view text);

}  // namespace strata::catalogue
