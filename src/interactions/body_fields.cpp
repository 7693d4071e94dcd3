#include "interactions/body_fields.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "gemini/content_view.h"
#include "interactions/media.h"
#include "interactions/shapes.h"
#include "json/string.h"
#include "json/writer.h"
#include "schemas/rewrite.h"

namespace strata::interactions {
namespace {

using gemini::field;

// Fields of generationConfig that only have another name: that in snake_case.
constexpr NameList kConfig = "maxOutputTokens stopSequences seed temperature topP topK";

// Fields of generationConfig that are read below.
constexpr NameList kReadConfig =
    "thinkingConfig responseMimeType responseSchema responseJsonSchema _responseJsonSchema "
    "responseModalities imageConfig mediaResolution candidateCount";

// Fields of the body that are read below or by the caller.
constexpr NameList kReadBody =
    "model contents systemInstruction tools toolConfig generationConfig cachedContent store stream "
    "serviceTier labels";

// Built-in tools, and the fields that they take along, by the same name in snake_case.
constexpr NameList kTools = "googleSearch codeExecution urlContext fileSearch googleMaps";
constexpr NameList kToolFields = "fileSearchStoreNames metadataFilter topK enableWidget";

std::string snakeCase(std::string_view name) {
  std::string out;
  catalogue::appendSnakeCase(out, name);
  return out;
}

class FieldsToInteraction {
 public:
  FieldsToInteraction(json::Value body, const catalogue::Target& target, InteractionFields& out)
      : body_(body),
        target_(target),
        config_(field(body, "generationConfig")),
        out_(out),
        losses_(out.findings, kToInteractions) {}

  void run() {
    writeInstruction();
    writeTools();
    writeConfig();
    writeFormat();
    addNamed("serviceTier", "service_tier");
    addNamed("labels", "labels");
    readResolution();
    reportToolConfig();
    reportOthers();
  }

 private:
  void add(std::string_view name, std::string json) {
    out_.fields.push_back({name, std::move(json)});
  }

  void addNamed(std::string_view camelCase, std::string_view name) {
    const json::Value value = field(body_, camelCase);
    if (isSet(value)) add(name, std::string(value.bytes()));
  }

  // The instruction is a text.
  void writeInstruction() {
    const json::Value instruction = field(body_, "systemInstruction");
    if (!isSet(instruction)) return;
    if (!instruction.find("parts"))
      losses_.lost("/systemInstruction", "An instruction without parts");
    std::string text;
    size_t count = 0;
    for (const json::Value part : gemini::repeated(instruction.find("parts"))) {
      const json::Value own = part.find("text");
      if (!own.isString()) {
        losses_.lost("/systemInstruction", "media in the instruction");
        continue;
      }
      if (count++ > 0) text += "\n";
      text += own.text();
    }
    if (count > 1)
      losses_.changed("/systemInstruction", "An instruction of several Parts", "one text");
    if (text.empty()) return;
    std::string quoted;
    json::appendQuoted(quoted, text);
    add("system_instruction", std::move(quoted));
  }

  void writeTools() {
    std::string list;
    size_t index = 0;
    for (const json::Value tool : gemini::repeated(field(body_, "tools"))) {
      addTool(tool, "/tools/" + std::to_string(index++), list);
    }
    if (!list.empty()) add("tools", joined({"[", list, "]"}));
  }

  void addTool(json::Value tool, const std::string& path, std::string& list) {
    for (const json::Member member : json::members(tool)) {
      if (member.value.isNull()) continue;
      const std::string name = gemini::toCamelCase(member.key);
      if (name == "functionDeclarations") {
        for (const json::Value each : gemini::repeated(member.value)) {
          appendElement(list, functionOf(each, path));
          ++functions_;
        }
        continue;
      }
      if (hasName(kTools, name)) {
        appendElement(list, builtInOf(snakeCase(name), member.value, path));
      } else {
        losses_.lost(path, name);
      }
    }
  }

  std::string builtInOf(const std::string& type, json::Value options, const std::string& path) {
    json::Writer out;
    out.open('{').key("type").string(type);
    for (const json::Member member : json::members(options)) {
      const std::string name = gemini::toCamelCase(member.key);
      const std::string renamed = snakeCase(name);
      if (name == "searchTypes" && member.value.isObject()) {
        out.key(renamed).raw(searchTypesOf(member.value));
        continue;
      }
      if (hasName(kToolFields, name) && hasName(fieldsOfTool(type), renamed)) {
        out.key(renamed).raw(member.value.bytes());
      } else if (!member.value.isNull()) {
        losses_.lost(path, name);
      }
    }
    if (type == "google_maps") writePlace(out);
    out.close('}');
    return out.take();
  }

  // An object here, a list there: ["web_search"].
  static std::string searchTypesOf(json::Value types) {
    std::string list;
    for (const json::Member type : json::members(types))
      appendElement(list, "\"" + snakeCase(type.key.text()) + "\"");
    return "[" + list + "]";
  }

  void writePlace(json::Writer& out) {
    const json::Value place = field(field(field(body_, "toolConfig"), "retrievalConfig"), "latLng");
    for (const std::string_view name : {"latitude", "longitude"}) {
      if (place.find(name)) out.key(name).raw(place.find(name).bytes());
    }
    hasPlace_ = true;
  }

  std::string functionOf(json::Value declaration, const std::string& path) {
    json::Writer out;
    out.open('{').key("type").string("function");
    for (const json::Member member : json::members(declaration)) {
      if (member.value.isNull()) continue;
      const std::string name = gemini::toCamelCase(member.key);
      if (name == "name" || name == "description") {
        out.key(name).raw(member.value.bytes());
      } else if (name == "parameters") {
        out.key("parameters").raw(jsonSchemaOf(member.value, schemas::Use::kArguments));
      } else if (name == "parametersJsonSchema") {
        out.key("parameters").raw(member.value.bytes());
      } else {
        losses_.lost(path, name + " of a function");
      }
    }
    out.close('}');
    return out.take();
  }

  // Google's Schema has its types in upper case, and `nullable`.
  std::string jsonSchemaOf(json::Value schema, schemas::Use use) {
    return schemas::toJsonSchema({.schema = schema, .form = schemas::Form::kGoogle, .use = use},
                                 target_)
        .schema;
  }

  void writeConfig() {
    json::Writer config;
    config.open('{');
    for (const json::Member member : json::members(config_)) {
      if (member.value.isNull()) continue;
      const std::string name = gemini::toCamelCase(member.key);
      if (hasName(kConfig, name)) {
        config.key(snakeCase(name)).raw(member.value.bytes());
      } else if (!hasName(kReadConfig, name)) {
        losses_.lost("/generationConfig", name);
      }
    }
    writeThinking(config);
    writeChoice(config);
    config.close('}');
    if (config.text() != "{}") add("generation_config", std::string(config.text()));
    const json::Value count = field(config_, "candidateCount");
    if (isSet(count) && count.integer(0) != 1)
      losses_.refused("/generationConfig", "candidateCount above 1");
  }

  void writeThinking(json::Writer& config) {
    const json::Value thinking = field(config_, "thinkingConfig");
    const json::Value level = field(thinking, "thinkingLevel");
    if (level.isString() && !level.equals("THINKING_LEVEL_UNSPECIFIED"))
      config.key("thinking_level").string(ascii::lowerCase(level.text()));
    const json::Value summaries = field(thinking, "includeThoughts");
    if (summaries.isBoolean())
      config.key("thinking_summaries").string(summaries.isTrue() ? "auto" : "none");
    if (isSet(field(thinking, "thinkingBudget")))
      losses_.lost("/generationConfig/thinkingConfig", "thinkingBudget");
  }

  void writeChoice(json::Writer& config) {
    const json::Value calling = field(field(body_, "toolConfig"), "functionCallingConfig");
    const std::string mode = ascii::lowerCase(field(calling, "mode").text());
    const json::Value names = field(calling, "allowedFunctionNames");
    // Without functions, the API refuses it.
    if (functions_ == 0 || mode.empty() || mode == "mode_unspecified") return;
    if (names.isArray() && names.size() > 0 && (mode == "any" || mode == "validated")) {
      const json::Writer::Scope choice = config.object("tool_choice");
      const json::Writer::Scope allowed = config.object("allowed_tools");
      config.key("mode").string(mode).key("tools").raw(names.bytes());
      hasNames_ = true;
    } else {
      config.key("tool_choice").string(mode);
    }
  }

  // A list with an entry for each kind of output.
  void writeFormat() {
    std::string list;
    const json::Value type = field(config_, "responseMimeType");
    const json::Value google = field(config_, "responseSchema");
    json::Value schema = field(config_, "responseJsonSchema");
    if (!isSet(schema)) schema = config_.find("_responseJsonSchema");
    if (isSet(type) && !type.equals("text/plain")) {
      json::Writer text;
      text.open('{').key("type").string("text").key("mime_type").raw(type.bytes());
      if (isSet(google)) {
        text.key("schema").raw(jsonSchemaOf(google, schemas::Use::kResponse));
      } else if (isSet(schema)) {
        text.key("schema").raw(schema.bytes());
      }
      text.close('}');
      appendElement(list, text.text());
    } else if (isSet(google) || isSet(schema)) {
      losses_.lost("/generationConfig", isSet(google) ? "responseSchema" : "responseJsonSchema");
    }
    addModalities(list);
    if (!list.empty()) add("response_format", joined({"[", list, "]"}));
  }

  void addModalities(std::string& list) {
    const json::Value modalities = field(config_, "responseModalities");
    const json::Value image = field(config_, "imageConfig");
    bool hasText = false;
    bool hasImage = isSet(image);
    for (const json::Value each : gemini::repeated(modalities)) {
      const std::string name = ascii::lowerCase(each.text());
      if (name == "text") hasText = true;
      if (name == "image") hasImage = true;
      if (name == "audio") appendElement(list, R"({"type":"audio"})");
      if (!hasName("text image audio modality_unspecified", name))
        losses_.lost("/generationConfig", "the modality " + each.text());
    }
    if (!hasImage) return;
    // An entry for images alone suppresses texts.
    if (list.empty() && (hasText || modalities.size() == 0))
      appendElement(list, R"({"type":"text"})");
    json::Writer entry;
    entry.open('{').key("type").string("image");
    for (const json::Member member : json::members(image)) {
      const std::string name = gemini::toCamelCase(member.key);
      if (name == "aspectRatio" || name == "imageSize") {
        entry.key(name == "aspectRatio" ? "aspect_ratio" : "image_size").raw(member.value.bytes());
      } else {
        losses_.lost("/generationConfig/imageConfig", name);
      }
    }
    entry.close('}');
    appendElement(list, entry.text());
  }

  void readResolution() {
    const std::string level = field(config_, "mediaResolution").text();
    out_.resolution = resolutionOf(level);
    if (!level.empty() && out_.resolution.empty() && level != "MEDIA_RESOLUTION_UNSPECIFIED")
      losses_.lost("/generationConfig", "mediaResolution");
  }

  // Reports what `writePlace` and `writeChoice` have not taken of it. The flag about Google's tools
  // beside functions has nothing to allow there.
  void reportToolConfig() {
    const json::Value config = field(body_, "toolConfig");
    const auto report = [&](json::Value object, NameList taken) {
      losses_.lostMembers("/toolConfig", object, taken);
    };
    report(config, "functionCallingConfig retrievalConfig includeServerSideToolInvocations");
    report(field(config, "functionCallingConfig"),
           hasNames_ ? "mode allowedFunctionNames" : "mode");
    report(field(config, "retrievalConfig"), hasPlace_ ? "latLng" : "");
  }

  void reportOthers() {
    if (isSet(field(body_, "cachedContent"))) losses_.refused("/cachedContent", "cachedContent");
    for (const json::Member member : json::members(body_)) {
      const std::string name = gemini::toCamelCase(member.key);
      if (member.value.isNull() || hasName(kReadBody, name)) continue;
      if (hasName("ttl expireTime generateContentRequest", name)) {
        losses_.refused("/" + member.key.text(), name);
      } else {
        losses_.lost("/" + member.key.text(), name);
      }
    }
  }

  json::Value body_;
  const catalogue::Target& target_;
  json::Value config_;
  InteractionFields& out_;
  Losses losses_;
  size_t functions_ = 0;
  bool hasPlace_ = false;
  bool hasNames_ = false;  // of functions that are allowed
};

}  // namespace

InteractionFields interactionFieldsOf(json::Value body, const catalogue::Target& target) {
  InteractionFields fields;
  FieldsToInteraction(body, target, fields).run();
  return fields;
}

}  // namespace strata::interactions
