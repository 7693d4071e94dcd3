// Describes the Parts of a model Content where a chat message cannot: a message has one text, its
// calls after it, and one signature.
//
//     "extra_content": {"google": {
//       "thought_signature": "RW9C…",                                      of the text
//       "parts": [{"text":5},{"text":0,"thought_signature":"RW9C…"}]}}     only where it is needed
//
// `text` and `thought` are numbers of bytes in `content` and `reasoning_content`, `image` and
// `call` are indexes in `images` and `tool_calls`. Whoever drops or edits a part loses the
// description, not the message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::dialects {

/// Where in a message the data of a Part is.
enum class PlaceKind : uint8_t { kThought, kText, kImage, kCall };

/// One Part of a message.
struct PartPlace {
  PlaceKind kind;
  size_t size = 0;             ///< Bytes of a text or thought; the index of an image or call.
  std::string signature = {};  ///< The thoughtSignature; "" for calls, which hold their own.
};

/// What a message holds, to compare a description with.
struct MessageSizes {
  size_t thought = 0;
  size_t text = 0;
  size_t images = 0;
  size_t calls = 0;
};

/// The Parts of one model Content, in order.
class MessageLayout {
 public:
  /// Adds a text or a thought of this many bytes. Adjacent unsigned ones of a kind are one.
  void addText(bool thought, size_t bytes, std::string_view signature);
  /// Adds the next image or call.
  void addImage(std::string_view signature);
  void addCall();

  /// Returns whether the message needs no description: a thought, a text, images, calls, each
  /// optional, in this order, and no signature apart from those of the text and the calls.
  bool isPlain() const;
  /// Returns whether there are no Parts.
  bool empty() const { return places_.empty(); }
  /// Writes `"extra_content":{"google":{…}}` into the open object of `out`, unless it is empty.
  void write(json::Writer& out) const;

 private:
  void writeParts(json::Writer& out) const;

  std::vector<PartPlace> places_;
  size_t images_ = 0;
  size_t calls_ = 0;
};

/// Returns the places that `parts` describes; none if it is not a description of a message with
/// these sizes.
std::vector<PartPlace> readLayout(json::Value parts, const MessageSizes& sizes);

}  // namespace strata::dialects
