// Why this file exists: one instance of the core: its catalogue and its border. All handles of the
// instance belong to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"
#include "catalogue/finding.h"
#include "exchange.h"
#include "json/value.h"
#include "lint/lint.h"
#include "tokens/estimate.h"

namespace strata::bindings {

class Core {
 public:
  Exchange& exchange() { return exchange_; }
  const catalogue::Catalogue& catalogue() const { return catalogue_; }

  /// Part 0: model rows, part 1: rule rows, JSON arrays. Replies {} or an error.
  void configure();
  /// Part 0: the body, part 1: LintOptions. Replies a report.
  void lint();
  /// The same parts, and `dummySignatures` among the options. Replies a report and the body.
  void repair();
  /// Part 0: JSON, part 1: an array of JSON Pointers. Replies {"places":[…]}: the first and last
  /// byte offset of each value, or null. In a text that can't be read each is where reading
  /// stopped.
  void locate();
  /// Part 0: {"model":…}. Replies the limits of its row.
  void modelLimits();
  /// Part 0: what a request would cost and what is known of the ones before. Replies the plan for
  /// its cache, with the state for the next one.
  void planCache();
  /// Part 0: plain text where part 1 says `plain`, else a Content or an array of them. Part 1 may
  /// also hold model and calibration. Replies {"tokens":n} or an error.
  void estimate();
  /// The same, and `tokens` that the API counted. Replies the calibration, or an error.
  void calibrate();

  /// Part 0: a PromptInput. Replies {"stable":…,"dynamic":…,"manifest":{…}}, both in bytes of the
  /// full text, and the full text; or an error, or a template error.
  void compile();
  /// Part 0: a full text. Replies {"stable":…,"dynamic":…}, bytes at its ends, or {"none":true}.
  void splitPrompt();
  /// Part 0: an ArgumentSources. Replies {"arguments":{…},"diagnostics":[…]} or an error.
  void promptArguments();
  /// Part 0: bytes. Replies {"fingerprint":…}.
  void fingerprint();

  /// For whom requests with these options (`model`, `backend`) are judged.
  catalogue::Target targetOf(json::Value options) const;

  /// For lint and repair: what their options say.
  lint::LintContext contextOf(json::Value options) const;

  emscripten::val buffer(uint32_t size) { return exchange_.buffer(size); }

 private:
  Result<tokens::Measure> measured(json::Value options) const;

  Exchange exchange_;
  catalogue::Catalogue catalogue_;
};

/// The options of a call, which the shell has written with JSON.stringify.
class Options {
 public:
  explicit Options(std::string_view json);
  json::Value root() const { return tape_ ? tape_->root() : json::Value(); }

 private:
  std::optional<json::Tape> tape_;
};

}  // namespace strata::bindings
