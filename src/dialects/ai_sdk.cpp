// Imports ModelMessages of the Vercel AI SDK.
//
// Signatures and other fields of Google are in `providerOptions` of a part: under `google`, or
// under `googleVertex` or `vertex` for Vertex AI. Streamed parts have them in `providerMetadata`.
// `google.interactions()` has the signature of a thought step as the `signature` of its reasoning.
// Source: vercel/ai, packages/google/src.
#include <array>
#include <utility>

#include "dialects/media.h"
#include "dialects/message_reader.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 3> kOptionFields = {"providerOptions", "providerMetadata",
                                                           "callProviderMetadata"};

struct Provider {
  std::string_view name;
  std::string_view backend;  // "" if the name does not imply it
};

// Older versions of the Vertex provider write to `google`, too.
constexpr std::array<Provider, 3> kProviders = {
    {{"google", ""}, {"googleVertex", "vertex"}, {"vertex", "vertex"}}};

json::Value signatureIn(json::Value options) {
  const json::Value signature = options.find("thoughtSignature");
  return signature ? signature : options.find("signature");
}

bool isSigned(json::Value part) {
  for (const std::string_view optionField : kOptionFields) {
    const json::Value options = part.find(optionField);
    for (const Provider& provider : kProviders) {
      if (!signatureIn(options.find(provider.name)).raw().empty()) return true;
    }
  }
  return false;
}

// Returns the part whose Part gets the signature of a reasoning in front of the parts [from, end):
// the first call, or else, of a thought step, the first text or file; none if another part is
// signed before.
json::Value heirOf(json::Value from, json::Value end, bool isStep) {
  json::Value heir;
  for (json::Value part = from; part != end && !isSigned(part); part = part.next()) {
    const json::Value type = part.find("type");
    if (type.equals("tool-call") && !part.find("providerExecuted").isTrue()) return part;
    const bool isSpoken = type.equals("text") || type.equals("file");
    if (isStep && isSpoken && !heir) heir = part;
  }
  return heir;
}

// The options of Google's providers for a part.
struct GoogleOptions {
  json::Value options;
  std::string backend;
  std::string signature;
};

class AiSdkReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    const Path top;
    const Path system = top.at("system");
    if (const json::Value text = root.find("system"); text.isString()) {
      addSystemText(text, system);
    } else if (text.isObject()) {
      readEntry(text, system);
    }
    readList(root, "messages system ", "an array of ModelMessages");
  }

 private:
  void readEntry(json::Value message, const Path& path) override {
    noteUnknownFields(message, path, "role content providerOptions ");
    const json::Value role = message.find("role");
    const json::Value content = message.find("content");
    const Path at = path.at("content");
    const bool isTool = role.equals("tool");
    if (role.equals("system")) {
      return content.isString() ? addSystemText(content, path) : fail(content, at, "text");
    }
    if (role.equals("user")) {
      turns_.openUser(path);
    } else if (role.equals("assistant")) {
      turns_.openModel(path);
    } else if (!isTool) {
      return fail(message, path.at("role"), "one of system, user, assistant and tool");
    }
    if (content.isString() && !isTool) return turns_.addText(content);
    if (!content.isArray()) {
      return fail(content, at, isTool ? "an array of parts" : "text or an array of parts");
    }
    size_t index = 0;
    end_ = content.next();
    heir_ = {};
    for (const json::Value part : json::elements(content)) readPart(part, isTool, at.at(index++));
  }

  void readPart(json::Value part, bool isTool, const Path& path) {
    const json::Value type = part.find("type");
    if (isTool && type.isString() && !type.equals("tool-result")) {
      return noteUnsupportedPart(type, path);
    }
    GoogleOptions google = googleOptions(part, path);
    passSignature(part, google);
    if (!google.signature.empty()) turns_.setOrigin({"", google.backend, ""});
    if (type.equals("text") || type.equals("reasoning")) {
      const json::Value text = part.find("text");
      if (!text.isString()) return fail(part, path.at("text"), "a string");
      return turns_.addText(text, type.equals("reasoning"), google.signature);
    }
    if (type.equals("image")) return readFile(part, part.find("image"), "image/*", google, path);
    if (type.equals("file") || type.equals("reasoning-file")) {
      return readFile(part, part.find("data"), "", google, path);
    }
    if (type.equals("tool-call")) return readCall(part, google, path);
    if (type.equals("tool-result")) return readResult(part, google, path);
    if (!type.isString()) return fail(part, path.at("type"), "the type of a part");
    noteUnsupportedPart(type, path);
  }

  // Passes the signature of a reasoning to its heir. Calls without one are refused.
  void passSignature(json::Value part, GoogleOptions& google) {
    if (heir_ && part == heir_) {
      google.signature = std::move(inherited_);
    } else if (part.find("type").equals("reasoning") && !google.signature.empty()) {
      heir_ = heirOf(part.next(), end_, !google.options.find("thoughtSignature"));
      if (heir_) inherited_ = std::exchange(google.signature, {});
    }
  }

  GoogleOptions googleOptions(json::Value part, const Path& path) {
    GoogleOptions found;
    for (const std::string_view optionField : kOptionFields) {
      for (const json::Member member : json::members(part.find(optionField))) {
        const std::string name = member.key.text();
        const Path options = path.at(optionField);
        const Path at = options.at(name);
        const Provider* provider = providerOf(name);
        if (provider == nullptr) {
          notes_.addOmittedField(at, name);
        } else if (!found.options) {
          found.options = member.value;
          found.backend = provider->backend;
          found.signature = normalizeSignature(signatureIn(member.value).text(), at);
        }
      }
    }
    return found;
  }

  static const Provider* providerOf(std::string_view name) {
    for (const Provider& provider : kProviders) {
      if (name == provider.name) return &provider;
    }
    return nullptr;
  }

  // `data` is base64, a URL, or an object whose type says which of these it holds.
  void readFile(json::Value part, json::Value data, std::string_view defaultType,
                const GoogleOptions& google, const Path& path) {
    const bool thought =
        part.find("type").equals("reasoning-file") || google.options.find("thought").isTrue();
    const json::Value given =
        part.find("mediaType") ? part.find("mediaType") : part.find("mimeType");
    const std::string type = given.isString() ? given.text() : std::string(defaultType);
    noteUnknownFields(part, path,
                      "type image data mediaType mimeType providerOptions providerMetadata ");
    if (data.isString()) {
      turns_.addPart(mediaPart(data.text(), type, thought, google.signature));
    } else if (data.find("text").isString()) {
      turns_.addPart(bytesPart(data.find("text").text(), type.empty() ? "text/plain" : type));
    } else if (const json::Value inner = dataOrUrl(data)) {
      turns_.addPart(mediaPart(inner.text(), type, thought, google.signature));
    } else {
      fail(data ? data : part, path, "base64, an address or a reference to a file of Google's");
    }
  }

  static json::Value dataOrUrl(json::Value data) {
    for (const std::string_view name : {"data", "url"}) {
      if (data.find(name).isString()) return data.find(name);
    }
    return data.find("reference").find("google");
  }

  // Tools that Google runs have their own Parts: toolCall and toolResponse.
  bool isServerTool(const GoogleOptions& google) const {
    return google.options.find("serverToolType").isString();
  }

  void addServerPart(std::string_view name, std::string_view payloadName,
                     const std::string& payload, const GoogleOptions& google) {
    json::Writer out;
    out.open('{').key(name).open('{');
    const json::Value id = google.options.find("serverToolCallId");
    if (id.isString()) out.key("id").raw(id.bytes());
    out.key("toolType").raw(google.options.find("serverToolType").bytes());
    out.key(payloadName).raw(payload).close('}');
    if (!google.signature.empty()) out.key("thoughtSignature").string(google.signature);
    out.close('}');
    turns_.addPart(out.text());
  }

  void readCall(json::Value part, const GoogleOptions& google, const Path& path) {
    const json::Value name = part.find("toolName");
    if (!name.isString()) return fail(part, path.at("toolName"), "the name of a tool");
    noteUnknownFields(part, path,
                      "type toolCallId toolName input args providerOptions providerMetadata "
                      "callProviderMetadata providerExecuted ");
    const json::Value input = part.find("input") ? part.find("input") : part.find("args");
    const std::string args = input ? readArguments(input, path, "input") : "{}";
    if (isServerTool(google)) return addServerPart("toolCall", "args", args, google);
    if (part.find("providerExecuted").isTrue()) return noteProviderTool(path);
    turns_.addCall(part.find("toolCallId").text(), name, args, google.signature);
  }

  void noteProviderTool(const Path& path) {
    notes_.addOmitted(path, "What a tool of the provider did",
                      "only Google's own tools have Parts");
  }

  void readResult(json::Value part, const GoogleOptions& google, const Path& path) {
    noteUnknownFields(
        part, path,
        "type toolCallId toolName output result isError providerOptions providerMetadata "
        "providerExecuted ");
    std::string media;
    const std::string response = readResponse(part, path.at("output"), media);
    const std::string id = part.find("toolCallId").text();
    const json::Value name = part.find("toolName");
    if (failed()) return;
    if (isServerTool(google)) return addServerPart("toolResponse", "response", response, google);
    if (turns_.addResult(id, name, response, media, path)) return;
    if (part.find("providerExecuted").isTrue()) return noteProviderTool(path);
    addResultAsText(name, JsonText(response).root(), media, path);
  }

  // {"type":"text"|"json"|"error-text"|"error-json"|"execution-denied"|"content","value":…}, or the
  // value in `result` in older versions.
  std::string readResponse(json::Value part, const Path& path, std::string& media) {
    const json::Value output = part.find("output");
    if (!output) {
      return asObject(part.find("result"), part.find("isError").isTrue() ? "error" : "output");
    }
    const json::Value type = output.find("type");
    const json::Value value = output.find("value");
    if (type.equals("text") || type.equals("json")) return asObject(value, "output");
    if (type.equals("error-text") || type.equals("error-json")) return errorResponse(value);
    if (type.equals("execution-denied")) return deniedResponse(output.find("reason"));
    if (type.equals("content")) return contentResponse(value, path.at("value"), media);
    fail(output, path, "an output of a known type");
    return {};
  }

  static std::string errorResponse(json::Value value) {
    return memberOf("error", value ? value.bytes() : "null");
  }

  static std::string deniedResponse(json::Value reason) {
    json::Writer out;
    out.open('{').key("error");
    out.string(reason.isString() ? reason.text() : "The user did not allow this call.");
    out.close('}');
    return out.take();
  }

  std::string contentResponse(json::Value items, const Path& path, std::string& media) {
    std::string text;
    size_t index = 0;
    for (const json::Value item : json::elements(items)) {
      const Path at = path.at(index++);
      if (item.find("text").isString()) {
        if (!text.empty()) text.push_back('\n');
        text += item.find("text").text();
      } else if (const json::Value data = itemData(item)) {
        if (!media.empty()) media.push_back(',');
        media += mediaPart(data.text(), item.find("mediaType").text());
      } else {
        notes_.addOmitted(at, "A part of a result", "only text and files can be carried");
      }
    }
    json::Writer out;
    out.open('{').key("output").string(text).close('}');
    return out.take();
  }

  static json::Value itemData(json::Value item) {
    const json::Value data = item.find("data");
    if (data.isString()) return data;
    return data ? dataOrUrl(data) : dataOrUrl(item);
  }

  json::Value end_;   // behind the parts of the message
  json::Value heir_;  // of the last signed reasoning in it
  std::string inherited_;
};

}  // namespace

void importAiSdk(ImportState& state, json::Value root) { AiSdkReader(state).read(root); }

}  // namespace strata::dialects
