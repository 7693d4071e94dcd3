// Writes an answer of generateContent as an answer of OpenAI's chat completions API.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialects/audio_joiner.h"
#include "dialects/function_names.h"
#include "dialects/message_layout.h"
#include "json/writer.h"
#include "stream/api_error.h"
#include "stream/content_builder.h"
#include "stream/event_decoder.h"
#include "stream/field_list.h"

namespace strata::dialects {

struct OpenAiAnswerOptions {
  std::string id;             ///< Of the completion.
  int64_t created = 0;        ///< In seconds since 1970.
  std::string model;          ///< As the client named it.
  bool includeUsage = false;  ///< Whether a stream ends with a chunk that holds the usage.
  FunctionNames names = {};   ///< Of the request, to give calls the names that the client knows.
};

/// How the upstream answer failed.
enum class AnswerFailure : uint8_t { kNone, kApiError, kInvalid, kTruncated };

/// One candidate, while it is read.
struct Choice {
  int64_t index = 0;
  stream::ContentBuilder content;
  MessageLayout layout;
  int64_t calls = 0;
  int64_t images = 0;
  AudioJoiner audio;
  bool isVisible = false;     // has a text, a call, an image or a sound
  std::string finishReason;   // Google's; "" if there was none so far
  std::string finishMessage;  // what Google says about it
};

/// Reads the bytes of an upstream answer, whole or streamed, and passes on its parts. Derive the
/// two forms of an answer from it.
class OpenAiAnswer : private stream::JsonSink {
 public:
  explicit OpenAiAnswer(OpenAiAnswerOptions options) : options_(std::move(options)) {}
  virtual ~OpenAiAnswer() = default;
  OpenAiAnswer(const OpenAiAnswer&) = delete;
  OpenAiAnswer& operator=(const OpenAiAnswer&) = delete;

  /// Reads the next bytes, split at any position. Returns the bytes to send on.
  std::string push(std::string_view bytes);
  /// Ends the answer. Returns the remaining bytes.
  std::string end();

  /// Returns how the upstream answer failed. Call it only after `end`.
  AnswerFailure failure() const;
  /// Returns `{"kind":…}` with the details of the failure, in the form of
  /// `stream::ResponseAssembler::summary`.
  std::string describeFailure() const;

 protected:
  /// Handles one complete Part of a choice. `part` is valid during the call.
  virtual void onPart(Choice& choice, json::Value part) = 0;
  /// Handles the log probabilities of one upstream event.
  virtual void onLogprobs(Choice& choice, json::Value logprobs) = 0;
  /// Handles a new choice.
  virtual void onChoice(Choice& choice) = 0;
  /// Writes what follows the last part.
  virtual void onEnd() = 0;
  /// Returns whether the choices so far are a whole answer.
  virtual bool isComplete() const = 0;

  // Writes `"id":…,"object":…,"created":…,"model":…` into the open object.
  void writeHead(json::Writer& out, std::string_view object) const;
  // Writes `"tool_calls"`'s element for a functionCall Part, without its index.
  void writeCall(json::Writer& out, Choice& choice, json::Value part);
  // Writes the usage as a value.
  void writeUsage(json::Writer& out) const;
  bool hasUsage() const { return !usage_.empty(); }
  // Returns the finish_reason of a choice.
  std::string_view finishReasonOf(const Choice& choice) const;
  // Writes finish_reason, Google's where OpenAI has no word for it, and `error` where the answer is
  // of no use.
  void writeFinish(json::Writer& out, const Choice& choice) const;
  // Returns the sentence that says why the prompt, or a choice without a visible part, was blocked;
  // otherwise "".
  std::string refusalOf(const Choice& choice) const;
  // Writes the members of an `audio` object that hold the next data of a choice; the first ones say
  // what it is.
  void writeAudio(json::Writer& out, const Choice& choice, bool first,
                  const std::string& data) const;
  const std::optional<Error>& invalid() const { return invalid_; }
  const stream::ApiError* apiError() const { return apiError_ ? &*apiError_ : nullptr; }

  const OpenAiAnswerOptions& options() const { return options_; }
  std::deque<Choice>& choices() { return choices_; }
  const std::deque<Choice>& choices() const { return choices_; }
  // What the current push or end returns.
  std::string out_;

 private:
  void onJson(std::string_view text) override;
  void readResponse(json::Value response);
  void readCandidate(json::Value candidate);
  void readParts(Choice& choice, json::Value parts);
  void readPart(Choice& choice, json::Value part);
  void readComposed(Choice& choice, std::string_view part);
  bool isBlocked(const Choice& choice) const;
  Choice& choiceAt(int64_t index);

  OpenAiAnswerOptions options_;
  stream::EventDecoder decoder_;
  json::Tape tape_;
  std::deque<Choice> choices_;  // a deque never moves them
  stream::FieldList usage_;
  std::string blockReason_;
  std::optional<stream::ApiError> apiError_;
  std::optional<Error> invalid_;
  size_t calls_ = 0;       // of all choices
  bool newUsage_ = false;  // the next usageMetadata is of another response
  bool ended_ = false;
  bool truncated_ = false;
};

/// An answer in one piece: `push` returns nothing, `end` the chat.completion, or nothing if the
/// answer failed.
class OpenAiCompletion : public OpenAiAnswer {
 public:
  using OpenAiAnswer::OpenAiAnswer;

 private:
  // The message of a choice, by the choice's position.
  struct Message {
    std::string text;      // escaped
    std::string thoughts;  // escaped
    json::Writer calls;
    json::Writer images;
    json::Writer logprobs;
    std::string audio;  // base64
  };

  void onPart(Choice& choice, json::Value part) override;
  void onLogprobs(Choice& choice, json::Value logprobs) override;
  void onChoice(Choice& choice) override;
  void onEnd() override;
  bool isComplete() const override { return !choices().empty(); }
  Message& messageOf(const Choice& choice);
  void writeChoice(json::Writer& out, Choice& choice);
  void writeMessage(json::Writer& out, Choice& choice);

  std::deque<Message> messages_;
};

/// Writes an image Part as an element of `images`, without its index.
void writeImage(json::Writer& out, json::Value inlineData);

/// Writes the elements of `logprobs.content`.
void writeLogprobs(json::Writer& out, json::Value logprobsResult);

}  // namespace strata::dialects
