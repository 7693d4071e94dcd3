#include "tokens/estimate.h"

namespace strata::tokens {
namespace {

constexpr double kAscii = 0.25;
constexpr double kOther = 1.5;
constexpr size_t kLongText = 100000;
constexpr double kImage = 3000;
constexpr double kDocument = 25800;
constexpr int kNestedParts = 3;

double estimateParts(json::Value parts, int depth);

json::Value either(json::Value object, std::string_view camelCase, std::string_view snakeCase) {
  const json::Value found = object.find(camelCase);
  return found ? found : object.find(snakeCase);
}

// Escapes count as what they spell, which needs no copy where there are none.
double estimateString(json::Value text) {
  return text.hasEscapes() ? estimateText(text.text()) : estimateText(text.raw());
}

double estimateMedia(json::Value part, json::Value media) {
  const std::string mime = either(media, "mimeType", "mime_type").text();
  if (mime.substr(0, 6) == "image/") return kImage;
  if (mime == "application/pdf") return kDocument;
  return static_cast<double>(part.bytes().size()) * kAscii;
}

double estimateResponse(json::Value response, int depth) {
  return static_cast<double>(response.find("name").raw().size()) * kAscii +
         estimateText(response.find("response").bytes()) +
         estimateParts(response.find("parts"), depth + 1);
}

// What the model reads of a part of another kind: a signature is none of its words.
double estimateOther(json::Value part) {
  const json::Value signature = either(part, "thoughtSignature", "thought_signature");
  return estimateText(part.bytes()) - estimateText(signature.bytes());
}

double ofPart(json::Value part, int depth) {
  if (const json::Value text = part.find("text")) return estimateString(text);
  const json::Value media = either(part, "inlineData", "inline_data");
  if (media) return estimateMedia(part, media);
  const json::Value file = either(part, "fileData", "file_data");
  if (file) return estimateMedia(part, file);
  const json::Value response = either(part, "functionResponse", "function_response");
  if (response) return estimateResponse(response, depth);
  return estimateOther(part);
}

double estimateParts(json::Value parts, int depth) {
  double sum = 0;
  if (depth > kNestedParts) return sum;
  for (const json::Value part : json::elements(parts)) sum += ofPart(part, depth);
  return sum;
}

}  // namespace

double estimateText(std::string_view text) {
  size_t ascii = 0;
  size_t other = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      ++ascii;
    } else if (byte >= 0xF0) {
      other += 2;  // two UTF-16 units
    } else if (byte >= 0xC0) {
      ++other;
    }
  }
  const size_t units = ascii + other;
  if (units > kLongText) return static_cast<double>(units) * kAscii;
  return static_cast<double>(ascii) * kAscii + static_cast<double>(other) * kOther;
}

uint32_t estimatePart(json::Value part) { return static_cast<uint32_t>(ofPart(part, 0)); }

uint32_t estimateContent(json::Value content) {
  return static_cast<uint32_t>(estimateParts(content.find("parts"), 0));
}

uint32_t estimateJson(json::Value value) {
  if (value.find("parts").isArray()) return estimateContent(value);
  if (!value.isArray()) return static_cast<uint32_t>(estimateText(value.bytes()));
  uint32_t sum = 0;
  for (const json::Value content : json::elements(value)) sum += estimateJson(content);
  return sum;
}

}  // namespace strata::tokens
