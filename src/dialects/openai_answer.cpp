// docs/openai-dialect.md lists what becomes of each field.
//
// Sources: https://platform.openai.com/docs/api-reference/chat/object; "Generating content",
// https://ai.google.dev/api/generate-content; extra_content as in "Thought signatures",
// https://ai.google.dev/gemini-api/docs/thought-signatures.
#include "dialects/openai_answer.h"

#include <array>

#include "dialects/call_ids.h"
#include "json/scan.h"

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 4> kFailureKinds = {"", "api", "answer.invalid",
                                                           "answer.cut"};

// OpenAI's limit of `n`; Google's is lower.
constexpr int64_t kMaxChoices = 128;

// Google's reasons to stop an answer because of what it says.
constexpr std::array<std::string_view, 12> kFiltered = {"SAFETY",
                                                        "RECITATION",
                                                        "LANGUAGE",
                                                        "BLOCKLIST",
                                                        "SPII",
                                                        "PROHIBITED_CONTENT",
                                                        "ESCALATION",
                                                        "IMAGE_SAFETY",
                                                        "IMAGE_OTHER",
                                                        "IMAGE_PROHIBITED_CONTENT",
                                                        "IMAGE_RECITATION",
                                                        "MODEL_ARMOR"};

// The error of a choice that the model could not finish: the fault is the upstream's.
constexpr int64_t kBadGateway = 502;

constexpr std::string_view kError = "error";

bool isFiltered(std::string_view reason) {
  for (const std::string_view filtered : kFiltered) {
    if (reason == filtered) return true;
  }
  return false;
}

// Returns JSON without the white space between its tokens: Google indents whole answers.
std::string withoutSpace(std::string_view json) {
  std::string out;
  for (size_t at = json::skipSpace(json, 0); at < json.size(); at = json::skipSpace(json, at)) {
    const size_t end = json[at] == '"' ? json::scanString(json, at + 1).at : at + 1;
    out.append(json.substr(at, end - at));
    at = end;
  }
  return out;
}

void writeToken(json::Writer& out, json::Value candidate) {
  const std::string token = candidate.find("token").text();
  out.key("token").string(token);
  const json::Value probability = candidate.find("logProbability");
  out.key("logprob").raw(probability.isNumber() ? probability.bytes() : "0");
  const json::Writer::Scope bytes = out.array("bytes");
  for (const char c : token) out.integer(static_cast<unsigned char>(c));
}

}  // namespace

void writeImage(json::Writer& out, json::Value inlineData) {
  out.key("type").string("image_url");
  const json::Writer::Scope url = out.object("image_url");
  out.key("url").string("data:" + inlineData.find("mimeType").text() + ";base64," +
                        inlineData.find("data").text());
}

void writeLogprobs(json::Writer& out, json::Value logprobsResult) {
  const json::Value top = logprobsResult.find("topCandidates");
  size_t index = 0;
  for (const json::Value chosen : json::elements(logprobsResult.find("chosenCandidates"))) {
    const json::Writer::Scope entry = out.object();
    writeToken(out, chosen);
    const json::Writer::Scope list = out.array("top_logprobs");
    for (const json::Value other : json::elements(top.at(index).find("candidates"))) {
      const json::Writer::Scope candidate = out.object();
      writeToken(out, other);
    }
    ++index;
  }
}

std::string OpenAiAnswer::push(std::string_view bytes) {
  decoder_.push(bytes, *this);
  return std::move(out_);
}

std::string OpenAiAnswer::end() {
  ended_ = true;
  decoder_.end(*this);
  for (Choice& choice : choices_) {
    // Vertex AI may stop without the last piece of a call.
    if (choice.finishReason == "STOP") readComposed(choice, choice.content.endCall());
  }
  // A blocked prompt has no candidates.
  if (!blockReason_.empty() && choices_.empty()) choiceAt(0).finishReason = blockReason_;
  onEnd();
  return std::move(out_);
}

void OpenAiAnswer::onJson(std::string_view text) {
  if (apiError_ || invalid_) return;
  const Status status = json::Tape::read(text, tape_);
  if (status) return readResponse(tape_.root());
  invalid_ = status.error();
  truncated_ = ended_ && invalid_->offset > 0;
}

void OpenAiAnswer::readResponse(json::Value response) {
  apiError_ = stream::findApiError(response);
  if (apiError_) return;
  const json::Value reason = response.find("promptFeedback").find("blockReason");
  if (reason.isString()) blockReason_ = reason.text();
  const json::Value usage = response.find("usageMetadata");
  // The last event may lack counts that earlier ones had: each count keeps its last value.
  if (newUsage_ && usage) usage_ = {};
  newUsage_ = false;
  for (const json::Member member : json::members(usage)) usage_.set(member.key, member.value);
  for (const json::Value candidate : json::elements(response.find("candidates"))) {
    readCandidate(candidate);
  }
}

Choice& OpenAiAnswer::choiceAt(int64_t index) {
  for (Choice& choice : choices_) {
    if (choice.index == index) return choice;
  }
  Choice& added = choices_.emplace_back();
  added.index = index;
  onChoice(added);
  return added;
}

void OpenAiAnswer::readCandidate(json::Value candidate) {
  const int64_t index = candidate.find("index").integer(0);
  if (index < 0 || index >= kMaxChoices) return;
  Choice& choice = choiceAt(index);
  readParts(choice, candidate.find("content").find("parts"));
  const json::Value logprobs = candidate.find("logprobsResult");
  if (logprobs.isObject()) onLogprobs(choice, logprobs);
  const json::Value reason = candidate.find("finishReason");
  if (!reason.isString()) return;
  // The next event is then of another response, which counts anew.
  newUsage_ = reason.equals("CONTINUATION");
  choice.finishReason = newUsage_ ? "" : reason.text();
  choice.finishMessage = candidate.find("finishMessage").text();
}

void OpenAiAnswer::readParts(Choice& choice, json::Value parts) {
  for (const json::Value part : json::elements(parts)) {
    readComposed(choice, choice.content.endCallBefore(part));
    // A call whose arguments are streamed is complete with its last piece.
    const std::optional<std::string_view> whole = choice.content.addPart(part);
    const std::string& broken = choice.content.brokenCall();
    if (!broken.empty()) {
      invalid_ = Error{"answer.invalid", part.offset(), "",
                       "partialArgs that fit together in the call " + broken};
      return;
    }
    if (!whole) continue;
    if (whole->data() == part.bytes().data()) {
      readPart(choice, part);
    } else {
      readComposed(choice, *whole);
    }
  }
}

// Reads a Part that was composed from several pieces, if there is one.
void OpenAiAnswer::readComposed(Choice& choice, std::string_view part) {
  if (part.empty()) return;
  if (const Result<json::Tape> tape = json::Tape::read(part)) readPart(choice, tape.value().root());
}

void OpenAiAnswer::readPart(Choice& choice, json::Value part) {
  const std::string signature = part.find("thoughtSignature").text();
  const json::Value text = part.find("text");
  const json::Value thought = part.find("thought");
  const json::Value media = part.find("inlineData");
  const bool hasMedia = media.find("data").isString() && !thought.isTrue();
  if (text.isString()) {
    choice.layout.addText(thought.isTrue(), text.text().size(), signature);
    choice.isVisible = choice.isVisible || (!thought.isTrue() && !text.raw().empty());
  } else if (part.find("functionCall")) {
    choice.layout.addCall();
    choice.isVisible = true;
  } else if (hasMedia && isMedia(media, "image")) {
    choice.layout.addImage(signature);
    choice.isVisible = true;
  } else if (hasMedia && isMedia(media, "audio")) {
    choice.isVisible = true;
  } else {
    // A Part may hold nothing but a signature. An image of a thought would come back as the
    // answer's.
    const bool hasData = part.size() > (thought ? 2 : 1);
    if (!hasData) choice.layout.addText(thought.isTrue(), 0, signature);
    return;
  }
  onPart(choice, part);
}

void OpenAiAnswer::writeHead(json::Writer& out, std::string_view object) const {
  out.key("id").string(options_.id).key("object").string(object);
  out.key("created").integer(options_.created).key("model").string(options_.model);
}

void OpenAiAnswer::writeCall(json::Writer& out, Choice& choice, json::Value part) {
  const json::Value call = part.find("functionCall");
  const std::string given = call.find("id").text();
  const size_t number = calls_++;
  ++choice.calls;
  const bool isPortable = isPortableCallId(given);
  const std::string replaced = given.empty() ? makeCallId(options_.id, number) : shortCallId(given);
  out.key("id").string(isPortable ? given : replaced).key("type").string("function");
  {
    const json::Writer::Scope function = out.object("function");
    const json::Value args = call.find("args");
    out.key("name").string(options_.names.toClient(call.find("name").text()));
    out.key("arguments").string(args.isObject() ? withoutSpace(args.bytes()) : "{}");
  }
  const json::Value signature = part.find("thoughtSignature");
  const bool keepsId = !isPortable && !given.empty();
  if (signature.raw().empty() && !keepsId) return;
  const json::Writer::Scope extra = out.object("extra_content");
  const json::Writer::Scope google = out.object("google");
  if (!signature.raw().empty()) out.key("thought_signature").raw(signature.bytes());
  if (keepsId) out.key("function_call_id").string(given);
}

void OpenAiAnswer::writeUsage(json::Writer& out) const {
  const auto count = [&](std::string_view name) {
    const Result<json::Tape> tape = json::Tape::read(usage_.get(name));
    return tape ? tape.value().root().integer(0) : 0;
  };
  const int64_t prompt = count("promptTokenCount") + count("toolUsePromptTokenCount");
  const int64_t thoughts = count("thoughtsTokenCount");
  const int64_t completion = count("candidatesTokenCount") + thoughts;
  const int64_t total = count("totalTokenCount");
  const json::Writer::Scope usage = out.object();
  out.key("prompt_tokens").integer(prompt).key("completion_tokens").integer(completion);
  out.key("total_tokens").integer(total > 0 ? total : prompt + completion);
  out.key("prompt_tokens_details").open('{');
  out.key("cached_tokens").integer(count("cachedContentTokenCount")).close('}');
  out.key("completion_tokens_details").open('{');
  out.key("reasoning_tokens").integer(thoughts).close('}');
}

bool OpenAiAnswer::isBlocked(const Choice& choice) const {
  return !blockReason_.empty() || isFiltered(choice.finishReason);
}

// Google's other reasons say that the model failed: its answer is not what it wanted to say, and a
// call of it must not run.
std::string_view OpenAiAnswer::finishReasonOf(const Choice& choice) const {
  const std::string& reason = choice.finishReason;
  if (reason == "MAX_TOKENS") return "length";
  if (isBlocked(choice)) return "content_filter";
  const bool unknown = reason.empty() || reason == "FINISH_REASON_UNSPECIFIED";
  if (reason != "STOP" && !(unknown && choice.isVisible)) return kError;
  return choice.calls > 0 ? "tool_calls" : "stop";
}

void OpenAiAnswer::writeFinish(json::Writer& out, const Choice& choice) const {
  const std::string& reason = choice.finishReason;
  const std::string_view finish = finishReasonOf(choice);
  out.key("finish_reason").string(finish);
  const bool hasWord = reason.empty() || reason == "STOP" || reason == "MAX_TOKENS";
  if (!hasWord) out.key("native_finish_reason").string(reason);
  if (finish != kError) return;
  const json::Writer::Scope error = out.object("error");
  const std::string stopped = "The model failed: " + (reason.empty() ? "it said nothing" : reason);
  out.key("code").integer(kBadGateway);
  out.key("message").string(choice.finishMessage.empty() ? stopped : choice.finishMessage);
}

void OpenAiAnswer::writeAudio(json::Writer& out, const Choice& choice, bool first,
                              const std::string& data) const {
  if (first) {
    out.key("id").string("audio_" + options_.id + "_" + std::to_string(choice.index));
    // Nothing is stored, so no later request can name it.
    out.key("expires_at").integer(options_.created).key("transcript").string("");
    const json::Writer::Scope extra = out.object("extra_content");
    const json::Writer::Scope google = out.object("google");
    out.key("mime_type").string(choice.audio.type());
  }
  out.key("data").string(data);
}

std::string OpenAiAnswer::refusalOf(const Choice& choice) const {
  if (choice.isVisible) return {};
  if (!blockReason_.empty()) return "The prompt was blocked: " + blockReason_;
  if (isFiltered(choice.finishReason)) return "The answer was blocked: " + choice.finishReason;
  return {};
}

AnswerFailure OpenAiAnswer::failure() const {
  if (apiError_) return AnswerFailure::kApiError;
  if (invalid_) return truncated_ ? AnswerFailure::kTruncated : AnswerFailure::kInvalid;
  if (decoder_.isInsideJson()) return AnswerFailure::kTruncated;
  return isComplete() ? AnswerFailure::kNone : AnswerFailure::kTruncated;
}

std::string OpenAiAnswer::describeFailure() const {
  json::Writer out;
  {
    const json::Writer::Scope failed = out.object();
    out.key("kind").string(kFailureKinds[static_cast<size_t>(failure())]);
    if (apiError_) {
      out.key("code").integer(apiError_->code).key("status").string(apiError_->status);
      out.key("message").string(apiError_->message);
    }
    if (invalid_) {
      out.key("detail").string("expected " + invalid_->detail + " at byte " +
                               std::to_string(invalid_->offset) + " of an event");
    }
  }
  return out.take();
}

OpenAiCompletion::Message& OpenAiCompletion::messageOf(const Choice& choice) {
  size_t position = 0;
  while (&choices()[position] != &choice) ++position;
  return messages_[position];
}

void OpenAiCompletion::onChoice(Choice&) { messages_.emplace_back(); }

void OpenAiCompletion::onPart(Choice& choice, json::Value part) {
  Message& message = messageOf(choice);
  const json::Value text = part.find("text");
  if (text.isString()) {
    (part.find("thought").isTrue() ? message.thoughts : message.text) += text.raw();
  } else if (part.find("functionCall")) {
    const json::Writer::Scope call = message.calls.object();
    writeCall(message.calls, choice, part);
  } else if (isMedia(part.find("inlineData"), "audio")) {
    message.audio += choice.audio.add(part.find("inlineData"));
  } else {
    const json::Writer::Scope image = message.images.object();
    writeImage(message.images, part.find("inlineData"));
    ++choice.images;
  }
}

void OpenAiCompletion::onLogprobs(Choice& choice, json::Value logprobs) {
  writeLogprobs(messageOf(choice).logprobs, logprobs);
}

void OpenAiCompletion::onEnd() {
  if (failure() != AnswerFailure::kNone) return;
  json::Writer out;
  {
    const json::Writer::Scope completion = out.object();
    writeHead(out, "chat.completion");
    {
      const json::Writer::Scope list = out.array("choices");
      for (Choice& choice : choices()) writeChoice(out, choice);
    }
    if (hasUsage()) writeUsage(out.key("usage"));
  }
  out_ = out.take();
}

void OpenAiCompletion::writeChoice(json::Writer& out, Choice& choice) {
  const json::Writer::Scope entry = out.object();
  out.key("index").integer(choice.index);
  writeMessage(out, choice);
  const std::string& logprobs = messageOf(choice).logprobs.text();
  out.key("logprobs");
  if (logprobs.empty()) {
    out.raw("null");
  } else {
    out.raw(R"({"content":[)" + logprobs + R"(],"refusal":null})");
  }
  writeFinish(out, choice);
}

void OpenAiCompletion::writeMessage(json::Writer& out, Choice& choice) {
  const Message& message = messageOf(choice);
  const json::Writer::Scope object = out.object("message");
  out.key("role").string("assistant");
  const auto quoted = [](const std::string& escaped) { return '"' + escaped + '"'; };
  out.key("content").raw(message.text.empty() ? "null" : quoted(message.text));
  out.key("refusal");
  const std::string refusal = refusalOf(choice);
  if (refusal.empty()) {
    out.raw("null");
  } else {
    out.string(refusal);
  }
  if (!message.thoughts.empty()) out.key("reasoning_content").raw(quoted(message.thoughts));
  if (choice.images > 0) out.key("images").raw("[" + message.images.text() + "]");
  if (!choice.audio.type().empty()) {
    const json::Writer::Scope audio = out.object("audio");
    writeAudio(out, choice, true, message.audio + choice.audio.end());
  }
  if (choice.calls > 0) out.key("tool_calls").raw("[" + message.calls.text() + "]");
  choice.layout.write(out);
}

}  // namespace strata::dialects
