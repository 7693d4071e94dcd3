#include "layers/stable_prefix.h"

#include <algorithm>

namespace strata::layers {
namespace {

constexpr std::array<std::string_view, kPromptPieces> kNames = {
    "systemInstruction", "tools",   "toolConfig",    "static",
    "dynamic",           "trigger", "cachedContent", "buffered"};

PromptPiece kindOf(std::string_view name) {
  return static_cast<PromptPiece>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

bool isFixed(PromptPiece kind) { return kind < PromptPiece::kDynamic; }

// A piece of the previous request.
struct SentPiece {
  PromptPiece kind = PromptPiece::kNone;
  json::Value piece;

  explicit SentPiece(json::Value value) : kind(kindOf(value.find("name").text())), piece(value) {}

  int64_t integer(std::string_view name) const { return piece.find(name).integer(-1); }
  bool hasDigest(const Digest& digest) const {
    return piece.find("fingerprint").equals(toHex(digest));
  }
};

class Comparison {
 public:
  // Compares all pieces, or those of the prompt only.
  Comparison(const std::vector<Piece>& pieces, json::Value previous, const thread::Thread& thread,
             bool promptOnly)
      : pieces_(pieces), thread_(thread), promptOnly_(promptOnly) {
    for (const json::Value piece : json::elements(previous.find("pieces"))) {
      const SentPiece sent(piece);
      if (isCompared(sent.kind)) before_.push_back(sent);
    }
    at_ = before_.begin();
  }

  SharedStart run(const PromptTokens& tokens) {
    SharedStart start;
    bool same = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const PromptPiece kind = kindOf(piece.name);
      if (!isCompared(kind)) continue;
      const uint32_t all = piece.from >= 0             ? tokensBetween(piece.from, piece.to)
                           : kind < PromptPiece::kNone ? tokens[static_cast<size_t>(kind)]
                                                       : 0;
      start.allTokens += all;
      same = same && at_ != before_.end();
      if (!same) continue;
      same = at_->piece.find("name").equals(piece.name) && at_->hasDigest(piece.digest);
      if (piece.from >= 0) {
        addHistory(piece, start);
      } else if (same) {
        start.bytes += piece.bytes;
        start.tokens += all;
      }
      if (!same && isAvoidable(i, kind)) {
        start.broken = {i, std::string(kNames[static_cast<size_t>(std::min(kind, at_->kind))])};
      }
      ++at_;
    }
    return start;
  }

 private:
  bool isCompared(PromptPiece kind) const { return !promptOnly_ || kind != PromptPiece::kNone; }

  const Digest& digestAfter(int64_t turns) const {
    return thread_.checkpointAfter(static_cast<size_t>(turns)).digest;
  }

  uint32_t tokensBetween(int64_t from, int64_t to) const {
    return thread_.checkpointAfter(static_cast<size_t>(to)).tokens -
           thread_.checkpointAfter(static_cast<size_t>(from)).tokens;
  }

  // Returns whether a piece was the trigger and is now turn `turn` of the thread.
  bool becameTurn(const SentPiece& sent, int64_t turn) const {
    return sent.kind == PromptPiece::kTrigger && turn < static_cast<int64_t>(thread_.size()) &&
           sent.hasDigest(digestAfter(turn + 1));
  }

  // Adds what a piece of history shares with the pieces from `at_` on: with history that begins at
  // the same turn, and with the trigger that followed it or stood in its place.
  void addHistory(const Piece& piece, SharedStart& start) const {
    int64_t end = piece.from;
    const auto add = [&](std::vector<SentPiece>::const_iterator sent, int64_t to) {
      start.bytes += static_cast<size_t>(std::max<int64_t>(sent->integer("bytes"), 0));
      start.tokens += tokensBetween(end, to);
      end = to;
    };
    auto next = at_;
    if (at_->kind == PromptPiece::kBuffered && at_->integer("from") == piece.from) {
      const int64_t to = at_->integer("to");
      if (to < end || to > piece.to || !at_->hasDigest(digestAfter(to))) return;
      add(next++, to);
    }
    if (next != before_.end() && end < piece.to && becameTurn(*next, end)) add(next, end + 1);
  }

  // Returns whether the piece need not differ from the one at `at_`: it is no history, and turns
  // behind it were sent before. An explicit cache that came or went, and history that moved into
  // layer 1, have a reason.
  bool isAvoidable(size_t index, PromptPiece kind) const {
    const bool fixed = isFixed(kind) || isFixed(at_->kind);
    if (!fixed && kind != PromptPiece::kDynamic) return false;
    if (kind == PromptPiece::kCachedContent || at_->kind == PromptPiece::kCachedContent)
      return false;
    const auto history = std::find_if(pieces_.begin() + static_cast<ptrdiff_t>(index),
                                      pieces_.end(), [](const Piece& p) { return p.from >= 0; });
    if (history == pieces_.end()) return false;
    int64_t shared = 0;
    int64_t firstSent = -1;
    for (const SentPiece& sent : before_) {
      const int64_t to = sent.integer("to");
      const bool known = to >= 0 && to <= static_cast<int64_t>(thread_.size());
      if (known && sent.hasDigest(digestAfter(to))) shared = to;
      if (to >= 0 && firstSent < 0) firstSent = sent.integer("from");
      if (becameTurn(sent, shared)) ++shared;
    }
    const bool moved = fixed && history->from != std::max<int64_t>(firstSent, 0);
    return history->from < shared && !moved;
  }

  const std::vector<Piece>& pieces_;
  const thread::Thread& thread_;
  bool promptOnly_;
  std::vector<SentPiece> before_;
  std::vector<SentPiece>::const_iterator at_;
};

}  // namespace

SharedStart compareWithPrevious(const Manifest& manifest, const PromptTokens& tokens,
                                json::Value previous, const thread::Thread& thread) {
  const size_t bytes = Comparison(manifest.pieces, previous, thread, false).run(tokens).bytes;
  const json::Value model = previous.find("model");
  if (model && !model.equals(manifest.model)) previous = {};
  SharedStart start = Comparison(manifest.pieces, previous, thread, true).run(tokens);
  start.bytes = bytes;
  return start;
}

std::string pieceTitle(std::string_view name) {
  const PromptPiece kind = kindOf(name);
  if (kind == PromptPiece::kDynamic) return "dynamic layer";
  const bool isField = kind == PromptPiece::kTools || kind == PromptPiece::kToolConfig;
  return isField ? "field " + std::string(name) : "static layer";
}

size_t SentValues::shared(std::string_view piece, std::string_view value,
                          json::Value previous) const {
  const Sent& sent = sent_[static_cast<size_t>(kindOf(piece))];
  for (const json::Value each : json::elements(previous.find("pieces"))) {
    if (!each.find("name").equals(piece)) continue;
    if (!each.find("fingerprint").equals(toHex(sent.digest))) return 0;
    const size_t most = std::min(sent.value.size(), value.size());
    size_t at = 0;
    while (at < most && sent.value[at] == value[at]) ++at;
    return at;
  }
  return 0;
}

void SentValues::remember(const Piece& piece, std::string_view value) {
  if (value.empty()) return;
  Sent& sent = sent_[static_cast<size_t>(kindOf(piece.name))];
  if (sent.digest == piece.digest) return;
  sent.value = value;
  sent.digest = piece.digest;
}

}  // namespace strata::layers
