// Why this file exists: Contents as js-genai and python-genai keep them, alone or in a request.
#include "history/import/message_reader.h"
#include "history/import/respelling.h"

namespace strata::history {
namespace {

class GeminiReader : public MessageReader {
 public:
  GeminiReader(Thread& thread, const ImportOptions& options, Imported& imported)
      : MessageReader(thread, options, imported), thread_(thread) {}

  Status read(json::Value root) {
    std::string path;
    const json::Value contents = list(root, "contents", path);
    if (!contents.isArray()) fail(contents, path, "a saved thread or a history");
    size_t index = 0;
    for (const json::Value content : json::elements(contents)) {
      if (!failed()) readContent(content, below(path, index++));
    }
    return finish();
  }

 private:
  void readContent(json::Value content, const std::string& path) {
    if (content.find("parts").at(0).find("type").isString()) {
      return fail(content, path, "a Content; convertToModelMessages makes messages of UIMessages");
    }
    const TurnOrigin origin = {options_.signaturesFrom.model, options_.signaturesFrom.backend, ""};
    const std::string text = respelled(content, path, notes_);
    if (text.empty()) return appendTurn(thread_, content.bytes(), content, origin);
    const Result<json::Tape> tape = json::Tape::read(text);
    if (!tape) return fail(content, path, "a Content that spells each field once");
    appendTurn(thread_, text, tape.value().root(), origin);
  }

  Thread& thread_;
};

}  // namespace

Status importGemini(Thread& thread, json::Value root, const ImportOptions& options,
                    Imported& imported) {
  return GeminiReader(thread, options, imported).read(root);
}

}  // namespace strata::history
