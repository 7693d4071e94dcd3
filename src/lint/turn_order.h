// Validates the order of a history one Content at a time, from a small fixed-size state that every
// checkpoint stores. Appending a turn costs the same after ten turns as after five thousand.
#pragma once

#include <vector>

#include "catalogue/finding.h"
#include "gemini/content_view.h"

namespace strata::lint {

/// Summarizes the Contents so far, as far as the next one depends on them.
struct SequenceState {
  int32_t turns = 0;
  /// Index of the newest user Content that holds something other than functionResponses, or -1. The
  /// current turn is everything after it: https://ai.google.dev/gemini-api/docs/thought-signatures.
  int32_t openingIndex = -1;
  /// Index of the newest user Content that holds no functionResponse at all, or -1. Gemini CLI
  /// reads the rule this way (google-gemini/gemini-cli
  /// packages/core/src/utils/historyHardening.ts).
  int32_t plainOpeningIndex = -1;
  int32_t lastModelIndex = -1;  ///< Index of the newest model Content, or -1.
  /// Index of the first and of the newest Content with the open functionCalls, or -1. Usually they
  /// are one; clients that store each chunk of a stream as a Content of its own write more.
  int32_t firstCallIndex = -1;
  int32_t lastCallIndex = -1;
  /// The functionCalls of the model Contents at the end that are not answered in these Contents.
  uint32_t calls = 0;
  // The last Content: its functionResponses, and whether its role is "model".
  uint32_t responses = 0;
  bool model = false;

  bool hasOpenCalls() const { return model && calls > 0; }
  bool endsWithResponses() const { return turns > 0 && !model && responses > 0; }
};

/// Returns the state after `view`. O(1).
SequenceState advance(SequenceState state, const gemini::ContentView& view,
                      const catalogue::Target& target);

/// Returns whether a Content is the user's and opens a turn before which a history may be split:
/// no call is open there, and it answers none. `before` and `after` are the states around it.
inline bool opensTurn(const SequenceState& before, const SequenceState& after) {
  return before.turns > 0 && after.plainOpeningIndex == before.turns && !before.hasOpenCalls();
}

/// The open functionCalls that a Content may answer, in order.
using Calls = std::vector<const gemini::PartView*>;

/// Returns whether `view`, as the Content after `state`, holds the user's functionResponses for
/// open calls.
inline bool answersCalls(const gemini::ContentView& view, const SequenceState& state) {
  return state.hasOpenCalls() && !view.isModel() && view.hasResponses();
}

/// Appends findings about `view` as the Content after `state`. `calls` are the calls of the
/// Contents from `state.firstCallIndex` on; they are read only if `answersCalls(view, state)`, and
/// nullptr then skips the pairing. Sources:
/// https://ai.google.dev/gemini-api/docs/function-calling and
/// https://ai.google.dev/gemini-api/docs/thought-signatures.
void checkSequence(const gemini::ContentView& view, const Calls* calls, const SequenceState& state,
                   const catalogue::Target& target, catalogue::Findings& findings);

/// Returns the severity that a finding about an earlier Content has for a history that ends at
/// `state`. Findings with the scope `turn` are off once a new turn opens, and at most warnings
/// where the two readings of "current turn" differ.
catalogue::Severity severityNow(const catalogue::Finding& finding, const SequenceState& state,
                                const catalogue::Target& target);

/// Returns the state before the model's next answer: after an answer without open calls, the user's
/// next Content opens a new turn.
SequenceState beforeNextAnswer(SequenceState state);

/// Appends findings about a request that ends at `state`: no Contents, open functionCalls, or a
/// model Content at the end.
void checkEnd(const SequenceState& state, catalogue::Findings& findings);

}  // namespace strata::lint
