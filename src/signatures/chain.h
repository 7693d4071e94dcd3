// Walks the Contents of a request or an answer, and says where signatures stand or may have stood,
// and what was said up to each place.
//
//     user "hi"   model "", call f   user result
//     chain 0 ──────> 1 ────> 2 ───────────> 3
//
// Each state hashes the one before it and an item. Thoughts and empty texts are no items, nor is a
// result that says the same as an earlier one with its id: clients that load a stored history twice
// send both. Texts of one role that follow each other are one item, whatever Contents they are in.
// The item of a text Part is that text from its beginning through the Part, so it does not matter
// where a text is split.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/siphash.h"
#include "gemini/content_view.h"
#include "json/value.h"
#include "signatures/canonical.h"

namespace strata::signatures {

/// Where a signature stands or may have stood: a Part of a model that is no thought.
struct Place {
  uint32_t content = 0;
  uint32_t part = 0;
  bool isEmpty = false;     ///< An empty Part, behind the item that `state` and `item` name.
  SipHash::Digest state{};  ///< Names the item and all that was said before it.
  SipHash::Digest item{};   ///< The item; zeros if there is none before an empty Part.
  json::Value signature;    ///< A string that is not empty, or absent.
  json::Value callId;       ///< Of a functionCall; a string that is not empty, or absent.
};

/// The state of a walk. Each call of `add` continues where the last one ended.
class Chain {
 public:
  /// Starts at the beginning of a history, or at the `state` of another walk with the same key.
  explicit Chain(const SipHash::Key& key, const SipHash::Digest& start = {})
      : key_(key), state_(start) {}

  /// Adds the Content number `index`, and appends its places to `places` if a model said it.
  void add(json::Value content, uint32_t index, std::vector<Place>& places);
  /// Adds a Content that a model said, whatever its role is.
  void addAnswer(json::Value content, std::vector<Place>& places);

  /// Returns what names all that was added.
  SipHash::Digest state() const;

 private:
  void addParts(uint32_t index, bool byModel, std::vector<Place>& places);
  void addItem(const gemini::PartView& part, ItemKind kind, bool byModel);
  bool isRepeated(const gemini::PartView& part, const SipHash::Digest& item);
  void addPlace(const gemini::PartView& part, Place place, std::vector<Place>& places) const;
  SipHash::Digest next(bool byModel, const SipHash::Digest& item) const;

  SipHash::Key key_;
  SipHash::Digest state_{};            // All items before the open text.
  std::optional<CanonicalHash> text_;  // The open text.
  bool textByModel_ = false;
  // What the next empty Part is behind, unless it is in front of the model's first item.
  bool inModelTurn_ = false;
  SipHash::Digest item_{};
  SipHash::Digest afterItem_{};
  std::vector<SipHash::Digest> results_;  // Of the user's turn, with their ids.
  gemini::ContentView view_;
};

}  // namespace strata::signatures
