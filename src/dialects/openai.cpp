// Why this file exists: OpenAI's chat messages. The compatible endpoints of Google hide a signature
// in `tool_calls[].extra_content.google.thought_signature` (`vertex` there is Vertex AI); LiteLLM
// in `provider_specific_fields.thought_signature` and, for clients that keep no fields they don't
// know, behind the id of the call.
#include "dialects/media.h"
#include "dialects/message_reader.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kSignatureMark = "__thought__";
constexpr std::string_view kSignature = "thought_signature";
constexpr std::string_view kLiteLlm = "provider_specific_fields";

// An id as its call had it, without what LiteLLM put behind it.
struct CallId {
  explicit CallId(json::Value given) : id(given.text()) {
    const size_t mark = id.find(kSignatureMark);
    if (mark == std::string::npos) return;
    signature = id.substr(mark + kSignatureMark.size());
    id.resize(mark);
  }

  std::string id;
  std::string signature;
};

class OpenAiReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) { readList(root, "messages ", "an array of chat messages"); }

 private:
  void readEntry(json::Value message, const Path& path) override {
    const json::Value role = message.find("role");
    if (role.equals("system") || role.equals("developer")) return readSystem(message, path);
    if (role.equals("user")) return readUser(message, path);
    if (role.equals("assistant")) return readAssistant(message, path);
    if (role.equals("tool") || role.equals("function")) return readTool(message, path);
    fail(message, path.at("role"), "one of system, developer, user, assistant, tool and function");
  }

  void readSystem(json::Value message, const Path& path) {
    noteOthers(message, path, "role content ");
    const json::Value content = message.find("content");
    if (content.isString()) return systemText(content, path);
    if (!content.isArray()) return fail(content, path.at("content"), "text or an array");
    const Path within = path.at("content");
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const Path at = within.at(index++);
      if (!part.find("text").isString()) noteNoText(at, "A part of a system message");
      systemText(part.find("text"), path);
    }
  }

  void readUser(json::Value message, const Path& path) {
    noteOthers(message, path, "role content ");
    turns_.openUser(path);
    readContent(message.find("content"), path.at("content"), {});
  }

  void readAssistant(json::Value message, const Path& path) {
    noteOthers(message, path,
               "role content tool_calls function_call extra_content provider_specific_fields "
               "thought_signature ",
               "refusal reasoning_content reasoning ");
    turns_.openModel(path);
    turns_.text(message.find("reasoning_content"), true);
    turns_.text(message.find("reasoning"), true);
    const std::string signature = signatureIn(message, path);
    const json::Value content = message.find("content");
    const bool empty = content.isNull() || (content.isArray() && content.size() == 0);
    if (content && !empty) {
      readContent(content, path.at("content"), signature);
    } else {
      keepSignature(signature);
    }
    turns_.text(message.find("refusal"));
    readCalls(message.find("tool_calls"), path.at("tool_calls"));
    const json::Value old = message.find("function_call");
    if (old.isObject()) readCall("", old, "", path.at("function_call"));
  }

  // The signature that a message, a call or its function has beside it. Its place tells the
  // service.
  std::string signatureIn(json::Value object, const Path& path) {
    const json::Value extra = object.find("extra_content");
    for (const std::string_view service : {"google", "vertex"}) {
      const json::Value found = extra.find(service).find(kSignature);
      if (!isSignature(found, path)) continue;
      if (service == "vertex") turns_.origin({"", "vertex", ""});
      return signatureOf(found.text(), path);
    }
    const json::Value others = object.find(kLiteLlm);
    const Path within = path.at(kLiteLlm);
    noteOthers(others, within, "thought_signature ");
    const bool holds = others.isObject() || !others || others.isNull();
    if (!holds) notes_.leftOutField(within, kLiteLlm);
    if (isSignature(others.find(kSignature), within)) {
      return signatureOf(others.find(kSignature).text(), path);
    }
    const json::Value own = object.find(kSignature);
    return isSignature(own, path) ? signatureOf(own.text(), path) : "";
  }

  bool isSignature(json::Value found, const Path& path) {
    if (found && !found.isNull() && !found.isString()) {
      notes_.leftOut(path.at(kSignature), "A signature", "it is no text");
    }
    return found.isString() && !found.raw().empty();
  }

  // A signature whose own Part is not there stands on an empty text, as the API itself writes it.
  void keepSignature(std::string_view signature) {
    if (!signature.empty()) turns_.part(textPart(R"("")", false, signature));
  }

  // A message's signature stands on its last Part.
  void readContent(json::Value content, const Path& path, std::string_view signature) {
    if (content.isString()) return turns_.text(content, false, signature);
    if (!content.isArray()) return fail(content, path, "text or an array of parts");
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const bool last = index + 1 == content.size();
      readPart(part, path.at(index++), last ? signature : std::string_view());
    }
  }

  void readPart(json::Value part, const Path& path, std::string_view signature) {
    const json::Value type = part.find("type");
    const json::Value image = part.find("image_url");
    const json::Value audio = part.find("input_audio");
    const json::Value file = part.find("file");
    if (part.find("text").isString()) return turns_.text(part.find("text"), false, signature);
    if (type.equals("refusal")) return turns_.text(part.find("refusal"), false, signature);
    const json::Value url = image.isString() ? image : image.find("url");
    if (url.isString() && !url.raw().empty()) {
      noteOthers(image, path.at("image_url"), "url ");
      return turns_.part(mediaPart(url.text(), "image/*", false, signature));
    }
    if (audio.find("data").isString()) {
      const std::string format = audio.find("format").text();
      const std::string data = audio.find("data").text();
      return turns_.part(mediaPart(data, "audio/" + format, false, signature));
    }
    if (file.find("file_data").isString()) {
      return turns_.part(mediaPart(file.find("file_data").text(), "", false, signature));
    }
    if (!type) return fail(part, path, "a part with a type");
    noteType(type, path);
    keepSignature(signature);
  }

  void readCalls(json::Value calls, const Path& path) {
    size_t index = 0;
    for (const json::Value call : json::elements(calls)) {
      const Path at = path.at(index++);
      noteOthers(
          call, at,
          "id type function extra_content index provider_specific_fields thought_signature ");
      const CallId id(call.find("id"));
      const json::Value function = call.find("function");
      const Path within = at.at("function");
      noteOthers(function, within, "name arguments provider_specific_fields thought_signature ");
      std::string signature = signatureIn(call, at);
      if (signature.empty()) signature = signatureIn(function, within);
      if (signature.empty()) signature = signatureOf(id.signature, at);
      readCall(id.id, function, signature, at);
    }
  }

  // Arguments are JSON in a string; what a model wrote there may be none.
  void readCall(const std::string& id, json::Value function, std::string_view signature,
                const Path& path) {
    const json::Value name = function.find("name");
    if (!name.isString()) return fail(function, path, "a function call with a name");
    const json::Value given = function.find("arguments");
    const std::string text = given.isString() ? given.text() : std::string(given.bytes());
    const JsonText read(text);
    std::string args = "{}";
    if (read.root().isObject()) {
      args = read.root().bytes();
    } else if (!text.empty()) {
      args = asObject(given, "arguments");
      notes_.converted(path, "Arguments that are no JSON object", "text under `arguments`");
    }
    turns_.call(id, name, args, signature);
  }

  void readTool(json::Value message, const Path& path) {
    noteOthers(message, path, "role content tool_call_id name ");
    const std::string id = CallId(message.find("tool_call_id")).id;
    const json::Value name = message.find("name");
    std::string media;
    const std::string text = toolText(message.find("content"), path.at("content"), media);
    std::string quoted;
    json::appendQuoted(quoted, text);
    const JsonText words(quoted);
    if (!turns_.awaits(id, name)) return resultAsText(name, words.root(), path);
    // What reads as an object is what the tool gave; anything else is text.
    const JsonText read(text);
    const json::Value given = read.root().isObject() ? read.root() : words.root();
    turns_.result(id, name, asObject(given, "output"), media, path);
  }

  std::string toolText(json::Value content, const Path& path, std::string& media) {
    if (content.isString()) return content.text();
    if (!content.isArray()) {
      if (content && !content.isNull()) fail(content, path, "text or an array of parts");
      return {};
    }
    std::string text;
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const Path at = path.at(index++);
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

void importOpenAi(Reading& reading, json::Value root) { OpenAiReader(reading).read(root); }

}  // namespace strata::dialects
