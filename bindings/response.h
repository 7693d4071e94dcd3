// Defines what JavaScript can do with a response: read it, look at its answer, and move that into a
// thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core.h"
#include "json/tape.h"
#include "stream/interaction_assembler.h"
#include "stream/response_assembler.h"
#include "thread/thread.h"

namespace strata::bindings {

/// The Content of an answer with the index over it, or its error as a turn of a thread.
struct AnswerContent {
  /// Of a Content, whose bytes the caller keeps.
  explicit AnswerContent(std::string_view content)
      : bytes(content), tape(json::Tape::read(bytes, thread::kMaxContentDepth)) {}
  /// Of a list of steps, which is converted.
  explicit AnswerContent(const stream::InteractionAssembler& answer)
      : steps(answer.steps()),
        converted(convertAnswer(steps)),
        bytes(converted),
        tape(json::Tape::read(bytes, thread::kMaxContentDepth)) {}
  AnswerContent(const AnswerContent&) = delete;
  AnswerContent& operator=(const AnswerContent&) = delete;

  std::string steps;  ///< The array of steps, or "".
  std::string converted;
  const std::string_view bytes;
  const Result<json::Tape> tape;

 private:
  static std::string convertAnswer(std::string& steps);
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
  /// true. If the answer is not complete if the response ends here, or is empty, replies
  /// {"accepted":false,"summary":{…}} instead. Otherwise nothing changes.
  template <typename Append>
  void moveTo(const Append& append) {
    if (isEnded_ || interaction_) return moveFrom(response_, built(), append);
    const stream::ResponseAssembler ended = response_.ended();
    moveFrom(ended, AnswerContent(ended.content()), append);
  }

 private:
  template <typename Append>
  void moveFrom(const stream::ResponseAssembler& ended, const AnswerContent& content,
                const Append& append) {
    if (!isWhole(ended, content)) return replyRefusal(ended, content);
    if (!append(content)) return;
    if (interaction_) interaction_ = std::make_unique<stream::InteractionAssembler>();
    response_ = {};
    content_.reset();
  }

  // Of the interaction, or else of `ended`.
  bool isComplete(const stream::ResponseAssembler& ended) const;
  std::string finishReason(const stream::ResponseAssembler& ended) const;

  std::string endNow();
  const AnswerContent& built();
  bool isWhole(const stream::ResponseAssembler& ended, const AnswerContent& content) const;
  void replyRefusal(const stream::ResponseAssembler& ended, const AnswerContent& content);
  std::string summaryOf(const stream::ResponseAssembler& ended, const AnswerContent& content,
                        bool afterResponses, bool withContent) const;

  Core& core_;
  Exchange& exchange_;
  stream::ResponseAssembler response_;
  std::unique_ptr<stream::InteractionAssembler> interaction_;  // reads the answer if there is one
  bool isEnded_ = false;
  std::optional<AnswerContent> content_;  // of what has come, once it is needed
};

}  // namespace strata::bindings
