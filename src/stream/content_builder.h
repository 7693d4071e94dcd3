// Why this file exists: the parts of many chunks become one Content. Each stays as it came; only
// neighbouring unsigned texts are joined, and the pieces of one call's arguments become one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "stream/fields.h"
#include "stream/partial_args.h"

namespace strata::stream {

class ContentBuilder {
 public:
  /// Takes the Content of one chunk, without its parts.
  void addContent(json::Value content);
  /// Takes one part. Gives the part as it will stand in the Content, when that is known now: a call
  /// whose arguments still come is only given with its last piece. Valid until the next call.
  std::optional<std::string_view> addPart(json::Value part);

  /// The one Content: the API's own bytes where it came whole, otherwise composed; "" without
  /// parts.
  std::string text() const;

 private:
  struct Part {
    std::string bytes;        // as it came, or composed
    std::string joined = {};  // of a text that others may join: the text so far, still escaped
    bool joins = false;
    bool thought = false;
  };
  struct Call {
    Fields part;  // what stands beside functionCall
    Fields call;  // name and id
    PartialArgs args;
  };

  bool continuesCall(json::Value call) const;
  std::optional<std::string_view> addCallPiece(json::Value part, json::Value call);
  std::string closeCall();

  std::vector<Part> parts_;
  std::optional<Call> call_;
  Fields fields_;      // of the Content, beside parts
  std::string whole_;  // the bytes of the only Content so far
  size_t contents_ = 0;
  bool composed_ = false;  // a call was put together: the bytes that came are not the Content
};

}  // namespace strata::stream
