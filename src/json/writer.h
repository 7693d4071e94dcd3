// Writes JSON, such as manifests, reports and events, into one string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends JSON and inserts the commas. Pass valid UTF-8. Scopes close what they open, in the right
/// order; with `open` and `close` the caller must balance the brackets:
///
///     Writer w;
///     {
///       const Writer::Scope report = w.object();
///       w.key("ok").boolean(true);
///     }
class Writer {
 public:
  /// Closes an object or an array at the end of its block. The writer must outlive it.
  class Scope {
   public:
    Scope(Writer& writer, char close) : writer_(writer), close_(close) {}
    ~Scope() { writer_.close(close_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Writer& writer_;
    char close_;
  };

  Writer() = default;
  /// Begins a document of about this many bytes, which is longer than most.
  explicit Writer(size_t size) { out_.reserve(size); }

  /// Opens an object, as a value or as the member `name`.
  [[nodiscard]] Scope object();
  [[nodiscard]] Scope object(std::string_view name);
  /// Opens an array, as a value or as the member `name`.
  [[nodiscard]] Scope array();
  [[nodiscard]] Scope array(std::string_view name);

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
  // Writes a comma, if one is needed, then a string, then `after`, which is at most one character.
  void quoted(std::string_view text, std::string_view after);

  std::string out_;
  bool needsComma_ = false;
};

}  // namespace strata::json
