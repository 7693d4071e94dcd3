#include "lint/pairing.h"

#include <algorithm>
#include <string>

#include "base/heap_sort.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;

using Parts = std::vector<const gemini::PartView*>;

// What a part can be told by; "" is nothing.
using KeyOf = std::string (*)(const gemini::PartView& part);

std::string idOf(const gemini::PartView& part) { return hasId(part) ? part.id.text() : ""; }
std::string nameOf(const gemini::PartView& part) { return part.name.text(); }
std::string idAndNameOf(const gemini::PartView& part) {
  const std::string id = idOf(part);
  return id.empty() ? id : std::to_string(id.size()) + " " + id + nameOf(part);
}

struct Keyed {
  std::string key;
  size_t at;
};
using Group = std::vector<Keyed>::const_iterator;

// The end of those that start like `from`.
Group alike(Group from, Group end) {
  return std::find_if(from, end, [from](const Keyed& each) { return each.key != from->key; });
}

// Gives each result a call that has none yet, the surest reasons first.
class Matcher {
 public:
  Matcher(const Parts& calls, const Parts& responses)
      : calls_(calls),
        responses_(responses),
        answered_(calls.size()),
        byOrder_(responses.size()),
        pairs_(responses.size()) {}

  std::vector<Pair> run() {
    pairBy(idAndNameOf);
    pairBy(idOf);
    for (Pair& pair : pairs_) pair.byId = pair.call >= 0;
    pairBy(nameOf);
    doubtOrder();
    pairLeft();
    return std::move(pairs_);
  }

 private:
  // Those without a partner that have a key, equal keys side by side and in their order.
  template <typename IsPaired>
  static std::vector<Keyed> left(const Parts& parts, KeyOf keyOf, const IsPaired& isPaired) {
    std::vector<Keyed> keyed;
    for (size_t at = 0; at < parts.size(); ++at) {
      if (isPaired(at)) continue;
      std::string key = keyOf(*parts[at]);
      if (!key.empty()) keyed.push_back({std::move(key), at});
    }
    heapSort(keyed.begin(), keyed.end(), comesFirst);
    return keyed;
  }

  void pairBy(KeyOf keyOf) {
    const auto isPaired = [this](size_t at) { return pairs_[at].call >= 0; };
    const std::vector<Keyed> responses = left(responses_, keyOf, isPaired);
    if (responses.empty()) return;
    const auto isAnswered = [this](size_t at) { return answered_[at] != 0; };
    const std::vector<Keyed> calls = left(calls_, keyOf, isAnswered);
    Group call = calls.begin();
    for (Group response = responses.begin(); response != responses.end();) {
      const Group end = alike(response, responses.end());
      call = std::lower_bound(call, calls.end(), response->key, isBefore);
      if (call == calls.end()) return;
      if (call->key == response->key) pairGroup(call, alike(call, calls.end()), response, end);
      response = end;
    }
  }

  static bool comesFirst(const Keyed& a, const Keyed& b) {
    const int order = a.key.compare(b.key);
    return order != 0 ? order < 0 : a.at < b.at;
  }

  static bool isBefore(const Keyed& each, const std::string& key) { return each.key < key; }

  // As many results as calls are taken in their order; of any others nobody knows which is whose,
  // and those at the same position come first.
  void pairGroup(Group call, Group callsEnd, Group response, Group end) {
    const bool sure = callsEnd - call == end - response;
    const bool several = callsEnd - call > 1;
    Group same = call;
    for (Group each = response; !sure && each != end; ++each) {
      while (same != callsEnd && same->at < each->at) ++same;
      if (same != callsEnd && same->at == each->at) pair(each->at, same->at);
    }
    for (; response != end; ++response) {
      if (pairs_[response->at].call >= 0) continue;
      while (call != callsEnd && answered_[call->at] != 0) ++call;
      if (call == callsEnd) return;
      pair(response->at, call->at);
      pairs_[response->at].sure = sure;
      byOrder_[response->at] = several ? 1 : 0;
    }
  }

  void pair(size_t response, size_t call) {
    answered_[call] = 1;
    pairs_[response].call = static_cast<int32_t>(call);
  }

  // Only of whole steps is it known that they are paired by order; and where results that are sure
  // stand in another order, it tells nothing of the others.
  void doubtOrder() {
    int32_t last = -1;
    bool inOrder = responses_.size() == calls_.size();
    for (const Pair& pair : pairs_) {
      if (!pair.sure) continue;
      inOrder = inOrder && pair.call > last;
      last = pair.call;
    }
    for (size_t at = 0; at < pairs_.size() && !inOrder; ++at) {
      if (byOrder_[at] != 0) pairs_[at].sure = false;
    }
  }

  void pairLeft() {
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
  std::vector<uint8_t> byOrder_;  // Of each result: only its order tells its call.
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
  StepCheck(const gemini::ContentView& calls, const gemini::ContentView& responses, int32_t index,
            catalogue::Findings& findings)
      : calls_(callsIn(calls)),
        view_(responses),
        responses_(responsesIn(responses)),
        index_(index),
        findings_(findings) {}

  void run() {
    if (calls_.size() != responses_.size()) {
      add(Rule::kResponseCount, -1, std::to_string(responses_.size()) + " functionResponses",
          std::to_string(calls_.size()));
    }
    const std::vector<Pair> pairs = pairStep(calls_, responses_);
    for (size_t at = 0; at < pairs.size(); ++at) checkPair(pairs[at], at);
    if (misplaced_ == 0) return;
    // With ids the order may differ; without them the API pairs by position.
    Finding& finding = add(Rule::kResponseOrder, -1);
    if (misplaced_ == misplacedById_) finding.severityCap = catalogue::Severity::kWarning;
  }

 private:
  Finding& add(Rule rule, int32_t part, std::string arg1 = {}, std::string arg2 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.content = index_;
    finding.part = part;
    finding.arg1 = std::move(arg1);
    finding.arg2 = std::move(arg2);
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
      add(Rule::kResponseNameMismatch, part, response.name.text(), call->name.text());
    }
  }

  Parts calls_;
  const gemini::ContentView& view_;
  Parts responses_;
  int32_t index_;
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

bool hasId(const gemini::PartView& part) { return part.id.isString() && !part.id.raw().empty(); }

bool sameText(json::Value a, json::Value b) {
  return a.isString() && (a.bytes() == b.bytes() || b.equals(a.text()));
}

std::vector<Pair> pairStep(const std::vector<const gemini::PartView*>& calls,
                           const std::vector<const gemini::PartView*>& responses) {
  return Matcher(calls, responses).run();
}

void checkPairs(const gemini::ContentView& calls, const gemini::ContentView& responses,
                int32_t index, catalogue::Findings& findings) {
  StepCheck(calls, responses, index, findings).run();
}

}  // namespace strata::lint
