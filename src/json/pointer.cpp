#include "json/pointer.h"

#include <algorithm>

namespace strata::json {

void appendPointer(std::string& pointer, std::string_view key) {
  pointer.push_back('/');
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer.push_back(c);
    }
  }
}

void appendPointer(std::string& pointer, size_t index) {
  pointer.push_back('/');
  pointer += std::to_string(index);
}

namespace {

// Returns the key or the element that `token` ("/name" or "/0") names.
Value itemOf(Value container, std::string_view token) {
  std::string name;
  for (const Member member : members(container)) {
    name.clear();
    appendPointer(name, member.key.text());
    if (name == token) return member.key;
  }
  size_t index = 0;
  for (const Value element : elements(container)) {
    name.clear();
    appendPointer(name, index++);
    if (name == token) return element;
  }
  return {};
}

}  // namespace

Place locate(Value root, std::string_view pointer, size_t mostMembers) {
  Place place;
  Value next = root;
  while (!pointer.empty() && next) {
    if (next.isObject() && next.size() > mostMembers) return {};
    const size_t end = std::min(pointer.find('/', 1), pointer.size());
    place = {next, itemOf(next, pointer.substr(0, end))};
    next = place.item && next.isObject() ? place.item.next() : place.item;
    pointer.remove_prefix(end);
  }
  return place;
}

Value valueAt(Value root, std::string_view pointer) {
  if (pointer.empty()) return root;
  const Place place = locate(root, pointer);
  return place.item && place.container.isObject() ? place.item.next() : place.item;
}

}  // namespace strata::json
