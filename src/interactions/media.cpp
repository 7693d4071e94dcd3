#include "interactions/media.h"

#include "base/ascii.h"
#include "interactions/shapes.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

constexpr std::string_view kLevelPrefix = "MEDIA_RESOLUTION_";

json::Value present(json::Value value) { return value.isNull() ? json::Value() : value; }

// The kinds of media that are no document, with the ends of the names of such files.
constexpr std::pair<std::string_view, NameList> kKinds[] = {
    {"image", "png jpg jpeg webp heic heif gif"},
    {"audio", "mp3 wav aac ogg flac m4a aiff"},
    {"video", "mp4 mpeg mpg mov avi webm wmv flv 3gp"}};

// Returns the kind of a file by the end of its name, or "".
std::string_view kindOfUri(std::string_view uri) {
  const bool isOfYouTube =
      uri.find("youtube.com/") != uri.npos || uri.find("youtu.be/") != uri.npos;
  if (isOfYouTube) return "video";
  uri = uri.substr(0, uri.find_first_of("?#"));
  const std::string end = ascii::lowerCase(uri.substr(uri.rfind('.') + 1));
  if (end == "pdf" || end == "txt") return "document";
  for (const auto& [kind, ends] : kKinds) {
    if (hasName(ends, end)) return kind;
  }
  return {};
}

std::string_view kindOf(std::string_view mimeType, std::string_view uri) {
  if (mimeType.empty()) return kindOfUri(uri);
  for (const auto& [kind, ends] : kKinds) {
    if (ascii::lowerCase(mimeType).starts_with(std::string(kind) + "/")) return kind;
  }
  return "document";
}

// Writes what a video is read at: {"type":"static","start_offset":…}.
void writeProcessing(json::Writer& out, json::Value metadata) {
  const json::Writer::Scope processing = out.object("processing");
  out.key("type").string("static");
  const std::pair<std::string_view, std::string_view> names[] = {
      {"startOffset", "start_offset"}, {"endOffset", "end_offset"}, {"fps", "fps"}};
  for (const auto& [camelCase, name] : names) {
    const json::Value value = gemini::field(metadata, camelCase);
    if (value && !value.isNull()) out.key(name).raw(value.bytes());
  }
}

void writeVideoMetadata(json::Writer& out, json::Value processing) {
  const json::Writer::Scope metadata = out.object("videoMetadata");
  for (const json::Member member : json::members(processing)) {
    if (member.key.equals("start_offset")) out.key("startOffset").raw(member.value.bytes());
    if (member.key.equals("end_offset")) out.key("endOffset").raw(member.value.bytes());
    if (member.key.equals("fps")) out.key("fps").raw(member.value.bytes());
  }
}

}  // namespace

std::string resolutionOf(std::string_view level) {
  if (!level.starts_with(kLevelPrefix)) return {};
  std::string name = ascii::lowerCase(level.substr(kLevelPrefix.size()));
  return hasName("low medium high ultra_high", name) ? name : std::string();
}

std::string contentOfMedia(const gemini::PartView& part, const std::string& path,
                           std::string_view resolution, Losses& losses) {
  const bool isFile = part.kind == gemini::PartKind::kFileData;
  const json::Value mimeType = gemini::field(part.data, "mimeType");
  const json::Value source = gemini::field(part.data, isFile ? "fileUri" : "data");
  std::string_view kind = kindOf(mimeType.text(), source.text());
  if (kind.empty()) {
    kind = "document";
    losses.changed(path, "A file without a mimeType", "a document");
  }
  json::Writer out;
  out.open('{').key("type").string(kind);
  if (source) out.key(isFile ? "uri" : "data").raw(source.bytes());
  if (mimeType.isString()) out.key("mime_type").raw(mimeType.bytes());
  const json::Value own = gemini::field(gemini::field(part.part, "mediaResolution"), "level");
  const std::string level = own ? resolutionOf(own.text()) : std::string(resolution);
  const bool isSeen = kind == "image" || kind == "video";
  if (!level.empty() && isSeen) out.key("resolution").string(level);
  if (own && (level.empty() || !isSeen)) losses.lost(path, "mediaResolution");
  const json::Value metadata = gemini::field(part.part, "videoMetadata");
  if (metadata.isObject() && kind == "video") writeProcessing(out, metadata);
  if (metadata.isObject() && kind != "video") losses.lost(path, "videoMetadata");
  if (gemini::field(part.data, "displayName")) losses.lost(path, "displayName");
  out.close('}');
  return out.take();
}

std::string partOfMedia(json::Value content, const std::string& path, Losses& losses,
                        bool isOfResult) {
  // SDKs print fields that are not set as null.
  const json::Value data = present(content.find("data"));
  const json::Value uri = present(content.find("uri"));
  const json::Value source = data ? data : uri;
  if (!source) return {};
  json::Writer out;
  out.open('{');
  {
    const json::Writer::Scope media = out.object(data ? "inlineData" : "fileData");
    const json::Value mimeType = present(content.find("mime_type"));
    if (mimeType) out.key("mimeType").raw(mimeType.bytes());
    const std::string type = content.find("type").text();
    if (!mimeType && kindOfUri(uri.text()) != type)
      losses.lost(path, "The type " + type + " of a file without a mime_type");
    out.key(data ? "data" : "fileUri").raw(source.bytes());
  }
  for (const json::Member member : json::members(content)) {
    if (member.value.isNull()) continue;
    if (member.key.equals("resolution") && member.value.isString() && !isOfResult) {
      const json::Writer::Scope resolution = out.object("mediaResolution");
      out.key("level").string(std::string(kLevelPrefix) + ascii::upperCase(member.value.text()));
    } else if (member.key.equals("processing") && member.value.find("type").equals("static")) {
      writeVideoMetadata(out, member.value);
    } else if (!hasName("type data uri mime_type", member.key.raw())) {
      losses.lost(path, member.key.text());
    }
  }
  if (data && uri) losses.lost(path, "uri");
  std::string part = out.take();
  return part.substr(1);
}

}  // namespace strata::interactions
