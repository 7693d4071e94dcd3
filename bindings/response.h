// Defines what JavaScript can do with a response: read it, look at its answer, and move that into a
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core.h"
#include "json/tape.h"
#include "stream/response_assembler.h"
#include "thread/thread.h"

namespace strata::bindings {

/// The Content of an answer, whose bytes the response holds, with the index over them, or its error
/// as a turn of a thread.
struct AnswerContent {
  explicit AnswerContent(std::string_view text)
      : bytes(text), tape(json::Tape::read(bytes, thread::kMaxContentDepth)) {}

  const std::string_view bytes;
  const Result<json::Tape> tape;
};

/// One response. The Core must outlive it.
class ResponseBinding {
 public:
  /// Part 0: the first bytes, or nothing. Replies what `push` does.
  explicit ResponseBinding(Core& core) : core_(core), exchange_(core.exchange()) { push(); }

  /// Reads network bytes (part 0). Replies an array of events.
  void push();
  /// Ends the response. Replies the remaining events.
  void end();
  /// Replies {} and the bytes of the Content, as if the response ended here.
  void content();
  /// Ends the response. Part 0: {"afterResponses":true} if the request ended with
  /// functionResponses, or nothing. Replies the summary with the remaining `events` and, if
  /// `withContent`, the bytes of the Content. The summary of a complete response has the member
  /// `answer`, see lint::writeAnswer.
  void finish(bool withContent);

  /// Passes the answer to `append`, which replies, as its bytes and a Result<json::Tape>; forgets
  /// it if that returns true. If the answer is not complete if the response ends here, or is empty,
  /// replies {"accepted":false,"summary":{…}} instead. Otherwise nothing changes.
  template <typename Append>
  void moveTo(const Append& append) {
    if (isEnded_) return moveFrom(response_, built(), append);
    const stream::ResponseAssembler ended = response_.ended();
    moveFrom(ended, AnswerContent(ended.content()), append);
  }

 private:
  template <typename Append>
  void moveFrom(const stream::ResponseAssembler& ended, const AnswerContent& content,
                const Append& append) {
    if (!isWhole(ended, content)) return replyRefusal(ended, content);
    if (!append(content.bytes, content.tape)) return;
    response_ = {};
    content_.reset();
  }

  const AnswerContent& built();
  static bool isWhole(const stream::ResponseAssembler& ended, const AnswerContent& content);
  void replyRefusal(const stream::ResponseAssembler& ended, const AnswerContent& content);
  std::string summaryOf(const stream::ResponseAssembler& ended, const AnswerContent& content,
                        bool afterResponses, bool withContent) const;

  Core& core_;
  Exchange& exchange_;
  stream::ResponseAssembler response_;
  bool isEnded_ = false;
  std::optional<AnswerContent> content_;  // of the response that has ended, once it is needed
};

}  // namespace strata::bindings
