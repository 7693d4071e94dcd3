// Writes the events of one push as a JSON array.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "stream/api_error.h"
#include "stream/field_list.h"

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
  /// Appends fields of a response, if there are any.
  void metadata(const FieldList& fields);
  /// Appends an error without its details.
  void error(const ApiError& error);

 private:
  // Appends an event: `head`, `value` and a closing brace.
  void add(std::string_view head, std::string_view value);

  std::string out_;
};

}  // namespace strata::stream
