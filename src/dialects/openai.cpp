// Imports messages of OpenAI's chat completions API.
//
// Gateways store the thoughtSignature of a call in different places:
//
//     extra_content.google.thought_signature        Google's OpenAI-compatible endpoint
//     extra_content.vertex.thought_signature        the same on Vertex AI
//     provider_specific_fields.thought_signature    LiteLLM
//     id: "<id>__thought__<signature>"              LiteLLM, for clients that drop unknown fields
//
// Source: "Thought signatures", https://ai.google.dev/gemini-api/docs/thought-signatures, and
// BerriAI/litellm#16895.
#include "dialects/media.h"
#include "dialects/message_reader.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kSignatureMark = "__thought__";
constexpr std::string_view kSignature = "thought_signature";
constexpr std::string_view kLiteLlm = "provider_specific_fields";

// The id of a call without the signature that LiteLLM appends.
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
    noteUnknownFields(message, path, "role content ");
    const json::Value content = message.find("content");
    if (content.isString()) return addSystemText(content, path);
    if (!content.isArray()) return fail(content, path.at("content"), "text or an array");
    const Path within = path.at("content");
    size_t index = 0;
    for (const json::Value part : json::elements(content)) {
      const Path at = within.at(index++);
      if (!part.find("text").isString()) noteNonText(at, "A part of a system message");
      addSystemText(part.find("text"), path);
    }
  }

  void readUser(json::Value message, const Path& path) {
    noteUnknownFields(message, path, "role content ");
    turns_.openUser(path);
    readContent(message.find("content"), path.at("content"), {});
  }

  void readAssistant(json::Value message, const Path& path) {
    noteUnknownFields(
        message, path,
        "role content tool_calls function_call extra_content provider_specific_fields "
        "thought_signature ",
        "refusal reasoning_content reasoning ");
    turns_.openModel(path);
    turns_.addText(message.find("reasoning_content"), true);
    turns_.addText(message.find("reasoning"), true);
    const std::string signature = findSignature(message, path);
    const json::Value content = message.find("content");
    const bool empty = content.isNull() || (content.isArray() && content.size() == 0);
    if (content && !empty) {
      readContent(content, path.at("content"), signature);
    } else {
      addSignature(signature);
    }
    turns_.addText(message.find("refusal"));
    readCalls(message.find("tool_calls"), path.at("tool_calls"));
    const json::Value legacyCall = message.find("function_call");
    if (legacyCall.isObject()) readCall("", legacyCall, "", path.at("function_call"));
  }

  // Returns the signature of a message, a call or its function. Sets the origin to Vertex AI if the
  // signature is in its field.
  std::string findSignature(json::Value object, const Path& path) {
    const json::Value extra = object.find("extra_content");
    for (const std::string_view service : {"google", "vertex"}) {
      const json::Value found = extra.find(service).find(kSignature);
      if (!isSignature(found, path)) continue;
      if (service == "vertex") turns_.setOrigin({"", "vertex", ""});
      return normalizeSignature(found.text(), path);
    }
    const json::Value providerFields = object.find(kLiteLlm);
    const Path within = path.at(kLiteLlm);
    noteUnknownFields(providerFields, within, "thought_signature ");
    const bool isReadable = providerFields.isObject() || !providerFields || providerFields.isNull();
    if (!isReadable) notes_.addOmittedField(within, kLiteLlm);
    if (isSignature(providerFields.find(kSignature), within)) {
      return normalizeSignature(providerFields.find(kSignature).text(), path);
    }
    const json::Value direct = object.find(kSignature);
    return isSignature(direct, path) ? normalizeSignature(direct.text(), path) : "";
  }

  bool isSignature(json::Value found, const Path& path) {
    if (found && !found.isNull() && !found.isString()) {
      notes_.addOmitted(path.at(kSignature), "A signature", "it is not a string");
    }
    return found.isString() && !found.raw().empty();
  }

  // Adds a signature without a Part as an empty text, as the API does.
  void addSignature(std::string_view signature) {
    if (!signature.empty()) turns_.addPart(textPart(R"("")", false, signature));
  }

  // Adds the content of a message. The message's signature belongs to the last Part.
  void readContent(json::Value content, const Path& path, std::string_view signature) {
    if (content.isString()) return turns_.addText(content, false, signature);
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
    if (part.find("text").isString()) return turns_.addText(part.find("text"), false, signature);
    if (type.equals("refusal")) return turns_.addText(part.find("refusal"), false, signature);
    const json::Value url = image.isString() ? image : image.find("url");
    if (url.isString() && !url.raw().empty()) {
      noteUnknownFields(image, path.at("image_url"), "url ");
      return turns_.addPart(mediaPart(url.text(), "image/*", false, signature));
    }
    if (audio.find("data").isString()) {
      const std::string format = audio.find("format").text();
      const std::string data = audio.find("data").text();
      return turns_.addPart(mediaPart(data, "audio/" + format, false, signature));
    }
    if (file.find("file_data").isString()) {
      return turns_.addPart(mediaPart(file.find("file_data").text(), "", false, signature));
    }
    if (!type) return fail(part, path, "a part with a type");
    noteUnsupportedPart(type, path);
    addSignature(signature);
  }

  void readCalls(json::Value calls, const Path& path) {
    size_t index = 0;
    for (const json::Value call : json::elements(calls)) {
      const Path at = path.at(index++);
      noteUnknownFields(
          call, at,
          "id type function extra_content index provider_specific_fields thought_signature ");
      const CallId id(call.find("id"));
      const json::Value function = call.find("function");
      const Path within = at.at("function");
      noteUnknownFields(function, within,
                        "name arguments provider_specific_fields thought_signature ");
      std::string signature = findSignature(call, at);
      if (signature.empty()) signature = findSignature(function, within);
      if (signature.empty()) signature = normalizeSignature(id.signature, at);
      readCall(id.id, function, signature, at);
    }
  }

  void readCall(const std::string& id, json::Value function, std::string_view signature,
                const Path& path) {
    const json::Value name = function.find("name");
    if (!name.isString()) return fail(function, path, "a function call with a name");
    turns_.addCall(id, name, readArguments(function.find("arguments"), path), signature);
  }

  void readTool(json::Value message, const Path& path) {
    noteUnknownFields(message, path, "role content tool_call_id name ");
    const std::string id = CallId(message.find("tool_call_id")).id;
    const json::Value name = message.find("name");
    std::string media;
    const std::string text = toolText(message.find("content"), path.at("content"), media);
    addTextResult(id, name, text, media, path);
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
      const json::Value url = image.isString() ? image : image.find("url");
      if (url.isString()) {
        if (!media.empty()) media.push_back(',');
        media += mediaPart(url.text(), "image/*");
      } else if (part.find("text").isString()) {
        if (!text.empty()) text.push_back('\n');
        text += part.find("text").text();
      } else {
        notes_.addOmitted(at, "A part of a result", "only text and images can be carried");
      }
    }
    return text;
  }
};

}  // namespace

void importOpenAi(ImportState& state, json::Value root) { OpenAiReader(state).read(root); }

}  // namespace strata::dialects
