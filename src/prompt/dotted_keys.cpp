#include "prompt/dotted_keys.h"

#include <algorithm>

#include "base/heap_sort.h"
#include "base/plain_text.h"
#include "json/pointer.h"
#include "prompt/argument_tree.h"

namespace strata::prompt {
namespace {

struct DottedKey {
  std::string key;
  json::Value value;
};

// Expands dotted keys into an ArgumentTree and records what is lost on the way.
class DottedKeyExpander {
 public:
  explicit DottedKeyExpander(catalogue::Findings& findings) : findings_(findings) {}

  void expand(ArgumentTree& into, json::Value object, const std::string& path) {
    std::vector<DottedKey> dotted;
    for (const json::Member member : json::members(object)) {
      std::string key = member.key.text();
      if (key.find('.') == std::string::npos) {
        assign(into.child(key), member.value, childPath(path, key));
      } else {
        dotted.push_back({std::move(key), member.value});
      }
    }
    heapSort(dotted.begin(), dotted.end(),
             [](const DottedKey& a, const DottedKey& b) { return a.key < b.key; });
    for (const DottedKey& each : dotted) expandOne(into, each, childPath(path, each.key));
  }

  bool tooDeep() const { return !tooDeepAt_.empty(); }
  const std::string& tooDeepAt() const { return tooDeepAt_; }

 private:
  static std::string childPath(const std::string& path, std::string_view key) {
    std::string inner = path;
    json::appendPointer(inner, key);
    return inner;
  }

  void assign(ArgumentTree& target, json::Value value, const std::string& path) {
    if (value.isObject()) {
      expand(target, value, path);
    } else {
      target.set(value);
    }
  }

  void expandOne(ArgumentTree& into, const DottedKey& dotted, const std::string& path) {
    if (std::count(dotted.key.begin(), dotted.key.end(), '.') >= ptrdiff_t{json::kMaxDepth}) {
      tooDeepAt_ = path;
      return;
    }
    ArgumentTree* node = &into;
    std::string_view rest = dotted.key;
    for (size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      const std::string_view segment = rest.substr(0, dot);
      if (trimmed(segment).empty()) return reportLost(dotted.key, "a segment is blank", path);
      node = &node->child(segment);
      if (node->makeMap())
        reportLost(std::string(segment), dotted.key + " needs a map there", path);
      rest.remove_prefix(dot + 1);
    }
    if (trimmed(rest).empty()) return reportLost(dotted.key, "a segment is blank", path);
    ArgumentTree* existing = node->find(rest);
    const bool bothMaps = existing != nullptr && existing->isMap() && dotted.value.isObject();
    if (existing != nullptr && !bothMaps)
      return reportLost(dotted.key, "a value already exists", path);
    assign(node->child(rest), dotted.value, path);
  }

  void reportLost(std::string key, std::string reason, std::string path) {
    catalogue::Finding& finding = findings_.emplace_back();
    finding.rule = catalogue::Rule::kArgumentLost;
    finding.path = std::move(path);
    finding.arg1 = std::move(key);
    finding.arg2 = std::move(reason);
  }

  catalogue::Findings& findings_;
  std::string tooDeepAt_;
};

}  // namespace

Result<std::string> expandDottedKeys(json::Value object, std::string_view path,
                                     catalogue::Findings& findings) {
  ArgumentTree tree;
  DottedKeyExpander expander(findings);
  expander.expand(tree, object, std::string(path));
  if (expander.tooDeep()) return Error{"json.too_deep", 0, expander.tooDeepAt(), ""};
  json::Writer out;
  tree.write(out);
  return out.take();
}

}  // namespace strata::prompt
