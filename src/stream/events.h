// Why this file exists: what one push tells, as a JSON array. Events are many and of few forms, so
// each is a few appends and nothing else.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::stream {

class Events {
 public:
  /// Forgets what was told; makes room for about `bytes` bytes.
  void begin(size_t bytes);
  /// The events since `begin`.
  std::string take();

  void text(json::Value text, bool thought);
  /// A whole functionCall: name, id where there is one, args as an object.
  void call(json::Value call);
  void part(json::Value part);
  void usage(json::Value usage);
  /// Fields of a response, as a JSON object.
  void metadata(std::string_view fields);
  void error(std::string_view error);

 private:
  // An event is its head, a value, and the bracket behind it.
  void add(std::string_view head, std::string_view value);

  std::string out_;
};

}  // namespace strata::stream
