#include "stream/partial_args.h"

#include "base/ascii.h"

namespace strata::stream {
namespace {

constexpr uint32_t kNoNode = UINT32_MAX;
// In all arrays of a call: a path of a few bytes may skip as many elements as it has steps, each.
constexpr size_t kMaxSkipped = 1000;
constexpr size_t kMaxSteps = 100;

// One step of a path: `.name`, `['name']`, `["name"]` or `[0]`.
struct PathStep {
  std::string_view name;
  size_t index = 0;
  bool isIndex = false;
};

bool readBracket(std::string_view path, size_t& at, PathStep& step) {
  const char quote = at < path.size() ? path[at] : '\0';
  if (quote == '\'' || quote == '"') {
    const size_t end = path.find(quote, at + 1);
    if (end == std::string_view::npos) return false;
    step.name = path.substr(at + 1, end - at - 1);
    at = end + 1;
  } else {
    step.isIndex = true;
    const size_t start = at;
    for (; at < path.size() && ascii::isDigit(path[at]) && at - start < 7; ++at) {
      step.index = step.index * 10 + static_cast<size_t>(path[at] - '0');
    }
    if (at == start) return false;
  }
  return at < path.size() && path[at++] == ']';
}

bool readStep(std::string_view path, size_t& at, PathStep& step) {
  const char c = path[at++];
  if (c == '[') return readBracket(path, at, step);
  if (c != '.') return false;
  const size_t end = std::min(path.find_first_of(".[", at), path.size());
  step.name = path.substr(at, end - at);
  at = end;
  return !step.name.empty();
}

}  // namespace

bool PartialArgs::isOrBecomes(uint32_t node, Kind kind) {
  if (nodes_[node].kind == Kind::kUnset) nodes_[node].kind = kind;
  return nodes_[node].kind == kind;
}

uint32_t PartialArgs::addNode(uint32_t parent, std::string_view key) {
  const auto added = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(Node{Kind::kUnset, std::string(key), "", {}});
  nodes_[parent].children.push_back(added);
  return added;
}

// Returns the member of `parent` with a key, and adds it if it is missing. Returns kNoNode if the
// parent is no object.
uint32_t PartialArgs::findOrAddMember(uint32_t parent, std::string_view key) {
  if (!isOrBecomes(parent, Kind::kObject)) return kNoNode;
  std::string place = std::to_string(parent) + '.';
  place += key;
  const int32_t known = members_.find(place);
  if (known >= 0) return static_cast<uint32_t>(known);
  const uint32_t added = addNode(parent, key);
  members_.add(std::move(place), static_cast<int32_t>(added));
  return added;
}

// Returns the element of `parent` at a position, and adds it if it is missing. Returns kNoNode if
// the parent is no array or the position is too far away.
uint32_t PartialArgs::findOrAddElement(uint32_t parent, size_t position) {
  if (!isOrBecomes(parent, Kind::kArray)) return kNoNode;
  const size_t size = nodes_[parent].children.size();
  const size_t skips = position > size ? position - size : 0;
  if (skipped_ + skips > kMaxSkipped) return kNoNode;
  skipped_ += skips;
  while (nodes_[parent].children.size() <= position) addNode(parent, "");
  return nodes_[parent].children[position];
}

bool PartialArgs::resolve(std::string_view path, uint32_t& node) {
  if (path.empty() || path.front() != '$') return false;
  size_t steps = 0;
  for (size_t at = 1; at < path.size();) {
    PathStep step;
    if (++steps > kMaxSteps || !readStep(path, at, step)) return false;
    node = step.isIndex ? findOrAddElement(node, step.index) : findOrAddMember(node, step.name);
    if (node == kNoNode) return false;
  }
  return steps > 0;
}

bool PartialArgs::add(json::Value piece) {
  uint32_t index = 0;
  if (!resolve(piece.find("jsonPath").text(), index)) return false;
  Node& node = nodes_[index];
  if (!node.children.empty()) return false;
  if (const json::Value text = piece.find("stringValue")) {
    if (node.kind != Kind::kString) node.text.clear();
    node.kind = Kind::kString;
    node.text += text.raw();
    return true;
  }
  for (const std::string_view name : {"numberValue", "boolValue", "nullValue"}) {
    const json::Value value = piece.find(name);
    if (!value) continue;
    node.kind = Kind::kOther;
    node.text = name == "nullValue" ? "null" : value.bytes();
  }
  return true;
}

void PartialArgs::write(json::Writer& out, uint32_t index) const {
  const Node& node = nodes_[index];
  switch (node.kind) {
    case Kind::kString:
      out.raw("\"" + node.text + "\"");
      return;
    case Kind::kOther:
      out.raw(node.text);
      return;
    case Kind::kUnset:
      out.raw("null");
      return;
    default:
      break;
  }
  const bool object = node.kind == Kind::kObject;
  out.open(object ? '{' : '[');
  for (const uint32_t each : node.children) {
    if (object) out.key(nodes_[each].key);
    write(out, each);
  }
  out.close(object ? '}' : ']');
}

std::string PartialArgs::text() const {
  json::Writer out;
  write(out, 0);
  return out.take();
}

}  // namespace strata::stream
