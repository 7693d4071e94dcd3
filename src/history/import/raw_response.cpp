// Why this file exists: turns that keep what the API answered beside their own text:
//
//     {"type":"user_task","instruction":…}
//     {"type":"model_response" | "function_calling","content" | "response":…,"raw_response":…}
//     {"type":"tool_response","name":…,"response":…}
//     {"type":"compressed_history","content":…}
//
// A raw_response is one response or the list of a stream's chunks, as a value or as JSON text.
// Signatures are only there; a turn's own text is what is left where it can't be read.
#include "history/content_view.h"
#include "history/import/message_reader.h"
#include "history/import/respelling.h"
#include "json/string.h"

namespace strata::history {
namespace {

// What a raw_response holds, or why it can't be used.
struct Restored {
  std::string content;
  std::string model;
  std::string unusable;
};

class RawResponseReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  Status read(json::Value root) {
    std::string path;
    // Older sessions kept one raw_response, of the newest turn.
    const json::Value newest = field(root, "rawResponse");
    const json::Value turns = list(root, "turns", path);
    if (!turns.isArray()) fail(turns, path, "an array of turns");
    size_t index = 0;
    for (const json::Value turn : json::elements(turns)) {
      const bool last = index + 1 == turns.size();
      if (!failed()) readTurn(turn, last ? newest : json::Value(), below(path, index++));
    }
    return finish();
  }

 private:
  void readTurn(json::Value turn, json::Value newest, const std::string& path) {
    noteOthers(turn, path,
               {"type", "timestamp", "instruction", "content", "name", "response", "thought",
                "rawResponse"});
    const json::Value type = turn.find("type");
    if (type.equals("user_task")) return userText(turn, "instruction", path);
    if (type.equals("compressed_history")) {
      notes_.converted(path, "A summary of older turns", "a user Content");
      noteOthers(turn, path, {"type", "timestamp", "content", "originalTurnsRange"});
      return userText(turn, "content", path);
    }
    if (type.equals("tool_response")) return readResult(turn, path);
    const bool calling = type.equals("function_calling");
    if (!calling && !type.equals("model_response")) {
      return fail(turn, below(path, "type"), "the type of a turn");
    }
    const json::Value own = field(turn, "rawResponse");
    readModel(turn, own && !own.isNull() ? own : newest, calling, path);
  }

  void userText(json::Value turn, std::string_view name, const std::string& path) {
    const json::Value text = turn.find(name);
    if (!text.isString()) return fail(turn, below(path, name), "text");
    turns_.openUser(path);
    turns_.text(text);
  }

  void readModel(json::Value turn, json::Value raw, bool calling, const std::string& path) {
    turns_.openModel(path);
    const std::string at = turn.find("timestamp").text();
    if (raw && !raw.isNull()) {
      Restored restored = restore(raw, below(path, "raw_response"));
      if (restored.unusable.empty()) {
        turns_.origin({std::move(restored.model), "", at});
        return addParts(restored.content);
      }
      notes_.add(rules::Rule::kImportTextFallback, below(path, "raw_response"),
                 "The raw_response can't be used, since " + restored.unusable);
    } else if (calling) {
      notes_.add(rules::Rule::kImportTextFallback, path, "A call without its raw_response");
    }
    turns_.origin({"", "", at});
    addOwnText(turn, calling, path);
  }

  void addOwnText(json::Value turn, bool calling, const std::string& path) {
    const std::string_view name = calling ? "response" : "content";
    const json::Value text = turn.find(name);
    if (!text.isString()) return fail(turn, below(path, name), "text");
    turns_.text(turn.find("thought"), true);
    if (!calling) return turns_.text(text);
    std::string quoted;
    json::appendQuoted(quoted, "Function call: " + text.text());
    turns_.part(textPart(quoted));
  }

  void addParts(const std::string& content) {
    // `restore` has read it.
    const Result<json::Tape> tape = json::Tape::read(content);
    ContentView view;
    view.read(tape.value().root());
    for (const PartView& part : view.partViews) {
      turns_.part(part.part.bytes());
      if (part.isCall()) turns_.knowCall(part.id.text(), part.name.text());
    }
  }

  void readResult(json::Value turn, const std::string& path) {
    const json::Value name = turn.find("name");
    const json::Value response = turn.find("response");
    if (!name.isString()) return fail(turn, below(path, "name"), "the name of a tool");
    if (!turns_.awaits({}, name)) return resultAsText(name, response, path);
    turns_.result({}, name, asObject(response, "output"), "", path);
  }

  Restored restore(json::Value raw, const std::string& path) {
    if (!raw.isString()) return restoreValue(raw, path);
    const std::string text = raw.text();
    const Result<json::Tape> tape = json::Tape::read(text);
    if (!tape) return unusable("it is not JSON");
    return restoreValue(tape.value().root(), path);
  }

  Restored restoreValue(json::Value responses, const std::string& path) {
    Restored restored;
    std::vector<std::string> contents;
    if (responses.isArray()) {
      size_t index = 0;
      for (const json::Value response : json::elements(responses)) {
        addResponse(response, below(path, index++), contents, restored.model);
      }
    } else {
      addResponse(responses, path, contents, restored.model);
    }
    if (contents.empty()) return unusable("no candidate in it has parts");
    restored.content = options_.compose(contents);
    const std::string fault = faultOf(restored.content);
    return fault.empty() ? restored : unusable(fault);
  }

  static Restored unusable(std::string why) { return {"", "", std::move(why)}; }

  void addResponse(json::Value response, const std::string& path,
                   std::vector<std::string>& contents, std::string& model) {
    if (response.isString()) {
      const std::string text = response.text();
      const Result<json::Tape> tape = json::Tape::read(text);
      if (tape && tape.value().root().isObject()) {
        addResponse(tape.value().root(), path, contents, model);
      }
      return;
    }
    const json::Value version = field(response, "modelVersion");
    if (version.isString()) model = version.text();
    const json::Value content = response.find("candidates").at(0).find("content");
    if (content.find("parts").size() == 0) return;
    std::string text = respelled(content, path + "/candidates/0/content", notes_);
    contents.push_back(text.empty() ? std::string(content.bytes()) : std::move(text));
  }

  // What keeps a Content from being sent back; "" is nothing.
  static std::string faultOf(const std::string& content) {
    const Result<json::Tape> tape = json::Tape::read(content);
    if (!tape) return "its parts can't be put together";
    ContentView view;
    view.read(tape.value().root());
    for (const PartView& part : view.partViews) {
      if (part.kind == PartKind::kNone) return "a part of it holds no data";
      const bool whole = !part.signature || part.signature.isString();
      if (!whole || !isBase64(part.signature.text())) return "a signature in it is not base64";
    }
    return view.partViews.empty() ? "it has no parts" : "";
  }
};

}  // namespace

Status importRawResponse(Thread& thread, json::Value root, const ImportOptions& options,
                         Imported& imported) {
  return RawResponseReader(thread, options, imported).read(root);
}

}  // namespace strata::history
