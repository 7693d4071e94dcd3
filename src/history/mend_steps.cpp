#include <algorithm>

#include "history/mends.h"
#include "history/pairing.h"
#include "json/writer.h"

namespace strata::history {
namespace {

using rules::Finding;
using Parts = std::vector<const PartView*>;

constexpr std::string_view kLost = R"({"error":"The result of this call was lost."})";

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

// What stands for a result that nobody can find any more.
std::string lostResult(const PartView& call) {
  json::Writer out;
  out.open('{').key("functionResponse").open('{');
  if (hasId(call)) out.key("id").raw(call.id.bytes());
  out.key("name").raw(call.name.bytes()).key("response").raw(kLost).close('}').close('}');
  return out.take();
}

bool isLostResult(const PartView& response) { return response.payload.bytes() == kLost; }

// Pieces of a JSON array, with the commas.
class Elements {
 public:
  void add(Piece piece) {
    if (!pieces_.empty()) pieces_.push_back(newText(","));
    pieces_.push_back(std::move(piece));
  }
  void add(const Parts& parts) {
    for (const PartView* part : parts) add(moved(part->part));
  }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  std::vector<Piece> pieces_;
};

Parts othersThanResponses(const ContentView& view) {
  Parts parts;
  for (const PartView& part : view.partViews) {
    if (!part.isResponse()) parts.push_back(&part);
  }
  return parts;
}

// All parts of a Content become these.
Edit withParts(const ContentView& view, std::vector<Piece> pieces) {
  return {view.partViews.front().part.offset(), endOf(view.partViews.back().part),
          std::move(pieces)};
}

// A user Content right behind `view`.
Edit userContentBehind(const ContentView& view, std::vector<Piece> parts) {
  const size_t at = endOf(view.content);
  parts.insert(parts.begin(), newText(R"(,{"role":"user","parts":[)"));
  parts.push_back(newText("]}"));
  return {at, at, std::move(parts)};
}

// The calls of a step and what can be taken for their results.
struct Step {
  Parts calls;
  Parts responses;
  std::vector<Pair> pairs;

  Step(const ContentView& model, Parts found)
      : calls(callsIn(model)), responses(std::move(found)), pairs(pairStep(calls, responses)) {}

  bool isComplete() const { return responses.size() == calls.size(); }
  /// Whether no result was paired only because it was left over.
  bool isSure() const {
    for (size_t i = 0; i < pairs.size(); ++i) {
      const bool named =
          pairs[i].call >= 0 && !hasId(*responses[i]) &&
          sameText(responses[i]->name, calls[static_cast<size_t>(pairs[i].call)]->name);
      if (!pairs[i].byId && !named) return false;
    }
    return true;
  }
  /// Each call's result, or nullptr.
  Parts inCallOrder() const {
    Parts sorted(calls.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].call >= 0) sorted[static_cast<size_t>(pairs[i].call)] = responses[i];
    }
    return sorted;
  }
};

bool hasNames(const Parts& calls) {
  return std::all_of(calls.begin(), calls.end(),
                     [](const PartView* call) { return call->name.isString(); });
}

// Results in call order, explicit errors in place of those that are not there.
void addCompleted(Elements& elements, const Step& step) {
  const Parts sorted = step.inCallOrder();
  for (size_t i = 0; i < sorted.size(); ++i) {
    elements.add(sorted[i] ? moved(sorted[i]->part) : newText(lostResult(*step.calls[i])));
  }
}

// The model Content whose step the user Contents up to `at` belong to, or -1.
int32_t callsBefore(const Draft& draft, size_t at) {
  for (size_t i = at; i-- > 0;) {
    const ContentView& view = draft.views[i];
    if (view.isModel()) return view.hasCalls() ? static_cast<int32_t>(i) : -1;
  }
  return -1;
}

// Whether this stands for a lost result that is there after all.
bool isReplaced(const PartView& lost, const Parts& responses) {
  return std::any_of(responses.begin(), responses.end(), [&lost](const PartView* other) {
    const bool same = hasId(lost) ? sameText(other->id, lost.id)
                                  : !hasId(*other) && sameText(other->name, lost.name);
    return same && !isLostResult(*other);
  });
}

// The results of all user Contents behind `model`.
Parts resultsBehind(const Draft& draft, size_t model) {
  Parts found;
  for (size_t i = model + 1; i < draft.views.size() && !draft.views[i].isModel(); ++i) {
    const Parts responses = responsesIn(draft.views[i]);
    found.insert(found.end(), responses.begin(), responses.end());
  }
  Parts kept;
  for (const PartView* part : found) {
    if (!isLostResult(*part) || !isReplaced(*part, found)) kept.push_back(part);
  }
  return kept;
}

}  // namespace

Changes joinModelContents(const Draft& draft, const Finding& finding) {
  size_t at = draft.at(finding);
  // Open calls are told at their own Content, the one behind it closes them.
  if (finding.rule == rules::Rule::kCallOpen) ++at;
  if (at == 0 || at >= draft.views.size()) return {};
  const ContentView& before = draft.views[at - 1];
  const ContentView& view = draft.views[at];
  const bool joins = before.isModel() && view.isModel() && !view.unknownKey &&
                     !before.partViews.empty() && !view.partViews.empty();
  if (!joins) return {};
  const size_t end = endOf(before.partViews.back().part);
  const Piece parts{{}, view.partViews.front().part.offset(), endOf(view.partViews.back().part)};
  return {{end, end, {newText(","), parts}}, without(draft.contents, view.content)};
}

Changes putResultsApart(const Draft& draft, const Finding& finding) {
  const ContentView& view = draft.view(finding);
  const Step step(view, responsesIn(view));
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
  const int32_t model = draft.views[at].isModel() ? -1 : callsBefore(draft, at);
  if (model < 0) return {};
  const auto calls = static_cast<size_t>(model);
  const Step step(draft.views[calls], resultsBehind(draft, calls));
  if (!step.isSure()) return {};
  Parts sorted = step.inCallOrder();
  sorted.erase(std::remove(sorted.begin(), sorted.end(), nullptr), sorted.end());
  Changes changes;
  Elements parts;
  const ContentView& next = draft.views[calls + 1];
  if (next.hasResponses()) parts.add(othersThanResponses(next));
  parts.add(sorted);
  if (next.hasResponses()) {
    changes.push_back(withParts(next, parts.take()));
  } else {
    changes.push_back(userContentBehind(draft.views[calls], parts.take()));
  }
  for (size_t i = calls + 1; i < draft.views.size() && !draft.views[i].isModel(); ++i) {
    const ContentView& view = draft.views[i];
    if (!view.hasResponses() || (i == calls + 1)) continue;
    const Parts others = othersThanResponses(view);
    Elements kept;
    kept.add(others);
    changes.push_back(others.empty() ? without(draft.contents, view.content)
                                     : withParts(view, kept.take()));
  }
  return changes;
}

Changes answerOpenCalls(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at + 1 < draft.views.size() && draft.views[at + 1].isModel()) {
    return joinModelContents(draft, finding);
  }
  const ContentView& view = draft.views[at];
  const Step step(view, {});
  // Results that are there but can't be told apart are not lost.
  if (!hasNames(step.calls) || !resultsBehind(draft, at).empty()) return {};
  Elements parts;
  addCompleted(parts, step);
  return {userContentBehind(view, parts.take())};
}

Changes addLostResults(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const ContentView& view = draft.views[at];
  const Step step(draft.views[at - 1], responsesIn(view));
  if (!step.isSure() || !hasNames(step.calls)) return {};
  Elements parts;
  parts.add(othersThanResponses(view));
  addCompleted(parts, step);
  return {withParts(view, parts.take())};
}

// ---- ids, names, order ----

namespace {

// The pair of a finding about one result; `call` is null where there is none.
struct Found {
  const PartView* response = nullptr;
  const PartView* call = nullptr;
  bool byId = false;
  bool inPlace = false;
  size_t misnamed = 0;  // results of the step whose call has another name
};

Found pairOf(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const Step step(draft.views[at - 1], responsesIn(draft.views[at]));
  Found found;
  if (!step.isComplete()) return found;
  for (size_t i = 0; i < step.pairs.size(); ++i) {
    const PartView* call = step.calls[static_cast<size_t>(step.pairs[i].call)];
    found.misnamed += sameText(step.responses[i]->name, call->name) ? 0 : 1;
    if (step.responses[i] != &draft.part(finding)) continue;
    found.response = step.responses[i];
    found.call = call;
    found.byId = step.pairs[i].byId;
    found.inPlace = step.pairs[i].call == static_cast<int32_t>(i);
  }
  return found;
}

}  // namespace

Changes alignId(const Draft& draft, const Finding& finding) {
  const Found found = pairOf(draft, finding);
  const bool sure = found.call != nullptr && found.inPlace &&
                    sameText(found.response->name, found.call->name) &&
                    hasId(*found.call) != hasId(*found.response);
  if (!sure) return {};
  const json::Value data = found.response->data;
  if (hasId(*found.call)) return {setField(data, "id", {moved(found.call->id)})};
  for (const json::Member member : json::members(data)) {
    if (isField(member.key, "id")) return {without(data, member.key)};
  }
  return {};
}

Changes alignName(const Draft& draft, const Finding& finding) {
  const Found found = pairOf(draft, finding);
  if (found.call == nullptr || !found.call->name.isString()) return {};
  const bool noIds = !hasId(*found.call) && !hasId(*found.response);
  // Some clients put the call's id where its name belongs.
  const bool namedById = sameText(found.response->name, found.call->id);
  if (!found.byId && !namedById && !(noIds && found.misnamed == 1)) return {};
  return {setField(found.response->data, "name", {moved(found.call->name)})};
}

Changes sortResults(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  if (at == 0) return {};
  const ContentView& view = draft.views[at];
  const Step step(draft.views[at - 1], responsesIn(view));
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
  const ContentView& view = draft.view(finding);
  if (view.hasCalls()) return {};
  Elements parts;
  parts.add(othersThanResponses(view));
  parts.add(responsesIn(view));
  return {withParts(view, parts.take())};
}

}  // namespace strata::history
