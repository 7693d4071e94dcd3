// Declares one fix per repairable rule: a function from a finding to the edits that resolve it. A
// fix never guesses: if more than one correction is possible, it returns no edits and the finding
// remains.
#pragma once

#include <optional>
#include <vector>

#include "interactions/step_view.h"
#include "lint/lint.h"
#include "repair/step.h"
#include "repair/text_edits.h"

namespace strata::repair {

/// A parsed request body, or the parsed newest turns of a thread. Nothing is copied: `root` and
/// `about` must outlive the snapshot, and steps point into its views. Findings passed to it must
/// come from linting this body with this context.
struct Snapshot {
  json::Value request;
  json::Value contents;
  std::vector<gemini::ContentView> views;
  const lint::LintContext* context;
  bool placeholders = false;  ///< Whether turns without a signature get the documented placeholder.
  bool serverCalls;           ///< Whether Google may have run calls of these Contents itself.

  Snapshot(json::Value root, const lint::LintContext& about);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// Returns the position in `views` of the Content that a finding is about. `finding.content` must
  /// not be -1.
  size_t indexOf(const catalogue::Finding& finding) const {
    return static_cast<size_t>(finding.content - context->start.turns);
  }
  const gemini::ContentView& view(const catalogue::Finding& finding) const {
    return views[indexOf(finding)];
  }
  const gemini::PartView& part(const catalogue::Finding& finding) const {
    return view(finding).partViews[static_cast<size_t>(finding.part)];
  }

  /// Returns the index of the model Content with functionCalls whose step the finding's Content
  /// belongs to, or -1.
  int32_t stepOf(const catalogue::Finding& finding) const { return steps_[indexOf(finding)]; }
  /// Returns the step whose functionResponses are in Content `index`, which must not be 0. The
  /// reference is valid until the next call: only the newest step is cached, because findings about
  /// one step are adjacent.
  const Step& stepAnsweredAt(size_t index) const;
  /// Returns the steps of an Interactions body. Valid as long as the snapshot.
  const std::vector<interactions::PlacedStep>& steps() const;
  /// Returns the edit that removes Content `index` from `contents`.
  Edit contentRemoval(size_t index) const;

 private:
  std::vector<int32_t> steps_;
  mutable std::optional<Step> step_;
  mutable size_t stepIndex_ = 0;
  mutable std::optional<std::vector<interactions::PlacedStep>> placed_;
};

/// Returns the edit that sets a field of `object`. An existing field keeps its spelling.
Edit setField(json::Value object, std::string_view name, Piece value);

/// Returns the edits that resolve a finding; none if it cannot be repaired.
using Fix = Changes (*)(const Snapshot& snapshot, const catalogue::Finding& finding);

// Fields: fix_fields.cpp.
Changes dropField(const Snapshot& snapshot, const catalogue::Finding& finding);
/// Makes an empty list an empty object: PHP writes an empty map as a list. Reads functionCall.args
/// that are JSON text, as in OpenAI's calls.
Changes readEmptyObject(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropSecondSpelling(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes setRole(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes moveSignatureToPart(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropSignature(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes addPlaceholderSignature(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes wrapResponse(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropPart(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropContent(const Snapshot& snapshot, const catalogue::Finding& finding);

// Tools: fix_schemas.cpp.
Changes dropEmptyTool(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes useGoogleSearch(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes allowServerTools(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropSameDeclaration(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropIdleCallingConfig(const Snapshot& snapshot, const catalogue::Finding& finding);

// Steps: fix_steps.cpp.
Changes mergeModelContents(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes separateResponses(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes gatherResponses(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes answerOpenCalls(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes matchResponseCount(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes alignId(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes alignName(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes sortResponses(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes moveMediaOut(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes separateContent(const Snapshot& snapshot, const catalogue::Finding& finding);

}  // namespace strata::repair
