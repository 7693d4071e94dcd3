#include "dialects/media.h"

#include <array>
#include <optional>

#include "base/ascii.h"
#include "dialects/base64.h"
#include "json/string.h"
#include "json/writer.h"

namespace strata::dialects {
namespace {

// How a file of a type starts in base64, and the extension of its URL.
struct FileKind {
  std::string_view prefix;
  std::string_view extension;
  std::string_view type;
};

constexpr std::array<FileKind, 7> kKinds = {{
    {"iVBORw", ".png", "image/png"},
    {"/9j/", ".jpg", "image/jpeg"},
    {"/9j/", ".jpeg", "image/jpeg"},
    {"UklGR", ".webp", "image/webp"},
    {"R0lGOD", ".gif", "image/gif"},
    {"JVBERi", ".pdf", "application/pdf"},
    {"SUQz", ".mp3", "audio/mpeg"},
}};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Returns whether `type` is a media type without a wildcard.
bool isSpecificType(std::string_view type) {
  return type.find('/') != std::string_view::npos && !endsWith(type, "/*");
}

std::string_view typeFromData(std::string_view data) {
  for (const FileKind& kind : kKinds) {
    if (data.substr(0, kind.prefix.size()) == kind.prefix) return kind.type;
  }
  return {};
}

std::string_view typeFromUrl(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  for (const FileKind& kind : kKinds) {
    if (endsWith(url, kind.extension)) return kind.type;
  }
  return {};
}

std::string percentDecoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string quad = "00" + std::string(text.substr(at + 1, 2));
    const int32_t byte = text[at] == '%' ? json::hexQuad(quad, 0) : -1;
    out.push_back(byte < 0 ? text[at] : static_cast<char>(byte));
    if (byte >= 0) at += 2;
  }
  return out;
}

struct DataUrl {
  std::string_view type;
  std::string data;  // base64
};

// Parses data:<type>[;parameters][;base64],<data>.
std::optional<DataUrl> readDataUrl(std::string_view dataUrl) {
  constexpr std::string_view kScheme = "data:";
  const size_t comma = dataUrl.find(',');
  if (dataUrl.substr(0, kScheme.size()) != kScheme || comma == std::string_view::npos) return {};
  const std::string_view head = dataUrl.substr(kScheme.size(), comma - kScheme.size());
  const std::string_view data = dataUrl.substr(comma + 1);
  const std::string_view type = head.substr(0, head.find(';'));
  if (endsWith(head, ";base64")) return DataUrl{type, standardBase64(data)};
  return DataUrl{type.empty() ? "text/plain" : type, toBase64(percentDecoded(data))};
}

// Google takes no wildcard. For an image of an unknown kind, the AI SDK writes image/jpeg too:
// vercel/ai, packages/google/src/convert-to-google-generative-ai-messages.ts.
void writeType(json::Writer& out, std::string_view type, std::string_view guess) {
  const bool isSound = type == "audio/*";
  // WAV files start like WebP images.
  const bool fits = !guess.empty() && (!isSound || guess.starts_with("audio/"));
  if (!isSpecificType(type) && fits) type = guess;
  if (type == "image/*") type = "image/jpeg";
  // The other one of OpenAI's two formats is MP3.
  if (type == "audio/*") type = "audio/wav";
  if (!type.empty()) out.key("mimeType").string(type);
}

}  // namespace

std::string mediaPart(std::string_view data, std::string type, bool thought,
                      std::string_view signature) {
  const std::optional<DataUrl> dataUrl = readDataUrl(data);
  const bool isUrl = !dataUrl && data.find("://") != std::string_view::npos;
  json::Writer out;
  out.open('{').key(isUrl ? "fileData" : "inlineData").open('{');
  if (isUrl) {
    writeType(out, type, typeFromUrl(data));
    out.key("fileUri").string(data);
  } else {
    const std::string base64 = dataUrl ? dataUrl->data : standardBase64(data);
    if (dataUrl && isSpecificType(dataUrl->type)) type = dataUrl->type;
    writeType(out, type, typeFromData(base64));
    out.key("data").string(base64);
  }
  out.close('}');
  if (thought) out.key("thought").boolean(true);
  if (!signature.empty()) out.key("thoughtSignature").string(signature);
  out.close('}');
  return out.take();
}

std::string audioType(std::string format) {
  format = ascii::lowerCase(format);
  if (format.find('/') != std::string::npos) return format;
  if (format == "pcm16") format = "pcm";
  return "audio/" + (format.empty() ? "*" : format);
}

std::string bytesPart(std::string_view bytes, std::string_view type) {
  return mediaPart(toBase64(bytes), std::string(type));
}

}  // namespace strata::dialects
