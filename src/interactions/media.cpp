#include "interactions/media.h"

#include "base/ascii.h"
#include "interactions/shapes.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

constexpr std::string_view kLevelPrefix = "MEDIA_RESOLUTION_";

json::Value present(json::Value value) { return value.isNull() ? json::Value() : value; }

std::string_view kindOf(const std::string& mimeType) {
  if (mimeType.starts_with("image/")) return "image";
  if (mimeType.starts_with("audio/")) return "audio";
  return mimeType.starts_with("video/") ? "video" : "document";
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
  const std::string_view kind = kindOf(mimeType.text());
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

std::string partOfMedia(json::Value content, const std::string& path, Losses& losses) {
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
    out.key(data ? "data" : "fileUri").raw(source.bytes());
  }
  for (const json::Member member : json::members(content)) {
    if (member.value.isNull()) continue;
    if (member.key.equals("resolution") && member.value.isString()) {
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
