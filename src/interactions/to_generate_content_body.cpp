// Converts a body of the Interactions API to one of generateContent.
#include <algorithm>

#include "base/ascii.h"
#include "gemini/content_view.h"
#include "interactions/convert_body.h"
#include "interactions/shapes.h"
#include "interactions/to_contents.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

// Fields of generation_config that only have another name.
constexpr NameList kConfig = "max_output_tokens stop_sequences seed temperature top_p top_k";
constexpr NameList kReadConfig = "thinking_level thinking_summaries tool_choice";
constexpr NameList kBuiltIn = "google_search code_execution url_context file_search google_maps";
// Fields of the body that are read, or that have no meaning in the other one.
constexpr NameList kReadBody =
    "model input system_instruction tools response_format generation_config stream store "
    "service_tier labels";
constexpr NameList kRefused = "agent agent_config background previous_interaction_id environment";

class ToGenerateContent {
 public:
  ToGenerateContent(json::Value body, const catalogue::Target& target,
                    const ConvertOptions& options)
      : target_(target),
        unsignedCalls_(unsignedCallsFor(target, options)),
        body_(body),
        config_(body.find("generation_config")),
        losses_(converted_.findings, kToGenerateContent) {}

  Converted run() {
    out_.open('{');
    const json::Value instruction = body_.find("system_instruction");
    if (instruction.isString() && !instruction.raw().empty()) {
      out_.key("systemInstruction")
          .raw(joined({R"({"parts":[{"text":)", instruction.bytes(), "}]}"}));
    } else if (isSet(instruction) && !instruction.isString()) {
      losses_.lost("/system_instruction", "An instruction that is no text");
    }
    writeTools();
    writeToolConfig();
    writeConfig();
    for (const std::string_view name : {"store", "service_tier", "labels"}) {
      const json::Value value = body_.find(name);
      if (!isSet(value)) continue;
      if (name == "labels" && target_.backend == gemini::Backend::kGemini) {
        losses_.lost("/labels", "labels, which only Vertex AI takes,");
      } else {
        out_.key(gemini::toCamelCase(name)).raw(value.bytes());
      }
    }
    Converted contents = contentsOf(body_.find("input"), "/input", unsignedCalls_);
    converted_.findings.append(contents.findings);
    out_.key("contents").raw(contents.json);
    out_.close('}');
    reportOthers();
    converted_.json = out_.take();
    return std::move(converted_);
  }

 private:
  void writeTools() {
    std::string functions;
    std::string tools;
    size_t index = 0;
    for (const json::Value tool : json::elements(body_.find("tools"))) {
      const std::string path = "/tools/" + std::to_string(index++);
      const std::string type = tool.find("type").text();
      if (type == "function") {
        appendElement(functions, declarationOf(tool, path));
      } else if (hasName(kBuiltIn, type)) {
        appendElement(tools, builtInOf(tool, type, path));
        hasBuiltIn_ = true;
      } else {
        losses_.lost(path, "The tool " + type);
      }
    }
    hasFunctions_ = !functions.empty();
    if (hasFunctions_)
      appendElement(tools, joined({R"({"functionDeclarations":[)", functions, "]}"}));
    if (!tools.empty()) out_.key("tools").raw(joined({"[", tools, "]"}));
  }

  std::string declarationOf(json::Value tool, const std::string& path) {
    json::Writer out;
    out.open('{');
    for (const json::Member member : json::members(tool)) {
      const std::string name = member.key.text();
      if (name == "name" || name == "description") {
        out.key(name).raw(member.value.bytes());
      } else if (name == "parameters") {
        out.key("parametersJsonSchema").raw(member.value.bytes());
      } else if (name != "type") {
        losses_.lost(path, name);
      }
    }
    out.close('}');
    return out.take();
  }

  std::string builtInOf(json::Value tool, const std::string& type, const std::string& path) {
    json::Writer place;
    place.open('{');
    json::Writer out;
    out.open('{');
    {
      const json::Writer::Scope options = out.object(gemini::toCamelCase(type));
      for (const json::Member member : json::members(tool)) {
        const std::string name = member.key.text();
        if (name == "latitude" || name == "longitude") {
          place.key(name).raw(member.value.bytes());
        } else if (name == "search_types") {
          writeSearchTypes(out, member.value);
        } else if (name != "type") {
          out.key(gemini::toCamelCase(name)).raw(member.value.bytes());
        }
      }
    }
    place.close('}');
    keepPlace(place.take(), path);
    out.close('}');
    return out.take();
  }

  // A list there, an object here: {"webSearch":{}}.
  static void writeSearchTypes(json::Writer& out, json::Value types) {
    const json::Writer::Scope list = out.object("searchTypes");
    for (const json::Value type : json::elements(types))
      out.key(gemini::toCamelCase(type.text())).raw("{}");
  }

  // generateContent has one place for all tools.
  void keepPlace(const std::string& place, const std::string& path) {
    if (place == "{}") return;
    if (place_.empty()) place_ = place;
    if (place_ != place) losses_.lost(path, "A second place");
  }

  void writeToolConfig() {
    json::Writer config;
    config.open('{');
    writeChoice(config);
    if (!place_.empty()) config.key("retrievalConfig").raw(joined({R"({"latLng":)", place_, "}"}));
    // The Interactions API always returns the steps of its tools.
    if (hasBuiltIn_ && hasFunctions_) config.key("includeServerSideToolInvocations").boolean(true);
    config.close('}');
    if (config.text() != "{}") out_.key("toolConfig").raw(config.text());
  }

  void writeChoice(json::Writer& config) {
    const json::Value choice = config_.find("tool_choice");
    const json::Value allowed = choice.find("allowed_tools");
    const std::string mode =
        ascii::upperCase(choice.isString() ? choice.text() : allowed.find("mode").text());
    if (mode.empty() || !hasFunctions_) return;
    const json::Writer::Scope calling = config.object("functionCallingConfig");
    config.key("mode").string(mode);
    const json::Value names = allowed.find("tools");
    if (names.size() > 0) config.key("allowedFunctionNames").raw(names.bytes());
  }

  void writeConfig() {
    json::Writer config;
    config.open('{');
    for (const json::Member member : json::members(config_)) {
      const std::string name = member.key.text();
      if (member.value.isNull()) continue;
      if (hasName(kConfig, name)) {
        config.key(gemini::toCamelCase(name)).raw(member.value.bytes());
      } else if (!hasName(kReadConfig, name)) {
        losses_.lost("/generation_config", name);
      }
    }
    writeThinking(config);
    writeFormats(config);
    config.close('}');
    if (config.text() != "{}") out_.key("generationConfig").raw(config.text());
  }

  void writeThinking(json::Writer& config) {
    const json::Value level = config_.find("thinking_level");
    const json::Value summaries = config_.find("thinking_summaries");
    if (!isSet(level) && !isSet(summaries)) return;
    const json::Writer::Scope thinking = config.object("thinkingConfig");
    if (isSet(level)) config.key("thinkingLevel").string(ascii::upperCase(level.text()));
    if (isSet(summaries)) config.key("includeThoughts").boolean(summaries.equals("auto"));
  }

  void writeFormats(json::Writer& config) {
    std::string modalities;
    json::Value image;
    for (const json::Value format : json::ElementRange::orSelf(body_.find("response_format"))) {
      const std::string type = format.find("type").text();
      const std::string modality = "\"" + ascii::upperCase(type) + "\"";
      if (type != "text" && type != "image" && type != "audio") {
        losses_.lost("/response_format", "The format " + type);
        continue;
      }
      // generateContent has one schema, and one size of images.
      if (modalities.find(modality) != std::string::npos) {
        losses_.lost("/response_format", "A second format " + type);
        continue;
      }
      appendElement(modalities, modality);
      if (type == "text") writeTextFormat(config, format);
      if (type != "image")
        losses_.lostMembers("/response_format", format,
                            type == "text" ? "type mime_type schema" : "type");
      if (type == "image") image = format;
    }
    // Text alone is the default.
    if (!modalities.empty() && modalities != "\"TEXT\"")
      config.key("responseModalities").raw(joined({"[", modalities, "]"}));
    if (image) writeImageFormat(config, image);
  }

  void writeTextFormat(json::Writer& config, json::Value format) {
    const json::Value type = format.find("mime_type");
    const json::Value schema = format.find("schema");
    if (isSet(type)) config.key("responseMimeType").raw(type.bytes());
    // Here, a schema needs it.
    if (!isSet(type) && isSet(schema)) config.key("responseMimeType").string("application/json");
    if (isSet(schema)) config.key("responseJsonSchema").raw(schema.bytes());
  }

  void writeImageFormat(json::Writer& config, json::Value format) {
    json::Writer image;
    image.open('{');
    for (const json::Member member : json::members(format)) {
      const std::string name = member.key.text();
      if (name == "aspect_ratio" || name == "image_size") {
        image.key(gemini::toCamelCase(name)).raw(member.value.bytes());
      } else if (name != "type") {
        losses_.lost("/response_format", name);
      }
    }
    image.close('}');
    if (image.text() != "{}") config.key("imageConfig").raw(image.text());
  }

  void reportOthers() {
    for (const json::Member member : json::members(body_)) {
      const std::string name = member.key.text();
      if (member.value.isNull() || hasName(kReadBody, name)) continue;
      if (name == "background" && !member.value.isTrue()) continue;  // the default
      // What the stored interaction holds is missing without it.
      if (hasName(kRefused, name)) {
        losses_.refused("/" + name, name);
      } else {
        losses_.lost("/" + name, name);
      }
    }
  }

  const catalogue::Target& target_;
  UnsignedCalls unsignedCalls_;
  json::Value body_;
  json::Value config_;
  Converted converted_;
  Losses losses_;
  json::Writer out_;
  std::string place_;
  bool hasFunctions_ = false;
  bool hasBuiltIn_ = false;
};

}  // namespace

Converted generateContentOf(json::Value body, const catalogue::Target& target,
                            const ConvertOptions& options) {
  return ToGenerateContent(body, target, options).run();
}

UnsignedCalls unsignedCallsFor(const catalogue::Target& target, const ConvertOptions& options) {
  const catalogue::Finding missing{catalogue::Rule::kSignatureMissing};
  if (target.severity(missing) != catalogue::Severity::kError) return UnsignedCalls::kKeep;
  return options.placeholder ? UnsignedCalls::kPlaceholder : UnsignedCalls::kReport;
}

}  // namespace strata::interactions
