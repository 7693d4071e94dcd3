#include "stream/response.h"

#include <array>

namespace strata::stream {
namespace {

constexpr std::array<std::string_view, 5> kCodes = {"", "api", "answer.invalid", "answer.blocked",
                                                    "answer.cut"};

std::string textOf(std::string_view json) {
  const Result<json::Tape> tape = json::Tape::read(json);
  return tape ? tape.value().root().text() : std::string();
}

void writeError(json::Writer& out, const ApiError& error) {
  out.key("code").integer(error.code);
  out.key("status").string(error.status);
  out.key("message").string(error.message);
  if (error.retryAfterMs >= 0) out.key("retryAfterMs").integer(error.retryAfterMs);
}

// The event of a whole call: name, id where there is one, args as an object.
void writeCall(json::Writer& out, json::Value call) {
  const json::Value id = call.find("id");
  const json::Value args = call.find("args");
  out.open('{').key("type").string("functionCall");
  out.key("name").string(call.find("name").text());
  if (id.isString()) out.key("id").raw(id.bytes());
  out.key("args").raw(args ? args.bytes() : "{}");
  out.close('}');
}

void writePart(json::Writer& out, json::Value part) {
  const json::Value text = part.find("text");
  if (const json::Value call = part.find("functionCall")) {
    writeCall(out, call);
  } else if (!text.isString() || part.find("thoughtSignature")) {
    // A signed text is a part of its own; its text, if any, still reads on.
    out.open('{').key("type").string("part").key("part").raw(part.bytes()).close('}');
  }
  if (text.isString() && !text.raw().empty()) {
    out.open('{').key("type").string(part.find("thought").isTrue() ? "thought" : "text");
    out.key("text").raw(text.bytes()).close('}');
  }
}

}  // namespace

std::string Response::push(std::string_view bytes) { return takeAll(decoder_.push(bytes)); }

std::string Response::end() {
  ending_ = true;
  return takeAll(decoder_.end());
}

std::string Response::takeAll(const std::vector<std::string>& texts) {
  json::Writer events;
  events.open('[');
  for (const std::string& text : texts) {
    if (!apiError_ && !invalid_) take(text, events);
  }
  events.close(']');
  return events.take();
}

void Response::take(std::string_view text, json::Writer& events) {
  const Result<json::Tape> tape = json::Tape::read(text);
  if (!tape) {
    invalid_ = tape.error();
    brokenOff_ = ending_ && invalid_->offset > 0;
    return;
  }
  const json::Value response = tape.value().root();
  apiError_ = apiErrorIn(response);
  if (apiError_) {
    events.open('{').key("type").string("error").key("error").open('{');
    writeError(events, *apiError_);
    events.close('}').close('}');
    return;
  }
  takeCandidate(response.find("candidates").at(0), events);
  Fields changed;
  takeFields(response, "candidates", top_, changed);
  takeFields(response.find("candidates").at(0), "content", candidate_, changed);
  const std::string usage(changed.get("usageMetadata"));
  if (!usage.empty()) {
    events.open('{').key("type").string("usage").key("usage").raw(usage).close('}');
  }
  changed.remove("usageMetadata");
  if (changed.empty()) return;
  events.open('{').key("type").string("metadata").key("metadata").open('{');
  changed.write(events);
  events.close('}').close('}');
}

void Response::takeCandidate(json::Value candidate, json::Writer& events) {
  const json::Value content = candidate.find("content");
  content_.addContent(content);
  for (const json::Value part : json::elements(content.find("parts"))) takePart(part, events);
}

void Response::takePart(json::Value part, json::Writer& events) {
  const std::optional<std::string> whole = content_.addPart(part);
  if (!whole) return;
  if (*whole == part.bytes()) {
    writePart(events, part);
  } else if (const Result<json::Tape> tape = json::Tape::read(*whole)) {
    writePart(events, tape.value().root());
  }
}

void Response::takeFields(json::Value object, std::string_view without, Fields& into,
                          Fields& changed) {
  for (const json::Member member : json::members(object)) {
    if (member.key.equals(without)) continue;
    const std::string name = member.key.text();
    if (into.set(name, member.value.bytes())) changed.set(name, member.value.bytes());
  }
}

Outcome Response::outcome() const {
  if (apiError_) return Outcome::kApiError;
  if (invalid_) return brokenOff_ ? Outcome::kCut : Outcome::kInvalid;
  if (decoder_.inText()) return Outcome::kCut;
  if (!candidate_.get("finishReason").empty()) return Outcome::kWhole;
  return blockReason().empty() ? Outcome::kCut : Outcome::kBlocked;
}

std::string Response::blockReason() const {
  const Result<json::Tape> feedback = json::Tape::read(top_.get("promptFeedback"));
  return feedback ? feedback.value().root().find("blockReason").text() : std::string();
}

std::string Response::summary() const {
  const std::string_view usage = top_.get("usageMetadata");
  const std::string content = content_.text();
  json::Writer out;
  out.open('{');
  out.key("finishReason").string(textOf(candidate_.get("finishReason")));
  out.key("usage").raw(usage.empty() ? "{}" : usage);
  out.key("response").open('{').key("candidates").open('[');
  if (!content.empty() || !candidate_.empty()) {
    out.open('{');
    if (!content.empty()) out.key("content").raw(content);
    candidate_.write(out);
    out.close('}');
  }
  out.close(']');
  top_.write(out);
  out.close('}');
  if (outcome() != Outcome::kWhole) writeFailure(out);
  out.close('}');
  return out.take();
}

void Response::writeFailure(json::Writer& out) const {
  out.key("failure").open('{');
  if (outcome() == Outcome::kApiError) {
    writeError(out, *apiError_);
    if (!apiError_->details.empty()) out.key("details").raw(apiError_->details);
  }
  out.key("kind").string(kCodes[static_cast<size_t>(outcome())]);
  if (outcome() == Outcome::kBlocked) out.key("blockReason").string(blockReason());
  if (invalid_) {
    out.key("detail").string("expected " + invalid_->detail + " at byte " +
                             std::to_string(invalid_->offset) + " of an event");
  }
  out.close('}');
}

}  // namespace strata::stream
