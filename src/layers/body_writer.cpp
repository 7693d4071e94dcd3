#include "layers/body_writer.h"

#include <string>
#include <utility>

#include "json/string.h"

namespace strata::layers {
namespace {

constexpr std::string_view kPartsOpen = R"({"parts":[{"text":)";
constexpr std::string_view kUserOpen = R"({"role":"user","parts":[{"text":)";
constexpr std::string_view kInputOpen = R"({"type":"user_input","content":[{"type":"text","text":)";
constexpr std::string_view kTextClose = "}]}";
static_assert(kTextClose.size() == BodyWriter::kTextEnd);

}  // namespace

Piece& BodyWriter::add(std::string_view name, size_t bytes, const Digest& digest) {
  Piece& piece = pieces_.emplace_back();
  piece.name = name;
  piece.bytes = bytes;
  piece.digest = digest;
  return piece;
}

size_t BodyWriter::openField(std::string_view name) {
  std::string prefix = body_.size() == 0 ? "{\"" : ",\"";
  prefix.append(name).append("\":");
  body_.own(prefix);
  return prefix.size();
}

size_t BodyWriter::openContent(bool hasBytes) {
  size_t written = 0;
  if (!inContents_) {
    inContents_ = true;
    written = openField(isInteraction_ ? "input" : "contents") + 1;
    body_.own("[");
  }
  if (!hasBytes) return written;
  if (!std::exchange(isFirst_, false)) {
    body_.own(",");
    ++written;
  }
  return written;
}

void BodyWriter::systemInstruction(std::string_view quotedText, const Digest& digest) {
  if (isInteraction_) {
    const size_t prefix = openField("system_instruction");
    body_.borrow(quotedText);
    add("systemInstruction", prefix + quotedText.size(), digest);
    return;
  }
  const size_t prefix = openField("systemInstruction");
  body_.own(kPartsOpen);
  body_.borrow(quotedText);
  body_.own(kTextClose);
  add("systemInstruction", prefix + kPartsOpen.size() + quotedText.size() + kTextClose.size(),
      digest);
}

void BodyWriter::field(std::string_view name, std::string_view json, const Digest& digest) {
  const size_t prefix = openField(name);
  body_.borrow(json);
  add(name, prefix + json.size(), digest);
}

void BodyWriter::copiedField(std::string_view name, std::string_view json) {
  const size_t prefix = openField(name);
  body_.own(json);
  add(name, prefix + json.size(), sha256(json));
}

void BodyWriter::members(std::string_view name, std::string_view json) {
  body_.own(body_.size() == 0 ? "{" : ",");
  body_.borrow(json);
  add(name, json.size() + 1, sha256(json));
}

void BodyWriter::cachedContent(std::string_view name) {
  std::string quoted;
  json::appendQuoted(quoted, name);
  copiedField("cachedContent", quoted);
}

void BodyWriter::text(std::string_view name, std::string_view quotedText, const Digest& digest) {
  const size_t prefix = openContent();
  const std::string_view open = isInteraction_ ? kInputOpen : kUserOpen;
  body_.own(open);
  body_.borrow(quotedText);
  body_.own(kTextClose);
  add(name, prefix + open.size() + quotedText.size() + kTextClose.size(), digest);
}

void BodyWriter::history(const thread::Thread& thread, size_t from, size_t to,
                         std::string_view bytes) {
  if (from >= to) return;
  const size_t prefix = openContent(!bytes.empty());
  body_.borrow(bytes);
  Piece& piece = add("buffered", prefix + bytes.size(), thread.checkpointAfter(to).digest);
  piece.from = static_cast<int32_t>(from);
  piece.to = static_cast<int32_t>(to);
}

void BodyWriter::trigger(std::string_view bytes, bool copy, const Digest& digest) {
  const size_t prefix = openContent(!bytes.empty());
  if (copy) {
    body_.own(bytes);
  } else {
    body_.borrow(bytes);
  }
  add("trigger", prefix + bytes.size(), digest);
}

void BodyWriter::close() {
  openContent(false);
  body_.own("]}");
}

}  // namespace strata::layers
