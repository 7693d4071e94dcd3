// Defines one instance of a module: its catalogue and its exchange buffer. All handles of an
// instance refer to its Core.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"
#include "catalogue/finding.h"
#include "exchange.h"
#include "json/options_reader.h"
#include "json/value.h"
#include "module.h"

namespace strata::bindings {

/// The entry point for JavaScript. Each call reads the parts of a frame from the exchange buffer
/// and writes a reply to it, see `Exchange`. Calls that not every module has are functions of their
/// own, which take the Core. Must outlive all handles that were created with it.
class Core {
 public:
  Exchange& exchange() { return exchange_; }
  const catalogue::Catalogue& catalogue() const { return catalogue_; }

  /// Adds models and rules to the catalogue. Part 0: LoadOptions without `wasm`. Replies {} or an
  /// error.
  void configure();

  /// Returns the target of requests to a model. Refers to the catalogue.
  catalogue::Target targetOf(std::string_view model, catalogue::Service service = {}) const;
  /// Replies an error in the caller's options.
  void replyOptionError(const Error& error) { exchange_.replyOptionError(error, catalogue_); }

  /// Returns the address of a 32-bit word that is 1 after memory could not grow, see
  /// out_of_memory.h.
  uint32_t outOfMemory() const;

  emscripten::val buffer(uint32_t size) { return exchange_.buffer(size); }

 private:
  Exchange exchange_;
  catalogue::Catalogue catalogue_{moduleTexts()};
};

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
