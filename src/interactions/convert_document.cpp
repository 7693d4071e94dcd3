#include "interactions/convert_document.h"

#include <algorithm>
#include <string>

#include "gemini/content_view.h"
#include "interactions/to_contents.h"
#include "interactions/to_steps.h"

namespace strata::interactions {
namespace {

// A history or an answer: its list, and where this is in the document.
struct History {
  json::Value list;
  std::string_view root;  ///< The place of the list, or of the single Content.
  bool isSteps = false;
};

bool isStepList(json::Value list) { return list.isArray() && list.at(0).find("type").isString(); }

// Returns whether a document is an answer of generateContent.
bool isAnswer(json::Value document) {
  return document.find("candidates").isArray() || document.find("promptFeedback");
}

// Returns the history in a document that is no request; an absent list for a request.
History historyOf(json::Value document) {
  if (document.isArray()) return {document, "", isStepList(document)};
  if (document.find("type").isString()) return {document, "", true};
  if (gemini::field(document, "parts")) return {document, "", false};
  const json::Value steps = document.find("steps");
  if (steps.isArray()) return {steps, "/steps", true};
  const json::Value candidate = document.find("candidates").at(0);
  return {candidate.find("content"), "/candidates/0/content", false};
}

Converted unchanged(json::Value value) { return {std::string(value.bytes()), {}}; }

// Contents are converted as those of a request, with places below `/contents`.
void moveToRoot(catalogue::Findings& findings, const History& history) {
  const size_t prefix =
      std::string_view(history.list.isArray() ? "/contents" : "/contents/0").size();
  for (catalogue::Finding& finding : findings)
    finding.path =
        std::string(history.root) + finding.path.substr(std::min(prefix, finding.path.size()));
}

Converted convertHistory(const History& history, const catalogue::Target& target,
                         const DocumentOptions& options) {
  const bool toSteps = options.to == Wire::kInteractions;
  if (toSteps == history.isSteps) return unchanged(history.list);
  if (!toSteps)
    return contentsOf(history.list, history.root, unsignedCallsFor(target, options.convert));
  Converted converted = stepsOf(history.list, options.convert);
  moveToRoot(converted.findings, history);
  return converted;
}

}  // namespace

Converted convertDocument(json::Value document, const catalogue::Target& target,
                          const DocumentOptions& options) {
  const History history = historyOf(document);
  if (history.list) {
    Converted converted = convertHistory(history, target, options);
    if (isAnswer(document) && document.find("candidates").size() > 1)
      Losses(converted.findings, kToInteractions).lost("/candidates/1", "A second candidate");
    return converted;
  }
  if (isAnswer(document)) {
    Converted nothing = {"[]", {}};
    Losses(nothing.findings, kToInteractions).changed("", "An answer without a Content", "nothing");
    return nothing;
  }
  if (wireOf(document, options.model) == options.to) return unchanged(document);
  if (options.to == Wire::kGenerateContent)
    return generateContentOf(document, target, options.convert);
  return interactionOf(document, options.model, target, options.convert);
}

}  // namespace strata::interactions
