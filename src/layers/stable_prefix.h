// Compares the start of a prompt with that of the previous request, as the API's implicit cache
// does. Fields that are no part of the prompt, such as generationConfig, do not matter.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "json/value.h"
#include "layers/manifest.h"
#include "thread/thread.h"

namespace strata::layers {

/// The estimated tokens of the pieces of a prompt that are no history.
struct PromptTokens {
  uint32_t staticText = 0;
  uint32_t dynamicText = 0;
  uint32_t tools = 0;
  uint32_t cached = 0;  ///< What the CachedContent holds.
  uint32_t trigger = 0;
};

/// A difference from the previous request that turns behind it do not share.
struct PrefixBreak {
  size_t piece = 0;  ///< The index of the first piece that differs.
  std::string name;  ///< Of that piece, or of the one that is missing before it.
};

/// The result of a comparison.
struct PromptStart {
  uint32_t tokens = 0;        ///< The estimated tokens of the whole prompt.
  uint32_t stableTokens = 0;  ///< Those at its start that the previous prompt starts with, too.
  std::optional<PrefixBreak> broken;
};

/// Compares a request with the one that `previous`, its manifest, describes. Without one, nothing
/// is stable or broken. Both numbers of tokens are lower bounds in the sense of `sharedPrefix`.
PromptStart comparePrompts(const std::vector<Piece>& pieces, const PromptTokens& tokens,
                           json::Value previous, const thread::Thread& thread);

/// Returns how a message names the piece: "dynamic layer", "field tools".
std::string pieceTitle(std::string_view name);

/// Remembers the values of pieces that were sent last, because a manifest has only their
/// fingerprints.
class SentValues {
 public:
  /// Returns the number of bytes at the start of `value` that it shares with the value of the piece
  /// `name` that has this fingerprint; 0 if that value is not remembered.
  size_t shared(std::string_view name, std::string_view value, json::Value fingerprint) const;
  /// Remembers a value, unless it is empty.
  void remember(std::string_view name, std::string_view value, const Digest& digest);

 private:
  struct Sent {
    std::string_view name;  // static storage
    std::string value;
    Digest digest{};
  };
  std::array<Sent, 5> sent_ = {{{"systemInstruction", {}, {}},
                                {"static", {}, {}},
                                {"tools", {}, {}},
                                {"toolConfig", {}, {}},
                                {"dynamic", {}, {}}}};
};

}  // namespace strata::layers
