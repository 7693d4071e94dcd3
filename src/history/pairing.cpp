#include "history/pairing.h"

#include <string>

namespace strata::history {
namespace {

using rules::Finding;
using rules::Rule;

using Parts = std::vector<const PartView*>;

// Gives each result a call that has none yet, the surest reasons first.
class Matcher {
 public:
  Matcher(const Parts& calls, const Parts& responses)
      : calls_(calls), responses_(responses), answered_(calls.size()), pairs_(responses.size()) {}

  std::vector<Pair> run() {
    // Ids that repeat within a step are answered in order.
    matchAll([this](const PartView& response, size_t, size_t call) {
      return hasId(response) && sameText(calls_[call]->id, response.id);
    });
    for (Pair& pair : pairs_) pair.byId = pair.call >= 0;
    matchAll([this](const PartView& response, size_t at, size_t call) {
      return at == call && sameText(calls_[call]->name, response.name);
    });
    matchAll([this](const PartView& response, size_t, size_t call) {
      return sameText(calls_[call]->name, response.name);
    });
    matchAll([](const PartView&, size_t, size_t) { return true; });
    return std::move(pairs_);
  }

 private:
  template <typename Fits>
  void matchAll(const Fits& fits) {
    for (size_t at = 0; at < responses_.size(); ++at) {
      for (size_t call = 0; pairs_[at].call < 0 && call < calls_.size(); ++call) {
        if (answered_[call] != 0 || !fits(*responses_[at], at, call)) continue;
        answered_[call] = 1;
        pairs_[at].call = static_cast<int32_t>(call);
      }
    }
  }

  const Parts& calls_;
  const Parts& responses_;
  std::vector<uint8_t> answered_;
  std::vector<Pair> pairs_;
};

Parts partsOfKind(const ContentView& view, PartKind kind) {
  Parts parts;
  for (const PartView& part : view.partViews) {
    if (part.kind == kind) parts.push_back(&part);
  }
  return parts;
}

class StepCheck {
 public:
  StepCheck(const ContentView& calls, const ContentView& responses, int32_t index,
            rules::Findings& findings)
      : calls_(callsIn(calls)),
        view_(responses),
        responses_(responsesIn(responses)),
        index_(index),
        findings_(findings) {}

  void run() {
    if (calls_.size() != responses_.size()) {
      add(Rule::kResponseCount, -1, std::to_string(responses_.size()),
          std::to_string(calls_.size()));
    }
    const std::vector<Pair> pairs = pairStep(calls_, responses_);
    for (size_t at = 0; at < pairs.size(); ++at) checkPair(pairs[at], at);
    if (misplaced_ == 0) return;
    // With ids the order may differ; without them the API pairs by position.
    Finding& finding = add(Rule::kResponseOrder, -1);
    if (misplaced_ == misplacedById_) finding.atMost = rules::Severity::kWarning;
  }

 private:
  Finding& add(Rule rule, int32_t part, std::string subject = {}, std::string other = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.content = index_;
    finding.part = part;
    finding.subject = std::move(subject);
    finding.other = std::move(other);
    return finding;
  }

  void checkPair(const Pair& pair, size_t at) {
    const PartView& response = *responses_[at];
    const auto part = static_cast<int32_t>(&response - view_.partViews.data());
    const PartView* call = pair.call < 0 ? nullptr : calls_[static_cast<size_t>(pair.call)];
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
  const ContentView& view_;
  Parts responses_;
  int32_t index_;
  rules::Findings& findings_;
  uint32_t misplaced_ = 0;
  uint32_t misplacedById_ = 0;
};

}  // namespace

std::vector<const PartView*> callsIn(const ContentView& view) {
  return partsOfKind(view, PartKind::kFunctionCall);
}

std::vector<const PartView*> responsesIn(const ContentView& view) {
  return partsOfKind(view, PartKind::kFunctionResponse);
}

bool hasId(const PartView& part) { return part.id.isString() && !part.id.raw().empty(); }

bool sameText(json::Value a, json::Value b) {
  return a.isString() && (a.bytes() == b.bytes() || b.equals(a.text()));
}

std::vector<Pair> pairStep(const std::vector<const PartView*>& calls,
                           const std::vector<const PartView*>& responses) {
  return Matcher(calls, responses).run();
}

void checkPairs(const ContentView& calls, const ContentView& responses, int32_t index,
                rules::Findings& findings) {
  StepCheck(calls, responses, index, findings).run();
}

}  // namespace strata::history
