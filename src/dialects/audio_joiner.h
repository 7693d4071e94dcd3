// Joins the pieces of a sound, which an answer may send in several Parts.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::dialects {

/// Base64 texts can only be joined where three bytes end, so each text that this returns ends
/// there.
class AudioJoiner {
 public:
  /// Adds an `inlineData` and returns the base64 that is complete with it. A piece of another type
  /// than the first one is left out, as is one that is no base64.
  std::string add(json::Value inlineData);
  /// Returns the rest.
  std::string end();

  /// Returns the MIME type of the sound; "" if there is none so far.
  const std::string& type() const { return type_; }

 private:
  std::string type_;
  std::string rest_;  // at most two bytes
};

/// Returns whether an `inlineData` is of a kind of media, such as `image`.
bool isMedia(json::Value inlineData, std::string_view kind);

}  // namespace strata::dialects
