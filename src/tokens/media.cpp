#include "tokens/media.h"

#include <algorithm>
#include <string>

#include "gemini/content_view.h"

namespace strata::tokens {
namespace {

constexpr double kFlatImage = 3000;
constexpr double kFlatDocument = 25800;
constexpr double kFlatPerByte = 0.25;

// Assumed base64 characters of a PDF page, of a second of audio (128 kbit/s) and of a second of
// video (1 Mbit/s).
constexpr double kCharsPerPage = 100000;
constexpr double kCharsPerAudioSecond = 16000 / 0.75;
constexpr double kCharsPerVideoSecond = 125000 / 0.75;
constexpr double kTokensPerAudioSecond = 32;  // all generations

// Gemini 3 and newer, by mediaResolution: low, medium, high (the default for images), ultra high.
constexpr double kImage[] = {280, 560, 1120, 2240};
constexpr double kDocumentPage[] = {280, 560, 1120, 1120};
constexpr double kVideoSecond[] = {70, 70, 280, 280};
constexpr double kGemini2Image = 258;  // an image of one tile, or a PDF page
constexpr double kGemini2VideoSecond = 263;

// Returns the index into the tables above, or `fallback` if the Part sets no known resolution.
size_t resolutionIndex(json::Value part, size_t fallback) {
  const json::Value level = gemini::field(part, "mediaResolution").find("level");
  if (level.equals("MEDIA_RESOLUTION_LOW")) return 0;
  if (level.equals("MEDIA_RESOLUTION_MEDIUM")) return 1;
  if (level.equals("MEDIA_RESOLUTION_HIGH")) return 2;
  return level.equals("MEDIA_RESOLUTION_ULTRA_HIGH") ? 3 : fallback;
}

double flatEstimate(json::Value part, const std::string& mime) {
  if (mime.substr(0, 6) == "image/") return kFlatImage;
  if (mime == "application/pdf") return kFlatDocument;
  return static_cast<double>(part.bytes().size()) * kFlatPerByte;
}

}  // namespace

double estimateMedia(json::Value part, json::Value media, MediaCount count) {
  const std::string mime = gemini::field(media, "mimeType").text();
  if (count == MediaCount::kFlat) return flatEstimate(part, mime);
  const bool isGemini2 = count == MediaCount::kGemini2;
  const double size = static_cast<double>(media.find("data").raw().size());
  if (mime.substr(0, 6) == "image/")
    return isGemini2 ? kGemini2Image : kImage[resolutionIndex(part, 2)];
  // The size of a file given by URI is unknown.
  if (size == 0) return kFlatDocument;
  if (mime == "application/pdf") {
    const double page = isGemini2 ? kGemini2Image : kDocumentPage[resolutionIndex(part, 1)];
    return std::max(1.0, size / kCharsPerPage) * page;
  }
  if (mime.substr(0, 6) == "audio/") return size / kCharsPerAudioSecond * kTokensPerAudioSecond;
  if (mime.substr(0, 6) != "video/") return flatEstimate(part, mime);
  return size / kCharsPerVideoSecond *
         (isGemini2 ? kGemini2VideoSecond : kVideoSecond[resolutionIndex(part, 0)]);
}

}  // namespace strata::tokens
