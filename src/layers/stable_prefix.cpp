#include "layers/stable_prefix.h"

#include <algorithm>

namespace strata::layers {
namespace {

constexpr std::array<std::string_view, kPromptPieces> kNames = {
    "systemInstruction", "tools",   "toolConfig",    "static",
    "dynamic",           "trigger", "cachedContent", "buffered"};

bool isFixed(PromptPiece kind) { return kind < PromptPiece::kDynamic; }

PromptPiece kindOf(json::Value sent) { return promptPiece(sent.find("name").raw()); }

int64_t integerIn(json::Value sent, std::string_view name) { return sent.find(name).integer(-1); }

bool hasDigest(json::Value fingerprint, const Digest& digest) {
  return fingerprint.equals(hexOf(digest).text());
}

// Walks over the pieces of a request and of the previous one in step.
class Comparison {
 public:
  // Compares all pieces, or those of the prompt only.
  Comparison(const std::vector<Piece>& pieces, json::Value previous, const thread::Thread& thread,
             bool promptOnly)
      : pieces_(pieces),
        sent_(previous.find("pieces")),
        thread_(thread),
        promptOnly_(promptOnly),
        left_(sent_.size()) {
    if (left_ > 0) at_ = sent_.first();
    skipOthers();
  }

  SharedStart run(const PromptTokens& tokens) {
    SharedStart start;
    bool same = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const PromptPiece kind = promptPiece(piece.name);
      if (!isCompared(kind)) continue;
      const uint32_t all =
          piece.from >= 0 ? tokensBetween(piece.from, piece.to) : tokens[static_cast<size_t>(kind)];
      start.allTokens += all;
      same = same && left_ > 0;
      if (!same) continue;
      const json::Value sent = at_;
      const PromptPiece sentKind = kindOf(sent);
      start.sentDigest = sent.find("fingerprint");
      same = sent.find("name").equals(piece.name) && hasDigest(start.sentDigest, piece.digest);
      next();
      if (piece.from >= 0) {
        addHistory(piece, sent, start);
      } else if (same) {
        start.bytes += piece.bytes;
        start.tokens += all;
      }
      if (same || !isAvoidable(i, kind, sentKind)) continue;
      start.broken = std::min(kind, sentKind);
      start.brokenIndex = i;
    }
    return start;
  }

 private:
  bool isCompared(PromptPiece kind) const { return !promptOnly_ || kind != PromptPiece::kNone; }

  void next() {
    if (--left_ > 0) at_ = at_.next();
    skipOthers();
  }
  void skipOthers() {
    while (left_ > 0 && !isCompared(kindOf(at_))) {
      if (--left_ > 0) at_ = at_.next();
    }
  }

  const thread::Checkpoint& after(int64_t turns) const {
    return thread_.checkpointAfter(static_cast<size_t>(turns));
  }

  uint32_t tokensBetween(int64_t from, int64_t to) const {
    return after(to).tokens - after(from).tokens;
  }

  // Returns the number of turns at the start of the thread that end with a piece of the previous
  // request: history, or a trigger that is now the turn `from`. Returns -1 if they differ.
  int64_t endOf(json::Value sent, int64_t from) const {
    const PromptPiece kind = kindOf(sent);
    int64_t end = -1;
    if (kind == PromptPiece::kBuffered) end = integerIn(sent, "to");
    if (kind == PromptPiece::kTrigger) end = from + 1;
    const bool known = end >= 0 && end <= static_cast<int64_t>(thread_.size());
    return known && hasDigest(sent.find("fingerprint"), after(end).digest) ? end : -1;
  }

  // Adds what a piece of history shares with `sent` and the piece behind it: with history that
  // begins at the same turn, and with the trigger that followed it or stood in its place.
  void addHistory(const Piece& piece, json::Value sent, SharedStart& start) const {
    int64_t from = piece.from;
    const bool history = kindOf(sent) == PromptPiece::kBuffered;
    if (history && integerIn(sent, "from") != from) return;
    for (int tries = history && left_ > 0 ? 2 : 1; tries > 0; --tries, sent = at_) {
      const int64_t end = endOf(sent, from);
      if (end < from || end > piece.to) return;
      start.bytes += static_cast<size_t>(std::max<int64_t>(integerIn(sent, "bytes"), 0));
      start.tokens += tokensBetween(from, end);
      from = end;
    }
  }

  // Returns whether a piece need not differ from the one that was sent at its place: it is no
  // history, and turns behind it were sent before. An explicit cache that came or went, and history
  // that moved into layer 1, have a reason.
  bool isAvoidable(size_t index, PromptPiece kind, PromptPiece sentKind) const {
    const bool fixed = isFixed(kind) || isFixed(sentKind);
    if (!fixed && kind != PromptPiece::kDynamic) return false;
    if (kind == PromptPiece::kCachedContent || sentKind == PromptPiece::kCachedContent)
      return false;
    int64_t shared = 0;
    int64_t firstSent = -1;
    for (const json::Value sent : json::elements(sent_)) {
      shared = std::max(shared, endOf(sent, shared));
      if (firstSent < 0) firstSent = integerIn(sent, "from");
    }
    while (index < pieces_.size() && pieces_[index].from < 0) ++index;
    if (index == pieces_.size()) return false;
    const int64_t from = pieces_[index].from;
    // A request that continued an interaction has sent the turns from `firstSent` on only.
    const int64_t first = std::max<int64_t>(firstSent, 0);
    return from < shared && (fixed ? from == first : from >= first);
  }

  const std::vector<Piece>& pieces_;
  json::Value sent_;
  const thread::Thread& thread_;
  bool promptOnly_;
  json::Value at_;  // The next piece that was sent, if `left_` is not 0.
  size_t left_;
};

}  // namespace

PromptPiece promptPiece(std::string_view name) {
  return static_cast<PromptPiece>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

SharedStart compareWithPrevious(const Manifest& manifest, const PromptTokens& tokens,
                                json::Value previous, const thread::Thread& thread) {
  SharedStart start;
  // Manifests of older versions are of generateContent, and do not say so.
  const json::Value wire = previous.find("wire");
  const bool isSameWire = wire ? wire.equals(wireOption(manifest.wire))
                               : manifest.wire == interactions::Wire::kGenerateContent;
  if (!isSameWire) previous = {};
  for (const bool promptOnly : {false, true}) {
    const json::Value model = previous.find("model");
    if (promptOnly && model && !model.equals(manifest.model)) previous = {};
    const size_t bytes = start.bytes;
    start = Comparison(manifest.pieces, previous, thread, promptOnly).run(tokens);
    if (promptOnly) start.bytes = bytes;
  }
  return start;
}

size_t SentValues::shared(PromptPiece piece, std::string_view value,
                          json::Value fingerprint) const {
  const Sent& sent = sent_[static_cast<size_t>(piece)];
  if (!hasDigest(fingerprint, sent.digest)) return 0;
  const size_t most = std::min(sent.value.size(), value.size());
  size_t at = 0;
  while (at < most && sent.value[at] == value[at]) ++at;
  return at;
}

void SentValues::remember(const Piece& piece, std::string_view value) {
  if (value.empty()) return;
  Sent& sent = sent_[static_cast<size_t>(promptPiece(piece.name))];
  if (sent.digest == piece.digest) return;
  sent.value = value;
  sent.digest = piece.digest;
}

}  // namespace strata::layers
