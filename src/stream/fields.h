// Why this file exists: several chunks tell the same field; the last word counts, the first place
// stays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

class Fields {
 public:
  /// Remembers a field; true when its value is new.
  bool set(std::string_view name, std::string_view json);
  bool set(json::Value name, json::Value json);
  /// The JSON text of a field, or "".
  std::string_view get(std::string_view name) const;
  bool empty() const { return fields_.empty(); }
  /// Writes all as members of the open object.
  void write(json::Writer& out) const;

 private:
  struct Field {
    std::string name;
    std::string json;
  };
  std::vector<Field> fields_;
};

}  // namespace strata::stream
