// Fixes for steps: the order, number, ids, and names of functionCalls and functionResponses.
#include <algorithm>

#include "base/heap_sort.h"
#include "json/writer.h"
#include "repair/fixes.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
constexpr std::string_view kLostResponse = R"({"error":"The result of this call was lost."})";

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

// Returns a functionResponse for a call whose own response is lost.
std::string lostResponse(const gemini::PartView& call) {
  json::Writer out;
  out.open('{').key("functionResponse").open('{');
  if (lint::hasId(call)) out.key("id").raw(call.id.bytes());
  out.key("name").raw(call.name.bytes()).key("response").raw(kLostResponse).close('}').close('}');
  return out.take();
}

bool isLostResponse(const gemini::PartView& response) {
  return response.payload.bytes() == kLostResponse;
}

// Collects the elements of a JSON array, separated by commas.
class Elements {
 public:
  void add(Piece piece) {
    if (!pieces_.empty()) pieces_.push_back(newText(","));
    pieces_.push_back(std::move(piece));
  }
  void add(const Parts& parts) {
    for (const gemini::PartView* part : parts) add(copyOf(part->part));
  }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  std::vector<Piece> pieces_;
};

Parts withoutResponses(const gemini::ContentView& view) {
  Parts parts;
  for (const gemini::PartView& part : view.partViews) {
    if (!part.isResponse()) parts.push_back(&part);
  }
  return parts;
}

// Returns the edit that replaces all Parts of a Content.
Edit partsReplacement(const gemini::ContentView& view, std::vector<Piece> pieces) {
  return {view.partViews.front().part.offset(), endOf(view.partViews.back().part),
          std::move(pieces)};
}

// Returns the edit that inserts a user Content right after `view`.
Edit userContentAfter(const gemini::ContentView& view, std::vector<Piece> parts) {
  const size_t at = endOf(view.content);
  parts.insert(parts.begin(), newText(R"(,{"role":"user","parts":[)"));
  parts.push_back(newText("]}"));
  return {at, at, std::move(parts)};
}

bool allHaveNames(const Parts& calls) {
  return std::all_of(calls.begin(), calls.end(),
                     [](const gemini::PartView* call) { return call->name.isString(); });
}

// Appends the responses in call order, with an error response for each call that has none.
void addCompleted(Elements& elements, const Step& step) {
  const Parts sorted = step.inCallOrder();
  for (size_t i = 0; i < sorted.size(); ++i) {
    elements.add(sorted[i] ? copyOf(sorted[i]->part) : newText(lostResponse(*step.calls[i])));
  }
}

// Returns the id, or else the name, that a response shares with its placeholder.
std::string identityOf(const gemini::PartView& response) {
  return lint::hasId(response) ? "id " + response.id.text() : "name " + response.name.text();
}

// Returns the responses without placeholders whose lost response has arrived after all.
Parts withoutResolvedPlaceholders(const Parts& responses) {
  std::vector<std::string> present;
  for (const gemini::PartView* each : responses) {
    if (!isLostResponse(*each)) present.push_back(identityOf(*each));
  }
  if (present.size() == responses.size()) return responses;
  heapSort(present.begin(), present.end(), std::less<>());
  Parts kept;
  for (const gemini::PartView* each : responses) {
    const bool replaced = isLostResponse(*each) &&
                          std::binary_search(present.begin(), present.end(), identityOf(*each));
    if (!replaced) kept.push_back(each);
  }
  return kept;
}

// Returns the responses without those that say the same as an earlier one with their id: a client
// that loads a stored history twice sends each result twice.
Parts withoutRepeats(Parts responses) {
  heapSort(responses.begin(), responses.end(), [](const auto* a, const auto* b) {
    const int order = a->data.bytes().compare(b->data.bytes());
    return order != 0 ? order < 0 : std::less<>()(a, b);
  });
  Parts kept;
  for (const gemini::PartView* each : responses) {
    const bool repeats =
        !kept.empty() && lint::hasId(*each) && kept.back()->data.bytes() == each->data.bytes();
    if (!repeats) kept.push_back(each);
  }
  heapSort(kept.begin(), kept.end(), std::less<>());
  return kept;
}

// Returns the user Content after `calls` that its responses go into, or nullptr if they need a new
// one. It is the next Content if that has responses already or, under strict sequencing, if it is a
// user Content at all: only the model may follow responses, so the user's text precedes them.
const gemini::ContentView* responseTarget(const Snapshot& snapshot, size_t calls) {
  if (calls + 1 >= snapshot.views.size()) return nullptr;
  const gemini::ContentView& next = snapshot.views[calls + 1];
  const bool accepts = next.hasResponses() || (snapshot.context->target.strict && !next.hasCalls());
  return accepts && !next.isModel() && !next.partViews.empty() ? &next : nullptr;
}

// Returns the responses of all user Contents between `model` and the next model Content.
Parts responsesAfter(const Snapshot& snapshot, size_t model) {
  Parts found;
  for (size_t i = model + 1; i < snapshot.views.size() && !snapshot.views[i].isModel(); ++i) {
    const Parts responses = lint::responsesIn(snapshot.views[i]);
    found.insert(found.end(), responses.begin(), responses.end());
  }
  return withoutResolvedPlaceholders(found);
}

// Returns whether the calls of Content `at` are a step of their own, not parallel calls that belong
// to the Content before. Only the first call of a step is signed, and the responses that follow
// must answer exactly these calls.
bool isSeparateStep(const Snapshot& snapshot, size_t at) {
  if (!snapshot.views[at - 1].hasCalls() || !snapshot.views[at].hasCalls()) return false;
  const Step step(snapshot.views[at], responsesAfter(snapshot, at));
  if (step.calls.empty() || !step.calls.front()->isSigned()) return false;
  return step.isComplete() && step.isUnambiguous();
}

// Returns whether each response stands behind the call that it is paired with. One in front of it
// answers an earlier call.
bool areBehindTheirCalls(const Step& step) {
  for (size_t i = 0; i < step.pairs.size(); ++i) {
    if (step.pairs[i].call < 0) continue;
    const gemini::PartView* call = step.calls[static_cast<size_t>(step.pairs[i].call)];
    if (step.responses[i]->part.offset() < call->part.offset()) return false;
  }
  return true;
}

}  // namespace

Changes mergeModelContents(const Snapshot& snapshot, const Finding& finding) {
  size_t at = snapshot.indexOf(finding);
  // A `call.open` finding is about the Content with the calls; the Content after it is merged.
  if (finding.rule == catalogue::Rule::kCallOpen) ++at;
  if (at == 0 || at >= snapshot.views.size()) return {};
  // Calls that start a history are an error for every model.
  const bool starts = at == 1 && snapshot.context->start.turns == 0;
  if (starts && finding.rule == catalogue::Rule::kCallOrder) return {};
  const gemini::ContentView& before = snapshot.views[at - 1];
  const gemini::ContentView& view = snapshot.views[at];
  const bool mergeable = before.isModel() && view.isModel() && !view.unknownKey &&
                         !before.partViews.empty() && !view.partViews.empty();
  if (!mergeable || isSeparateStep(snapshot, at)) return {};
  // Results in a model Content belong to its answer only if Google ran the calls itself.
  if ((before.hasResponses() || view.hasResponses()) && !snapshot.serverCalls) return {};
  const size_t end = endOf(before.partViews.back().part);
  Edit appended{end, end};
  appended.pieces.push_back(newText(","));
  appended.pieces.push_back(
      {{}, view.partViews.front().part.offset(), endOf(view.partViews.back().part)});
  Changes changes = changesOf(std::move(appended));
  changes.push_back(snapshot.contentRemoval(at));
  return changes;
}

Changes separateResponses(const Snapshot& snapshot, const Finding& finding) {
  const gemini::ContentView& view = snapshot.view(finding);
  const Step step(lint::callsIn(view), lint::responsesIn(view));
  if (!view.isModel() || !step.isUnambiguous() || !areBehindTheirCalls(step)) return {};
  Elements others;
  others.add(withoutResponses(view));
  Parts sorted = step.inCallOrder();
  sorted.erase(std::remove(sorted.begin(), sorted.end(), nullptr), sorted.end());
  Elements results;
  results.add(sorted);
  Changes changes = changesOf(partsReplacement(view, others.take()));
  changes.push_back(userContentAfter(view, results.take()));
  return changes;
}

Changes gatherResponses(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  const int32_t model = snapshot.views[at].isModel() ? -1 : snapshot.stepOf(finding);
  if (model < 0) return {};
  const auto calls = static_cast<size_t>(model);
  const Step step(snapshot.views[calls], responsesAfter(snapshot, calls));
  if (!step.isUnambiguous()) return {};
  Parts sorted = step.inCallOrder();
  sorted.erase(std::remove(sorted.begin(), sorted.end(), nullptr), sorted.end());
  Changes changes;
  Elements parts;
  const gemini::ContentView* target = responseTarget(snapshot, calls);
  if (target != nullptr) parts.add(withoutResponses(*target));
  parts.add(sorted);
  changes.push_back(target != nullptr ? partsReplacement(*target, parts.take())
                                      : userContentAfter(snapshot.views[calls], parts.take()));
  for (size_t i = calls + 1; i < snapshot.views.size() && !snapshot.views[i].isModel(); ++i) {
    const gemini::ContentView& view = snapshot.views[i];
    if (!view.hasResponses() || (i == calls + 1)) continue;
    const Parts others = withoutResponses(view);
    Elements kept;
    kept.add(others);
    changes.push_back(others.empty() ? snapshot.contentRemoval(i)
                                     : partsReplacement(view, kept.take()));
  }
  return changes;
}

Changes answerOpenCalls(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  if (at + 1 < snapshot.views.size() && snapshot.views[at + 1].isModel()) {
    if (!isSeparateStep(snapshot, at + 1)) return mergeModelContents(snapshot, finding);
  }
  const gemini::ContentView& view = snapshot.views[at];
  const Step step(view, {});
  // Responses that are present but ambiguous are not lost.
  const bool lost = !view.hasResponses() && responsesAfter(snapshot, at).empty();
  if (!lost || !allHaveNames(step.calls)) return {};
  const gemini::ContentView* target = responseTarget(snapshot, at);
  Elements parts;
  if (target != nullptr) parts.add(withoutResponses(*target));
  addCompleted(parts, step);
  return changesOf(target != nullptr ? partsReplacement(*target, parts.take())
                                     : userContentAfter(view, parts.take()));
}

namespace {

// Returns the edit that drops repeated responses, if one for each call is left.
Changes dropRepeats(const gemini::ContentView& view, const Step& step) {
  const Parts kept = withoutRepeats(step.responses);
  if (kept.size() != step.calls.size()) return {};
  Elements parts;
  parts.add(withoutResponses(view));
  parts.add(kept);
  return changesOf(partsReplacement(view, parts.take()));
}

}  // namespace

Changes matchResponseCount(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  if (at == 0) return {};
  const gemini::ContentView& view = snapshot.views[at];
  const Step& step = snapshot.stepAnsweredAt(at);
  if (step.responses.size() > step.calls.size()) return dropRepeats(view, step);
  if (step.isComplete() || !step.isUnambiguous() || !allHaveNames(step.calls)) return {};
  Elements parts;
  parts.add(withoutResponses(view));
  addCompleted(parts, step);
  return changesOf(partsReplacement(view, parts.take()));
}

namespace {

// The pair that a finding about one response refers to. `call` is nullptr if there is none.
struct PairOfFinding {
  const gemini::PartView* response = nullptr;
  const gemini::PartView* call = nullptr;
  lint::Pair pair;
  bool inPlace = false;
  size_t nameMismatches = 0;  // Responses of the step whose name differs from their call's.
};

PairOfFinding pairOf(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  if (at == 0) return {};
  const Step& step = snapshot.stepAnsweredAt(at);
  if (!step.isComplete()) return {};
  const gemini::PartView* response = &snapshot.part(finding);
  const auto found = std::lower_bound(step.responses.begin(), step.responses.end(), response);
  const auto position = static_cast<size_t>(found - step.responses.begin());
  const lint::Pair& pair = step.pairs[position];
  const auto call = static_cast<size_t>(pair.call);
  return {response, step.calls[call], pair, call == position, step.nameMismatches};
}

}  // namespace

Changes alignId(const Snapshot& snapshot, const Finding& finding) {
  const PairOfFinding found = pairOf(snapshot, finding);
  const bool unambiguous = found.call != nullptr && found.inPlace && found.pair.unambiguous &&
                           lint::hasId(*found.call) != lint::hasId(*found.response);
  if (!unambiguous) return {};
  const json::Value data = found.response->data;
  if (lint::hasId(*found.call)) return changesOf(setField(data, "id", copyOf(found.call->id)));
  for (const json::Member member : json::members(data)) {
    if (gemini::isField(member.key, "id")) return changesOf(removal(data, member.key));
  }
  return {};
}

Changes alignName(const Snapshot& snapshot, const Finding& finding) {
  const PairOfFinding found = pairOf(snapshot, finding);
  if (found.call == nullptr || !found.call->name.isString()) return {};
  const bool noIds = !lint::hasId(*found.call) && !lint::hasId(*found.response);
  // Some clients write the call's id as the name of the response.
  const bool namedById = lint::sameText(found.response->name, found.call->id);
  const bool byId = found.pair.byId && found.pair.unambiguous;
  if (!byId && !namedById && !(noIds && found.nameMismatches == 1)) return {};
  return changesOf(setField(found.response->data, "name", copyOf(found.call->name)));
}

Changes sortResponses(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  if (at == 0) return {};
  const Step& step = snapshot.stepAnsweredAt(at);
  // With surplus responses the order would change on every repair.
  if (!step.isComplete() || !step.isUnambiguous()) return {};
  const Parts sorted = step.inCallOrder();
  Changes changes;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != step.responses[i]) {
      changes.push_back(replacement(step.responses[i]->part, copyOf(sorted[i]->part)));
    }
  }
  return changes;
}

// The media of all responses of a Content get a user Content behind it. Under strict sequencing
// only the model may follow responses, so they move before a single one: Gemini 2.x miscounts
// several responses beside media.
Changes moveMediaOut(const Snapshot& snapshot, const Finding& finding) {
  const gemini::ContentView& view = snapshot.view(finding);
  const bool strict = snapshot.context->target.strict;
  if (view.isModel() || (strict && view.responses > 1)) return {};
  Elements media;
  Changes changes;
  for (const gemini::PartView& part : view.partViews) {
    for (const json::Member member : json::members(part.data)) {
      if (!part.isResponse() || !gemini::isField(member.key, "parts")) continue;
      for (const json::Value each : gemini::repeated(member.value)) media.add(copyOf(each));
      changes.push_back(removal(part.data, member.key));
    }
  }
  std::vector<Piece> pieces = media.take();
  if (!strict) {
    changes.push_back(userContentAfter(view, std::move(pieces)));
    return changes;
  }
  const size_t at = view.partViews.front().part.offset();
  pieces.push_back(newText(","));
  changes.insert(changes.begin(), Edit{at, at, std::move(pieces)});
  return changes;
}

// Text and media get a user Content of their own. Under strict sequencing only the model may follow
// responses, so they move before them.
Changes separateContent(const Snapshot& snapshot, const Finding& finding) {
  const gemini::ContentView& view = snapshot.view(finding);
  if (view.hasCalls()) return {};
  Elements others;
  others.add(withoutResponses(view));
  if (!snapshot.context->target.strict) {
    Elements responses;
    responses.add(lint::responsesIn(view));
    Changes changes = changesOf(partsReplacement(view, responses.take()));
    changes.push_back(userContentAfter(view, others.take()));
    return changes;
  }
  // Nothing follows a response.
  if (finding.part == 0) return {};
  others.add(lint::responsesIn(view));
  return changesOf(partsReplacement(view, others.take()));
}

}  // namespace strata::repair
