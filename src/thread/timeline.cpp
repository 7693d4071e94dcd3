#include "thread/timeline.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "gemini/content_queries.h"
#include "gemini/content_view.h"
#include "json/validated.h"
#include "lint/response_pairing.h"

namespace strata::thread {
namespace {

using catalogue::Finding;
using gemini::ContentView;
using gemini::PartView;

constexpr size_t kExcerptCharacters = 120;

// A Part of a thread; none if `index` is negative.
struct Place {
  int64_t index = -1;
  int64_t part = 0;
};

// A functionCall or a functionResponse.
struct Piece {
  const PartView* part;
  bool isModel;
  Place place;
  Place partner;  // The response of a call, or the call of a response.
};

// Returns the end of the Contents from `from` on whose calls and responses may belong together.
size_t endOfStep(const Thread& thread, size_t from) {
  size_t end = from + 1;
  for (; end < thread.size(); ++end) {
    const lint::SequenceState& last = thread.checkpointAfter(end).state;
    const bool continues =
        last.endsWithResponses() && thread.checkpointAfter(end + 1).state.endsWithResponses();
    if (!last.hasOpenCalls() && !continues) break;
  }
  return end;
}

// The Contents [from, end) of a thread, whose calls know their responses.
class Step {
 public:
  Step(const Thread& thread, size_t from, size_t end)
      : from_(from), text_("[" + std::string(thread.contents(from, end)) + "]") {
    // Every Content in the log is valid JSON.
    tape_ = json::readValidated(text_);
    for (const json::Value content : json::elements(tape_.root())) {
      views_.emplace_back().read(content);
      addPieces(views_.back());
    }
    // Calls that Google ran itself have their responses in the model's Contents. The other ones are
    // answered by the user's Contents that follow: one, unless the step is split.
    pair(true, 0);
    pair(false, thread.checkpointAfter(end).state.firstCallIndex);
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  const ContentView& view(size_t index) const { return views_[index - from_]; }
  // Returns the calls and the responses of a Content.
  std::span<const Piece> pieces(size_t index) const {
    const size_t view = index - from_;
    const size_t first = view == 0 ? 0 : ends_[view - 1];
    return std::span(pieces_).subspan(first, ends_[view] - first);
  }

 private:
  void addPieces(const ContentView& view) {
    const auto index = static_cast<int64_t>(from_ + ends_.size());
    int64_t at = 0;
    for (const PartView& part : view.partViews) {
      if (part.isCall() || part.isResponse())
        pieces_.push_back({&part, view.isModel(), {index, at}, {}});
      ++at;
    }
    ends_.push_back(pieces_.size());
  }

  // Pairs the model's calls from the Content `first` on with the responses of the model, which
  // have the call's id and name, or of the user.
  void pair(bool isModel, int64_t first) {
    std::vector<Piece*> calls;
    std::vector<Piece*> responses;
    lint::Calls callParts;
    lint::Calls responseParts;
    for (Piece& piece : pieces_) {
      if (piece.partner.index >= 0) continue;
      const bool isCall = piece.part->isCall();
      if (isCall ? !piece.isModel || piece.place.index < first : piece.isModel != isModel) continue;
      (isCall ? calls : responses).push_back(&piece);
      (isCall ? callParts : responseParts).push_back(piece.part);
    }
    if (responses.empty()) return;
    const std::vector<lint::Pair> pairs = lint::pairStep(callParts, responseParts);
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].call < 0) continue;
      Piece& call = *calls[static_cast<size_t>(pairs[i].call)];
      Piece& response = *responses[i];
      if (isModel && keyOf(call) != keyOf(response)) continue;
      call.partner = response.place;
      response.partner = call.place;
    }
  }

  static std::string keyOf(const Piece& piece) {
    return gemini::keyOfCall(piece.part->id, piece.part->name);
  }

  size_t from_;
  std::string text_;
  json::Tape tape_;
  std::vector<ContentView> views_;  // Moving a view keeps pointers to its Parts valid.
  std::vector<Piece> pieces_;
  std::vector<size_t> ends_;  // Of the pieces of each view.
};

class TimelineWriter {
 public:
  TimelineWriter(json::Writer& out, const Thread& thread, const TimelineOptions& options)
      : out_(out), thread_(thread), options_(options), target_(thread.requestTarget()) {}

  void run() {
    out_.key("turns").open('[');
    for (size_t index = 0; index < thread_.size();) {
      const size_t end = endOfStep(thread_, index);
      std::optional<Step> step;
      if (end > options_.from) step.emplace(thread_, index, end);
      for (; index < end; ++index) {
        advance(index);
        if (index >= options_.from) writeTurn(index, *step);
      }
    }
    out_.close(']');
    if (firstRefused_ >= 0) out_.key("firstRefused").integer(firstRefused_);
  }

 private:
  // Reads what the thread knows about a turn without its Content.
  void advance(size_t index) {
    const Checkpoint& turn = thread_.checkpointAfter(index + 1);
    const TurnKind before = thread_.checkpointAfter(index).kind;
    if (index == 0 || turn.state.openingIndex == static_cast<int32_t>(index)) {
      ++turn_;
      step_ = 0;
    } else if (turn.kind == TurnKind::kModel && before == TurnKind::kTool) {
      ++step_;
    }
    const std::vector<const Finding*> last = std::move(errors_);
    errors_.clear();
    for (const Finding& finding : thread_.findingsOf(index)) addError(finding, turn.state);
    for (const Finding* error : last) addError(*error, turn.state);
    if (!errors_.empty() && firstRefused_ < 0) firstRefused_ = static_cast<int64_t>(index);
  }

  // Keeps one error of each rule while it lasts.
  void addError(const Finding& finding, const lint::SequenceState& state) {
    if (lint::severityNow(finding, state, target_) != catalogue::Severity::kError) return;
    for (const Finding* error : errors_) {
      if (error->rule == finding.rule) return;
    }
    errors_.push_back(&finding);
  }

  void writeTurn(size_t index, const Step& step) {
    const Checkpoint& before = thread_.checkpointAfter(index);
    const Checkpoint& turn = thread_.checkpointAfter(index + 1);
    const int32_t current = thread_.checkpointAfter(thread_.size()).state.openingIndex;
    out_.open('{');
    write("index", static_cast<int64_t>(index));
    out_.key("kind").string(kindName(turn.kind));
    out_.key("role").string(step.view(index).role.text());
    if (turn.isSteps) out_.key("form").string("steps");
    write("tokens", turn.tokens - before.tokens);
    write("turn", turn_);
    write("step", step_);
    out_.key("isCurrentTurn").boolean(static_cast<int32_t>(index) >= current);
    out_.key("canCutBefore").boolean(lint::opensTurn(before.state, turn.state));
    const std::string_view ends = turn.kind == TurnKind::kModel ? "open" : "accepted";
    out_.key("verdict").string(errors_.empty() ? ends : "refused").key("refusedBy").open('[');
    for (const Finding* error : errors_) out_.string(target_.row(error->rule).code);
    out_.close(']');
    writeParts(step.view(index));
    writePieces("calls", true, step.pieces(index));
    writePieces("responses", false, step.pieces(index));
    if (index < options_.ranges.size()) {
      json::writeRange(out_.key("range"), options_.ranges[index]);
    }
    if (options_.content) out_.key("content").raw(thread_.content(index));
    out_.close('}');
  }

  void writeParts(const ContentView& view) {
    int64_t thoughts = 0;
    int64_t signatures = 0;
    std::string text;
    for (const PartView& part : view.partViews) {
      thoughts += part.thought ? 1 : 0;
      signatures += part.isSigned() ? 1 : 0;
      const bool isText = part.kind == gemini::PartKind::kText && !part.thought;
      // A character has at most four bytes.
      if (isText && text.size() < 4 * kExcerptCharacters) text += part.data.text();
    }
    write("parts", static_cast<int64_t>(view.partViews.size()));
    write("thoughts", thoughts);
    write("signatures", signatures);
    out_.key("excerpt").string(firstCharacters(text, kExcerptCharacters));
  }

  void writePieces(std::string_view name, bool areCalls, std::span<const Piece> pieces) {
    out_.key(name).open('[');
    for (const Piece& piece : pieces) {
      const PartView& part = *piece.part;
      if (part.isCall() != areCalls) continue;
      out_.open('{');
      write("part", piece.place.part);
      if (part.id.isString()) out_.key("id").raw(part.id.bytes());
      out_.key("name").string(part.name.text());
      if (areCalls) {
        out_.key("args").raw(part.payload ? part.payload.bytes() : "{}");
        out_.key("signed").boolean(part.isSigned());
      }
      if (piece.partner.index >= 0) {
        out_.key(areCalls ? "response" : "call").open('{');
        write("index", piece.partner.index);
        write("part", piece.partner.part);
        out_.close('}');
      }
      out_.close('}');
    }
    out_.close(']');
  }

  void write(std::string_view name, int64_t number) { out_.key(name).integer(number); }

  json::Writer& out_;
  const Thread& thread_;
  const TimelineOptions& options_;
  const catalogue::Target target_;
  int64_t firstRefused_ = -1;
  // Of the newest turn.
  int64_t turn_ = -1;
  int64_t step_ = 0;
  std::vector<const Finding*> errors_;  // For which a request that ends there is refused.
};

}  // namespace

void writeTimeline(json::Writer& out, const Thread& thread, const TimelineOptions& options) {
  TimelineWriter(out, thread, options).run();
}

}  // namespace strata::thread
