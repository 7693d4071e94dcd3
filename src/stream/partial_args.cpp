#include "stream/partial_args.h"

namespace strata::stream {
namespace {

constexpr uint32_t kNoNode = UINT32_MAX;
// A larger gap would create too many empty elements.
constexpr size_t kMaxGap = 1000;
constexpr size_t kMaxSteps = 100;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

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
    for (; at < path.size() && isDigit(path[at]) && at - start < 7; ++at) {
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

// Returns the child of `parent` with a key or position, and adds it if it is missing. Returns
// kNoNode if the parent is of another kind or the position is too far away.
uint32_t PartialArgs::findOrAddChild(uint32_t parent, Kind kind, std::string_view key,
                                     size_t position) {
  if (nodes_[parent].kind == Kind::kUnset) nodes_[parent].kind = kind;
  if (nodes_[parent].kind != kind) return kNoNode;
  if (kind == Kind::kObject) {
    for (const uint32_t node : nodes_[parent].children) {
      if (nodes_[node].key == key) return node;
    }
    position = nodes_[parent].children.size();
  }
  if (position > nodes_[parent].children.size() + kMaxGap) return kNoNode;
  while (nodes_[parent].children.size() <= position) {
    nodes_[parent].children.push_back(static_cast<uint32_t>(nodes_.size()));
    Node added;
    added.key = key;
    nodes_.push_back(std::move(added));
  }
  return nodes_[parent].children[position];
}

bool PartialArgs::resolve(std::string_view path, uint32_t& node) {
  if (path.empty() || path.front() != '$') return false;
  size_t steps = 0;
  for (size_t at = 1; at < path.size();) {
    PathStep step;
    if (++steps > kMaxSteps || !readStep(path, at, step)) return false;
    node = step.isIndex ? findOrAddChild(node, Kind::kArray, "", step.index)
                        : findOrAddChild(node, Kind::kObject, step.name, 0);
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
