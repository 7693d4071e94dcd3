#include <algorithm>

#include "base/heap_sort.h"
#include "json/writer.h"
#include "repair/fixes.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
constexpr std::string_view kLost = R"({"error":"The result of this call was lost."})";

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

// What stands for a result that nobody can find any more.
std::string lostResult(const gemini::PartView& call) {
  json::Writer out;
  out.open('{').key("functionResponse").open('{');
  if (lint::hasId(call)) out.key("id").raw(call.id.bytes());
  out.key("name").raw(call.name.bytes()).key("response").raw(kLost).close('}').close('}');
  return out.take();
}

bool isLostResult(const gemini::PartView& response) { return response.payload.bytes() == kLost; }

// Pieces of a JSON array, with the commas.
class Elements {
 public:
  void add(Piece piece) {
    if (!pieces_.empty()) pieces_.push_back(newText(","));
    pieces_.push_back(std::move(piece));
  }
  void add(const Parts& parts) {
    for (const gemini::PartView* part : parts) add(moved(part->part));
  }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  std::vector<Piece> pieces_;
};

Parts othersThanResponses(const gemini::ContentView& view) {
  Parts parts;
  for (const gemini::PartView& part : view.partViews) {
    if (!part.isResponse()) parts.push_back(&part);
  }
  return parts;
}

// All parts of a Content become these.
Edit withParts(const gemini::ContentView& view, std::vector<Piece> pieces) {
  return {view.partViews.front().part.offset(), endOf(view.partViews.back().part),
          std::move(pieces)};
}

// A user Content right behind `view`.
Edit userContentBehind(const gemini::ContentView& view, std::vector<Piece> parts) {
  const size_t at = endOf(view.content);
  parts.insert(parts.begin(), newText(R"(,{"role":"user","parts":[)"));
  parts.push_back(newText("]}"));
  return {at, at, std::move(parts)};
}

bool hasNames(const Parts& calls) {
  return std::all_of(calls.begin(), calls.end(),
                     [](const gemini::PartView* call) { return call->name.isString(); });
}

// Results in call order, explicit errors in place of those that are not there.
void addCompleted(Elements& elements, const Step& step) {
  const Parts sorted = step.inCallOrder();
  for (size_t i = 0; i < sorted.size(); ++i) {
    elements.add(sorted[i] ? moved(sorted[i]->part) : newText(lostResult(*step.calls[i])));
  }
}

// What a result and the one that stands for it have in common.
std::string ownWord(const gemini::PartView& response) {
  return lint::hasId(response) ? "id " + response.id.text() : "name " + response.name.text();
}

// Leaves out what stands for a lost result that is there after all.
Parts withoutReplaced(const Parts& responses) {
  std::vector<std::string> there;
  for (const gemini::PartView* each : responses) {
    if (!isLostResult(*each)) there.push_back(ownWord(*each));
  }
  if (there.size() == responses.size()) return responses;
  heapSort(there.begin(), there.end(), std::less<>());
  Parts kept;
  for (const gemini::PartView* each : responses) {
    const bool replaced =
        isLostResult(*each) && std::binary_search(there.begin(), there.end(), ownWord(*each));
    if (!replaced) kept.push_back(each);
  }
  return kept;
}

// The user Content behind `calls` that its results go into: the one that has some already. Where
// only the model may follow results, the user's words stand before them. nullptr: one of their own.
const gemini::ContentView* takerOfResults(const Draft& draft, size_t calls) {
  if (calls + 1 >= draft.views.size()) return nullptr;
  const gemini::ContentView& next = draft.views[calls + 1];
  const bool takes = next.hasResponses() || (draft.context->target.strict && !next.hasCalls());
  return takes && !next.isModel() && !next.partViews.empty() ? &next : nullptr;
}

// The results of all user Contents behind `model`.
Parts resultsBehind(const Draft& draft, size_t model) {
  Parts found;
  for (size_t i = model + 1; i < draft.views.size() && !draft.views[i].isModel(); ++i) {
    const Parts responses = lint::responsesIn(draft.views[i]);
    found.insert(found.end(), responses.begin(), responses.end());
  }
  return withoutReplaced(found);
}

// Whether the calls of Content `at` are no parallel ones of those right before. Only the first call
// of a step is signed; and all that follows must answer these alone.
bool isOwnStep(const Draft& draft, size_t at) {
  if (!draft.views[at - 1].hasCalls() || !draft.views[at].hasCalls()) return false;
  const Step step(draft.views[at], resultsBehind(draft, at));
  return step.calls.front()->isSigned() && step.isComplete() && step.isSure();
}

}  // namespace

Changes joinModelContents(const Draft& draft, const Finding& finding) {
  size_t at = draft.at(finding);
  // Open calls are told at their own Content, the one behind it closes them.
  if (finding.rule == catalogue::Rule::kCallOpen) ++at;
  if (at == 0 || at >= draft.views.size()) return {};
  const gemini::ContentView& before = draft.views[at - 1];
  const gemini::ContentView& view = draft.views[at];
  const bool joins = before.isModel() && view.isModel() && !view.unknownKey &&
                     !before.partViews.empty() && !view.partViews.empty();
  if (!joins || isOwnStep(draft, at)) return {};
  const size_t end = endOf(before.partViews.back().part);
  const Piece parts{{}, view.partViews.front().part.offset(), endOf(view.partViews.back().part)};
  return {{end, end, {newText(","), parts}}, draft.withoutContent(at)};
}

Changes putResultsApart(const Draft& draft, const Finding& finding) {
  const gemini::ContentView& view = draft.view(finding);
  const Step step(view, lint::responsesIn(view));
  if (!view.isModel() || !step.isSure()) return {};
  Elements others;
  others.add(othersThanResponses(view));
  Parts sorted = step.inCallOrder();
  sorted.erase(std::remove(sorted.begin(), sorted.end(), nullptr), sorted.end());
  Elements results;
  results.add(sorted);
  return {withParts(view, others.take()), userContentBehind(view, results.take())};
}

Changes gatherResults(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  const int32_t model = draft.views[at].isModel() ? -1 : draft.stepOf(finding);
  if (model < 0) return {};
  const auto calls = static_cast<size_t>(model);
  const Step step(draft.views[calls], resultsBehind(draft, calls));
  if (!step.isSure()) return {};
  Parts sorted = step.inCallOrder();
  sorted.erase(std::remove(sorted.begin(), sorted.end(), nullptr), sorted.end());
  Changes changes;
  Elements parts;
  const gemini::ContentView* taker = takerOfResults(draft, calls);
  if (taker != nullptr) parts.add(othersThanResponses(*taker));
  parts.add(sorted);
  changes.push_back(taker != nullptr ? withParts(*taker, parts.take())
                                     : userContentBehind(draft.views[calls], parts.take()));
  for (size_t i = calls + 1; i < draft.views.size() && !draft.views[i].isModel(); ++i) {
    const gemini::ContentView& view = draft.views[i];
    if (!view.hasResponses() || (i == calls + 1)) continue;
    const Parts others = othersThanResponses(view);
    Elements kept;
    kept.add(others);
    changes.push_back(others.empty() ? draft.withoutContent(i) : withParts(view, kept.take()));
  }
  return changes;
}

Changes answerOpenCalls(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at + 1 < draft.views.size() && draft.views[at + 1].isModel()) {
    if (!isOwnStep(draft, at + 1)) return joinModelContents(draft, finding);
  }
  const gemini::ContentView& view = draft.views[at];
  const Step step(view, {});
  // Results that are there but can't be told apart are not lost.
  const bool lost = !view.hasResponses() && resultsBehind(draft, at).empty();
  if (!lost || !hasNames(step.calls)) return {};
  const gemini::ContentView* taker = takerOfResults(draft, at);
  Elements parts;
  if (taker != nullptr) parts.add(othersThanResponses(*taker));
  addCompleted(parts, step);
  return {taker != nullptr ? withParts(*taker, parts.take())
                           : userContentBehind(view, parts.take())};
}

Changes addLostResults(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const gemini::ContentView& view = draft.views[at];
  const Step& step = draft.answersAt(at);
  if (step.isComplete() || !step.isSure() || !hasNames(step.calls)) return {};
  Elements parts;
  parts.add(othersThanResponses(view));
  addCompleted(parts, step);
  return {withParts(view, parts.take())};
}

// ---- ids, names, order ----

namespace {

// The pair of a finding about one result; `call` is null where there is none.
struct Found {
  const gemini::PartView* response = nullptr;
  const gemini::PartView* call = nullptr;
  lint::Pair pair;
  bool inPlace = false;
  size_t misnamed = 0;  // results of the step whose call has another name
};

Found pairOf(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const Step& step = draft.answersAt(at);
  if (!step.isComplete()) return {};
  const gemini::PartView* response = &draft.part(finding);
  const auto found = std::lower_bound(step.responses.begin(), step.responses.end(), response);
  const auto position = static_cast<size_t>(found - step.responses.begin());
  const lint::Pair& pair = step.pairs[position];
  const auto call = static_cast<size_t>(pair.call);
  return {response, step.calls[call], pair, call == position, step.misnamed};
}

}  // namespace

Changes alignId(const Draft& draft, const Finding& finding) {
  const Found found = pairOf(draft, finding);
  const bool sure = found.call != nullptr && found.inPlace && found.pair.sure &&
                    lint::hasId(*found.call) != lint::hasId(*found.response);
  if (!sure) return {};
  const json::Value data = found.response->data;
  if (lint::hasId(*found.call)) return {setField(data, "id", {moved(found.call->id)})};
  for (const json::Member member : json::members(data)) {
    if (gemini::isField(member.key, "id")) return {without(data, member.key)};
  }
  return {};
}

Changes alignName(const Draft& draft, const Finding& finding) {
  const Found found = pairOf(draft, finding);
  if (found.call == nullptr || !found.call->name.isString()) return {};
  const bool noIds = !lint::hasId(*found.call) && !lint::hasId(*found.response);
  // Some clients put the call's id where its name belongs.
  const bool namedById = lint::sameText(found.response->name, found.call->id);
  const bool byId = found.pair.byId && found.pair.sure;
  if (!byId && !namedById && !(noIds && found.misnamed == 1)) return {};
  return {setField(found.response->data, "name", {moved(found.call->name)})};
}

Changes sortResults(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const Step& step = draft.answersAt(at);
  // Results that are left over would change places each time.
  if (!step.isComplete() || !step.isSure()) return {};
  const Parts sorted = step.inCallOrder();
  Changes changes;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != step.responses[i]) {
      changes.push_back(replaced(step.responses[i]->part, {moved(sorted[i]->part)}));
    }
  }
  return changes;
}

Changes putResultsLast(const Draft& draft, const Finding& finding) {
  const gemini::ContentView& view = draft.view(finding);
  if (view.hasCalls()) return {};
  Elements parts;
  parts.add(othersThanResponses(view));
  parts.add(lint::responsesIn(view));
  return {withParts(view, parts.take())};
}

}  // namespace strata::repair
