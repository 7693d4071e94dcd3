#include "dialects/openai_signatures.h"

namespace strata::dialects {
namespace {

class CarrierReader {
 public:
  explicit CarrierReader(ImportNotes& notes) : notes_(notes) {}

  void readDetails(json::Value details, const Path& path) {
    size_t index = 0;
    for (const json::Value detail : json::elements(details)) {
      const Path at = path.at(index++);
      const bool encrypted = detail.find("type").equals("reasoning.encrypted");
      const json::Value given = detail.find(encrypted ? "data" : "signature");
      if (!given.isString()) continue;
      const std::string format = detail.find("format").text();
      const bool foreign = !format.empty() && !format.starts_with("google");
      if (!foreign) add(given, detail.find("id"));
      if (foreign) notes_.addOmitted(at, "A signature", "its format is " + format);
    }
  }

  void readThinking(json::Value parts) {
    for (const json::Value part : json::elements(parts)) {
      if (isThinkingPart(part)) add(part.find("signature"), {});
    }
  }

  void readStrings(json::Value list) {
    for (const json::Value given : json::elements(list)) add(given, {});
  }

  std::vector<CarriedSignature> take() { return std::move(found_); }

 private:
  void add(json::Value signature, json::Value callId) {
    if (!signature.raw().empty()) found_.push_back({callId.text(), signature.text()});
  }

  ImportNotes& notes_;
  std::vector<CarriedSignature> found_;
};

}  // namespace

bool isThinkingPart(json::Value part) {
  const json::Value type = part.find("type");
  return type.equals("thinking") || type.equals("redacted_thinking");
}

std::vector<CarriedSignature> findCarriedSignatures(json::Value message, const Path& path,
                                                    ImportNotes& notes) {
  CarrierReader reader(notes);
  reader.readDetails(message.find("reasoning_details"), path.at("reasoning_details"));
  reader.readThinking(message.find("thinking_blocks"));
  reader.readThinking(message.find("content"));
  reader.readStrings(message.find("provider_specific_fields").find("thought_signatures"));
  return reader.take();
}

}  // namespace strata::dialects
