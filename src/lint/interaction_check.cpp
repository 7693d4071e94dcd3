#include "lint/interaction_check.h"

#include "base/ascii.h"
#include "gemini/content_view.h"
#include "json/pointer.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

struct Unavailable {
  std::string_view name;
  std::string_view advice;
};

// Fields of generateContent, or of the beta form, that have another place here or none.
constexpr Unavailable kUnavailable[] = {
    {"cachedContent", "Caching is implicit here: send the whole history, or use generateContent."},
    {"candidateCount", "Send several requests."},
    {"responseLogprobs", "Use generateContent."},
    {"logprobs", "Use generateContent."},
    {"presencePenalty", "Remove it."},
    {"frequencyPenalty", "Remove it."},
    {"thinkingBudget", "Use generation_config.thinking_level."},
    {"thinkingConfig", "Use thinking_level and thinking_summaries of generation_config."},
    {"mediaResolution", "Set resolution on each image and video."},
    {"responseMimeType", "Use response_format."},
    {"responseSchema", "Use response_format with the type text and a schema."},
    {"responseJsonSchema", "Use response_format with the type text and a schema."},
    {"responseModalities", "Use response_format with an entry for each kind of output."},
    {"imageConfig", "Use response_format with the type image."},
    {"toolConfig", "Use generation_config.tool_choice."},
};

// Fields of generation_config that one client sends in the body, and says that they pass.
constexpr interactions::NameList kDisputed = "temperature top_p max_output_tokens";

const Unavailable* findUnavailable(json::Value key) {
  for (const Unavailable& each : kUnavailable) {
    if (gemini::isField(key, each.name)) return &each;
  }
  return nullptr;
}

// Returns how Google names a field: "generation_config.topP".
std::string dotted(const std::string& path, std::string_view name) {
  std::string place = catalogue::toGoogleNotation(path);
  if (!place.empty()) place.push_back('.');
  return place.append(name);
}

// Returns the name that was meant, if it is a field of generation_config.
std::string meantConfig(json::Value key) {
  const interactions::NameList fields =
      interactions::fieldsOf(interactions::Shape::kGenerationConfig);
  if (interactions::hasName(fields, key.raw())) return key.text();
  return interactions::meantName(fields, key);
}

}  // namespace

Finding& InteractionCheck::add(Rule rule, std::string_view path, std::string_view arg1,
                               std::string_view arg2) {
  Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.path = path;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
  return finding;
}

void InteractionCheck::addInvalid(std::string_view path, std::string_view what,
                                  std::string_view expected) {
  add(Rule::kFieldInvalid, path, what, expected).hasUpstream = false;
}

void InteractionCheck::checkNames(json::Value object, interactions::NameList fields,
                                  const std::string& path) {
  if (fields.empty()) return;
  for (const json::Member member : json::members(object)) {
    const std::string name = member.key.text();
    if (interactions::hasName(fields, name)) continue;
    std::string place = path;
    json::appendPointer(place, name);
    const std::string place2 = dotted(path, name);
    if (const Unavailable* unavailable = findUnavailable(member.key)) {
      add(Rule::kInteractionUnavailable, place, place2, unavailable->advice);
      continue;
    }
    std::string meant = interactions::meantName(fields, member.key);
    if (meant.empty() && path.empty()) {
      const std::string config = meantConfig(member.key);
      if (!config.empty()) meant = "generation_config." + config;
    }
    Finding& finding = add(Rule::kInteractionFieldUnknown, place, place2,
                           meant.empty() ? "" : " Did you mean '" + meant + "'?");
    // Another field may be newer than this package.
    const bool isNew = meant.empty() && !interactions::isForeignName(member.key);
    const bool isDisputed = path.empty() && interactions::hasName(kDisputed, name);
    if (isNew || isDisputed) finding.severityCap = Severity::kWarning;
  }
}

bool InteractionCheck::checkObject(json::Value value, const std::string& path,
                                   std::string_view what) {
  if (value && !value.isObject() && !value.isNull()) addInvalid(path, what, "an object");
  return value.isObject();
}

void InteractionCheck::checkString(json::Value object, std::string_view name,
                                   const std::string& path) {
  const json::Value value = object.find(name);
  if (!value || value.isString() || value.isNull()) return;
  addInvalid(path + "/" + std::string(name), name, "a string");
}

void InteractionCheck::checkBoolean(json::Value object, std::string_view name,
                                    const std::string& path) {
  const json::Value value = object.find(name);
  if (!value || value.isBoolean() || value.isNull()) return;
  addInvalid(path + "/" + std::string(name), name, "a boolean");
}

bool InteractionCheck::checkEnum(json::Value value, const std::string& path,
                                 interactions::NameList values) {
  if (!value || value.isNull()) return false;
  const std::string name = value.text();
  if (interactions::hasName(values, name)) return true;
  const std::string lower = ascii::lowerCase(name);
  if (interactions::hasName(values, lower)) {
    add(Rule::kInteractionEnumCase, path, name, lower);
    return false;
  }
  std::string expected = "one of ";
  for (const char c : values) expected.append(c == ' ' ? ", " : std::string(1, c));
  addInvalid(path, path.substr(path.rfind('/') + 1), expected);
  // A value may be newer than this package.
  if (value.isString()) findings_.back().severityCap = Severity::kWarning;
  return false;
}

}  // namespace strata::lint
