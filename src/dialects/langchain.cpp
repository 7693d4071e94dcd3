// Imports LangChain messages of JavaScript and Python, in three forms:
//
//     {"lc":1,"type":"constructor","id":[…,"HumanMessage"],"kwargs":{…}}   JSON.stringify, dumps
//     {"type":"human","data":{…}}                 mapChatMessagesToStoredMessages, messages_to_dict
//     {"type":"human","content":…}                                                      model_dump
//
// Signatures of Gemini are in these places:
//
//     content[].thoughtSignature, tool_calls[].thoughtSignature             @langchain/google
//     additional_kwargs.originalTextContentBlock.thoughtSignature           the same, for a text
//     additional_kwargs.__gemini_function_call_thought_signatures__         langchain-google-genai,
//                                                                           @langchain/google-genai
//     content[].extras.signature, content[].signature                       langchain-google-genai
//     a block function_call_signature langchain-google-vertexai additional_kwargs.signatures, one
//     for each Part                       @langchain/google-common
//
// Source: langchain-ai/langchainjs, libs/langchain-core/src/messages and libs/providers;
// langchain-ai/langchain-google, libs/genai/langchain_google_genai/chat_models.py.
#include "dialects/langchain.h"

#include <array>

#include "base/ascii.h"
#include "dialects/langchain_blocks.h"
#include "dialects/langchain_parts.h"
#include "dialects/message_reader.h"
#include "gemini/content_view.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kSignatureMap = "__gemini_function_call_thought_signatures__";

enum class Role : uint8_t { kUnknown, kSystem, kUser, kModel, kTool, kNamed, kRemoved };

struct RoleName {
  std::string_view name;
  Role role;
};

constexpr std::array<RoleName, 13> kRoles = {{{"human", Role::kUser},
                                              {"user", Role::kUser},
                                              {"ai", Role::kModel},
                                              {"assistant", Role::kModel},
                                              {"model", Role::kModel},
                                              {"system", Role::kSystem},
                                              {"developer", Role::kSystem},
                                              {"tool", Role::kTool},
                                              {"function", Role::kTool},
                                              // Their field `role` names the role.
                                              {"chat", Role::kNamed},
                                              {"generic", Role::kNamed},
                                              {"base", Role::kNamed},
                                              {"remove", Role::kRemoved}}};

void dropSuffix(std::string& text, std::string_view suffix) {
  const bool ends = text.size() > suffix.size() &&
                    text.compare(text.size() - suffix.size(), text.npos, suffix) == 0;
  if (ends) text.resize(text.size() - suffix.size());
}

// Returns the role of a type ("ai", "AIMessageChunk") or of a class ("AIMessage").
Role roleOf(std::string name) {
  dropSuffix(name, "Chunk");
  dropSuffix(name, "Message");
  name = ascii::lowerCase(name);
  for (const RoleName& each : kRoles) {
    if (name == each.name) return each.role;
  }
  return Role::kUnknown;
}

// Returns the name of a message's class or type.
std::string typeOf(json::Value entry) {
  if (!entry.find("kwargs").isObject()) return entry.find("type").text();
  std::string name;
  for (const json::Value each : json::elements(entry.find("id"))) name = each.text();
  // Other classes than messages are serialized like this, too.
  return name.find("Message") == std::string::npos ? "" : name;
}

// Fields of content blocks that are read or copied, or that repeat others.
constexpr std::string_view kBlockFields =
    "type text index id thought thoughtSignature signature extras reasoning reasoningContentBlock "
    "thinking imageUrl inputAudio data base64 url fileUri fileId sourceType mimeType source file "
    "metadata refusal name args executableCode codeExecutionResult language outcome output "
    "toolCallId status videoMetadata inlineData fileData functionResponse toolCall toolResponse "
    "mediaResolution mediaProcessing speechMetadata partMetadata ";
constexpr std::string_view kMessageFields =
    "content contentBlocks text type id example additionalKwargs responseMetadata usageMetadata "
    "toolCalls invalidToolCalls toolCallChunks toolCallId role status chunkPosition "
    "lcSerializable lcKwargs lcNamespace ";
// Metadata of an answer, and fields that are read.
constexpr std::string_view kAdditionalFields =
    "finishReason finishMessage safetyRatings tokenCount citationMetadata groundingMetadata "
    "groundingAttributions urlRetrievalMetadata urlContextMetadata avgLogprobs logprobsResult "
    "originalTextContentBlock signatures functionCall toolCalls index reasoningContent refusal "
    "__gemini_function_call_thought_signatures__ ";
constexpr std::string_view kEmptyText = R"("")";

class LangChainReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) { readList(root, "messages ", "an array of LangChain messages"); }

 private:
  void readEntry(json::Value entry, const Path& path) override {
    const Role role = roleOf(typeOf(entry));
    for (const std::string_view holder : {"kwargs", "data"}) {
      const json::Value fields = entry.find(holder);
      if (fields.isObject()) return readMessage(role, fields, path.at(holder), path);
    }
    readMessage(role, entry, path, path);
  }

  void readMessage(Role role, json::Value message, const Path& path, const Path& entryPath) {
    noteUnknownFields(message, path, kMessageFields, role == Role::kTool ? "name " : "");
    noteUnknownFields(message.find("additional_kwargs"), path.at("additional_kwargs"),
                      kAdditionalFields);
    if (role == Role::kNamed) {
      role = roleOf(message.find("role").text());
      if (role == Role::kUnknown || role == Role::kNamed) role = Role::kUser;
    }
    messageId_ = message.find("id").text();
    switch (role) {
      case Role::kSystem:
        return readSystem(message, path);
      case Role::kUser:
        turns_.openUser(path);
        return readParts(message, path);
      case Role::kModel:
        return readModel(message, path);
      case Role::kTool:
        return readTool(message, path);
      case Role::kRemoved:
        return notes_.addOmitted(path, "A RemoveMessage", "it only edits the state of a graph");
      default:
        fail(message, entryPath, "a message of the type human, ai, system, tool, function or chat");
    }
  }

  // The content is `content`, `content_blocks` in messages that were built from blocks, or `text`
  // in the oldest form.
  static std::string_view contentName(json::Value message) {
    for (const std::string_view name : {"content", "content_blocks", "contentBlocks", "text"}) {
      if (message.find(name) && !message.find(name).isNull()) return name;
    }
    return "content";
  }

  void readSystem(json::Value message, const Path& path) {
    const std::string_view name = contentName(message);
    const json::Value content = message.find(name);
    const Path within = path.at(name);
    if (content.isString()) return addSystemText(content, path);
    if (!content.isArray()) return fail(content, within, "text or an array of content blocks");
    size_t index = 0;
    for (const json::Value block : json::elements(content)) {
      const Path at = within.at(index++);
      const json::Value text = block.isString() ? block : block.find("text");
      if (!text.isString()) noteNonText(at, "A part of a system message");
      addSystemText(text, path);
    }
  }

  void readParts(json::Value message, const Path& path) {
    parts_.clear();
    readContent(message, path);
    parts_.write(turns_);
  }

  void readModel(json::Value message, const Path& path) {
    turns_.openModel(path);
    setOrigin(message.find("response_metadata"));
    parts_.clear();
    callSignatures_ = 0;
    const json::Value more = message.find("additional_kwargs");
    const Path morePath = path.at("additional_kwargs");
    addText(more.find("reasoning_content"), true, "");
    readCalls(message, more, path);
    readContent(message, path);
    addText(more.find("refusal"), false, "");
    parts_.placeOtherCalls();
    signParts(more, morePath);
    parts_.write(turns_);
  }

  // Another vendor's message may only name the vendor.
  void setOrigin(json::Value metadata) {
    std::string model = firstText(metadata, "model_name model model_version modelVersion ").text();
    const std::string provider = metadata.find("model_provider").text();
    const bool isGoogle = provider.compare(0, 6, "google") == 0;
    if (model.empty() && !isGoogle) model = provider;
    const bool isVertex = provider == "google_vertexai" || provider == "google-vertexai";
    turns_.setOrigin({std::move(model), isVertex ? "vertex" : "", ""});
  }

  void addText(json::Value text, bool thought, std::string signature) {
    if (text.isString()) parts_.addText(text.bytes(), thought, std::move(signature));
  }

  void readCalls(json::Value message, json::Value more, const Path& path) {
    readCallList(message, "tool_calls", path);
    readCallList(message, "invalid_tool_calls", path);
    if (!parts_.hasCalls()) readCallList(message, "tool_call_chunks", path);
    // Older versions only have the calls in the form of OpenAI.
    const Path within = path.at("additional_kwargs");
    if (!parts_.hasCalls()) readCallList(more, "tool_calls", within);
    const json::Value call = more.find("function_call");
    if (!parts_.hasCalls() && call.isObject()) readCall(call, false, within.at("function_call"));
  }

  void readCallList(json::Value holder, std::string_view name, const Path& path) {
    const Path within = path.at(name);
    size_t index = 0;
    for (const json::Value call : json::elements(holder.find(name))) {
      readCall(call, false, within.at(index++));
    }
  }

  // Reads a call in the forms of LangChain (`args`), Anthropic (`input`), OpenAI (`arguments`, also
  // in `function`) and Gemini (`functionCall`).
  void readCall(json::Value call, bool isBlock, const Path& path) {
    json::Value function = gemini::field(call, "functionCall");
    if (!function.isObject()) function = call.find("function");
    if (!function.isObject()) function = call;
    LangChainCall read;
    read.name = function.find("name");
    if (!read.name.isString()) return fail(call, path, "a call with the name of a tool");
    json::Value id = firstText(function, "call_id id ");
    if (id.raw().empty()) id = firstText(call, "call_id id ");
    // A block may have the id of its message.
    if (!id.equals(messageId_)) read.id = id.text();
    json::Value args;
    for (const std::string_view field : {"args", "input", "arguments"}) {
      if (!args) args = function.find(field);
    }
    read.args = args.isObject() ? unescaped(args) : readArguments(args, path);
    read.signature = signatureOf(call, path);
    if (isBlock) {
      parts_.placeCall(read);
    } else {
      parts_.addCall(read);
    }
  }

  // Returns the signature of a block or of an entry of `tool_calls`.
  std::string signatureOf(json::Value block, const Path& path) {
    constexpr std::string_view names = "thoughtSignature thought_signature signature ";
    json::Value found = firstText(block, names);
    if (found.raw().empty()) found = firstText(block.find("extras"), names);
    return normalizeSignature(found.text(), path);
  }

  // Reads the signatures that the message stores apart from its Parts.
  void signParts(json::Value more, const Path& path) {
    const Path map = path.at(kSignatureMap);
    for (const json::Member member : json::members(more.find(kSignatureMap))) {
      const std::string id = member.key.text();
      if (!parts_.signCall(id, member.value.text())) noteLostSignature(map.at(id));
    }
    if (!parts_.signAll(more.find("signatures"))) noteLostSignature(path.at("signatures"));
    const json::Value original = more.find("originalTextContentBlock");
    parts_.signText(signatureOf(original, path));
  }

  void noteLostSignature(const Path& path) {
    notes_.addOmitted(path, "A signature", "the message does not show which Part it signs");
  }

  void readContent(json::Value message, const Path& path) {
    const std::string_view name = contentName(message);
    const json::Value content = message.find(name);
    const Path within = path.at(name);
    if (content.isString()) {
      if (!content.raw().empty()) addText(content, false, "");
    } else if (content.isArray()) {
      readBlocks(content, within);
    } else if (content.isObject()) {
      readBlock(content, within, false);
    } else if (content && !content.isNull()) {
      fail(content, within, "text or an array of content blocks");
    }
  }

  void readBlocks(json::Value blocks, const Path& path) {
    size_t index = 0;
    for (const json::Value block : json::elements(blocks)) {
      if (!failed()) readBlock(block, path.at(index++), false);
    }
  }

  void readBlock(json::Value block, const Path& path, bool isThought) {
    if (block.isString()) return addText(block, isThought, "");
    if (!block.isObject()) return fail(block, path, "text or a content block");
    const std::string type = block.find("type").text();
    if (type == "non_standard") return readBlock(block.find("value"), path.at("value"), false);
    if (readCallBlock(block, type, path)) return;
    noteUnknownFields(block, path, kBlockFields);
    const std::string signature = signatureOf(block, path);
    if (type == "reasoning" || type == "thinking") return readThought(block, signature, path);
    const bool thought = isThought || block.find("thought").isTrue();
    std::string part = copiedPart(block);
    if (part.empty()) part = codePart(block);
    if (part.empty()) part = filePart(block, thought);
    if (!part.empty()) return parts_.addPart(std::move(part), signature);
    const json::Value text = firstText(block, "text refusal ");
    if (text) return addText(text, thought, signature);
    if (type.empty()) return fail(block, path, "a content block with a type");
    noteUnsupportedPart(block.find("type"), path);
    if (!signature.empty()) parts_.addText(kEmptyText, false, signature);
  }

  // Reads a block that holds a call, or the signature of one.
  bool readCallBlock(json::Value block, std::string_view type, const Path& path) {
    if (type == "function_call_signature") {
      const int64_t call = block.find("index").integer(callSignatures_++);
      const bool isKnown = parts_.signCall(static_cast<size_t>(call), signatureOf(block, path));
      if (!isKnown) noteLostSignature(path);
      return true;
    }
    const bool isCall = type == "tool_call" || type == "tool_use" || type == "function_call" ||
                        gemini::field(block, "functionCall").isObject();
    if (!isCall) return false;
    readCall(block, true, path);
    return true;
  }

  void readThought(json::Value block, const std::string& signature, const Path& path) {
    const json::Value inner = block.find("reasoningContentBlock");
    if (inner.isObject() && !inner.find("text")) {
      return readBlock(inner, path.at("reasoningContentBlock"), true);
    }
    const json::Value text = firstText(block, "reasoning thinking text ");
    if (text) return addText(text, true, signature);
    noteUnsupportedPart(block.find("type"), path);
  }

  void readTool(json::Value message, const Path& path) {
    const std::string_view name = contentName(message);
    std::string media;
    const std::string text = resultText(message.find(name), path.at(name), media);
    if (failed()) return;
    const std::string id = message.find("tool_call_id").text();
    addTextResult(id, message.find("name"), text, media, path,
                  message.find("status").equals("error"));
  }

  std::string resultText(json::Value content, const Path& path, std::string& media) {
    if (content.isString()) return content.text();
    if (!content.isArray()) return content.isNull() ? "" : unescaped(content);
    std::string text;
    size_t index = 0;
    for (const json::Value block : json::elements(content)) {
      const Path at = path.at(index++);
      const json::Value given = block.isString() ? block : block.find("text");
      std::string file = given.isString() ? "" : copiedPart(block);
      if (file.empty() && !given.isString()) file = filePart(block, false);
      if (given.isString()) {
        if (!text.empty()) text.push_back('\n');
        text += given.text();
      } else if (file.empty()) {
        notes_.addOmitted(at, "A part of a result", "only text and files can be carried");
      } else {
        if (!media.empty()) media.push_back(',');
        media += file;
      }
    }
    return text;
  }

  LangChainParts parts_;        // of the current message
  int64_t callSignatures_ = 0;  // the blocks that sign a call
  std::string messageId_;
};

}  // namespace

bool isLangChainMessage(json::Value entry) {
  if (entry.find("lc") && entry.find("kwargs").isObject()) return true;
  const bool hasContent = entry.find("data").isObject() || entry.find("content");
  return hasContent && roleOf(entry.find("type").text()) != Role::kUnknown;
}

void importLangChain(ImportState& state, json::Value root) { LangChainReader(state).read(root); }

}  // namespace strata::dialects
