// Reads the JSON files and JSON texts that tests use, with the project's own parser.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::test {

/// Returns a file by its path from the repository's root, or nullopt.
inline std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(std::string(STRATA_ROOT) + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

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

/// Returns JSON without white space between values, as JSON.stringify writes it.
inline std::string compact(std::string_view json) {
  std::string out;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inString && c == '\\') out += json[i++];
    if (c == '"' && (i == 0 || json[i - 1] != '\\' || !inString)) inString = !inString;
    if (inString || (c != ' ' && c != '\n')) out += json[i];
  }
  return out;
}

}  // namespace strata::test
