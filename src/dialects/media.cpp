#include "dialects/media.h"

#include <array>
#include <optional>

#include "dialects/base64.h"
#include "json/string.h"
#include "json/writer.h"

namespace strata::dialects {
namespace {

// How a kind of file starts in base64, and how its address ends.
struct FileKind {
  std::string_view start;
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

// A type such as "image/*" is as good as none.
bool isWhole(std::string_view type) {
  return type.find('/') != std::string_view::npos && !endsWith(type, "/*");
}

std::string_view typeOfData(std::string_view data) {
  for (const FileKind& kind : kKinds) {
    if (data.substr(0, kind.start.size()) == kind.start) return kind.type;
  }
  return {};
}

std::string_view typeOfAddress(std::string_view address) {
  address = address.substr(0, address.find_first_of("?#"));
  for (const FileKind& kind : kKinds) {
    if (endsWith(address, kind.extension)) return kind.type;
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

// data:<type>[;parameters][;base64],<data>
std::optional<DataUrl> readDataUrl(std::string_view url) {
  constexpr std::string_view kScheme = "data:";
  const size_t comma = url.find(',');
  if (url.substr(0, kScheme.size()) != kScheme || comma == std::string_view::npos) return {};
  const std::string_view head = url.substr(kScheme.size(), comma - kScheme.size());
  const std::string_view data = url.substr(comma + 1);
  const std::string_view type = head.substr(0, head.find(';'));
  if (endsWith(head, ";base64")) return DataUrl{type, standardBase64(data)};
  return DataUrl{type.empty() ? "text/plain" : type, toBase64(percentDecoded(data))};
}

void writeType(json::Writer& out, std::string_view type, std::string_view guess) {
  if (!isWhole(type) && !guess.empty()) type = guess;
  if (!type.empty()) out.key("mimeType").string(type);
}

}  // namespace

std::string mediaPart(std::string_view data, std::string type, bool thought,
                      std::string_view signature) {
  const std::optional<DataUrl> url = readDataUrl(data);
  const bool file = !url && data.find("://") != std::string_view::npos;
  json::Writer out;
  out.open('{').key(file ? "fileData" : "inlineData").open('{');
  if (file) {
    writeType(out, type, typeOfAddress(data));
    out.key("fileUri").string(data);
  } else {
    const std::string base64 = url ? url->data : standardBase64(data);
    if (url && isWhole(url->type)) type = url->type;
    writeType(out, type, typeOfData(base64));
    out.key("data").string(base64);
  }
  out.close('}');
  if (thought) out.key("thought").boolean(true);
  if (!signature.empty()) out.key("thoughtSignature").string(signature);
  out.close('}');
  return out.take();
}

std::string bytesPart(std::string_view bytes, std::string_view type) {
  return mediaPart(toBase64(bytes), std::string(type));
}

}  // namespace strata::dialects
