// Why this file exists: OpenAI's chat messages. The compatible endpoint of the Gemini API hides a
// signature in `tool_calls[].extra_content.google.thought_signature`.
#include "history/import/media.h"
#include "history/import/message_reader.h"
#include "json/string.h"

namespace strata::history {
namespace {

json::Value signatureIn(json::Value object) {
  return object.find("extra_content").find("google").find("thought_signature");
}

class OpenAiReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  Status read(json::Value root) {
    std::string path;
    const json::Value messages = list(root, "messages", path);
    if (!messages.isArray()) fail(messages, path, "an array of chat messages");
    size_t index = 0;
    for (const json::Value message : json::elements(messages)) {
      if (!failed()) readMessage(message, below(path, index++));
    }
    return finish();
  }

 private:
  void readMessage(json::Value message, const std::string& path) {
    const json::Value role = message.find("role");
    if (role.equals("system") || role.equals("developer")) return readSystem(message, path);
    if (role.equals("user")) return readUser(message, path);
    if (role.equals("assistant")) return readAssistant(message, path);
    if (role.equals("tool") || role.equals("function")) return readTool(message, path);
    fail(message, below(path, "role"),
         "one of system, developer, user, assistant, tool and function");
  }

  void readSystem(json::Value message, const std::string& path) {
    noteOthers(message, path, {"role", "content"});
    const json::Value content = message.find("content");
    if (content.isString()) return systemText(content, path);
    if (!content.isArray()) return fail(content, below(path, "content"), "text or an array");
    for (const json::Value part : json::elements(content)) systemText(part.find("text"), path);
  }

  void readUser(json::Value message, const std::string& path) {
    noteOthers(message, path, {"role", "content"});
    turns_.openUser(path);
    readContent(message.find("content"), below(path, "content"), {});
  }

  void readAssistant(json::Value message, const std::string& path) {
    noteOthers(message, path,
               {"role", "content", "tool_calls", "function_call", "refusal", "extra_content",
                "reasoning_content", "reasoning"});
    turns_.openModel(path);
    turns_.text(message.find("reasoning_content"), true);
    turns_.text(message.find("reasoning"), true);
    const std::string signature = signatureOf(signatureIn(message), path);
    const json::Value content = message.find("content");
    if (content && !content.isNull()) readContent(content, below(path, "content"), signature);
    turns_.text(message.find("refusal"));
    readCalls(message.find("tool_calls"), below(path, "tool_calls"));
    const json::Value old = message.find("function_call");
    if (old.isObject()) readCall({}, old, {}, below(path, "function_call"));
  }

  // A message's signature stands on its last Part.
  void readContent(json::Value content, const std::string& path, std::string_view signature) {
    if (content.isString()) return turns_.text(content, false, signature);
    if (!content.isArray()) return fail(content, path, "text or an array of parts");
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const bool last = index + 1 == content.size();
      readPart(part, below(path, index++), last ? signature : std::string_view());
    }
  }

  void readPart(json::Value part, const std::string& path, std::string_view signature) {
    const json::Value type = part.find("type");
    const json::Value image = part.find("image_url");
    const json::Value audio = part.find("input_audio");
    const json::Value file = part.find("file");
    if (part.find("text").isString()) return turns_.text(part.find("text"), false, signature);
    if (type.equals("refusal")) return turns_.text(part.find("refusal"), false, signature);
    if (image) {
      noteOthers(image, below(path, "image_url"), {"url"});
      const json::Value url = image.isString() ? image : image.find("url");
      return turns_.part(mediaPart(url.text(), "image/*", false, signature));
    }
    if (audio.find("data").isString()) {
      const std::string format = audio.find("format").text();
      return turns_.part(mediaPart(audio.find("data").text(), "audio/" + format));
    }
    if (file.find("file_data").isString()) {
      return turns_.part(mediaPart(file.find("file_data").text(), ""));
    }
    if (!type) return fail(part, path, "a part with a type");
    notes_.leftOut(path, "A part of the type " + type.text(), "Contents have no place for it");
  }

  void readCalls(json::Value calls, const std::string& path) {
    size_t index = 0;
    for (const json::Value call : json::elements(calls)) {
      const std::string at = below(path, index++);
      noteOthers(call, at, {"id", "type", "function", "extra_content", "index"});
      readCall(call.find("id"), call.find("function"), signatureIn(call), at);
    }
  }

  // Arguments are JSON in a string; what a model wrote there may be none.
  void readCall(json::Value id, json::Value function, json::Value signature,
                const std::string& path) {
    const json::Value name = function.find("name");
    if (!name.isString()) return fail(function, path, "a function call with a name");
    const json::Value given = function.find("arguments");
    const std::string text = given.isString() ? given.text() : std::string(given.bytes());
    const Result<json::Tape> tape = json::Tape::read(text);
    std::string args = "{}";
    if (tape && tape.value().root().isObject()) {
      args = tape.value().root().bytes();
    } else if (!text.empty()) {
      args = asObject(given, "arguments");
      notes_.converted(path, "Arguments that are no JSON object", "text under `arguments`");
    }
    turns_.call(id, name, args, signatureOf(signature, path));
  }

  void readTool(json::Value message, const std::string& path) {
    noteOthers(message, path, {"role", "content", "tool_call_id", "name"});
    const json::Value id = message.find("tool_call_id");
    const json::Value name = message.find("name");
    std::string media;
    const std::string text = toolText(message.find("content"), below(path, "content"), media);
    std::string quoted;
    json::appendQuoted(quoted, text);
    const Result<json::Tape> words = json::Tape::read(quoted);
    if (!turns_.awaits(id, name)) return resultAsText(name, words.value().root(), path);
    // What reads as an object is what the tool gave; anything else is text.
    const Result<json::Tape> tape = json::Tape::read(text);
    const bool object = tape && tape.value().root().isObject();
    const json::Value given = object ? tape.value().root() : words.value().root();
    turns_.result(id, name, asObject(given, "output"), media, path);
  }

  std::string toolText(json::Value content, const std::string& path, std::string& media) {
    if (content.isString()) return content.text();
    if (!content.isArray()) {
      if (content && !content.isNull()) fail(content, path, "text or an array of parts");
      return {};
    }
    std::string text;
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const std::string at = below(path, index++);
      const json::Value image = part.find("image_url");
      if (image.find("url").isString()) {
        if (!media.empty()) media.push_back(',');
        media += mediaPart(image.find("url").text(), "image/*");
      } else if (part.find("text").isString()) {
        if (!text.empty()) text.push_back('\n');
        text += part.find("text").text();
      } else {
        notes_.leftOut(at, "A part of a result", "only text and images can be carried");
      }
    }
    return text;
  }
};

}  // namespace

Status importOpenAi(Thread& thread, json::Value root, const ImportOptions& options,
                    Imported& imported) {
  return OpenAiReader(thread, options, imported).read(root);
}

}  // namespace strata::history
