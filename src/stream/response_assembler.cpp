#include "stream/response_assembler.h"

#include <array>
#include <utility>

namespace strata::stream {
namespace {

constexpr std::array<std::string_view, 5> kFailureKinds = {"", "api", "answer.invalid",
                                                           "answer.blocked", "answer.cut"};

void emitPart(EventWriter& events, json::Value part) {
  const json::Value text = part.find("text");
  if (const json::Value call = part.find("functionCall")) {
    events.call(call);
  } else if (!text.isString() || part.find("thoughtSignature")) {
    // A signed text is emitted as a part, and its text, if any, as text.
    events.part(part);
  }
  if (text.isString() && !text.raw().empty()) events.text(text, part.find("thought").isTrue());
}

// Chunks may hold other candidates first or alone.
json::Value firstCandidate(json::Value response) {
  for (const json::Value candidate : json::elements(response.find("candidates"))) {
    if (candidate.find("index").integer(0) == 0) return candidate;
  }
  return {};
}

constexpr std::string_view kUsage = "usageMetadata";
constexpr std::string_view kStop = "STOP";

}  // namespace

std::string_view failureKind(Outcome outcome) {
  return kFailureKinds[static_cast<size_t>(outcome)];
}

void writeDetail(json::Writer& out, const Error& invalid) {
  out.key("detail").string("expected " + invalid.detail + " at byte " +
                           std::to_string(invalid.offset) + " of an event");
}

std::string stringValue(std::string_view json) {
  const Result<json::Tape> tape = json::Tape::read(json);
  return tape ? tape.value().root().text() : std::string();
}

std::string ResponseAssembler::push(std::string_view bytes) {
  // The events take about half of the bytes received.
  events_.begin(bytes.size() / 2);
  ended_ = false;
  decoder_.push(bytes, *this);
  emitUsage();
  return events_.take();
}

std::string ResponseAssembler::end() {
  ended_ = true;
  events_.begin(0);
  decoder_.end(*this);
  // Vertex AI may stop without the last piece of a call.
  if (finishReason() == kStop) emitComposed(content_.endCall());
  emitUsage();
  return events_.take();
}

ResponseAssembler ResponseAssembler::ended() const {
  ResponseAssembler copy = *this;
  if (!ended_) copy.end();
  return copy;
}

void ResponseAssembler::onJson(std::string_view text) {
  if (apiError_ || invalid_) return;
  if (const Status read = json::Tape::read(text, tape_); !read) {
    invalid_ = read.error();
    truncated_ = ended_ && invalid_->offset > 0;
    return;
  }
  handleResponse(tape_.root());
}

void ResponseAssembler::handleResponse(json::Value response) {
  apiError_ = findApiError(response);
  if (apiError_) {
    events_.error(*apiError_);
    return;
  }
  const json::Value candidate = firstCandidate(response);
  handleCandidate(candidate);
  FieldList changed;
  updateFields(response, "candidates", responseFields_, changed);
  updateFields(candidate, "content", candidateFields_, changed);
  events_.metadata(changed);
  // The next chunks are then of another response, which counts anew. Its first ones may have no
  // counts.
  if (candidate.find("finishReason").equals("CONTINUATION")) newUsage_ = true;
}

void ResponseAssembler::handleCandidate(json::Value candidate) {
  const json::Value content = candidate.find("content");
  content_.addContent(content);
  for (const json::Value part : json::elements(content.find("parts"))) {
    emitComposed(content_.endCallBefore(part));
    handlePart(part);
    if (!content_.brokenCall().empty()) return refuseArguments(part);
  }
}

// The call must not run without them.
void ResponseAssembler::refuseArguments(json::Value part) {
  invalid_ = Error{"answer.invalid", part.offset(), "",
                   "partialArgs that fit together in the call " + content_.brokenCall()};
}

void ResponseAssembler::handlePart(json::Value part) {
  const std::optional<std::string_view> whole = content_.addPart(part);
  if (!whole) return;
  if (whole->data() == part.bytes().data()) {
    emitPart(events_, part);
  } else {
    emitComposed(*whole);
  }
}

// Emits a Part that was composed from several pieces, if there is one.
void ResponseAssembler::emitComposed(std::string_view part) {
  if (part.empty()) return;
  if (const Result<json::Tape> tape = json::Tape::read(part)) {
    emitPart(events_, tape.value().root());
  }
}

// A name that both the response and its candidate have is in `changed` once.
void ResponseAssembler::updateFields(json::Value object, std::string_view excluded,
                                     FieldList& fields, FieldList& changed) {
  const bool hasUsage = &fields == &responseFields_;
  for (const json::Member member : json::members(object)) {
    if (member.key.equals(excluded)) continue;
    if (isUnset(member.value) && member.key.equals("finishReason")) continue;
    if (hasUsage && member.key.equals(kUsage)) {
      updateUsage(member.value);
    } else if (fields.set(member.key, member.value)) {
      changed.set(member.key, member.value);
    }
  }
}

// The last chunk may lack counts that earlier ones had: each count keeps its last value.
void ResponseAssembler::updateUsage(json::Value usage) {
  if (std::exchange(newUsage_, false)) {
    emitUsage();
    usage_ = {};
  }
  for (const json::Member member : json::members(usage)) {
    usageChanged_ = usage_.set(member.key, member.value) || usageChanged_;
  }
  // Its place among the fields. emitUsage() writes the counts.
  if (usageChanged_ && responseFields_.get(kUsage).empty()) responseFields_.set(kUsage, "{}");
}

// Once for a push: each chunk has its counts, of which the last ones count.
void ResponseAssembler::emitUsage() {
  if (!std::exchange(usageChanged_, false)) return;
  json::Writer out;
  out.open('{');
  usage_.write(out);
  responseFields_.set(kUsage, out.close('}').text());
  events_.usage(out.text());
}

Outcome ResponseAssembler::outcome() const {
  if (apiError_) return Outcome::kApiError;
  if (invalid_) return truncated_ ? Outcome::kTruncated : Outcome::kInvalid;
  if (decoder_.isInsideJson()) return Outcome::kTruncated;
  if (!candidateFields_.get("finishReason").empty()) return Outcome::kComplete;
  return blockReason().empty() ? Outcome::kTruncated : Outcome::kBlocked;
}

std::string ResponseAssembler::blockReason() const {
  const Result<json::Tape> feedback = json::Tape::read(responseFields_.get("promptFeedback"));
  return feedback ? feedback.value().root().find("blockReason").text() : std::string();
}

std::string ResponseAssembler::finishReason() const {
  return stringValue(candidateFields_.get("finishReason"));
}

std::string ResponseAssembler::summary(bool withContent) const {
  const std::string_view usage = responseFields_.get(kUsage);
  const std::string_view content = withContent ? content_.text() : std::string_view();
  json::Writer out;
  out.open('{');
  out.key("finishReason").string(finishReason());
  out.key("usage").raw(usage.empty() ? "{}" : usage);
  out.key("response").open('{').key("candidates").open('[');
  if (!content.empty() || !candidateFields_.empty()) {
    out.open('{');
    if (!content.empty()) out.key("content").raw(content);
    candidateFields_.write(out);
    out.close('}');
  }
  out.close(']');
  responseFields_.write(out);
  out.close('}');
  if (outcome() != Outcome::kComplete) writeFailure(out);
  out.close('}');
  return out.take();
}

void ResponseAssembler::writeFailure(json::Writer& out) const {
  out.key("failure").open('{');
  if (outcome() == Outcome::kApiError) {
    writeError(out, *apiError_);
    if (!apiError_->details.empty()) out.key("details").raw(apiError_->details);
  }
  out.key("kind").string(failureKind(outcome()));
  if (outcome() == Outcome::kBlocked) out.key("blockReason").string(blockReason());
  if (invalid_) writeDetail(out, *invalid_);
  out.close('}');
}

}  // namespace strata::stream
