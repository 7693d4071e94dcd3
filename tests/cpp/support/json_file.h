// Why this file exists: tests read their cases from JSON files, with the project's own reader.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::test {

/// A file below the repository's root, or nothing.
inline std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(std::string(STRATA_ROOT) + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// JSON with the bytes that it stands in. It is not movable: its values point into it.
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

/// JSON as JSON.stringify writes it: no white space between values.
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
