// Why this file exists: a history is judged one Content at a time, from a small state that a
// checkpoint can hold. So a new turn costs the same behind ten turns and behind five thousand.
#pragma once

#include "catalogue/finding.h"
#include "gemini/content_view.h"

namespace strata::lint {

/// What the Contents so far mean for the next one. Fixed size, copied into every checkpoint.
struct SequenceState {
  int32_t turns = 0;
  /// The newest user Content that holds something other than results; the current turn is behind
  /// it.
  int32_t opening = -1;
  /// The same, but holding no results at all: the other reading of Google's rule.
  int32_t plainOpening = -1;
  /// The newest model Content.
  int32_t newestModel = -1;
  /// How the last Content stands: its calls and results, and whether a model wrote it.
  uint32_t calls = 0;
  uint32_t responses = 0;
  bool model = false;

  bool hasOpenCalls() const { return model && calls > 0; }
  bool endsWithResponses() const { return turns > 0 && !model && responses > 0; }
};

/// The state behind `view`.
SequenceState advance(SequenceState state, const gemini::ContentView& view);

/// Adds what is wrong with `view` behind `state`. `calls` is the Content before it and is only read
/// where that one has open calls.
void checkSequence(const gemini::ContentView& view, const gemini::ContentView* calls,
                   const SequenceState& state, catalogue::Findings& findings);

/// How grave a finding of an earlier Content still is, now that the history stands at `state`:
/// findings about a turn vanish when a new one opens.
catalogue::Severity severityNow(const catalogue::Finding& finding, const SequenceState& state,
                                const catalogue::Target& target);

/// Adds what speaks against ending a request at `state`: no contents, an open call, a model turn.
void checkEnd(const SequenceState& state, catalogue::Findings& findings);

}  // namespace strata::lint
