// Hashes what a Part says, whatever way it is written: with its keys in any order, in either
// spelling, with any form of numbers and escapes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/siphash.h"
#include "gemini/content_view.h"
#include "json/value.h"

namespace strata::signatures {

/// How a Part counts in a history.
enum class ItemKind : uint8_t {
  kThought,  ///< Does not count.
  kEmpty,    ///< An empty text, or nothing but a signature: does not count, but may be signed.
  kText,     ///< Part of a text, which the texts before and behind it continue.
  kData,     ///< Anything else.
};

ItemKind itemKindOf(const gemini::PartView& part);

/// Hashes one text or one other Part, in a form that is the same for equal values.
class CanonicalHash {
 public:
  /// `kind` is kText or kData.
  CanonicalHash(const SipHash::Key& key, ItemKind kind) : hash_(key) {
    addTag(kind == ItemKind::kText ? 't' : 'd');
  }

  /// Adds the text of a string, escapes resolved.
  void addText(json::Value string);
  /// Adds a Part of the kind kData without its signature and ids. Fields with the default value of
  /// their type count as missing.
  void addPart(json::Value part);

  /// Returns the digest of all that was added so far.
  SipHash::Digest digest() const { return hash_.digest(); }

 private:
  void add(std::string_view bytes) { hash_.add(bytes); }
  void addTag(char tag) { hash_.add({&tag, 1}); }
  void addSized(std::string_view bytes);
  void addValue(json::Value value);
  void addNumber(json::Value number);
  void addArray(json::Value array);
  void addObject(json::Value object);
  void addCall(json::Value call);
  void addFields(json::Value message);
  void addField(std::string_view name, json::Value value);

  SipHash hash_;
  std::string buffer_;
};

/// Returns base64 in either alphabet as base64url without padding, in which it is compared.
std::string canonicalBase64(json::Value string);

}  // namespace strata::signatures
