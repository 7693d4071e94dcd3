#include "stream/content_builder.h"

#include <utility>

#include "json/validated.h"

namespace strata::stream {
namespace {

// Returns whether a Part is a text without a signature or other fields, so that it may be joined.
bool isJoinable(json::Value part) {
  if (!part.find("text").isString()) return false;
  for (const json::Member member : json::members(part)) {
    const bool text = member.key.equals("text");
    const bool thought = member.key.equals("thought") && !member.value.isObject();
    if (!text && !thought) return false;
  }
  return true;
}

bool willContinue(json::Value call) { return call.find("willContinue").isTrue(); }

constexpr std::string_view kEnd = "]}";

// What follows the text of the last Part, to the end of the Content.
std::string_view endOfText(bool thought) { return thought ? R"(","thought":true}]})" : R"("}]})"; }

}  // namespace

void ContentBuilder::addContent(json::Value content) {
  if (content.find("parts").size() == 0) return;
  const bool isFirst = text_.empty();
  if (!isFirst) compose();
  bool changed = false;
  bool hasUnsetRole = false;
  for (const json::Member member : json::members(content)) {
    if (member.key.equals("parts")) continue;
    const bool isUnsetRole = isUnset(member.value) && member.key.equals("role");
    hasUnsetRole = hasUnsetRole || isUnsetRole;
    changed = (!isUnsetRole && fields_.set(member.key, member.value)) || changed;
  }
  if (isFirst && !hasUnsetRole) {
    received_ = true;
    text_ = content.bytes();
    if (fields_.get("role").empty()) text_.replace(0, 1, R"({"role":"model",)");
  } else if (isFirst || changed) {
    writeHead();
  }
}

// Writes the Parts so far of a Content that was received whole as those of a composed one.
void ContentBuilder::compose() {
  if (!received_) return;
  received_ = false;
  const std::string received = std::move(text_);
  text_.clear();
  size_t left = std::exchange(parts_, 0);
  const json::Tape tape = json::readValidated(received);
  for (const json::Value part : json::elements(tape.root().find("parts"))) {
    if (left-- == 0) break;
    add(part);
  }
  if (text_.empty()) writeHead();
}

// Writes the fields before the Parts, or replaces them.
void ContentBuilder::writeHead() {
  json::Writer out;
  out.open('{');
  fields_.write(out);
  if (fields_.get("role").empty()) out.key("role").string("model");
  out.key("parts").open('[');
  const std::string& head = out.text();
  if (text_.empty()) text_ = kEnd;
  text_.replace(0, head_, head);
  for (size_t* place : {&last_.bytes.begin, &last_.bytes.end, &last_.text.begin, &last_.text.end}) {
    *place += head.size() - head_;
  }
  head_ = head.size();
}

std::optional<std::string_view> ContentBuilder::addPart(json::Value part) {
  const json::Value call = part.find("functionCall");
  if (call && (continuesCall(call) || willContinue(call) || call.find("partialArgs"))) {
    return addCallPiece(part, call);
  }
  if (received_) {
    ++parts_;
  } else {
    add(part);
  }
  return part.bytes();
}

void ContentBuilder::add(json::Value part) {
  const bool joinable = isJoinable(part);
  const bool thought = part.find("thought").isTrue();
  const std::string_view escaped = part.find("text").raw();
  if (joinable && last_.joinable && last_.thought == thought) return join(escaped);
  const std::string_view bytes = part.bytes();
  addBytes(bytes);
  if (!joinable) return;
  const size_t at = last_.bytes.begin + static_cast<size_t>(escaped.data() - bytes.data());
  last_.text = {at, at + escaped.size()};
  last_.joinable = true;
  last_.thought = thought;
}

void ContentBuilder::addBytes(std::string_view part) {
  if (text_.empty()) writeHead();
  text_.resize(text_.size() - kEnd.size());
  if (parts_++ > 0) text_.push_back(',');
  last_ = {{text_.size(), text_.size() + part.size()}};
  text_.append(part).append(kEnd);
}

// Adds to the text of the last Part, which then has only its text.
void ContentBuilder::join(std::string_view escaped) {
  if (!last_.joined) {
    constexpr std::string_view kBegin = R"({"text":")";
    const Run from = last_.text;
    const std::string before = text_.substr(from.begin, from.end - from.begin);
    text_.resize(last_.bytes.begin);
    text_.append(kBegin).append(before);
    last_.text.end = text_.size();
    last_.joined = true;
  }
  text_.resize(last_.text.end);
  text_.append(escaped);
  last_.text.end = text_.size();
  text_.append(endOfText(last_.thought));
  last_.bytes.end = text_.size() - kEnd.size();
}

// Returns whether a piece belongs to the open call: a piece with a name starts a new call.
bool ContentBuilder::continuesCall(json::Value call) const {
  return call_ && call && !call.find("name");
}

std::string ContentBuilder::endCallBefore(json::Value part) {
  return continuesCall(part.find("functionCall")) ? std::string() : endCall();
}

std::optional<std::string_view> ContentBuilder::addCallPiece(json::Value part, json::Value call) {
  compose();
  if (!continuesCall(call)) call_.emplace();
  for (const json::Member member : json::members(part)) {
    if (!member.key.equals("functionCall")) {
      call_->partFields.set(member.key, member.value);
    }
  }
  for (const json::Member member : json::members(call)) {
    if (member.key.equals("partialArgs")) {
      addPartialArgs(member.value);
    } else if (!member.key.equals("willContinue")) {
      call_->callFields.set(member.key, member.value);
    }
  }
  if (willContinue(call) || endCall().empty()) return std::nullopt;
  return std::string_view(text_).substr(last_.bytes.begin, last_.bytes.end - last_.bytes.begin);
}

void ContentBuilder::addPartialArgs(json::Value pieces) {
  for (const json::Value piece : json::elements(pieces)) {
    const bool added = call_->args.add(piece);
    if (added || !brokenCall_.empty()) continue;
    const Result<json::Tape> name = json::Tape::read(call_->callFields.get("name"));
    brokenCall_ = name ? name.value().root().text() : "?";
  }
}

std::string ContentBuilder::endCall() {
  if (!brokenCall_.empty()) call_.reset();
  if (!call_) return {};
  json::Writer out;
  out.open('{').key("functionCall").open('{');
  call_->callFields.write(out);
  if (call_->callFields.get("args").empty()) out.key("args").raw(call_->args.text());
  out.close('}');
  call_->partFields.write(out);
  out.close('}');
  call_.reset();
  addBytes(out.text());
  return out.take();
}

std::string_view ContentBuilder::text() const {
  return parts_ == 0 ? std::string_view() : std::string_view(text_);
}

}  // namespace strata::stream
