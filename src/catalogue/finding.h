// Defines findings, their severity for a target, and their form as public diagnostics. Rules only
// produce findings; the caller decides whether to reject, repair or report them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/catalogue.h"
#include "json/writer.h"

namespace strata::catalogue {

/// A change of a body that repairs findings: the bytes [begin, end) become `text`. Its positions
/// may be others, as lint/places.h says.
struct TextEdit {
  size_t begin;
  size_t end;
  std::string_view text;
  size_t fix;  ///< The number of its fix.
};

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
  uint32_t more = 0;        ///< How many further ones of its group were not kept, see Findings.
  /// Whether `contents`, or the Content's `parts`, is a single object: then the path has no index.
  bool singleContent = false;
  bool singlePart = false;
  /// The place of the request in the body, such as "/generateContentRequest"; static storage.
  std::string_view root = {};
  /// Where the finding is written in the body: the bytes [begin, end), or as lint/places.h says;
  /// npos if that is not known. Without lint/places.h only a finding about the text has it.
  size_t begin = std::string::npos;
  size_t end = std::string::npos;
  size_t line = 0;  ///< Of `begin`, from 1; 0 if it is not known. So is `column`.
  size_t column = 0;
  size_t fix = 0;  ///< The number of the fix that repairs it, or 0.
};

/// Findings in the order in which they were added, with a bound: a body of a megabyte can break a
/// rule 300,000 times. Findings of one group share the rule, `severityCap` and `repaired`, and so
/// their severity. Of each group the first `kMostPerGroup` are kept, and only the first one once
/// there are `kMost` findings. The last one that is kept of a group counts the others as `more`.
/// A check for a rule or a severity therefore never misses one.
class Findings {
 public:
  static constexpr uint32_t kMostPerGroup = 100;
  static constexpr size_t kMost = 1000;

  using value_type = Finding;

  Findings() = default;
  Findings(std::initializer_list<Finding> findings);
  /// Returns a list that keeps all findings, or all of one rule and no others.
  static Findings unbounded(std::optional<Rule> only = std::nullopt);

  /// Appends a finding. Its fields may be set until the next one is appended, or this list is read
  /// with anything but `back`.
  Finding& emplace_back();
  Finding& emplace_back(Finding finding);
  void push_back(Finding finding);
  void append(const Findings& others);
  /// Returns the finding that was appended last.
  Finding& back() { return list_.back(); }
  const Finding& back() const { return settled().back(); }

  const Finding* begin() const { return settled().data(); }
  const Finding* end() const { return begin() + list_.size(); }
  Finding* begin() { return settled().data(); }
  Finding* end() { return begin() + list_.size(); }
  size_t size() const { return settled().size(); }
  bool empty() const { return settled().empty(); }
  Finding& operator[](size_t index) { return settled()[index]; }
  const Finding& operator[](size_t index) const { return settled()[index]; }
  const Finding& front() const { return settled().front(); }
  void clear();

  /// Returns whether a finding like this one would only be counted.
  bool isFull(const Finding& finding) const;

  /// Calls `keep` with each finding, which it may change, and drops those for which it returns
  /// false, with those that they count.
  template <typename Keep>
  void filter(const Keep& keep) {
    std::vector<Finding> findings = std::exchange(settled(), {});
    groups_.clear();
    // A change of the severity may make groups larger, so each finding is appended again.
    for (Finding& finding : findings) {
      if (keep(finding)) push_back(std::move(finding));
    }
  }

 private:
  struct Group {
    uint32_t size;
    size_t last;  // The index of the last finding that was kept.
  };

  // Decides whether the newest finding is kept, now that its fields are set.
  std::vector<Finding>& settled() const {
    if (isOpen_) settle();
    return list_;
  }
  void settle() const;
  bool isFull(const Group& group) const;
  Group* groupOf(const Finding& finding) const;

  // Reading settles, which nobody can notice.
  mutable std::vector<Finding> list_;
  mutable std::vector<Group> groups_;
  mutable bool isOpen_ = false;
  bool isUnbounded_ = false;
  std::optional<Rule> only_;
};

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

/// Returns the JSON Pointer of a finding. `contentOffset` is added to the index of the Content.
std::string pathOf(const Finding& finding, int32_t contentOffset = 0);

/// Writes `finding` as a public Diagnostic. `contentOffset` is added to the index of the Content,
/// for a history that other Contents precede in the body.
void writeDiagnostic(json::Writer& out, const Finding& finding, const Target& target,
                     int32_t contentOffset = 0);

/// Writes an array of Diagnostics. Findings with the severity off are left out. With `edits`, which
/// are sorted by fix, each has its own, and those that say the same and have the same fix are one
/// Diagnostic with `places`.
void writeDiagnostics(json::Writer& out, const Findings& findings, const Target& target,
                      const std::vector<TextEdit>* edits = nullptr);

/// Returns how many of something there are, for a message: "1 functionCall", "2 functionCalls".
std::string counted(size_t count, std::string_view noun);

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
