// Writes JSON, such as manifests, reports and events, into one string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends JSON and inserts the commas. The caller must balance the brackets and pass valid UTF-8:
///
///     Writer w;
///     w.open('{').key("ok").boolean(true).close('}');
class Writer {
 public:
  Writer& open(char bracket);
  Writer& close(char bracket);
  Writer& key(std::string_view name);
  Writer& string(std::string_view text);
  Writer& integer(int64_t value);
  /// Writes the shortest digits that read back as `value`. Requires a finite value.
  Writer& number(double value);
  Writer& boolean(bool value);
  /// Writes a value that is already JSON.
  Writer& raw(std::string_view json);

  /// Returns the JSON written so far.
  const std::string& text() const { return out_; }
  /// Moves the JSON out. Do not use the writer afterwards.
  std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  bool needsComma_ = false;
};

}  // namespace strata::json
