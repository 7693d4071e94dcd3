#include "json/pointer.h"

#include <algorithm>
#include <span>

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

// What is left of a pointer, and its index among all.
struct Rest {
  std::string_view pointer;
  size_t index;
};

// Orders pointers so that those through the same value are neighbors: "/" is before all characters.
bool isBefore(const Rest& left, const Rest& right) {
  const std::string_view a = left.pointer;
  const std::string_view b = right.pointer;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) return a[i] == '/' || (b[i] != '/' && a[i] < b[i]);
  }
  return a.size() < b.size();
}

bool startsWith(std::string_view pointer, std::string_view token) {
  return pointer.starts_with(token) &&
         (pointer.size() == token.size() || pointer[token.size()] == '/');
}

// A value, and the pointers through it, which begin with a token of `token` bytes.
struct Step {
  Value value;
  std::span<Rest> pointers;
  size_t token;
};

// Appends the step to `value` if pointers begin with `token` ("/name" or "/0"). Returns how many.
size_t addStep(std::span<Rest> sorted, std::string_view token, Value value,
               std::vector<Step>& steps) {
  Rest* const end = sorted.data() + sorted.size();
  Rest* const first = std::lower_bound(sorted.data(), end, Rest{token, 0}, isBefore);
  size_t count = 0;
  while (first + count < end && startsWith(first[count].pointer, token)) ++count;
  if (count > 0) steps.push_back({value, {first, count}, token.size()});
  return count;
}

}  // namespace

std::vector<Value> findNearest(Value root, const std::vector<std::string>& pointers) {
  std::vector<Rest> sorted;
  for (const std::string& pointer : pointers) sorted.push_back({pointer, sorted.size()});
  heapSort(sorted.begin(), sorted.end(), isBefore);
  std::vector<Value> found(pointers.size());
  std::vector<Step> steps = {{root, sorted, 0}};
  std::string token;
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    size_t left = 0;
    for (Rest& each : step.pointers) {
      found[each.index] = step.value;
      each.pointer.remove_prefix(step.token);
      if (!each.pointer.empty()) ++left;
    }
    const bool isObject = step.value.isObject();
    const size_t items = step.value.size();
    Value item = items > 0 ? step.value.first() : Value();
    for (size_t i = 0; left > 0 && i < items; ++i) {
      token.clear();
      if (isObject) {
        appendPointer(token, item.text());
        item = item.valueOfKey();
      } else {
        appendPointer(token, i);
      }
      left -= addStep(step.pointers, token, item, steps);
      item = item.next();
    }
  }
  return found;
}

}  // namespace strata::json
