#include "dialects/audio_joiner.h"

#include <optional>

#include "base/ascii.h"
#include "base/base64url.h"
#include "dialects/base64.h"

namespace strata::dialects {
namespace {

std::optional<std::string> bytesOf(std::string text) {
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return readBase64Url(text);
}

}  // namespace

std::string AudioJoiner::add(json::Value inlineData) {
  const std::string type = inlineData.find("mimeType").text();
  if (type_.empty()) type_ = type;
  const std::optional<std::string> bytes = bytesOf(inlineData.find("data").text());
  if (type != type_ || !bytes) return {};
  rest_ += *bytes;
  const size_t whole = rest_.size() - rest_.size() % 3;
  std::string text = toBase64(std::string_view(rest_).substr(0, whole));
  rest_.erase(0, whole);
  return text;
}

std::string AudioJoiner::end() {
  std::string text = toBase64(rest_);
  rest_.clear();
  return text;
}

bool isMedia(json::Value inlineData, std::string_view kind) {
  const std::string type = inlineData.find("mimeType").text();
  if (type.size() <= kind.size() || type[kind.size()] != '/') return false;
  for (size_t i = 0; i < kind.size(); ++i) {
    if (ascii::toLower(type[i]) != kind[i]) return false;
  }
  return true;
}

}  // namespace strata::dialects
