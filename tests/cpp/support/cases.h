// Reads case files, and what the code under test writes, with nlohmann/json, which shares no code
// with src/json.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strata::test {

struct CaseNode;
struct CaseMember;

/// One value of a case. It is valid as long as its Cases. A default Case is absent: every accessor
/// returns an empty result, so lookups can be chained. The accessors are named as in json::Value.
class Case {
 public:
  Case() = default;
  explicit Case(const CaseNode* node) : node_(node) {}

  explicit operator bool() const { return node_ != nullptr; }
  bool isNull() const;
  bool isTrue() const;
  bool isNumber() const;
  bool isString() const;
  bool isArray() const;
  bool isObject() const;

  /// Returns the bytes of the value exactly as the file has them, with quotes or brackets.
  std::string bytes() const;
  /// Returns the value as JSON.stringify writes it, without white space.
  std::string compact() const;
  /// Returns a string with its escapes resolved; "" for other values.
  std::string text() const;
  /// Returns whether this is a string with the text `expected`.
  bool equals(std::string_view expected) const;
  /// Returns the number if it is written as an integer that fits; otherwise `fallback`.
  int64_t integer(int64_t fallback) const;
  /// Returns the number, or `fallback` for other values.
  double number(double fallback) const;

  /// Returns the number of elements or members; 0 for other values.
  size_t size() const;
  /// Returns the value of the member `key`, or an absent Case.
  Case find(std::string_view key) const;
  /// Returns the element at `position`, or an absent Case.
  Case at(size_t position) const;
  /// Return the elements of an array, or the members of an object, in the order of the file.
  std::vector<Case> elements() const;
  std::vector<CaseMember> members() const;

 private:
  const CaseNode* node_ = nullptr;
};

/// One member of an object.
struct CaseMember {
  std::string key;
  Case value;
};

/// Owns parsed cases. Neither copyable nor movable, because its values point into it.
class Cases {
 public:
  explicit Cases(std::string text);
  ~Cases();
  Cases(const Cases&) = delete;
  Cases& operator=(const Cases&) = delete;

  /// Returns whether the text is JSON. Unlike the parser under test, nlohmann/json rejects lone
  /// surrogates and numbers beyond the range of doubles, and accepts duplicate keys.
  bool ok() const { return root_ != nullptr; }
  /// Returns the outermost value, or an absent Case.
  Case root() const { return Case(root_.get()); }

 private:
  std::string text_;
  std::unique_ptr<CaseNode> root_;
};

/// Reads a file by its path from the repository's root. Ends the program with a message if it is
/// missing or not JSON.
Cases readCases(const std::string& path);

}  // namespace strata::test
