// Why this file exists: Contents as js-genai and python-genai keep them, alone or in a request.
#include "history/content_view.h"
#include "history/import/message_reader.h"
#include "history/import/respelling.h"

namespace strata::history {
namespace {

class GeminiReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    const Path top;
    for (const json::Member member : json::members(root)) {
      if (!isField(member.key, "systemInstruction")) continue;
      const std::string name = member.key.text();
      readInstruction(member.value, top.at(name));
    }
    readList(root, "contents systemInstruction ", "a saved thread or a history");
  }

 private:
  // What a request says beside its contents is layer 1.
  void readInstruction(json::Value instruction, const Path& path) {
    const Path parts = path.at("parts");
    size_t index = 0;
    for (const json::Value part : json::elements(field(instruction, "parts"))) {
      const Path at = parts.at(index++);
      if (part.find("text").isString()) {
        systemText(part.find("text"), at);
      } else {
        notes_.leftOut(at, "A part of the system instruction", "only text can be carried");
      }
    }
  }

  void readEntry(json::Value content, const Path& path) override {
    if (content.find("parts").at(0).find("type").isString()) {
      return fail(content, path, "a Content; convertToModelMessages makes messages of UIMessages");
    }
    const Provenance& from = reading_.options.signaturesFrom;
    const TurnOrigin origin = {from.model, from.backend, ""};
    const std::string text = respelled(content, path, notes_);
    if (text.empty()) return appendTurn(reading_.thread, content.bytes(), content, origin);
    const JsonText read(text);
    if (!read.root()) return fail(content, path, "a Content that spells each field once");
    appendTurn(reading_.thread, text, read.root(), origin);
  }
};

}  // namespace

void importGemini(Reading& reading, json::Value root) { GeminiReader(reading).read(root); }

}  // namespace strata::history
