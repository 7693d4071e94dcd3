// Defines one instance of the core: its catalogue and its exchange buffer. All handles of an
// instance refer to its Core.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"
#include "catalogue/finding.h"
#include "exchange.h"
#include "json/value.h"
#include "lint/lint.h"
#include "tokens/calibration.h"

namespace strata::bindings {

class CompiledPromptBinding;

/// The entry point for JavaScript. Each call reads the parts of a frame from the exchange buffer
/// and writes a reply to it, see `Exchange`. Must outlive all handles that were created with it.
class Core {
 public:
  Exchange& exchange() { return exchange_; }
  const catalogue::Catalogue& catalogue() const { return catalogue_; }

  /// Adds models and rules to the catalogue. Part 0: model rows, part 1: rule rows, JSON arrays.
  /// Replies {} or an error.
  void configure();
  /// Validates a request. Part 0: the body, part 1: LintOptions. Replies a report.
  void lint();
  /// Repairs a request. Parts as in `lint`, with `dummySignatures` in the options. Replies a report
  /// and the body.
  void repair();
  /// Finds values in a JSON text. Part 0: the text, part 1: an array of JSON Pointers. Replies
  /// {"places":[…]}: the begin and end byte offset of each value, or null. For an invalid text, all
  /// places are the offset of the error.
  void locate();
  /// Part 0: {"model":…}. Replies the limits of the model.
  void modelLimits();
  /// Plans the cache of a request. Part 0: the tokens of the request, the outcome of the last one
  /// and the planner's state. Replies the plan with the new state.
  void planCache();
  /// Estimates tokens. Part 0: plain text if part 1 sets `plain`, otherwise a Content or an array
  /// of Contents. Part 1 may also set `model` and `calibration`. Replies {"tokens":n} or an error.
  void estimate();
  /// Updates a calibration. Parts as in `estimate`, with the API's count as `tokens`. Replies the
  /// calibration or an error.
  void calibrate();

  /// Compiles a prompt. Part 0: a PromptInput. Replies {"stable":…,"dynamic":…,"manifest":{…}} and
  /// the full text, or an error, or a template error. `stable` and `dynamic` are the lengths in
  /// bytes of the start and the end of the full text.
  void compile();
  /// Splits a full text (part 0) at its boundary. Replies {"stable":…,"dynamic":…} as in `compile`,
  /// or {"none":true} if it has no boundary.
  void splitPrompt();
  /// Merges arguments of a prompt. Part 0: an ArgumentSources. Replies
  /// {"arguments":{…},"diagnostics":[…]} or an error.
  void promptArguments();
  /// Part 0: bytes. Replies {"fingerprint":…}, their SHA-256 in hexadecimal.
  void fingerprint();

  /// Returns the target of requests with these options (`model`, `backend`). Refers to the
  /// catalogue.
  catalogue::Target targetOf(json::Value options) const;

  /// Returns the context of `lint` and `repair` for their options.
  lint::LintContext contextOf(json::Value options) const;

  /// Registers a compiled prompt and returns its id, which is not 0. The prompt must call
  /// `removePrompt` before it is destroyed.
  uint32_t addPrompt(const CompiledPromptBinding& prompt);
  void removePrompt(uint32_t id) { prompts_[id - 1] = nullptr; }
  /// Returns the compiled prompt with this id, or null.
  const CompiledPromptBinding* prompt(int64_t id) const;

  emscripten::val buffer(uint32_t size) { return exchange_.buffer(size); }

 private:
  Result<tokens::Measure> measureInput(json::Value options) const;

  Exchange exchange_;
  catalogue::Catalogue catalogue_;
  std::vector<const CompiledPromptBinding*> prompts_;  // by id - 1; null after its removal
};

/// Reads {"text":…,"data":…,"seen":…}. A missing member has its default.
tokens::Calibration readCalibration(json::Value given);
/// Returns the same form.
std::string calibrationReply(const tokens::Calibration& calibration);

/// The options of a call, which the shell writes with JSON.stringify. The bytes must outlive it.
class Options {
 public:
  explicit Options(std::string_view json);
  /// Returns the root, or an absent Value if the text is empty or invalid.
  json::Value root() const { return tape_ ? tape_->root() : json::Value(); }

 private:
  std::optional<json::Tape> tape_;
};

}  // namespace strata::bindings
