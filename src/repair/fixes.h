// Why this file exists: what repair does about a rule is one function: from a finding to the
// changes that mend it. None of them guesses: where more than one thing could be meant, a function
// gives no changes and the finding stays.
#pragma once

#include <optional>
#include <vector>

#include "lint/lint.h"
#include "repair/step.h"
#include "repair/text_edits.h"

namespace strata::repair {

/// A request, or a thread's newest turns, read for mending. It is not copied: steps point into it.
struct Draft {
  json::Value request;
  json::Value contents;
  std::vector<gemini::ContentView> views;
  const lint::LintContext* context;

  Draft(json::Value root, const lint::LintContext& about);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// The position in `views` of the Content that a finding is about.
  size_t at(const catalogue::Finding& finding) const {
    return static_cast<size_t>(finding.content - context->start.turns);
  }
  const gemini::ContentView& view(const catalogue::Finding& finding) const {
    return views[at(finding)];
  }
  const gemini::PartView& part(const catalogue::Finding& finding) const {
    return view(finding).partViews[static_cast<size_t>(finding.part)];
  }

  /// The model Content with calls that a finding's Content is, or that is the newest before it; -1
  /// where there is none.
  int32_t stepOf(const catalogue::Finding& finding) const { return steps_[at(finding)]; }
  /// The step whose results stand in Content `at`, which is not the first. Findings about one step
  /// come together, so the last one is kept.
  const Step& answersAt(size_t at) const;
  /// Takes Content `at` away.
  Edit withoutContent(size_t at) const;

 private:
  std::vector<int32_t> steps_;
  mutable std::optional<Step> step_;
  mutable size_t stepAt_ = 0;
};

/// Gives a field of `object` a value, under the spelling that stands there if there is one.
Edit setField(json::Value object, std::string_view name, std::vector<Piece> value);

/// No changes: it can't be mended.
using Changes = std::vector<Edit>;
using Fix = Changes (*)(const Draft& draft, const catalogue::Finding& finding);

// Fields: mend_fields.cpp.
Changes dropField(const Draft& draft, const catalogue::Finding& finding);
Changes dropSecondSpelling(const Draft& draft, const catalogue::Finding& finding);
Changes nameRole(const Draft& draft, const catalogue::Finding& finding);
Changes moveSignatureOut(const Draft& draft, const catalogue::Finding& finding);
Changes dropSignature(const Draft& draft, const catalogue::Finding& finding);
Changes signWithPlaceholder(const Draft& draft, const catalogue::Finding& finding);
Changes wrapResponse(const Draft& draft, const catalogue::Finding& finding);
Changes dropPart(const Draft& draft, const catalogue::Finding& finding);
Changes dropContent(const Draft& draft, const catalogue::Finding& finding);

// Steps: mend_steps.cpp.
Changes joinModelContents(const Draft& draft, const catalogue::Finding& finding);
Changes putResultsApart(const Draft& draft, const catalogue::Finding& finding);
Changes gatherResults(const Draft& draft, const catalogue::Finding& finding);
Changes answerOpenCalls(const Draft& draft, const catalogue::Finding& finding);
Changes addLostResults(const Draft& draft, const catalogue::Finding& finding);
Changes alignId(const Draft& draft, const catalogue::Finding& finding);
Changes alignName(const Draft& draft, const catalogue::Finding& finding);
Changes sortResults(const Draft& draft, const catalogue::Finding& finding);
Changes putResultsLast(const Draft& draft, const catalogue::Finding& finding);

}  // namespace strata::repair
