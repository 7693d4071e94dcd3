// Compares the start of a request with that of the previous one: of its body, byte by byte, and of
// its prompt, as the API's implicit cache does.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "json/value.h"
#include "layers/manifest.h"
#include "thread/thread.h"

namespace strata::layers {

/// The pieces that a prompt consists of. Other pieces, such as generationConfig, are no part of it.
/// Those before kDynamic seldom change.
enum class PromptPiece : uint8_t {
  kSystemInstruction,
  kTools,
  kToolConfig,
  kStatic,
  kDynamic,
  kTrigger,
  kCachedContent,
  kBuffered,
  kNone,
};
inline constexpr size_t kPromptPieces = static_cast<size_t>(PromptPiece::kNone);

/// Returns the piece of a prompt with this name in a manifest, or kNone.
PromptPiece promptPiece(std::string_view name);

/// The estimated tokens of the pieces of a prompt, except those of the history.
using PromptTokens = std::array<uint32_t, kPromptPieces + 1>;

/// The result of a comparison. The shared numbers are lower bounds: they count whole pieces, and a
/// history that turns were only appended to.
struct SharedStart {
  size_t bytes = 0;        ///< At the start of the body.
  uint32_t tokens = 0;     ///< At the start of the prompt, estimated.
  uint32_t allTokens = 0;  ///< Of the whole prompt, estimated.
  /// What was changed, added or removed although turns behind it were sent before, or kNone.
  PromptPiece broken = PromptPiece::kNone;
  size_t brokenIndex = 0;  ///< The first piece that differs.
  json::Value sentDigest;  ///< The fingerprint of the piece that was at its place.
};

/// Compares a request with the one that `previous`, its manifest, describes. Without one, nothing
/// is shared or broken. The prompts of different models share nothing.
SharedStart compareWithPrevious(const Manifest& manifest, const PromptTokens& tokens,
                                json::Value previous, const thread::Thread& thread);

/// Remembers the values of pieces that were sent last, because a manifest has only their
/// fingerprints.
class SentValues {
 public:
  /// Returns the number of bytes at the start of `value` that it shares with the remembered value
  /// of `piece`; 0 unless that value has the given fingerprint.
  size_t shared(PromptPiece piece, std::string_view value, json::Value fingerprint) const;
  /// Remembers the value of a piece, unless it is empty.
  void remember(const Piece& piece, std::string_view value);

 private:
  struct Sent {
    std::string value;
    Digest digest{};
  };
  std::array<Sent, kPromptPieces> sent_;
};

}  // namespace strata::layers
