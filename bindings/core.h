// Defines one instance of the core: its catalogue and its exchange buffer. All handles of an
// instance refer to its Core.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "catalogue/finding.h"
#include "exchange.h"
#include "json/options_reader.h"
#include "json/text_place.h"
#include "json/value.h"
#include "layers/template_engine.h"
#include "lint/lint.h"
#include "module.h"
#include "repair/repair.h"
#include "tokens/calibration.h"
#include "tokens/estimate.h"

namespace strata::bindings {

/// What JavaScript holds of one kind in an instance, each under a number of its own. The handles
/// remove themselves before they are destroyed.
template <typename T>
class HandleList {
 public:
  /// Adds a handle's content and returns its number, which is at least 1 and never used again.
  uint32_t add(const T& added) {
    entries_.push_back({++lastId_, &added});
    return lastId_;
  }
  void remove(uint32_t id) {
    std::erase_if(entries_, [id](const Entry& entry) { return entry.id == id; });
  }
  /// Returns nullptr for an unknown number. O(handles).
  const T* find(int64_t id) const {
    for (const Entry& entry : entries_) {
      if (entry.id == id) return entry.content;
    }
    return nullptr;
  }

 private:
  struct Entry {
    uint32_t id;
    const T* content;
  };
  std::vector<Entry> entries_;
  uint32_t lastId_ = 0;
};

/// The halves and the manifest of a compiled prompt.
struct PromptTexts {
  std::string_view stable;
  std::string_view dynamic;
  json::Value manifest;
};

/// The entry point for JavaScript. Each call reads the parts of a frame from the exchange buffer
/// and writes a reply to it, see `Exchange`. Must outlive all handles that were created with it.
class Core {
 public:
  Exchange& exchange() { return exchange_; }
  const catalogue::Catalogue& catalogue() const { return catalogue_; }
  /// The compiled templates.
  HandleList<layers::LayerTemplate>& templates() { return templates_; }
  const HandleList<layers::LayerTemplate>& templates() const { return templates_; }
  /// The compiled prompts.
  HandleList<PromptTexts>& prompts() { return prompts_; }
  const HandleList<PromptTexts>& prompts() const { return prompts_; }

  /// Adds models and rules to the catalogue. Part 0: LoadOptions without `wasm`. Replies {} or an
  /// error.
  void configure();
  /// Validates a request. Part 0: the body, part 1: LintOptions, part 2: not empty if the caller
  /// gave a value, whose text it has not seen, so that findings have no place. Replies a report.
  void lint();
  /// Repairs a request. Parts as in `lint`, with `dummySignatures` and `maxValues` in the options.
  /// Replies a report and the body, or an error.
  void repair();
  /// Rewrites a JSON Schema (part 0) for a model. Part 1: {"model":…,"backend":…}. Replies
  /// {"schema":…,"diagnostics":[…]}.
  void schema();
  /// Finds values in a JSON text. Part 0: the text, part 1: an array of JSON Pointers, part 2:
  /// {"positions":…}. Replies {"places":[…]}: the begin and end of each value, or of the nearest
  /// container that lacks it. A text that only Google's parser takes is read as such. For an
  /// invalid text, all places are the offset of the error.
  void locate();
  /// Part 0: {"model":…,"backend":…,"now":…}. Replies ModelLimits.
  void modelLimits();
  /// Describes the history of a request. Part 0: the body, part 1: LintOptions with `maxContents`,
  /// part 2 as in `lint`. Replies the turns as thread/timeline.h says, each with its range, and
  /// `omitted` if there are more Contents. A body that cannot be read has no turns.
  void timeline();
  /// Plans the cache of a request. Part 0: the tokens of the request, the outcome of the last one
  /// and the planner's state. Replies the plan with the new state.
  void planCache();
  /// Estimates tokens. Part 0: plain text if part 2 sets `plain`, otherwise a Content or an array
  /// of Contents. Part 1: EstimateOptions. Part 2: {"plain":…}. Replies {"tokens":n} or an error.
  void estimate();
  /// Updates a calibration. Parts as in `estimate`, with the API's count as `tokens` in part 2.
  /// Replies the calibration or an error.
  void calibrate();

  /// Splits a full text (part 0) at its boundary. Replies {"stable":…,"dynamic":…}, the lengths of
  /// its start and its end in bytes, or {"none":true} if it has no boundary.
  void splitPrompt();
  /// Merges arguments of a prompt. Part 0: an ArgumentSources. Replies
  /// {"arguments":{…},"diagnostics":[…]} or an error.
  void promptArguments();
  /// Compares the manifests in parts 0 and 1. Replies a ManifestDiff or an error.
  void diffManifests();
  /// Part 0: bytes. Replies {"fingerprint":…}, their SHA-256 in hexadecimal.
  void fingerprint();

  /// The options of `lint` and `repair`.
  struct LintOptions {
    lint::LintContext context;
    repair::RepairOptions repair;
    std::optional<json::TextUnit> positions;
  };
  /// Reads LintOptions, which further options of the call may follow.
  LintOptions readLintOptions(json::OptionsReader& options) const;
  /// Replies the error of a repair that would read more than `maxValues`.
  void replyTooMuch();

  /// Returns the target of requests to a model. Refers to the catalogue.
  catalogue::Target targetOf(std::string_view model, catalogue::Service service = {}) const;
  /// Replies an error in the caller's options.
  void replyOptionError(const Error& error) { exchange_.replyOptionError(error, catalogue_); }

  /// Returns the address of a 32-bit word that is 1 after memory could not grow, see
  /// out_of_memory.h.
  uint32_t outOfMemory() const;

  emscripten::val buffer(uint32_t size) { return exchange_.buffer(size); }

 private:
  /// The options of `estimate` and `calibrate`.
  struct EstimateOptions {
    std::optional<std::string> model;
    catalogue::Service service;
    tokens::Calibration calibration;
    bool plain = false;
    double tokens = 0;
  };

  /// The options of `modelLimits` and `schema`.
  struct ModelOptions {
    std::string model;
    catalogue::Service service;
  };

  Result<LintOptions> readLintOptions() const;
  Result<ModelOptions> readModelOptions(size_t part) const;
  Result<EstimateOptions> readEstimateOptions(json::Need tokens) const;
  Result<tokens::Measure> measureInput(const EstimateOptions& options) const;

  Exchange exchange_;
  catalogue::Catalogue catalogue_{coreTexts()};
  HandleList<layers::LayerTemplate> templates_;
  HandleList<PromptTexts> prompts_;
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

 private:
  std::optional<json::Tape> tape_;
  Status status_;
};

}  // namespace strata::bindings
