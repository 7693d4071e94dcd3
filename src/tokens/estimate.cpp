#include "tokens/estimate.h"

#include <algorithm>

#include "base/utf8.h"
#include "gemini/content_view.h"

namespace strata::tokens {
namespace {

constexpr double kTokensPerAsciiUnit = 0.25;
constexpr double kTokensPerOtherUnit = 1.5;
constexpr int kMaxNesting = 3;

// Returns a field of a Part. Null means unset.
json::Value setField(json::Value part, std::string_view name) {
  const json::Value value = gemini::field(part, name);
  return value.isNull() ? json::Value() : value;
}

class Measurer {
 public:
  explicit Measurer(MediaCount media) : media_(media) {}

  void value(json::Value value) {
    const json::Value parts = value.find("parts");
    if (parts.isArray() || parts.isObject()) return this->parts(parts, 0);
    if (!value.isArray()) {
      sum_.text += estimateText(value.bytes());
      return;
    }
    for (const json::Value content : json::elements(value)) this->value(content);
  }

  void part(json::Value part, int depth) {
    if (const json::Value text = part.find("text"); text.isString()) {
      // An escape counts as the character it encodes; text without escapes needs no copy.
      double& sum = part.find("thought").isTrue() ? sum_.thoughts : sum_.text;
      sum += text.hasEscapes() ? estimateText(text.text()) : estimateText(text.raw());
      return;
    }
    json::Value media = setField(part, "inlineData");
    if (!media) media = setField(part, "fileData");
    if (media) {
      sum_.media += estimateMedia(part, media, media_);
      return;
    }
    const json::Value result = setField(part, "functionResponse");
    if (result) return response(result, depth);
    // Other Parts count by their JSON text without the signature, which the model does not read.
    const json::Value signature = gemini::field(part, "thoughtSignature");
    sum_.data += estimateText(part.bytes()) - estimateText(signature.bytes());
  }

  const Measure& sum() const { return sum_; }

 private:
  void parts(json::Value parts, int depth) {
    if (depth > kMaxNesting) return;
    for (const json::Value part : gemini::repeated(parts)) this->part(part, depth);
  }

  void response(json::Value response, int depth) {
    sum_.data += static_cast<double>(response.find("name").raw().size()) * kTokensPerAsciiUnit +
                 estimateText(response.find("response").bytes());
    parts(response.find("parts"), depth + 1);
  }

  MediaCount media_;
  Measure sum_;
};

uint32_t rounded(json::Value content, MediaCount media) {
  Measurer measurer(media);
  if (gemini::repeatedSize(content.find("parts")) > 0) measurer.value(content);
  return static_cast<uint32_t>(measurer.sum().sum());
}

}  // namespace

double estimateText(std::string_view text) {
  size_t other = 0;
  size_t otherBytes = 0;
  for (size_t at = asciiRun(text, 0); at < text.size(); at += asciiRun(text, at)) {
    size_t length = sequenceLength(static_cast<unsigned char>(text[at]));
    length = std::min(length, text.size() - at);
    at += length;
    if (length == 1) continue;
    other += length < 4 ? 1 : 2;  // UTF-16 units
    otherBytes += length;
  }
  const size_t ascii = text.size() - otherBytes;
  return static_cast<double>(ascii) * kTokensPerAsciiUnit +
         static_cast<double>(other) * kTokensPerOtherUnit;
}

Measure measure(json::Value value, MediaCount media) {
  Measurer measurer(media);
  measurer.value(value);
  return measurer.sum();
}

uint32_t estimateContent(json::Value content) { return rounded(content, MediaCount::kFlat); }
uint32_t estimateContentGemini2(json::Value content) {
  return rounded(content, MediaCount::kGemini2);
}
uint32_t estimateContentGemini3(json::Value content) {
  return rounded(content, MediaCount::kGemini3);
}

uint32_t estimatePart(json::Value part) {
  Measurer measurer(MediaCount::kFlat);
  measurer.part(part, 0);
  return static_cast<uint32_t>(measurer.sum().sum());
}

}  // namespace strata::tokens
