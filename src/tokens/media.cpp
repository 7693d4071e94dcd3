#include "tokens/media.h"

#include <algorithm>
#include <string>

#include "gemini/content_view.h"

namespace strata::tokens {
namespace {

constexpr double kFlatImage = 3000;
constexpr double kFlatDocument = 25800;
constexpr double kFlatPerByte = 0.25;

// Base64 characters: of a page, of a second of sound (128 kbit/s) and of film (1 Mbit/s).
constexpr double kPage = 100000;
constexpr double kSound = 16000 / 0.75;
constexpr double kFilm = 125000 / 0.75;
constexpr double kSoundTokens = 32;  // a second, in all generations

// By resolution: low, medium, high (images are sent so by default), ultra high. Gemini 3 and newer.
constexpr double kImage[] = {280, 560, 1120, 2240};
constexpr double kDocumentPage[] = {280, 560, 1120, 1120};
constexpr double kFrame[] = {70, 70, 280, 280};
constexpr double kOldImage = 258;  // a tile, or a page
constexpr double kOldFrame = 263;

// Index into the tables, or `fallback` where none was asked for.
size_t resolution(json::Value part, size_t fallback) {
  const json::Value level = gemini::field(part, "mediaResolution").find("level");
  if (level.equals("MEDIA_RESOLUTION_LOW")) return 0;
  if (level.equals("MEDIA_RESOLUTION_MEDIUM")) return 1;
  if (level.equals("MEDIA_RESOLUTION_HIGH")) return 2;
  return level.equals("MEDIA_RESOLUTION_ULTRA_HIGH") ? 3 : fallback;
}

double flat(json::Value part, const std::string& mime) {
  if (mime.substr(0, 6) == "image/") return kFlatImage;
  if (mime == "application/pdf") return kFlatDocument;
  return static_cast<double>(part.bytes().size()) * kFlatPerByte;
}

}  // namespace

double estimateMedia(json::Value part, json::Value media, MediaCount count) {
  const std::string mime = gemini::field(media, "mimeType").text();
  if (count == MediaCount::kFlat) return flat(part, mime);
  const bool old = count == MediaCount::kGemini2;
  const double size = static_cast<double>(media.find("data").raw().size());
  if (mime.substr(0, 6) == "image/") return old ? kOldImage : kImage[resolution(part, 2)];
  // A file elsewhere may be of any size.
  if (size == 0) return kFlatDocument;
  if (mime == "application/pdf") {
    const double page = old ? kOldImage : kDocumentPage[resolution(part, 1)];
    return std::max(1.0, size / kPage) * page;
  }
  if (mime.substr(0, 6) == "audio/") return size / kSound * kSoundTokens;
  if (mime.substr(0, 6) != "video/") return flat(part, mime);
  return size / kFilm * (old ? kOldFrame : kFrame[resolution(part, 0)]);
}

}  // namespace strata::tokens
