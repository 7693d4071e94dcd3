#include "stream/content_builder.h"

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

std::string textPart(std::string_view escaped, bool thought) {
  std::string part = "{\"text\":\"";
  part.append(escaped).append(thought ? "\",\"thought\":true}" : "\"}");
  return part;
}

}  // namespace

void ContentBuilder::addContent(json::Value content) {
  if (content.find("parts").size() == 0) return;
  onlyContent_ = ++contentCount_ == 1 ? std::string(content.bytes()) : std::string();
  for (const json::Member member : json::members(content)) {
    if (member.key.equals("parts")) continue;
    if (isUnset(member.value) && member.key.equals("role")) {
      composed_ = true;
    } else {
      fields_.set(member.key, member.value);
    }
  }
}

std::optional<std::string_view> ContentBuilder::addPart(json::Value part) {
  const json::Value call = part.find("functionCall");
  if (call && (continuesCall(call) || willContinue(call) || call.find("partialArgs"))) {
    return addCallPiece(part, call);
  }
  const bool joinable = isJoinable(part);
  const bool thought = part.find("thought").isTrue();
  if (joinable && !parts_.empty() && parts_.back().joinable && parts_.back().thought == thought) {
    Part& last = parts_.back();
    last.joined += part.find("text").raw();
    last.bytes.clear();
  } else {
    parts_.push_back({std::string(part.bytes()),
                      joinable ? std::string(part.find("text").raw()) : std::string(), joinable,
                      thought});
  }
  return part.bytes();
}

// Returns whether a piece belongs to the open call: a piece with a name starts a new call.
bool ContentBuilder::continuesCall(json::Value call) const {
  return call_ && call && !call.find("name");
}

std::string ContentBuilder::endCallBefore(json::Value part) {
  return continuesCall(part.find("functionCall")) ? std::string() : endCall();
}

std::optional<std::string_view> ContentBuilder::addCallPiece(json::Value part, json::Value call) {
  composed_ = true;
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
  return parts_.back().bytes;
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
  parts_.push_back({out.take()});
  return parts_.back().bytes;
}

std::string ContentBuilder::text() const {
  if (contentCount_ == 0 || parts_.empty()) return {};
  const bool hasRole = !fields_.get("role").empty();
  if (!onlyContent_.empty() && !composed_) {
    return hasRole ? onlyContent_ : R"({"role":"model",)" + onlyContent_.substr(1);
  }
  json::Writer out;
  out.open('{');
  fields_.write(out);
  if (!hasRole) out.key("role").string("model");
  out.key("parts").open('[');
  for (const Part& part : parts_) {
    out.raw(part.bytes.empty() ? textPart(part.joined, part.thought) : part.bytes);
  }
  out.close(']').close('}');
  return out.take();
}

}  // namespace strata::stream
