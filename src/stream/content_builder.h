// Builds one Content from the Parts of all chunks of a stream, in one text that is complete after
// each Part: so an answer is not copied once more when it ends.
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
  /// "" if there were no parts. A call that was not ended is left out.
  std::string_view text() const;

 private:
  // A run of bytes in `text_`.
  struct Run {
    size_t begin = 0;
    size_t end = 0;
  };
  // The last Part.
  struct Last {
    Run bytes;
    Run text = {};  // of a joinable text: its text, still escaped
    bool joinable = false;
    bool thought = false;
    bool joined = false;  // the text of several Parts
  };
  struct Call {
    FieldList partFields;  // fields of the Part other than functionCall
    FieldList callFields;  // name and id
    PartialArgs args;
  };

  void compose();
  void writeHead();
  void add(json::Value part);
  void addBytes(std::string_view part);
  void join(std::string_view escaped);
  bool continuesCall(json::Value call) const;
  std::optional<std::string_view> addCallPiece(json::Value part, json::Value call);
  void addPartialArgs(json::Value pieces);

  std::string text_;
  size_t head_ = 0;   // the bytes of a composed Content before its first Part
  size_t parts_ = 0;  // Parts so far
  Last last_;         // of a composed Content
  // The text is the only Content so far, as it was received, with a role.
  bool received_ = false;
  FieldList fields_;  // of the Content, other than parts
  std::optional<Call> call_;
  std::string brokenCall_;
};

}  // namespace strata::stream
