#include "lint/response_pairing.h"

#include <algorithm>
#include <string>

#include "base/keyed.h"
#include "gemini/content_queries.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;

using Parts = std::vector<const gemini::PartView*>;

// Returns the key that a Part is matched by, or "" if it has none.
using KeyOf = std::string (*)(const gemini::PartView& part);

std::string idOf(const gemini::PartView& part) { return hasId(part) ? part.id.text() : ""; }
std::string nameOf(const gemini::PartView& part) { return part.name.text(); }
std::string idAndNameOf(const gemini::PartView& part) {
  return hasId(part) ? gemini::keyOfCall(part.id, part.name) : "";
}

using Group = std::vector<Keyed>::const_iterator;

// Returns the end of the group of equal keys that starts at `from`.
Group endOfGroup(Group from, Group end) {
  return std::find_if(from, end, [from](const Keyed& each) { return each.key != from->key; });
}

// Assigns a call to each response, from the strongest evidence to the weakest.
class Matcher {
 public:
  Matcher(const Parts& calls, const Parts& responses)
      : calls_(calls),
        responses_(responses),
        answered_(calls.size()),
        pairedByOrder_(responses.size()),
        pairs_(responses.size()) {}

  std::vector<Pair> run() {
    pairBy(idAndNameOf);
    pairBy(idOf);
    for (Pair& pair : pairs_) pair.byId = pair.call >= 0;
    pairBy(nameOf);
    clearUncertainOrder();
    pairRemaining();
    return std::move(pairs_);
  }

 private:
  // Returns the Parts that have a key and are not paired yet, sorted by key and position.
  template <typename IsPaired>
  static std::vector<Keyed> unpaired(const Parts& parts, KeyOf keyOf, const IsPaired& isPaired) {
    std::vector<Keyed> keyed;
    for (size_t at = 0; at < parts.size(); ++at) {
      if (isPaired(at)) continue;
      std::string key = keyOf(*parts[at]);
      if (!key.empty()) keyed.push_back({std::move(key), at});
    }
    sortByKey(keyed);
    return keyed;
  }

  void pairBy(KeyOf keyOf) {
    const auto isPaired = [this](size_t at) { return pairs_[at].call >= 0; };
    const std::vector<Keyed> responses = unpaired(responses_, keyOf, isPaired);
    if (responses.empty()) return;
    const auto isAnswered = [this](size_t at) { return answered_[at] != 0; };
    const std::vector<Keyed> calls = unpaired(calls_, keyOf, isAnswered);
    Group call = calls.begin();
    for (Group response = responses.begin(); response != responses.end();) {
      const Group end = endOfGroup(response, responses.end());
      call = std::lower_bound(call, calls.end(), response->key, hasLowerKey);
      if (call == calls.end()) return;
      if (call->key == response->key) pairGroup(call, endOfGroup(call, calls.end()), response, end);
      response = end;
    }
  }

  static bool hasLowerKey(const Keyed& each, const std::string& key) { return each.key < key; }

  // Pairs the calls and responses of one key. If their numbers are equal, they are paired in order.
  // Otherwise the pairing is ambiguous, and equal positions are paired first.
  void pairGroup(Group call, Group callsEnd, Group response, Group end) {
    const bool unambiguous = callsEnd - call == end - response;
    const bool several = callsEnd - call > 1;
    Group same = call;
    for (Group each = response; !unambiguous && each != end; ++each) {
      while (same != callsEnd && same->at < each->at) ++same;
      if (same != callsEnd && same->at == each->at) pair(each->at, same->at);
    }
    for (; response != end; ++response) {
      if (pairs_[response->at].call >= 0) continue;
      while (call != callsEnd && answered_[call->at] != 0) ++call;
      if (call == callsEnd) return;
      pair(response->at, call->at);
      pairs_[response->at].unambiguous = unambiguous;
      pairedByOrder_[response->at] = several ? 1 : 0;
    }
  }

  void pair(size_t response, size_t call) {
    answered_[call] = 1;
    pairs_[response].call = static_cast<int32_t>(call);
  }

  // Pairing by order is reliable only in a complete step, and only if the unambiguous pairs are in
  // order themselves. Otherwise marks the pairs found by order as ambiguous.
  void clearUncertainOrder() {
    int32_t last = -1;
    bool inOrder = responses_.size() == calls_.size();
    for (const Pair& pair : pairs_) {
      if (!pair.unambiguous) continue;
      inOrder = inOrder && pair.call > last;
      last = pair.call;
    }
    for (size_t at = 0; at < pairs_.size() && !inOrder; ++at) {
      if (pairedByOrder_[at] != 0) pairs_[at].unambiguous = false;
    }
  }

  void pairRemaining() {
    size_t call = 0;
    for (size_t at = 0; at < pairs_.size(); ++at) {
      if (pairs_[at].call >= 0) continue;
      while (call < calls_.size() && answered_[call] != 0) ++call;
      if (call == calls_.size()) return;
      pair(at, call);
    }
  }

  const Parts& calls_;
  const Parts& responses_;
  std::vector<uint8_t> answered_;
  std::vector<uint8_t> pairedByOrder_;  // Per response: paired by order only.
  std::vector<Pair> pairs_;
};

Parts partsOfKind(const gemini::ContentView& view, gemini::PartKind kind) {
  Parts parts;
  for (const gemini::PartView& part : view.partViews) {
    if (part.kind == kind) parts.push_back(&part);
  }
  return parts;
}

class StepCheck {
 public:
  StepCheck(const Parts& calls, const gemini::ContentView& responses, int32_t index,
            const catalogue::Target& target, catalogue::Findings& findings)
      : calls_(calls),
        view_(responses),
        responses_(responsesIn(responses)),
        index_(index),
        target_(target),
        findings_(findings) {}

  void run() {
    if (calls_.size() != responses_.size()) {
      add(Rule::kResponseCount, -1, catalogue::counted(responses_.size(), "functionResponse"),
          catalogue::counted(calls_.size(), "functionCall"));
    }
    const std::vector<Pair> pairs = pairStep(calls_, responses_);
    for (size_t at = 0; at < pairs.size(); ++at) checkPair(pairs[at], at);
    if (misplaced_ == 0) return;
    // Responses with ids may come in any order; without ids the API pairs by position.
    Finding& finding = add(Rule::kResponseOrder, -1);
    if (misplaced_ == misplacedById_) finding.severityCap = catalogue::Severity::kWarning;
  }

 private:
  Finding& add(Rule rule, int32_t part, std::string_view arg1 = {}, std::string_view arg2 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.content = index_;
    finding.part = part;
    finding.arg1 = arg1;
    finding.arg2 = arg2;
    return finding;
  }

  void checkPair(const Pair& pair, size_t at) {
    const gemini::PartView& response = *responses_[at];
    const auto part = static_cast<int32_t>(&response - view_.partViews.data());
    const gemini::PartView* call = pair.call < 0 ? nullptr : calls_[static_cast<size_t>(pair.call)];
    if (!pair.byId && (hasId(response) || (call != nullptr && hasId(*call)))) {
      add(Rule::kResponseIdMismatch, part, hasId(response) ? response.id.text() : "(none)");
    }
    if (call == nullptr) return;
    if (static_cast<size_t>(pair.call) != at) {
      ++misplaced_;
      misplacedById_ += pair.byId ? 1 : 0;
    }
    if (call->name && !sameText(response.name, call->name)) {
      Finding& finding =
          add(Rule::kResponseNameMismatch, part, response.name.text(), call->name.text());
      // Where ids match, only models that check names as well refuse it.
      const bool checksNames = target_.model->generation >= catalogue::Generation::k3_6;
      if (pair.byId && !checksNames) finding.severityCap = catalogue::Severity::kInfo;
    }
  }

  const Parts& calls_;
  const gemini::ContentView& view_;
  Parts responses_;
  int32_t index_;
  const catalogue::Target& target_;
  catalogue::Findings& findings_;
  uint32_t misplaced_ = 0;
  uint32_t misplacedById_ = 0;
};

}  // namespace

std::vector<const gemini::PartView*> callsIn(const gemini::ContentView& view) {
  return partsOfKind(view, gemini::PartKind::kFunctionCall);
}

std::vector<const gemini::PartView*> responsesIn(const gemini::ContentView& view) {
  return partsOfKind(view, gemini::PartKind::kFunctionResponse);
}

Parts openCallsIn(std::span<const gemini::ContentView> views) {
  Parts calls;
  std::vector<json::Value> contents;
  bool answers = false;
  for (const gemini::ContentView& view : views) {
    for (const gemini::PartView* call : callsIn(view)) calls.push_back(call);
    contents.push_back(view.content);
    answers = answers || view.hasResponses();
  }
  if (!answers) return calls;
  const std::vector<json::Value> open = gemini::openCallsOf(contents);
  // Both are in the order of the text.
  auto next = open.begin();
  std::erase_if(calls, [&](const gemini::PartView* call) {
    while (next != open.end() && next->offset() < call->data.offset()) ++next;
    return next == open.end() || *next != call->data;
  });
  return calls;
}

bool hasId(const gemini::PartView& part) { return part.id.isString() && !part.id.raw().empty(); }

bool sameText(json::Value a, json::Value b) {
  return a.isString() && (a.bytes() == b.bytes() || b.equals(a.text()));
}

std::vector<Pair> pairStep(const std::vector<const gemini::PartView*>& calls,
                           const std::vector<const gemini::PartView*>& responses) {
  return Matcher(calls, responses).run();
}

void checkPairs(const Parts& calls, const gemini::ContentView& responses, int32_t index,
                const catalogue::Target& target, catalogue::Findings& findings) {
  StepCheck(calls, responses, index, target, findings).run();
}

}  // namespace strata::lint
