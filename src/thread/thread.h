// Stores a conversation as a byte log with one checkpoint per turn. Appending validates the new
// turn from the last checkpoint; rewinding and forking restore a checkpoint. Nothing else is
// recomputed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "lint/signature.h"
#include "lint/turn_order.h"
#include "thread/turn_log.h"
#include "tokens/calibration.h"

namespace strata::thread {

/// The maximum nesting depth of a Content, which is two levels deeper in a request.
inline constexpr size_t kMaxContentDepth = json::kMaxDepth - 2;

/// `kTool` is a user Content that holds functionResponses only.
enum class TurnKind : uint8_t { kUser, kModel, kTool };

/// Returns "user", "model", or "tool".
std::string_view kindName(TurnKind kind);

/// Returns the kind of a Content as a turn.
TurnKind kindOf(const gemini::ContentView& view);

/// The state of a thread after one turn.
struct Checkpoint {
  uint32_t tokens = 0;    ///< Of all turns so far.
  uint32_t findings = 0;  ///< The number of findings so far.
  TurnKind kind = TurnKind::kUser;
  bool hasMedia = false;  ///< Whether this turn holds media.
  bool isBlank = true;    ///< Whether this turn holds nothing but empty, unsigned texts.
  lint::SequenceState state;
  bool isSteps = false;  ///< Whether this turn came as steps, see thread/turn_meta.h.
  /// SHA-256 of the previous digest, the length, and the bytes, then that of the steps, if any. It
  /// identifies all turns so far.
  Digest digest{};
};

/// What an append may do besides adding the Content.
struct AppendOptions {
  /// Whether a Content that would be rejected gets the documented placeholder for the signatures
  /// that its functionCalls lack: https://ai.google.dev/gemini-api/docs/thought-signatures. Has no
  /// effect under the policy `kWarn`, which rejects nothing.
  bool placeholder = false;
  /// Whether the count in `meta.tokens` calibrates the thread's estimates. Without a count, the
  /// calibrated estimate becomes the last member of the turn's metadata, as `tokens`.
  bool learn = false;
};

/// The result of an append.
struct AppendResult {
  bool accepted = true;
  catalogue::Findings findings;  ///< The repairs, if any, then the findings about the new turn.
};

/// Estimates the tokens of one Content.
using Estimate = uint32_t (*)(json::Value content);

/// A history of Contents. Copying it makes a fork: copies share the log until one of them diverges.
/// Views of bytes are valid until this thread, or a copy that shares its log, is appended to.
/// Indexes must be less than `size()`, counts of turns at most `size()`, unless stated otherwise.
class Thread {
 public:
  enum class Policy : uint8_t { kReject, kRepair, kWarn };

  /// `target.catalogue` and `target.model` must outlive the thread. `strict` makes strict
  /// sequencing an error of requests, and of appends under `kRepair`; other appends ignore it.
  Thread(const catalogue::Target& target, bool strict, Estimate estimate) : strict_(strict) {
    retarget(target, estimate);
  }

  /// Validates one Content and appends its bytes unchanged. If it has errors, `kReject` leaves the
  /// thread as it was, `kRepair` repairs the open step first and rejects what it cannot repair, and
  /// `kWarn` appends it anyway. `bytes` is JSON that must not point into this thread, `content` is
  /// its parsed form, and `meta` is the caller's JSON object about the turn, or absent. The steps
  /// in it, see thread/turn_meta.h, stay as long as the Content is appended unchanged. Linear in
  /// the size of the Content and, while calls are open, of the one before it.
  AppendResult append(std::string_view bytes, json::Value content, json::Value meta, Policy policy,
                      const AppendOptions& options = {});

  /// Returns what `append` would return. Nothing is appended. Costs the same, except for a Content
  /// that must be repaired: then it copies the metadata of all turns.
  AppendResult preview(std::string_view bytes, json::Value content, json::Value meta, Policy policy,
                       const AppendOptions& options = {}) const;

  /// Says whether later model Contents may hold functionCalls that Google ran itself, for a history
  /// whose tools are known. Default: they may.
  void setServerCalls(bool mayHold) { target_.serverCalls = mayHold; }

  /// Changes whether strict sequencing is an error, for requests and appends from now on.
  void setStrict(bool strict) { strict_ = strict; }

  size_t size() const { return checkpoints_.size(); }
  uint32_t tokens() const { return checkpointAfter(size()).tokens; }
  /// Returns the estimated tokens of a Content, as `append` counts it without `meta.tokens`.
  uint32_t estimateTokens(json::Value content) const { return estimate_(content); }
  /// Returns the target that new turns are validated for.
  const catalogue::Target& target() const { return target_; }
  /// Replaces the target and the estimate, for a model that is served differently from now on.
  /// Turns keep their findings, whose severity follows the new target, and their tokens.
  void retarget(const catalogue::Target& target, Estimate estimate) {
    target_ = target;
    // The tools of later requests are not known: a model Content may hold Google's own results.
    target_.serverCalls = true;
    estimate_ = estimate;
  }
  /// Returns the target that requests are validated for, which includes strict sequencing.
  catalogue::Target requestTarget() const {
    catalogue::Target target = target_;
    target.strict = strict_;
    return target;
  }

  /// Returns the target that a new turn is validated for under `policy`. A repaired turn must be
  /// valid in a request.
  catalogue::Target targetOf(Policy policy) const {
    return policy == Policy::kRepair ? requestTarget() : target_;
  }

  /// Returns the state after the first `turns` turns. Valid until the thread changes.
  const Checkpoint& checkpointAfter(size_t turns) const;
  std::string_view content(size_t index) const { return turns_.content(index); }
  /// Returns the index of the first Content with open functionCalls at the end, or `size()`.
  size_t openFrom() const {
    const lint::SequenceState& state = checkpointAfter(size()).state;
    return state.hasOpenCalls() ? static_cast<size_t>(state.firstCallIndex) : size();
  }
  /// Returns the caller's JSON about a turn, or "".
  std::string_view meta(size_t index) const { return turns_.meta(index); }
  /// Returns the Contents from `openFrom()` on as a JSON array.
  std::string openContents() const;
  /// Returns the Contents `[from, to)`, separated by commas.
  std::string_view contents(size_t from, size_t to) const { return turns_.contents(from, to); }

  /// Drops all turns after the first `turns`. Does nothing if there are no more than that.
  void rewind(size_t turns);

  /// Makes the current turns the ones that survive a trap. A caller that answers JavaScript calls
  /// it at the end of each call that changes the thread, so that a call that traps changes nothing.
  void commit() { turns_.commit(); }
  /// The turns of the last commit. Its address is valid until the thread is moved or destroyed.
  const CommittedTurns& committed() const { return turns_.committed(); }

  /// Returns the findings about turns from `from` on, or all, that still apply to a history that
  /// ends at `state`, with the severities they have for a request.
  catalogue::Findings findings(const lint::SequenceState& state, int32_t from = -1) const;
  catalogue::Findings findings() const { return findings(checkpointAfter(size()).state); }

  /// Returns the findings that turn `index` added, as `check` found them. Valid until the thread
  /// changes.
  std::span<const catalogue::Finding> findingsOf(size_t index) const {
    const size_t first = checkpointAfter(index).findings;
    return std::span(findings_).subspan(first, checkpointAfter(index + 1).findings - first);
  }

  /// Returns the findings about `view` as the next turn, and what its steps lose as a Content.
  /// Nothing is appended.
  catalogue::Findings check(const gemini::ContentView& view, json::Value meta) const;
  /// Does the same for some of the functionResponses that answer the open calls: others may still
  /// be missing. Under Policy::kRepair, leaves out media that the repair moves.
  catalogue::Findings checkSomeResponses(const gemini::ContentView& view, Policy policy) const;

  /// Returns whether the turn `view` with these findings is an error under `policy`.
  bool hasErrors(const gemini::ContentView& view, const catalogue::Findings& findings,
                 Policy policy) const;

  /// The correction of token estimates that appends with `learn` use and update. Forks inherit it.
  const tokens::Calibration& calibration() const { return calibration_; }
  void setCalibration(const tokens::Calibration& calibration) { calibration_ = calibration; }

 private:
  void add(std::string_view bytes, const gemini::ContentView& view, json::Value meta,
           const catalogue::Findings& findings);
  AppendResult appendOrRepair(std::string_view bytes, json::Value content, json::Value meta,
                              Policy policy, bool placeholder);
  AppendResult appendRepaired(std::string_view bytes, json::Value meta,
                              catalogue::Findings findings);
  AppendResult appendWithPlaceholder(std::string_view bytes, json::Value meta, Policy policy,
                                     AppendResult rejected);
  tokens::Measure measureLast() const;
  catalogue::Findings addRepaired(const std::string& bytes, const std::string& meta);
  uint32_t tokensOf(json::Value content, json::Value meta) const;

  catalogue::Target target_;
  bool strict_;
  Estimate estimate_;
  tokens::Calibration calibration_;
  TurnLog turns_;
  std::vector<Checkpoint> checkpoints_;
  std::vector<catalogue::Finding> findings_;  ///< Of each turn, those that `check` returns.
};

/// Returns how the target's model counts media.
tokens::MediaCount mediaCountOf(const catalogue::Target& target);
/// Returns the estimate for the target's model.
Estimate estimateFor(const catalogue::Target& target);

/// Returns the digest of a history whose earlier turns have the digest `before` and whose last turn
/// is `bytes`.
Digest chainDigest(const Digest& before, std::string_view bytes);

}  // namespace strata::thread
