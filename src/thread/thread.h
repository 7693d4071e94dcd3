// Why this file exists: a conversation is a byte log with one checkpoint a turn. Appending judges
// the new turn from the last checkpoint; rewinding and forking restore one; nothing else is
// recomputed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "lint/sequence.h"
#include "lint/signature.h"
#include "thread/byte_log.h"

namespace strata::thread {

enum class TurnKind : uint8_t { kUser, kModel, kTool };

/// "user", "model" or "tool".
std::string_view kindName(TurnKind kind);

/// How a thread stands behind one turn.
struct Checkpoint {
  uint32_t begin = 0;  ///< Where the turn's bytes stand in the log.
  uint32_t end = 0;
  uint32_t tokens = 0;  ///< Of all turns so far.
  uint32_t findings = 0;
  TurnKind kind = TurnKind::kUser;
  bool hasMedia = false;
  lint::SequenceState state;
  /// SHA-256 of the digest before, the length and the bytes: it names all turns so far.
  Digest digest{};
};

/// What an append did.
struct Appended {
  bool accepted = true;
  catalogue::Findings findings;  ///< Those of the new turn, and what was mended.
};

/// Estimates the tokens of one Content.
using Estimate = uint32_t (*)(json::Value content);

class Thread {
 public:
  enum class Policy : uint8_t { kReject, kRepair, kWarn };

  /// `strict` asks for strict sequencing, which is judged when a request is made; on append only
  /// where policy is to mend.
  Thread(const catalogue::Target& target, bool strict, Estimate estimate)
      : target_(target), strict_(strict), estimate_(estimate) {}

  /// Judges one Content and adds it. Where it has errors the thread stays as it was under kReject;
  /// kRepair mends them first, and refuses what can't be mended; kWarn adds it all the same.
  /// `bytes` are kept as they are, `content` is what they read as. `meta` is the caller's JSON
  /// object about the turn, or absent.
  Appended append(std::string_view bytes, json::Value content, json::Value meta, Policy policy);

  size_t size() const { return checkpoints_.size(); }
  uint32_t tokens() const { return checkpointAfter(size()).tokens; }
  /// What a Content would count here, were it not counted by the API.
  uint32_t tokensIn(json::Value content) const { return estimate_(content); }
  /// For whom a new turn is judged.
  const catalogue::Target& target() const { return target_; }
  /// For whom a request is judged: with strict sequencing, if the thread asks for it.
  catalogue::Target requestTarget() const {
    catalogue::Target target = target_;
    target.strict = strict_;
    return target;
  }

  /// For whom a new turn is judged under `policy`: what was mended must do for a request.
  catalogue::Target targetOf(Policy policy) const {
    return policy == Policy::kRepair ? requestTarget() : target_;
  }

  /// How the thread stood behind the first `turns` turns.
  const Checkpoint& checkpointAfter(size_t turns) const;
  std::string_view content(size_t index) const;
  /// The caller's JSON about a turn, or "".
  const std::string& meta(size_t index) const { return metas_[index]; }
  /// Contents `from` to `to` with commas between them.
  std::string_view contents(size_t from, size_t to) const;

  void rewind(size_t turns);

  /// What still counts of what was found, for a history that stands at `state`.
  catalogue::Findings findings(const lint::SequenceState& state) const;
  catalogue::Findings findings() const { return findings(checkpointAfter(size()).state); }

  /// What is wrong with `view` as the next turn; nothing is added.
  catalogue::Findings check(const gemini::ContentView& view, json::Value meta) const;

 private:
  void add(std::string_view bytes, const gemini::ContentView& view, std::string_view meta,
           uint32_t tokens, const catalogue::Findings& findings);
  Appended appendRepaired(std::string_view bytes, json::Value meta, catalogue::Findings findings);
  catalogue::Findings addRepaired(const std::string& bytes, const std::string& meta);
  uint32_t tokensOf(json::Value content, json::Value meta) const;

  catalogue::Target target_;
  bool strict_;
  Estimate estimate_;
  ByteLog log_;
  std::vector<Checkpoint> checkpoints_;
  std::vector<std::string> metas_;
  catalogue::Findings findings_;
};

/// The digest of a history that ends with `bytes` behind one whose digest is `before`.
Digest chain(const Digest& before, std::string_view bytes);

}  // namespace strata::thread
