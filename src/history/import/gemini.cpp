// Why this file exists: Contents as js-genai and python-genai keep them, alone or in a request.
#include "history/import/message_reader.h"
#include "history/import/respelling.h"

namespace strata::history {
namespace {

class GeminiReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    Path path;
    const json::Value contents = list(root, "contents ", path);
    if (!contents.isArray()) fail(contents, path, "a saved thread or a history");
    size_t index = 0;
    for (const json::Value content : json::elements(contents)) {
      if (!failed()) readContent(content, path.at(index++));
    }
  }

 private:
  void readContent(json::Value content, const Path& path) {
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
