#include "stream/field_list.h"

namespace strata::stream {

bool FieldList::set(std::string_view name, std::string_view json) {
  for (Field& field : fields_) {
    if (field.name != name) continue;
    if (field.json == json) return false;
    field.json = json;
    return true;
  }
  fields_.push_back({std::string(name), std::string(json)});
  return true;
}

bool FieldList::set(json::Value name, json::Value json) {
  if (!name.hasEscapes()) return set(name.raw(), json.bytes());
  return set(name.text(), json.bytes());
}

std::string_view FieldList::get(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) return field.json;
  }
  return {};
}

void FieldList::write(json::Writer& out) const {
  for (const Field& field : fields_) out.key(field.name).raw(field.json);
}

}  // namespace strata::stream
