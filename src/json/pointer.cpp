#include "json/pointer.h"

#include <algorithm>
#include <vector>

#include "base/heap_sort.h"

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

namespace {

// Orders pointers so that those through the same value are neighbors: "/" is before all characters.
bool isBefore(std::string_view a, std::string_view b) {
  const auto rank = [](char c) { return c == '/' ? -1 : static_cast<unsigned char>(c); };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

// Returns those whose pointer begins with `token` ("/name" or "/0"). `wanted` is sorted.
std::span<Wanted> startingWith(std::span<Wanted> wanted, std::string_view token) {
  const auto first = std::lower_bound(
      wanted.begin(), wanted.end(), token,
      [](const Wanted& each, std::string_view start) { return isBefore(each.pointer, start); });
  const auto last = std::find_if_not(first, wanted.end(), [&](const Wanted& each) {
    const std::string_view pointer = each.pointer;
    return pointer.starts_with(token) &&
           (pointer.size() == token.size() || pointer[token.size()] == '/');
  });
  return wanted.subspan(static_cast<size_t>(first - wanted.begin()),
                        static_cast<size_t>(last - first));
}

// A value, and the pointers through it, which begin with a token of `token` bytes.
struct Step {
  Value value;
  std::span<Wanted> wanted;
  size_t token;
};

}  // namespace

void findNearest(Value root, std::span<Wanted> wanted) {
  heapSort(wanted.begin(), wanted.end(),
           [](const Wanted& a, const Wanted& b) { return isBefore(a.pointer, b.pointer); });
  std::vector<Step> steps = {{root, wanted, 0}};
  std::string token;
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    size_t left = 0;
    for (Wanted& each : step.wanted) {
      each.found = step.value;
      each.pointer.remove_prefix(step.token);
      if (!each.pointer.empty()) ++left;
    }
    if (left == 0) continue;
    // Returns whether there may be more.
    const auto enter = [&](Value value) {
      const std::span<Wanted> inner = startingWith(step.wanted, token);
      if (!inner.empty()) steps.push_back({value, inner, token.size()});
      token.clear();
      return (left -= inner.size()) > 0;
    };
    for (const Member member : members(step.value)) {
      appendPointer(token, member.key.text());
      if (!enter(member.value)) break;
    }
    size_t index = 0;
    for (const Value element : elements(step.value)) {
      appendPointer(token, index++);
      if (!enter(element)) break;
    }
  }
}

}  // namespace strata::json
