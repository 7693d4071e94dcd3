// Imports turns that store the API's response next to their own text, as sessions of s-age/pipe do:
//
//     {"type":"user_task","instruction":…}
//     {"type":"model_response" | "function_calling","content" | "response":…,"raw_response":…}
//     {"type":"tool_response","name":…,"response":…}
//     {"type":"compressed_history","content":…}
//
// A raw_response is one response or the list of a stream's chunks, as a value or as JSON text. Only
// it contains signatures. If it can't be used, the turn's own text is imported.
#include "dialects/message_reader.h"
#include "dialects/python_genai.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

// The Content of a raw_response, or the reason why it can't be used.
struct Restored {
  ImportNotes notes;
  std::string content;
  std::string model;
  std::string_view unusable;
};

class RawResponseReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    // Older sessions have a single raw_response, which belongs to the newest turn.
    sessionResponse_ = gemini::field(root, "rawResponse");
    remainingTurns_ = (root.isObject() ? root.find("turns") : root).size();
    readList(root, "turns rawResponse ", "an array of turns");
  }

 private:
  void readEntry(json::Value turn, const Path& path) override {
    --remainingTurns_;
    noteUnknownFields(turn, path,
                      "type timestamp instruction content name response thought rawResponse ");
    const json::Value type = turn.find("type");
    if (type.equals("user_task")) return userText(turn, "instruction", path);
    if (type.equals("compressed_history")) {
      notes_.addConverted(path, "A summary of older turns", "a user Content");
      noteUnknownFields(turn, path, "type timestamp content originalTurnsRange ");
      return userText(turn, "content", path);
    }
    if (type.equals("tool_response")) return readResult(turn, path);
    const bool calling = type.equals("function_calling");
    if (!calling && !type.equals("model_response")) {
      return fail(turn, path.at("type"), "the type of a turn");
    }
    const json::Value turnResponse = gemini::field(turn, "rawResponse");
    const json::Value raw = turnResponse && !turnResponse.isNull() ? turnResponse
                            : remainingTurns_ == 0                 ? sessionResponse_
                                                                   : json::Value();
    readModel(turn, raw, calling, path);
  }

  void userText(json::Value turn, std::string_view name, const Path& path) {
    const json::Value text = turn.find(name);
    if (!text.isString()) return fail(turn, path.at(name), "text");
    turns_.openUser(path);
    turns_.addText(text);
  }

  void readModel(json::Value turn, json::Value raw, bool calling, const Path& path) {
    turns_.openModel(path);
    const std::string at = turn.find("timestamp").text();
    if (raw && !raw.isNull()) {
      Restored restored = restore(raw, path.at("raw_response"));
      if (restored.unusable.empty()) {
        notes_.append(restored.notes);
        turns_.setOrigin({std::move(restored.model), "", at});
        return addParts(restored.content);
      }
      notes_.add(catalogue::Rule::kImportTextFallback, path.at("raw_response"),
                 "The raw_response can't be used, since " + std::string(restored.unusable));
    } else if (calling) {
      notes_.add(catalogue::Rule::kImportTextFallback, path, "A call without its raw_response");
    }
    turns_.setOrigin({"", "", at});
    addOwnText(turn, calling, path);
  }

  void addOwnText(json::Value turn, bool calling, const Path& path) {
    const std::string_view name = calling ? "response" : "content";
    const json::Value text = turn.find(name);
    if (!text.isString()) return fail(turn, path.at(name), "text");
    turns_.addText(turn.find("thought"), true);
    if (!calling) return turns_.addText(text);
    std::string quoted;
    json::appendQuoted(quoted, "Function call: " + text.text());
    turns_.addPart(textPart(quoted));
  }

  void addParts(const std::string& content) {
    // `restore` has validated it.
    const JsonText read(content);
    gemini::ContentView view;
    view.read(read.root());
    for (const gemini::PartView& part : view.partViews) {
      turns_.addPart(part.part.bytes());
      if (part.isCall()) turns_.registerCall(part.id.text(), part.name.text());
    }
  }

  void readResult(json::Value turn, const Path& path) {
    const json::Value name = turn.find("name");
    const json::Value response = turn.find("response");
    if (!name.isString()) return fail(turn, path.at("name"), "the name of a tool");
    const bool hasCall = turns_.addResult("", name, asObject(response, "output"), "", path);
    if (!hasCall) addResultAsText(name, response, {}, path);
  }

  Restored restore(json::Value raw, const Path& path) {
    if (!raw.isString()) return restoreValue(raw, path);
    const JsonText read(raw.text());
    return read.root() ? restoreValue(read.root(), path) : unusable("it is not JSON");
  }

  Restored restoreValue(json::Value responses, const Path& path) {
    Restored restored;
    std::vector<std::string> contents;
    if (responses.isArray()) {
      size_t index = 0;
      for (const json::Value response : json::elements(responses)) {
        addResponse(response, path.at(index++), contents, restored);
      }
    } else {
      addResponse(responses, path, contents, restored);
    }
    if (!restored.unusable.empty()) return unusable(restored.unusable);
    if (contents.empty()) return unusable("no candidate in it has parts");
    restored.content = state_.options.compose(contents);
    const std::string_view fault = findFault(restored.content);
    return fault.empty() ? restored : unusable(fault);
  }

  static Restored unusable(std::string_view why) { return {{}, "", "", why}; }

  void addResponse(json::Value response, const Path& path, std::vector<std::string>& contents,
                   Restored& restored) {
    if (response.isString()) {
      const JsonText read(response.text());
      if (read.root().isObject()) return addResponse(read.root(), path, contents, restored);
      restored.unusable = "a chunk of it is not JSON";
      return;
    }
    const json::Value version = gemini::field(response, "modelVersion");
    if (version.isString()) restored.model = version.text();
    const json::Value content = response.find("candidates").at(0).find("content");
    if (content.find("parts").size() == 0) return;
    std::string text = normalizeSpelling(content, path.at("candidates"), restored.notes);
    contents.push_back(text.empty() ? std::string(content.bytes()) : std::move(text));
  }

  // Returns why the API would reject a Content, or "".
  static std::string_view findFault(const std::string& content) {
    const JsonText read(content);
    gemini::ContentView view;
    view.read(read.root());
    for (const gemini::PartView& part : view.partViews) {
      if (!part.hasData() && !part.thought && !part.signature) return "a part of it holds no data";
      const bool whole = !part.signature || part.signature.isString();
      if (!whole || !lint::isBase64(part.signature.text()))
        return "a signature in it is not base64";
    }
    return view.partViews.empty() ? "it has no parts" : "";
  }

  json::Value sessionResponse_;
  size_t remainingTurns_ = 0;  // turns after the current one
};

}  // namespace

void importRawResponse(ImportState& state, json::Value root) {
  RawResponseReader(state).read(root);
}

}  // namespace strata::dialects
