// Changes the JSON in an input of a fuzz target as JSON: it removes, repeats and moves elements and
// members, and puts values in place of others. libFuzzer alone changes bytes, which rarely stay
// JSON.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "json/value.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

namespace strata::fuzz {
namespace {

using json::Value;

// One JSON text in an input.
class Mutation {
 public:
  Mutation(std::string_view text, uint32_t seed) : text_(text), random_(seed) {
    if (const auto status = json::Tape::read(text, tape_); !status) return;
    collect(tape_.root());
  }

  bool isPossible() const { return !containers_.empty(); }
  std::string result() { return below(2) == 0 ? replaceValue() : rebuild(pick(containers_)); }

 private:
  // Collects a value and all keys and values in it.
  void collect(Value value) {
    values_.push_back(value);
    if (!value.isObject() && !value.isArray()) return;
    containers_.push_back(value);
    for (Value inner = value.first(); inner != value.next(); inner = inner.next()) collect(inner);
  }

  size_t below(size_t end) { return random_() % end; }
  template <typename T>
  T pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  std::string splice(Value target, std::string_view bytes) const {
    std::string out(text_);
    return out.replace(target.offset(), target.bytes().size(), bytes);
  }

  // A key may only be replaced by a string.
  std::string replaceValue() {
    const Value target = pick(values_);
    for (int tries = 0; tries < 8; ++tries) {
      const Value other = pick(values_);
      if (!target.isString() || other.isString()) return splice(target, other.bytes());
    }
    constexpr std::string_view kStrings[] = {"\"\"", "\"\\ud83d\"", "\"AAAA\"", "\"f\""};
    return splice(target, kStrings[below(std::size(kStrings))]);
  }

  static std::vector<std::string> entriesOf(Value container) {
    std::vector<std::string> entries;
    for (const json::Member member : json::members(container)) {
      entries.push_back(std::string(member.key.bytes()) + ":" + std::string(member.value.bytes()));
    }
    for (const Value element : json::elements(container)) entries.emplace_back(element.bytes());
    return entries;
  }

  // Writes a container with one entry more, one less, or in another place.
  std::string rebuild(Value container) {
    std::vector<std::string> entries = entriesOf(container);
    const Value other = pick(containers_);
    const std::vector<std::string> others =
        other.kind() == container.kind() ? entriesOf(other) : std::vector<std::string>();
    if (!others.empty() && below(3) > 0) {
      const auto at = static_cast<ptrdiff_t>(below(entries.size() + 1));
      entries.insert(entries.begin() + at, pick(others));
    } else if (!entries.empty()) {
      const auto at = static_cast<ptrdiff_t>(below(entries.size()));
      const std::string entry = entries[static_cast<size_t>(at)];
      entries.erase(entries.begin() + at);
      const auto to = static_cast<ptrdiff_t>(below(entries.size() + 1));
      if (below(2) == 0) entries.insert(entries.begin() + to, entry);
    }
    std::string bytes;
    for (const std::string& entry : entries) bytes += (bytes.empty() ? "" : ",") + entry;
    return splice(container, container.isObject() ? "{" + bytes + "}" : "[" + bytes + "]");
  }

  std::string_view text_;
  json::Tape tape_;
  std::mt19937 random_;
  std::vector<Value> values_;
  std::vector<Value> containers_;
};

// A part of an input: from the first bracket of a line to its end, or to the end of the input.
struct Region {
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Region> regionsOf(std::string_view input) {
  std::vector<Region> regions;
  for (size_t line = 0; line < input.size();) {
    const size_t end = std::min(input.find('\n', line), input.size());
    const size_t begin = input.find_first_of("{[", line);
    if (begin < end) {
      regions.push_back({begin, end});
      regions.push_back({begin, input.size()});
    }
    line = end + 1;
  }
  return regions;
}

// Returns the changed input, or "" if nothing of it is JSON.
std::string mutated(std::string_view input, uint32_t seed) {
  const std::vector<Region> regions = regionsOf(input);
  for (size_t i = 0; i < regions.size(); ++i) {
    const Region region = regions[(seed + i) % regions.size()];
    Mutation mutation(input.substr(region.begin, region.end - region.begin), seed);
    if (!mutation.isPossible()) continue;
    return std::string(input.substr(0, region.begin)) + mutation.result() +
           std::string(input.substr(region.end));
  }
  return {};
}

}  // namespace
}  // namespace strata::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize,
                                          unsigned int seed) {
  const std::string changed =
      seed % 2 == 0 ? "" : strata::fuzz::mutated({reinterpret_cast<char*>(data), size}, seed / 2);
  if (changed.empty() || changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
