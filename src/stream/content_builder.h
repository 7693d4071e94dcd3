// Builds one Content from the Parts of all chunks of a stream.
//
// Parts keep their bytes. Only adjacent unsigned texts of the same kind are joined, and the pieces
// of a streamed functionCall become one Part:
//
//     {"text":"Hel"} {"text":"lo"} {"text":"","thoughtSignature":"…"}
//     → {"text":"Hello"},{"text":"","thoughtSignature":"…"}
//
// Source: "Thought signatures", https://ai.google.dev/gemini-api/docs/thought-signatures: a Part
// with a signature must not be merged with another Part.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "stream/field_list.h"
#include "stream/partial_args.h"

namespace strata::stream {

class ContentBuilder {
 public:
  /// Adds the fields of a chunk's Content other than parts. Ignores a Content without parts.
  void addContent(json::Value content);

  /// Ends the open call unless `part` continues it, as services do that send no last piece. Returns
  /// the call's Part, or "" if there was none to end.
  std::string endCallBefore(json::Value part);
  /// Ends the open call at the end of the answer, and returns its Part or "".
  std::string endCall();

  /// Adds one Part after `endCallBefore`. Returns the Part as it appears in the Content, or nothing
  /// while the arguments of a call are incomplete; the last piece of a call returns the complete
  /// call. The view is valid until the next call, and as long as the bytes of `part`.
  std::optional<std::string_view> addPart(json::Value part);

  /// Returns the name of the first call with arguments that have no place in it: they are at a path
  /// that is invalid or too long, see `PartialArgs::add`. It is left out. "" if there is none.
  const std::string& brokenCall() const { return brokenCall_; }

  /// Returns the Content: the received bytes if it came in one chunk, otherwise a composed Content;
  /// "" if there were no parts. A call that was not ended is left out. Complexity: O(bytes).
  std::string text() const;

 private:
  struct Part {
    std::string bytes;        // as received, or composed; empty if texts were joined
    std::string joined = {};  // of a joinable text: the text so far, still escaped
    bool joinable = false;
    bool thought = false;
  };
  struct Call {
    FieldList partFields;  // fields of the Part other than functionCall
    FieldList callFields;  // name and id
    PartialArgs args;
  };

  bool continuesCall(json::Value call) const;
  std::optional<std::string_view> addCallPiece(json::Value part, json::Value call);
  void addPartialArgs(json::Value pieces);

  std::vector<Part> parts_;
  std::optional<Call> call_;
  std::string brokenCall_;
  FieldList fields_;         // of the Content, other than parts
  std::string onlyContent_;  // the bytes of the Content if only one was added
  size_t contentCount_ = 0;
  // A call was assembled or the role added, so the received bytes are not the Content.
  bool composed_ = false;
};

}  // namespace strata::stream
