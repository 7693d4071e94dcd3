#include "layers/extra_fields.h"

#include <array>
#include <span>

#include "gemini/content_view.h"
#include "gemini/known_fields.h"
#include "interactions/shapes.h"
#include "json/pointer.h"
#include "json/scan.h"
#include "json/validated.h"

namespace strata::layers {
namespace {

using catalogue::Rule;

constexpr std::array<std::string_view, 10> kWrittenFields = {
    "systemInstruction", "contents",       "cachedContent", "tools", "toolConfig",
    "generationConfig",  "safetySettings", "serviceTier",   "store", "labels"};
constexpr std::array<std::string_view, 13> kWrittenInteraction = {"model",
                                                                  "agent",
                                                                  "agentConfig",
                                                                  "background",
                                                                  "input",
                                                                  "stream",
                                                                  "previousInteractionId",
                                                                  "systemInstruction",
                                                                  "tools",
                                                                  "generationConfig",
                                                                  "serviceTier",
                                                                  "store",
                                                                  "labels"};

std::span<const std::string_view> writtenFields(const AssembleInput& input) {
  if (isInteraction(input)) return kWrittenInteraction;
  return kWrittenFields;
}

std::string pathOf(json::Value key, std::string path) {
  json::appendPointer(path, key.text());
  return path;
}

}  // namespace

Status readExtra(std::string_view json, AssembleInput& input) {
  if (json.empty()) return {};
  const Result<json::Tape> tape = json::Tape::read(json);
  if (!tape) {
    Error error = tape.error();
    error.path.insert(0, "/extra");
    return error;
  }
  const json::Value extra = tape.value().root();
  if (!extra.isObject()) return Error{"field.invalid", 0, "/extra", "an object"};
  for (const json::Member member : json::members(extra)) {
    for (const std::string_view name : writtenFields(input)) {
      if (!gemini::isField(member.key, name)) continue;
      return Error{"field.invalid", member.key.offset(), pathOf(member.key, "/extra"),
                   "left out: assemble writes this field itself"};
    }
  }
  if (extra.size() > 0) input.extra = extra.bytes();
  return {};
}

std::string_view membersOf(std::string_view extra) {
  if (extra.empty()) return {};
  extra = extra.substr(1, extra.size() - 2);
  extra.remove_prefix(json::skipSpace(extra, 0));
  return extra.substr(0, extra.find_last_not_of(" \t\r\n") + 1);
}

void markExtraFields(json::Value fields, gemini::Backend backend, catalogue::Findings& findings) {
  for (const json::Member member : json::members(fields)) {
    const auto support = gemini::fieldSupport(gemini::ObjectKind::kRequest, member.key, backend);
    if (support != gemini::FieldSupport::kUnknown) continue;
    const std::string path = pathOf(member.key, "");
    for (catalogue::Finding& finding : findings) {
      if (finding.rule == Rule::kFieldUnknown && finding.path == path)
        finding.rule = Rule::kFieldExtra;
    }
  }
}

void noteUnknownExtra(std::string_view extra, catalogue::Findings& findings) {
  if (extra.empty()) return;
  const json::Tape tape = json::readValidated(extra);
  for (const json::Member member : json::members(tape.root())) {
    const std::string name = member.key.text();
    if (interactions::hasName(interactions::fieldsOf(interactions::Shape::kRequest), name))
      continue;
    catalogue::Finding& finding = findings.emplace_back();
    finding.rule = Rule::kFieldExtra;
    finding.path = pathOf(member.key, "");
    finding.arg1 = name;
  }
}

}  // namespace strata::layers
