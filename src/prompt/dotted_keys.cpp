#include "prompt/dotted_keys.h"

#include <algorithm>

#include "base/heap_sort.h"
#include "json/pointer.h"
#include "prompt/argument_tree.h"
#include "prompt/plain_text.h"

namespace strata::prompt {
namespace {

struct DottedKey {
  std::string key;
  json::Value value;
};

class Expansion {
 public:
  explicit Expansion(catalogue::Findings& findings) : findings_(findings) {}

  void expand(ArgumentTree& into, json::Value object, const std::string& path) {
    std::vector<DottedKey> dotted;
    for (const json::Member member : json::members(object)) {
      std::string key = member.key.text();
      if (key.find('.') == std::string::npos) {
        place(into.child(key), member.value, pathOf(path, key));
      } else {
        dotted.push_back({std::move(key), member.value});
      }
    }
    heapSort(dotted.begin(), dotted.end(),
             [](const DottedKey& a, const DottedKey& b) { return a.key < b.key; });
    for (const DottedKey& each : dotted) expandOne(into, each, pathOf(path, each.key));
  }

  bool tooDeep() const { return !tooDeepAt_.empty(); }
  const std::string& tooDeepAt() const { return tooDeepAt_; }

 private:
  static std::string pathOf(const std::string& path, std::string_view key) {
    std::string inner = path;
    json::appendPointer(inner, key);
    return inner;
  }

  void place(ArgumentTree& at, json::Value value, const std::string& path) {
    if (value.isObject()) {
      expand(at, value, path);
    } else {
      at.set(value);
    }
  }

  void expandOne(ArgumentTree& into, const DottedKey& dotted, const std::string& path) {
    if (std::count(dotted.key.begin(), dotted.key.end(), '.') >= ptrdiff_t{json::kMaxDepth}) {
      tooDeepAt_ = path;
      return;
    }
    ArgumentTree* at = &into;
    std::string_view rest = dotted.key;
    for (size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      const std::string_view segment = rest.substr(0, dot);
      if (trimmed(segment).empty()) return lose(dotted.key, "a segment is blank", path);
      at = &at->child(segment);
      if (at->makeMap()) lose(std::string(segment), dotted.key + " needs a map there", path);
      rest.remove_prefix(dot + 1);
    }
    if (trimmed(rest).empty()) return lose(dotted.key, "a segment is blank", path);
    ArgumentTree* there = at->find(rest);
    const bool maps = there != nullptr && there->isMap() && dotted.value.isObject();
    if (there != nullptr && !maps) return lose(dotted.key, "there is a value already", path);
    place(at->child(rest), dotted.value, path);
  }

  void lose(std::string key, std::string why, std::string path) {
    catalogue::Finding& finding = findings_.emplace_back();
    finding.rule = catalogue::Rule::kArgumentLost;
    finding.path = std::move(path);
    finding.arg1 = std::move(key);
    finding.arg2 = std::move(why);
  }

  catalogue::Findings& findings_;
  std::string tooDeepAt_;
};

}  // namespace

Result<std::string> expandDottedKeys(json::Value object, std::string_view path,
                                     catalogue::Findings& findings) {
  ArgumentTree tree;
  Expansion expansion(findings);
  expansion.expand(tree, object, std::string(path));
  if (expansion.tooDeep()) return Error{"json.too_deep", 0, expansion.tooDeepAt(), ""};
  json::Writer out;
  tree.write(out);
  return out.take();
}

}  // namespace strata::prompt
