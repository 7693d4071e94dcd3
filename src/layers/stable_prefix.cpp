#include "layers/stable_prefix.h"

#include <algorithm>
#include <utility>

namespace strata::layers {
namespace {

// The pieces of a prompt in the order of a body. Those before "dynamic" seldom change.
constexpr std::array<std::string_view, 8> kPromptPieces = {
    "systemInstruction", "tools",   "toolConfig", "static",
    "dynamic",           "trigger", "buffered",   "cachedContent"};

size_t placeOf(std::string_view name) {
  const auto* const found = std::find(kPromptPieces.begin(), kPromptPieces.end(), name);
  return static_cast<size_t>(found - kPromptPieces.begin());
}

bool isPrompt(std::string_view name) { return placeOf(name) < kPromptPieces.size(); }
bool isFixed(std::string_view name) { return placeOf(name) < placeOf("dynamic"); }

bool hasDigest(json::Value piece, const Digest& digest) {
  return piece.find("fingerprint").equals(toHex(digest));
}

std::vector<json::Value> promptPieces(json::Value manifest) {
  std::vector<json::Value> pieces;
  for (const json::Value piece : json::elements(manifest.find("pieces"))) {
    if (isPrompt(piece.find("name").text())) pieces.push_back(piece);
  }
  return pieces;
}

class Comparison {
 public:
  Comparison(const std::vector<Piece>& pieces, const PromptTokens& tokens, json::Value previous,
             const thread::Thread& thread)
      : pieces_(pieces), tokens_(tokens), thread_(thread), before_(promptPieces(previous)) {
    countSharedTurns();
  }

  PromptStart run() {
    PromptStart start;
    size_t at = 0;
    bool same = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (!isPrompt(piece.name)) continue;
      const uint32_t tokens = tokensOf(piece);
      start.tokens += tokens;
      if (!same) continue;
      const json::Value old = at < before_.size() ? before_[at++] : json::Value();
      same = old.find("name").equals(piece.name) && hasDigest(old, piece.digest);
      if (same) {
        start.stableTokens += tokens;
      } else if (piece.from >= 0) {
        start.stableTokens += sharedHistory(piece, old);
      }
      if (!same && isAvoidable(i, old)) start.broken = PrefixBreak{i, firstOf(piece, old)};
    }
    return start;
  }

 private:
  uint32_t tokensOf(const Piece& piece) const {
    if (piece.from >= 0) return tokensBetween(piece.from, piece.to);
    if (piece.name == "dynamic") return tokens_.dynamicText;
    if (piece.name == "trigger") return tokens_.trigger;
    if (piece.name == "tools") return tokens_.tools;
    if (piece.name == "cachedContent") return tokens_.cached;
    return piece.name == "toolConfig" ? 0 : tokens_.staticText;
  }

  uint32_t tokensBetween(int32_t from, int32_t to) const {
    if (from >= to) return 0;
    return thread_.checkpointAfter(static_cast<size_t>(to)).tokens -
           thread_.checkpointAfter(static_cast<size_t>(from)).tokens;
  }

  // Sets `sharedTurns_`, the number of turns at the start of the thread that the previous request
  // had, too, and `previousFrom_`, the first of them that it had in contents.
  void countSharedTurns() {
    bool first = true;
    for (const json::Value piece : before_) {
      const int64_t to = piece.find("to").integer(-1);
      if (to >= 0 && std::exchange(first, false)) previousFrom_ = piece.find("from").integer(0);
      const bool known = to >= 0 && to <= static_cast<int64_t>(thread_.size());
      if (known && hasDigest(piece, thread_.checkpointAfter(static_cast<size_t>(to)).digest))
        sharedTurns_ = static_cast<int32_t>(to);
      const auto next = static_cast<size_t>(sharedTurns_);
      const bool trigger = piece.find("name").equals("trigger") && next < thread_.size();
      if (trigger && hasDigest(piece, thread_.checkpointAfter(next + 1).digest)) ++sharedTurns_;
    }
  }

  // Returns the tokens of the turns at the start of `piece` that are in the previous request at the
  // same place: in `old`, and in the trigger that followed it directly.
  uint32_t sharedHistory(const Piece& piece, json::Value old) const {
    if (old.find("name").equals("trigger")) {
      const auto next = static_cast<size_t>(piece.from) + 1;
      const bool sent = hasDigest(old, thread_.checkpointAfter(next).digest);
      return sent ? tokensBetween(piece.from, piece.from + 1) : 0;
    }
    if (old.find("from").integer(-1) != piece.from) return 0;
    const int64_t end = nextIsTrigger(old) ? sharedTurns_ : old.find("to").integer(-1);
    return tokensBetween(piece.from,
                         static_cast<int32_t>(std::min<int64_t>({end, sharedTurns_, piece.to})));
  }

  bool nextIsTrigger(json::Value old) const {
    for (size_t i = 0; i + 1 < before_.size(); ++i) {
      if (before_[i].index() == old.index()) return before_[i + 1].find("name").equals("trigger");
    }
    return false;
  }

  // Returns the name of the piece that was changed, added or removed.
  static std::string firstOf(const Piece& piece, json::Value old) {
    std::string name = old.find("name").text();
    return placeOf(name) < placeOf(piece.name) ? name : piece.name;
  }

  // Returns whether the piece need not differ from `old`, at the same place: it is no history, and
  // the turns behind it were sent before. A cache that came or went, and history that moved into
  // layer 1, are needed.
  bool isAvoidable(size_t index, json::Value old) const {
    const Piece& piece = pieces_[index];
    const std::string oldName = old.find("name").text();
    if (before_.empty() || oldName == "cachedContent" || piece.name == "cachedContent")
      return false;
    const bool fixed = isFixed(piece.name) || isFixed(oldName);
    if (!fixed && piece.name != "dynamic") return false;
    int32_t from = -1;
    for (size_t i = index; i < pieces_.size(); ++i) {
      if (pieces_[i].from >= 0 && from < 0) from = pieces_[i].from;
    }
    const bool moved = fixed && from >= 0 && from != previousFrom_;
    return from >= 0 && from < sharedTurns_ && !moved;
  }

  const std::vector<Piece>& pieces_;
  const PromptTokens& tokens_;
  const thread::Thread& thread_;
  std::vector<json::Value> before_;
  int32_t sharedTurns_ = 0;
  int64_t previousFrom_ = 0;
};

}  // namespace

PromptStart comparePrompts(const std::vector<Piece>& pieces, const PromptTokens& tokens,
                           json::Value previous, const thread::Thread& thread) {
  return Comparison(pieces, tokens, previous, thread).run();
}

std::string pieceTitle(std::string_view name) {
  if (name == "dynamic") return "dynamic layer";
  if (name == "systemInstruction" || name == "static") return "static layer";
  return "field " + std::string(name);
}

size_t SentValues::shared(std::string_view name, std::string_view value,
                          json::Value fingerprint) const {
  for (const Sent& sent : sent_) {
    if (sent.name != name || !fingerprint.equals(toHex(sent.digest))) continue;
    const auto end =
        std::mismatch(sent.value.begin(), sent.value.end(), value.begin(), value.end());
    return static_cast<size_t>(end.second - value.begin());
  }
  return 0;
}

void SentValues::remember(std::string_view name, std::string_view value, const Digest& digest) {
  if (value.empty()) return;
  for (Sent& sent : sent_) {
    if (sent.name != name || sent.digest == digest) continue;
    sent.value = value;
    sent.digest = digest;
  }
}

}  // namespace strata::layers
