// Parses the JSON texts of tests with the project's own parser.
#pragma once

#include <string>

#include "json/value.h"

namespace strata::test {

/// Parsed JSON together with its bytes. Neither copyable nor movable, because its values point into
/// it.
class Json {
 public:
  explicit Json(std::string text) : text_(std::move(text)), tape_(json::Tape::read(text_)) {}
  Json(const Json&) = delete;
  Json& operator=(const Json&) = delete;

  bool ok() const { return static_cast<bool>(tape_); }
  json::Value root() const { return ok() ? tape_.value().root() : json::Value(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Result<json::Tape> tape_;
};

}  // namespace strata::test
