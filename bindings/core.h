// Defines one instance of the core: its catalogue and its exchange buffer. All handles of an
// instance refer to its Core.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"
#include "catalogue/finding.h"
#include "exchange.h"
#include "json/document.h"
#include "json/options_reader.h"
#include "lint/lint.h"
#include "tokens/calibration.h"
#include "tokens/estimate.h"

namespace strata::bindings {

class CompiledPromptBinding;

/// The entry point for JavaScript. Each call reads the parts of a frame from the exchange buffer
/// and writes a reply to it, see `Exchange`. Must outlive all handles that were created with it.
class Core {
 public:
  Exchange& exchange() { return exchange_; }
  const catalogue::Catalogue& catalogue() const { return catalogue_; }

  /// Adds models and rules to the catalogue. Part 0: LoadOptions without `wasm`. Replies {} or an
  /// error.
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
  /// Part 0: {"model":…,"backend":…,"now":…}. Replies ModelLimits.
  void modelLimits();
  /// Plans the cache of a request. Part 0: the tokens of the request, the outcome of the last one
  /// and the planner's state. Replies the plan with the new state.
  void planCache();
  /// Estimates tokens. Part 0: plain text if part 2 sets `plain`, otherwise a Content or an array
  /// of Contents. Part 1: EstimateOptions. Part 2: {"plain":…}. Replies {"tokens":n} or an error.
  void estimate();
  /// Updates a calibration. Parts as in `estimate`, with the API's count as `tokens` in part 2.
  /// Replies the calibration or an error.
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
  /// Compares the manifests in parts 0 and 1. Replies a ManifestDiff or an error.
  void diffManifests();
  /// Part 0: bytes. Replies {"fingerprint":…}, their SHA-256 in hexadecimal.
  void fingerprint();

  /// Returns the target of requests to a model. Refers to the catalogue.
  catalogue::Target targetOf(std::string_view model, catalogue::Service service = {}) const;
  /// Replies an error in the caller's options.
  void replyOptionError(const Error& error) { exchange_.replyOptionError(error, catalogue_); }

  /// Registers a compiled prompt and returns its id, which is not 0. The prompt must call
  /// `removePrompt` before it is destroyed.
  uint32_t addPrompt(const CompiledPromptBinding& prompt);
  void removePrompt(uint32_t id) { prompts_[id - 1] = nullptr; }
  /// Returns the compiled prompt with this id, or null.
  const CompiledPromptBinding* prompt(int64_t id) const;

  emscripten::val buffer(uint32_t size) { return exchange_.buffer(size); }

 private:
  /// The options of `lint` and `repair`.
  struct LintOptions {
    lint::LintContext context;
    bool dummySignatures = false;
  };
  /// The options of `estimate` and `calibrate`.
  struct EstimateOptions {
    std::optional<std::string> model;
    catalogue::Service service;
    tokens::Calibration calibration;
    bool plain = false;
    double tokens = 0;
  };

  Result<LintOptions> readLintOptions() const;
  Result<EstimateOptions> readEstimateOptions(json::Need tokens) const;
  Result<tokens::Measure> measureInput(const EstimateOptions& options) const;

  Exchange exchange_;
  catalogue::Catalogue catalogue_;
  std::vector<const CompiledPromptBinding*> prompts_;  // by id - 1; null after its removal
};

/// Reads {"text":…,"data":…,"seen":…}. All members are required.
tokens::Calibration readCalibration(json::OptionsReader& options);
/// Returns the same form.
std::string calibrationReply(const tokens::Calibration& calibration);

/// The options of a call, which the shell writes with JSON.stringify. The bytes must outlive it.
class Options {
 public:
  explicit Options(std::string_view json);
  /// Returns the root, or an absent Value if the text is empty or invalid.
  json::Value root() const { return tape_ ? tape_->root() : json::Value(); }
  /// Returns a reader of the root, whose path in the caller's options is `path`. It must not
  /// outlive the options. Invalid JSON is the reader's error.
  json::OptionsReader reader(std::string path = {}) const;
  /// Does the same for a document made from the root, for calls that are rare.
  json::OptionsReader readerOf(const json::Document& document) const;

 private:
  std::optional<json::Tape> tape_;
  Status status_;
};

}  // namespace strata::bindings
