// Imports Contents as js-genai and python-genai store them, alone or in a request.
#include "dialects/message_reader.h"
#include "dialects/python_genai.h"
#include "gemini/content_view.h"
#include "interactions/shapes.h"

namespace strata::dialects {
namespace {

class GeminiReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    const Path top;
    readInstructionOf(root, top);
    const json::Value config = root.find("config");
    if (config.isObject()) {
      const Path within = top.at("config");
      readInstructionOf(config, within);
      noteUnknownFields(config, within, "systemInstruction ");
    } else if (config) {
      notes_.addOmittedField(top.at("config"), "config");
    }
    readList(root, "contents systemInstruction config ", "a saved thread or a history");
  }

 private:
  // Reads the systemInstruction of a request, or of the `config` of an SDK call.
  void readInstructionOf(json::Value request, const Path& path) {
    for (const json::Member member : json::members(request)) {
      if (!gemini::isField(member.key, "systemInstruction")) continue;
      const std::string name = member.key.text();
      readInstruction(member.value, path.at(name));
    }
  }

  // Reads a Content, or a form that the SDKs convert to one: text, a Part, or a list of these.
  void readInstruction(json::Value instruction, const Path& path) {
    if (instruction.isNull()) return;
    if (gemini::field(instruction, "parts"))
      return readParts(gemini::field(instruction, "parts"), path.at("parts"));
    if (instruction.isArray()) return readParts(instruction, path);
    readPart(instruction, path, "The system instruction");
  }

  void readParts(json::Value parts, const Path& path) {
    if (!parts.isArray()) return readPart(parts, path, "The system instruction");
    size_t index = 0;
    for (const json::Value part : json::elements(parts)) {
      readPart(part, path.at(index++), "A part of the system instruction");
    }
  }

  void readPart(json::Value part, const Path& path, std::string_view what) {
    const json::Value text = part.isString() ? part : part.find("text");
    if (text.isString()) return addSystemText(text, path);
    noteNonText(path, what);
  }

  void readEntry(json::Value content, const Path& path) override {
    if (content.find("parts").at(0).find("type").isString()) {
      return fail(content, path, "a Content; convertToModelMessages makes messages of UIMessages");
    }
    if (interactions::stepKindOf(content) != interactions::StepKind::kUnknown)
      return fail(content, path, "a Content: `checker.convert` makes Contents of steps");
    const lint::Provenance& from = state_.options.signaturesFrom;
    const TurnOrigin origin = {from.model, from.backend, ""};
    const std::string text = normalizeSpelling(content, path, notes_);
    if (text.empty()) return appendTurn(state_.thread, content.bytes(), content, origin);
    const JsonText read(text);
    if (!read.root()) return fail(content, path, "a Content that spells each field once");
    appendTurn(state_.thread, text, read.root(), origin);
  }
};

}  // namespace

void importGemini(ImportState& state, json::Value root) { GeminiReader(state).read(root); }

}  // namespace strata::dialects
