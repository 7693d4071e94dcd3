// Checks generation_config, response_format and tools of an Interactions body.
#include <algorithm>

#include "gemini/function_name.h"
#include "lint/interaction_check.h"
#include "lint/request_check.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;
using interactions::Shape;

constexpr interactions::NameList kLevels = "minimal low medium high xhigh";
constexpr size_t kXhigh = 4;

// Names of generateContent's tools.
constexpr interactions::NameList kToolsOfContents =
    "functionDeclarations function_declarations googleSearch google_search codeExecution "
    "code_execution urlContext url_context fileSearch file_search googleMaps google_maps";
// Types of tools of other APIs.
constexpr interactions::NameList kForeignTools =
    "web_search web_search_preview code_interpreter mcp image_generation custom local_shell shell";

std::string levelNames(uint8_t levels) {
  std::string names;
  size_t index = 0;
  for (size_t at = 0; at < kLevels.size(); ++index) {
    const std::string_view name = kLevels.substr(at, kLevels.find(' ', at) - at);
    if ((levels >> index & 1U) != 0) names.append(names.empty() ? "" : ", ").append(name);
    at += name.size() + 1;
  }
  return names;
}

size_t levelIndex(std::string_view name) {
  const size_t at = kLevels.find(name);
  return static_cast<size_t>(std::count(kLevels.begin(), kLevels.begin() + at, ' '));
}

class ConfigCheck : public InteractionCheck {
 public:
  using InteractionCheck::InteractionCheck;

  void run() {
    checkTools();
    const json::Value config = body_.find("generation_config");
    if (checkObject(config, "/generation_config", "generation_config")) checkConfig(config);
    checkFormats();
    if (isSet(body_.find("safety_settings")))
      add(Rule::kInteractionSafetySettings, "/safety_settings");
  }

 private:
  void checkConfig(json::Value config) {
    const std::string path = "/generation_config";
    checkNames(config, interactions::fieldsOf(Shape::kGenerationConfig), path);
    const json::Value level = config.find("thinking_level");
    if (checkEnum(level, path + "/thinking_level", kLevels)) checkLevel(level.text());
    checkEnum(config.find("thinking_summaries"), path + "/thinking_summaries", "auto none");
    const json::Value limit = config.find("max_output_tokens");
    if (isSet(limit) && limit.integer(0) < 1)
      addInvalid(path + "/max_output_tokens", "max_output_tokens", "an integer of 1 or more");
    const json::Value stop = config.find("stop_sequences");
    if (isSet(stop) && !stop.isArray())
      addInvalid(path + "/stop_sequences", "stop_sequences", "a list of texts");
    checkChoice(config.find("tool_choice"), path + "/tool_choice");
  }

  void checkLevel(const std::string& name) {
    const uint8_t levels = context_.target.model->levels;
    const size_t index = levelIndex(name);
    if (levels == 0 || (levels >> index & 1U) != 0) return;
    Finding& finding = add(Rule::kInteractionLevelUnsupported, "/generation_config/thinking_level",
                           name, levelNames(levels));
    // No refusal of it is on record.
    if (index == kXhigh) finding.severityCap = Severity::kWarning;
  }

  void checkChoice(json::Value choice, const std::string& path) {
    if (!isSet(choice)) return;
    const bool isNone = choice.equals("none");
    // A stored interaction may have declared none either: tools belong to each request.
    if (functions_ == 0 && !isNone) add(Rule::kInteractionToolChoiceWithoutFunctions, path);
    if (choice.isString()) {
      checkEnum(choice, path, "auto any none validated");
      return;
    }
    if (!checkObject(choice, path, "tool_choice")) return;
    checkNames(choice, interactions::fieldsOf(Shape::kToolChoice), path);
    const json::Value allowed = choice.find("allowed_tools");
    const std::string at = path + "/allowed_tools";
    if (!checkObject(allowed, at, "allowed_tools")) return;
    checkNames(allowed, interactions::fieldsOf(Shape::kAllowedTools), at);
    const json::Value mode = allowed.find("mode");
    if (mode.equals("auto") || mode.equals("none")) {
      add(Rule::kInteractionAllowedToolsMode, at + "/mode", mode.text());
    } else {
      checkEnum(mode, at + "/mode", "any validated");
    }
    checkAllowedNames(allowed.find("tools"), at + "/tools");
  }

  // Adds what generateContent refuses. Whether this API does is not known.
  void addOfContents(Rule rule, const std::string& path, const std::string& name) {
    Finding& finding = add(rule, path, name);
    finding.severityCap = Severity::kWarning;
    finding.hasUpstream = false;
  }

  void checkAllowedNames(json::Value names, const std::string& path) {
    size_t index = 0;
    for (const json::Value name : json::elements(names)) {
      const std::string at = path + "/" + std::to_string(index++);
      if (!isDeclared(name.text()))
        addOfContents(Rule::kToolsAllowedNameUndeclared, at, name.text());
    }
  }

  bool isDeclared(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  void checkTools() {
    const json::Value tools = body_.find("tools");
    if (isSet(tools) && !tools.isArray()) return addInvalid("/tools", "tools", "a list");
    size_t index = 0;
    for (const json::Value tool : json::elements(tools)) {
      checkTool(tool, "/tools/" + std::to_string(index++));
    }
  }

  void checkTool(json::Value tool, const std::string& path) {
    if (!tool.isObject()) return addInvalid(path, "a tool", "an object");
    const json::Value type = tool.find("type");
    if (!type.isString()) {
      add(Rule::kToolTypeMissing, path);
      return;
    }
    if (type.equals("function")) return checkFunction(tool, path);
    checkNames(tool, interactions::fieldsOfTool(type.raw()), path);
    if (interactions::hasName(interactions::kToolTypes, type.raw())) return;
    const bool isForeign = interactions::hasName(kForeignTools, type.raw()) ||
                           interactions::hasName(kToolsOfContents, type.raw());
    Finding& finding = add(Rule::kToolTypeUnsupported, path + "/type", type.text());
    if (!isForeign) finding.severityCap = Severity::kWarning;
  }

  void checkFunction(json::Value tool, const std::string& path) {
    ++functions_;
    const json::Value nested = tool.find("function");
    if (nested.isObject()) {
      // OpenAI's chat requests nest the declaration.
      add(Rule::kInteractionFieldUnknown, path + "/function", "function",
          " Put name, description and parameters into the tool itself.");
      names_.push_back(nested.find("name").text());
      return;
    }
    checkNames(tool, interactions::fieldsOfTool("function"), path);
    const std::string name = tool.find("name").text();
    if (isDeclared(name) && names_.size() < kComparedNames)
      addOfContents(Rule::kToolsDuplicateDeclaration, path, name);
    if (names_.size() < kComparedNames) names_.push_back(name);
    if (!gemini::isFunctionName(name)) addOfContents(Rule::kToolsNameInvalid, path + "/name", name);
    checkSchema(tool.find("parameters"), path + "/parameters", schemas::Use::kArguments,
                tool.find("name"));
  }

  // Whether the rules of schemas hold here as on generateContent is not known.
  void checkSchema(json::Value schema, const std::string& path, schemas::Use use,
                   json::Value function) {
    if (!isSet(schema)) return;
    if (!checkObject(schema, path, "a schema") || context_.judgeSchema == nullptr) return;
    catalogue::Findings found;
    context_.judgeSchema({.schema = schema,
                          .form = schemas::Form::kJsonSchema,
                          .use = use,
                          .path = path,
                          .function = function},
                         context_.target, found);
    for (Finding& finding : found) {
      finding.severityCap = std::min(finding.severityCap, Severity::kWarning);
      finding.hasUpstream = false;
      findings_.push_back(finding);
    }
  }

  void checkFormats() {
    const json::Value formats = body_.find("response_format");
    if (!isSet(formats)) return;
    if (!formats.isObject() && !formats.isArray())
      return addInvalid("/response_format", "response_format", "an object or a list");
    size_t index = 0;
    for (const json::Value format : json::ElementRange::orSelf(formats)) {
      const std::string path =
          formats.isObject() ? "/response_format" : "/response_format/" + std::to_string(index++);
      if (checkObject(format, path, "an entry of response_format")) checkFormat(format, path);
    }
  }

  void checkFormat(json::Value format, const std::string& path) {
    const json::Value type = format.find("type");
    if (!interactions::hasName(interactions::kFormatTypes, type.raw())) {
      addInvalid(path + "/type", "type", "one of text, image, audio, video");
      // The beta form had the schema itself here.
      findings_.back().severityCap = Severity::kWarning;
      return;
    }
    checkNames(format, interactions::fieldsOfFormat(type.raw()), path);
    const json::Value mime = format.find("mime_type");
    if (type.equals("image") && isSet(mime) && !mime.equals("image/jpeg"))
      add(Rule::kInteractionImageType, path + "/mime_type", mime.text());
    const json::Value schema = format.find("schema");
    checkSchema(schema, path + "/schema", schemas::Use::kResponse, {});
    if (schema.isObject() && functions_ > 0) add(Rule::kInteractionSchemaWithTools, path);
  }

  // Only so many names are compared with others, so that the time stays linear.
  static constexpr size_t kComparedNames = 1024;

  size_t functions_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

void checkInteractionConfig(json::Value body, const LintContext& context,
                            catalogue::Findings& findings) {
  ConfigCheck(body, context, findings).run();
}

}  // namespace strata::lint
