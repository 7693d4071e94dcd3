#include "support/cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/files.h"

namespace strata::test {
namespace {

std::string readOrExit(const std::string& path) {
  const std::optional<std::string> text = readFile(path);
  if (text && nlohmann::json::accept(*text)) return *text;
  std::fprintf(stderr, "%s: %s\n", path.c_str(), text ? "not JSON" : "cannot be opened");
  std::exit(1);
}

}  // namespace

/// A value as nlohmann/json reads it, and its bytes. `keys` and `children` of an object correspond.
struct CaseNode {
  nlohmann::json scalar;  // null in arrays and objects
  char kind = 'v';        // '[' array, '{' object, 'v' any other value
  std::vector<std::string> keys;
  std::vector<CaseNode> children;
  std::string_view bytes;
};

namespace {

// Builds the tree. nlohmann/json does not report the places of values, but it reports each token,
// and the places of valid tokens follow from their first characters.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  CaseNode takeRoot() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return open('{'); }
  bool start_array(size_t) override { return open('['); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    nextToken();
    open_.back().keys.push_back(name);
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool add(nlohmann::json scalar) { return place({std::move(scalar), 'v', {}, {}, nextToken()}); }

  bool open(char kind) {
    open_.push_back({nullptr, kind, {}, {}, nextToken()});
    return true;
  }

  bool close() {
    const std::string_view last = nextToken();
    CaseNode node = std::move(open_.back());
    open_.pop_back();
    const char* begin = node.bytes.data();
    node.bytes = {begin, static_cast<size_t>(last.data() + last.size() - begin)};
    return place(std::move(node));
  }

  bool place(CaseNode node) {
    (open_.empty() ? root_ : open_.back().children.emplace_back()) = std::move(node);
    return true;
  }

  std::string_view nextToken() {
    const size_t begin = text_.find_first_not_of(" \t\r\n,:", at_);
    at_ = tokenEnd(begin);
    return text_.substr(begin, at_ - begin);
  }

  size_t tokenEnd(size_t at) const {
    if (std::string_view("[]{}").find(text_[at]) != std::string_view::npos) return at + 1;
    if (text_[at] != '"') return std::min(text_.find_first_of(" \t\r\n,]}", at), text_.size());
    for (++at; text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
    return at + 1;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<CaseNode> open_;
  CaseNode root_;
};

}  // namespace

Cases::Cases(std::string text) : text_(std::move(text)) {
  TreeBuilder builder(text_);
  if (nlohmann::json::sax_parse(text_, &builder)) {
    root_ = std::make_unique<CaseNode>(builder.takeRoot());
  }
}

Cases::~Cases() = default;

Cases readCases(const std::string& path) { return Cases(readOrExit(path)); }

bool Case::isNull() const { return node_ && node_->kind == 'v' && node_->scalar.is_null(); }
bool Case::isTrue() const { return node_ && node_->scalar == true; }
bool Case::isNumber() const { return node_ && node_->scalar.is_number(); }
bool Case::isString() const { return node_ && node_->scalar.is_string(); }
bool Case::isArray() const { return node_ && node_->kind == '['; }
bool Case::isObject() const { return node_ && node_->kind == '{'; }

std::string Case::bytes() const { return node_ ? std::string(node_->bytes) : ""; }
std::string Case::compact() const {
  return node_ ? nlohmann::ordered_json::parse(bytes()).dump() : "";
}

std::string Case::text() const { return isString() ? node_->scalar.get<std::string>() : ""; }
bool Case::equals(std::string_view expected) const { return isString() && text() == expected; }

int64_t Case::integer(int64_t fallback) const {
  if (!node_ || !node_->scalar.is_number_integer()) return fallback;
  const bool fits = !node_->scalar.is_number_unsigned() ||
                    node_->scalar.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX);
  return fits ? node_->scalar.get<int64_t>() : fallback;
}

double Case::number(double fallback) const {
  return node_ && node_->scalar.is_number() ? node_->scalar.get<double>() : fallback;
}

size_t Case::size() const { return node_ ? node_->children.size() : 0; }

Case Case::find(std::string_view key) const {
  if (!node_) return {};
  const auto found = std::find(node_->keys.begin(), node_->keys.end(), key);
  if (found == node_->keys.end()) return {};
  return Case(&node_->children[static_cast<size_t>(found - node_->keys.begin())]);
}

Case Case::at(size_t position) const {
  if (!isArray() || position >= size()) return {};
  return Case(&node_->children[position]);
}

std::vector<Case> Case::elements() const {
  std::vector<Case> all;
  for (size_t i = 0; isArray() && i < size(); ++i) all.emplace_back(&node_->children[i]);
  return all;
}

std::vector<CaseMember> Case::members() const {
  std::vector<CaseMember> all;
  for (size_t i = 0; isObject() && i < size(); ++i) {
    all.push_back({node_->keys[i], Case(&node_->children[i])});
  }
  return all;
}

}  // namespace strata::test
