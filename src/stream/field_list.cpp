#include "stream/field_list.h"

#include <algorithm>

namespace strata::stream {

// Responses have few fields, unless somebody wants to keep the reader busy.
constexpr size_t kFew = 16;

int32_t FieldList::find(std::string_view name) const {
  if (fields_.size() > kFew) return places_.find(std::string(name));
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int32_t>(i);
  }
  return -1;
}

bool FieldList::set(std::string_view name, std::string_view json) {
  const int32_t place = find(name);
  if (place >= 0) {
    Field& field = fields_[static_cast<size_t>(place)];
    if (field.json == json) return false;
    field.json = json;
    return true;
  }
  fields_.push_back({std::string(name), std::string(json)});
  if (fields_.size() <= kFew) return true;
  for (size_t i = places_.empty() ? 0 : fields_.size() - 1; i < fields_.size(); ++i) {
    places_.add(fields_[i].name, static_cast<int32_t>(i));
  }
  return true;
}

bool FieldList::set(json::Value name, json::Value json) {
  if (!name.hasEscapes()) return set(name.raw(), json.bytes());
  return set(name.text(), json.bytes());
}

bool FieldList::appendText(std::string_view name, std::string_view escaped) {
  const int32_t place = find(name);
  if (place < 0) return false;
  std::string& json = fields_[static_cast<size_t>(place)].json;
  if (json.front() != '"') return false;
  json.pop_back();
  json.append(escaped).push_back('"');
  return true;
}

std::string_view FieldList::get(std::string_view name) const {
  const int32_t place = find(name);
  return place < 0 ? std::string_view() : fields_[static_cast<size_t>(place)].json;
}

void FieldList::write(json::Writer& out, std::initializer_list<std::string_view> except) const {
  for (const Field& field : fields_) {
    if (std::find(except.begin(), except.end(), field.name) == except.end())
      out.key(field.name).raw(field.json);
  }
}

}  // namespace strata::stream
