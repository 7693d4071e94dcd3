// Why this file exists: new JSON (manifests, reports, events) is appended to one string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends JSON and places the commas. The caller keeps brackets balanced:
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
  /// The shortest digits that read back as `value`, which is finite.
  Writer& number(double value);
  Writer& boolean(bool value);
  /// A value that is JSON already.
  Writer& raw(std::string_view json);

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  bool needsComma_ = false;
};

}  // namespace strata::json
