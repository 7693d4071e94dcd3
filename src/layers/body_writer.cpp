#include "layers/body_writer.h"

#include <string>

#include "json/string.h"

namespace strata::layers {
namespace {

constexpr std::string_view kPartsOpen = R"({"parts":[{"text":)";
constexpr std::string_view kUserOpen = R"({"role":"user","parts":[{"text":)";
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

size_t BodyWriter::openContent() {
  if (!inContents_) {
    inContents_ = true;
    const size_t prefix = openField("contents");
    body_.own("[");
    return prefix + 1;
  }
  body_.own(",");
  return 1;
}

void BodyWriter::systemInstruction(std::string_view quotedText, const Digest& digest) {
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

void BodyWriter::members(std::string_view name, std::string_view json) {
  body_.own(body_.size() == 0 ? "{" : ",");
  body_.borrow(json);
  add(name, json.size() + 1, sha256(json));
}

void BodyWriter::cachedContent(std::string_view name) {
  const size_t prefix = openField("cachedContent");
  std::string quoted;
  json::appendQuoted(quoted, name);
  body_.own(quoted);
  add("cachedContent", prefix + quoted.size(), sha256(quoted));
}

void BodyWriter::text(std::string_view name, std::string_view quotedText, const Digest& digest) {
  const size_t prefix = openContent();
  body_.own(kUserOpen);
  body_.borrow(quotedText);
  body_.own(kTextClose);
  add(name, prefix + kUserOpen.size() + quotedText.size() + kTextClose.size(), digest);
}

void BodyWriter::history(const thread::Thread& thread, size_t from, size_t to) {
  if (from >= to) return;
  const size_t prefix = openContent();
  const std::string_view bytes = thread.contents(from, to);
  body_.borrow(bytes);
  Piece& piece = add("buffered", prefix + bytes.size(), thread.checkpointAfter(to).digest);
  piece.from = static_cast<int32_t>(from);
  piece.to = static_cast<int32_t>(to);
}

void BodyWriter::trigger(std::string_view content, bool copy, const Digest& digest) {
  const size_t prefix = openContent();
  if (copy) {
    body_.own(content);
  } else {
    body_.borrow(content);
  }
  add("trigger", prefix + content.size(), digest);
}

void BodyWriter::close() {
  if (!inContents_) openContent();
  body_.own("]}");
}

}  // namespace strata::layers
