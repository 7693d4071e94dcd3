#include "history/pairing.h"

#include <string>
#include <vector>

namespace strata::history {
namespace {

using rules::Rule;

struct Call {
  const PartView* part;
  bool answered = false;
};

bool hasId(const PartView& part) { return part.id.isString() && !part.id.raw().empty(); }

bool sameText(json::Value a, json::Value b) {
  return a.isString() && (a.bytes() == b.bytes() || b.equals(a.text()));
}

class StepCheck {
 public:
  StepCheck(const ContentView& calls, const ContentView& responses, int32_t index,
            rules::Findings& findings)
      : responses_(responses), index_(index), findings_(findings) {
    for (const PartView& part : calls.partViews) {
      if (part.isCall()) calls_.push_back({&part});
    }
  }

  void run() {
    if (calls_.size() != responses_.responses) {
      add(Rule::kResponseCount, -1, std::to_string(responses_.responses),
          std::to_string(calls_.size()));
    }
    size_t position = 0;
    for (size_t i = 0; i < responses_.partViews.size(); ++i) {
      const PartView& response = responses_.partViews[i];
      if (response.isResponse()) checkResponse(response, static_cast<int32_t>(i), position++);
    }
    if (outOfOrder_) add(Rule::kResponseOrder, -1);
  }

 private:
  void add(Rule rule, int32_t part, std::string subject = {}, std::string other = {}) {
    rules::Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.content = index_;
    finding.part = part;
    finding.subject = std::move(subject);
    finding.other = std::move(other);
  }

  // Ids that repeat within a step are answered in order.
  Call* callWithId(json::Value id) {
    for (Call& call : calls_) {
      if (!call.answered && sameText(call.part->id, id)) return &call;
    }
    return nullptr;
  }

  // Where there are no ids, a name that only another call has tells which call is meant.
  Call* callWithName(json::Value name, Call* inPlace) {
    if (inPlace != nullptr && sameText(inPlace->part->name, name)) return inPlace;
    for (Call& call : calls_) {
      if (!call.answered && !hasId(*call.part) && sameText(call.part->name, name)) return &call;
    }
    return inPlace;
  }

  void checkResponse(const PartView& response, int32_t part, size_t position) {
    Call* call = hasId(response) ? callWithId(response.id) : nullptr;
    Call* inPlace = position < calls_.size() ? &calls_[position] : nullptr;
    if (call == nullptr && (hasId(response) || (inPlace != nullptr && hasId(*inPlace->part)))) {
      add(Rule::kResponseIdMismatch, part, hasId(response) ? response.id.text() : "(none)");
    }
    if (call == nullptr) call = callWithName(response.name, inPlace);
    if (call == nullptr) return;
    outOfOrder_ = outOfOrder_ || call != inPlace;
    call->answered = true;
    if (call->part->name && !sameText(response.name, call->part->name)) {
      add(Rule::kResponseNameMismatch, part, response.name.text(), call->part->name.text());
    }
  }

  std::vector<Call> calls_;
  const ContentView& responses_;
  int32_t index_;
  rules::Findings& findings_;
  bool outOfOrder_ = false;
};

}  // namespace

void checkPairs(const ContentView& calls, const ContentView& responses, int32_t index,
                rules::Findings& findings) {
  StepCheck(calls, responses, index, findings).run();
}

}  // namespace strata::history
