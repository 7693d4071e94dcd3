// Imports messages of OpenAI's chat completions API.
//
// Gateways store the thoughtSignature of a call in different places:
//
//     extra_content.google.thought_signature        Google's OpenAI-compatible endpoint
//     extra_content.vertex.thought_signature        the same on Vertex AI
//     provider_specific_fields.thought_signature    LiteLLM
//     id: "<id>__thought__<signature>"              LiteLLM, for clients that drop unknown fields
//
// openai_signatures.cpp reads those that stand elsewhere in a message.
//
// Source: "Thought signatures", https://ai.google.dev/gemini-api/docs/thought-signatures, and
// BerriAI/litellm#16895.
#include <optional>

#include "base/text_index.h"
#include "dialects/call_ids.h"
#include "dialects/media.h"
#include "dialects/message_layout.h"
#include "dialects/message_reader.h"
#include "dialects/openai_signatures.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kSignatureMark = "__thought__";
constexpr std::string_view kSignature = "thought_signature";
constexpr std::string_view kLiteLlm = "provider_specific_fields";

// One element of `tool_calls`.
struct ChatCall {
  std::string id;         // as the results name it
  std::string contentId;  // as Google gave it
  json::Value function;
  std::string signature;
};

// A message of the assistant, apart from its content.
struct AssistantMessage {
  json::Value message;
  std::vector<ChatCall> calls;
  std::string signature;  // of the text
  std::vector<json::Value> images;
};

std::string quoted(std::string_view text) {
  std::string json;
  json::appendQuoted(json, text);
  return json;
}

// Returns the text of a content that is nothing else.
std::optional<std::string> plainText(json::Value content) {
  if (!content || content.isNull()) return "";
  if (content.isString()) return content.text();
  if (!content.isArray()) return std::nullopt;
  std::string text;
  for (const json::Value part : json::elements(content)) {
    if (!part.find("text").isString()) return std::nullopt;
    text += part.find("text").text();
  }
  return text;
}

// Takes `size` bytes from the start of `text`. Returns nothing if a character would be cut.
std::optional<std::string> takeText(std::string_view& text, size_t size) {
  const bool cuts = size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U;
  if (cuts || size > text.size()) return std::nullopt;
  std::string taken(text.substr(0, size));
  text.remove_prefix(size);
  return taken;
}

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
  void readMessages(json::Value messages, const Path& path) { readEntries(messages, path); }

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
      noteUnknownFields(part, at, "type text ");
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
        "thought_signature reasoning_details thinking_blocks images ",
        "refusal reasoning_content reasoning ");
    turns_.openModel(path);
    AssistantMessage read{message, {}, findSignature(message, path), {}};
    for (const json::Value image : json::elements(message.find("images"))) {
      read.images.push_back(image);
    }
    readCalls(message.find("tool_calls"), path.at("tool_calls"), read.calls);
    placeCarried(read, path);
    if (!readAsDescribed(read, path)) readInOrder(read, path);
    const json::Value legacyCall = message.find("function_call");
    if (legacyCall.isObject()) readCall({"", "", legacyCall, ""}, path.at("function_call"));
  }

  // Gives the signatures that stand elsewhere to the call that they name, to the first call, or to
  // the text: Gemini signs the first call of a step, if there is one.
  void placeCarried(AssistantMessage& read, const Path& path) {
    const std::vector<CarriedSignature> found = findCarriedSignatures(read.message, path, notes_);
    if (found.empty()) return;
    TextIndex ids;
    TextIndex known;
    known.add(read.signature, 0);
    for (size_t i = 0; i < read.calls.size(); ++i) {
      ids.add(read.calls[i].id, static_cast<int32_t>(i));
      known.add(read.calls[i].signature, 0);
    }
    // Those that name no call take the places that are left.
    for (const bool named : {true, false}) {
      for (const CarriedSignature& carried : found) {
        const int32_t call = carried.callId.empty() ? -1 : ids.find(carried.callId);
        if (named != (call >= 0)) continue;
        const std::string signature = normalizeSignature(carried.signature, path);
        if (known.find(signature) >= 0) continue;
        std::string& place = placeOf(read, call);
        if (!place.empty()) {
          notes_.addOmitted(path, "A signature", "the message does not show which Part it signs");
          continue;
        }
        place = signature;
        known.add(signature, 0);
      }
    }
  }

  static std::string& placeOf(AssistantMessage& read, int32_t call) {
    if (call >= 0) return read.calls[static_cast<size_t>(call)].signature;
    const bool fits = !read.calls.empty() && read.calls[0].signature.empty();
    return fits ? read.calls[0].signature : read.signature;
  }

  void readInOrder(const AssistantMessage& read, const Path& path) {
    readThoughts(read.message);
    const json::Value content = read.message.find("content");
    const bool empty = content.isNull() || (content.isArray() && content.size() == 0);
    if (content && !empty) {
      readContent(content, path.at("content"), read.signature);
    } else {
      addSignature(read.signature);
    }
    turns_.addText(read.message.find("refusal"));
    for (const json::Value image : read.images) readImage(image, path.at("images"), {});
    for (size_t i = 0; i < read.calls.size(); ++i) {
      readCall(read.calls[i], path.at("tool_calls").at(i));
    }
  }

  // Adds the thoughts of a message, which gateways write in different fields.
  void readThoughts(json::Value message) {
    const json::Value thoughts = message.find("reasoning_content");
    const json::Value reasoning = message.find("reasoning");
    turns_.addText(thoughts, true);
    if (thoughts.raw() != reasoning.raw()) turns_.addText(reasoning, true);
    if (!thoughts.raw().empty() || !reasoning.raw().empty()) return;
    for (const json::Value part : json::elements(message.find("content"))) {
      if (isThinkingPart(part)) turns_.addText(part.find("thinking"), true);
    }
    for (const json::Value part : json::elements(message.find("thinking_blocks"))) {
      turns_.addText(part.find("thinking"), true);
    }
  }

  // Adds the Parts as extra_content describes them, see message_layout.h. Returns false if it does
  // not, or no longer fits the message.
  bool readAsDescribed(const AssistantMessage& read, const Path& path) {
    const json::Value parts = read.message.find("extra_content").find("google").find("parts");
    const std::optional<std::string> content = plainText(read.message.find("content"));
    if (!parts || !content) return false;
    const std::string thoughts = read.message.find("reasoning_content").text();
    std::string_view textLeft = *content;
    std::string_view thoughtLeft = thoughts;
    std::vector<std::pair<PartPlace, std::string>> described;
    for (PartPlace& place : readLayout(
             parts, {thoughts.size(), content->size(), read.images.size(), read.calls.size()})) {
      std::optional<std::string> text = "";
      if (place.kind == PlaceKind::kText) text = takeText(textLeft, place.size);
      if (place.kind == PlaceKind::kThought) text = takeText(thoughtLeft, place.size);
      if (!text) return false;
      described.emplace_back(std::move(place), quoted(*text));
    }
    for (const auto& [place, text] : described) readPlace(read, place, text, path);
    return !described.empty();
  }

  void readPlace(const AssistantMessage& read, const PartPlace& place, const std::string& text,
                 const Path& path) {
    const std::string signature = normalizeSignature(place.signature, path);
    if (place.kind == PlaceKind::kCall) {
      readCall(read.calls[place.size], path.at("tool_calls").at(place.size));
    } else if (place.kind == PlaceKind::kImage) {
      readImage(read.images[place.size], path.at("images"), signature);
    } else {
      turns_.addPart(textPart(text, place.kind == PlaceKind::kThought, signature));
    }
  }

  void readImage(json::Value image, const Path& path, std::string_view signature) {
    const json::Value url = image.find("image_url").find("url");
    if (url.raw().empty()) return fail(image, path, "an array of images with an image_url");
    turns_.addPart(mediaPart(url.text(), "image/*", false, signature));
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
    noteUnknownFields(providerFields, within, "thought_signature thought_signatures ");
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

  void readPart(json::Value part, const Path& path, std::string_view messageSignature) {
    if (isThinkingPart(part)) return addSignature(messageSignature);
    const std::string own = findSignature(part, path);
    const std::string_view signature = own.empty() ? messageSignature : std::string_view(own);
    const json::Value type = part.find("type");
    const bool isRefusal = type.equals("refusal") && !part.find("text").isString();
    const json::Value text = part.find(isRefusal ? "refusal" : "text");
    if (text.isString()) {
      notePartFields(part, path);
      return turns_.addText(text, false, signature);
    }
    const std::string media = readMedia(part, path, signature);
    if (!media.empty()) {
      notePartFields(part, path);
      return turns_.addPart(media);
    }
    if (!type) return fail(part, path, "a part with a type");
    noteUnsupportedPart(type, path);
    addSignature(signature);
  }

  void notePartFields(json::Value part, const Path& path) {
    noteUnknownFields(part, path,
                      "type text refusal image_url input_audio file extra_content "
                      "provider_specific_fields thought_signature ");
  }

  // Returns the Part of a medium; "" if there is none.
  std::string readMedia(json::Value part, const Path& path, std::string_view signature) {
    const json::Value image = part.find("image_url");
    const json::Value audio = part.find("input_audio");
    const json::Value file = part.find("file");
    const json::Value url = image.isString() ? image : image.find("url");
    if (url.isString() && !url.raw().empty()) {
      // "auto" is what Gemini does.
      const bool isDefault = image.find("detail").equals("auto");
      noteUnknownFields(image, path.at("image_url"), isDefault ? "url detail " : "url ");
      return mediaPart(url.text(), "image/*", false, signature);
    }
    if (audio.find("data").isString()) {
      noteUnknownFields(audio, path.at("input_audio"), "data format ");
      const std::string type = audioType(audio.find("format").text());
      return mediaPart(audio.find("data").text(), type, false, signature);
    }
    if (!file.find("file_data").isString()) return {};
    // Contents have no field for the name of a file.
    noteUnknownFields(file, path.at("file"), "file_data file_id filename ");
    return mediaPart(file.find("file_data").text(), "", false, signature);
  }

  void readCalls(json::Value calls, const Path& path, std::vector<ChatCall>& into) {
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
      into.push_back({id.id, contentIdOf(call, id.id), function, signature});
    }
  }

  // Returns the id that Google gave a call, which a client may not take: then it stands elsewhere.
  static std::string contentIdOf(json::Value call, const std::string& id) {
    const json::Value given = call.find("extra_content").find("google").find("function_call_id");
    if (given.isString()) return given.text();
    return isMadeCallId(id) ? "" : id;
  }

  void readCall(const ChatCall& call, const Path& path) {
    const json::Value name = call.function.find("name");
    if (!name.isString()) return fail(call.function, path, "a function call with a name");
    const std::string args = readArguments(call.function.find("arguments"), path);
    turns_.addCall(call.id, call.contentId, name, args, call.signature);
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
      noteUnknownFields(part, at, "type text image_url ");
      const json::Value image = part.find("image_url");
      const json::Value url = image.isString() ? image : image.find("url");
      if (url.isString()) {
        if (!media.empty()) media.push_back(',');
        media += mediaPart(url.text(), "image/*");
      } else if (part.find("text").isString()) {
        if (!text.empty()) text.push_back('\n');
        text += part.find("text").text();
      } else {
        omitContent(at, "A part of a result", "only text and images can be carried");
      }
    }
    return text;
  }
};

}  // namespace

void importOpenAi(ImportState& state, json::Value root) { OpenAiReader(state).read(root); }

void importOpenAiMessages(ImportState& state, json::Value messages, const Path& path) {
  OpenAiReader(state).readMessages(messages, path);
}

}  // namespace strata::dialects
