// Writes the events of one push as a JSON array.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::stream {

/// Appends events to a JSON array: `[{"type":"text","text":"Hi"},…]`. Copies JSON text as received
/// and does not validate it.
class EventWriter {
 public:
  /// Starts an empty array and reserves `bytes` bytes.
  void begin(size_t bytes);
  /// Returns the array of the events since `begin`. Call `begin` before the next event.
  std::string take();

  /// Appends `text` or `thought`; `text` is a JSON string.
  void text(json::Value text, bool thought);
  /// Appends a complete functionCall: its name, its id if any, and its args as an object.
  void call(json::Value call);
  /// Does the same with what the step of a call has; `args` may be absent.
  void call(json::Value name, json::Value id, json::Value args);
  void part(json::Value part);
  /// Appends a step of an interaction, as JSON.
  void step(std::string_view step);
  /// Appends `usage`, a JSON object.
  void usage(std::string_view usage);
  /// Appends fields of a response; `fields` is a JSON object.
  void metadata(std::string_view fields);
  /// Appends an error; `error` is a JSON object.
  void error(std::string_view error);

 private:
  // Appends an event: `head`, `value` and a closing brace.
  void add(std::string_view head, std::string_view value);

  std::string out_;
};

}  // namespace strata::stream
