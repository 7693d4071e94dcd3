// Defines what JavaScript can do with a response: read it, look at its answer, and move that into a
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core.h"
#include "json/tape.h"
#include "stream/interaction_assembler.h"
#include "stream/response_assembler.h"
#include "thread/thread.h"

namespace strata::bindings {

/// What reads an answer of either wire.
using AnswerAssembler = std::variant<stream::ResponseAssembler, stream::InteractionAssembler>;

/// The Content of an answer with the index over it, or its error as a turn of a thread. It refers
/// to the response, unless the answer came as steps, which are converted.
struct AnswerContent {
  explicit AnswerContent(const AnswerAssembler& answer);
  AnswerContent(const AnswerContent&) = delete;
  AnswerContent& operator=(const AnswerContent&) = delete;

  std::string steps;  ///< The array of steps, or "".
  std::string converted;
  std::string_view bytes;
  Result<json::Tape> tape;

 private:
  std::string_view bytesOf(const AnswerAssembler& answer);
};

/// One response. The Core must outlive it.
class ResponseBinding {
 public:
  /// Part 0: the first bytes, or nothing. Replies what `push` does. `isInteraction`: the answer is
  /// one of the Interactions API.
  ResponseBinding(Core& core, bool isInteraction);

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

  /// Passes the answer to `append`, which replies, as an AnswerContent; forgets it if that returns
  /// true. If the answer is not complete if the response ends here, or is empty,
  /// replies {"accepted":false,"summary":{…}} instead. Otherwise nothing changes.
  template <typename Append>
  void moveTo(const Append& append) {
    if (isEnded_) return moveFrom(response_, built(), append);
    const AnswerAssembler ended = endedCopy();
    moveFrom(ended, AnswerContent(ended), append);
  }

 private:
  template <typename Append>
  void moveFrom(const AnswerAssembler& ended, const AnswerContent& content, const Append& append) {
    if (!isWhole(ended, content)) return replyRefusal(ended, content);
    if (!append(content)) return;
    response_ = {};
    content_.reset();
  }

  AnswerAssembler endedCopy() const;
  const AnswerContent& built();
  static bool isWhole(const AnswerAssembler& ended, const AnswerContent& content);
  void replyRefusal(const AnswerAssembler& ended, const AnswerContent& content);
  std::string summaryOf(const AnswerAssembler& ended, const AnswerContent& content,
                        bool afterResponses, bool withContent) const;

  Core& core_;
  Exchange& exchange_;
  AnswerAssembler response_;
  bool isEnded_ = false;
  std::optional<AnswerContent> content_;  // of the response that has ended, once it is needed
};

}  // namespace strata::bindings
