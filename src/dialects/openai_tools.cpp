// JSON Schemas stay JSON Schemas: parametersJsonSchema and responseJsonSchema. What Gemini knows by
// another keyword is rewritten without loss; what it refuses is refused here, with the path.
//
// Sources: "Function calling" and "Structured output", https://ai.google.dev/gemini-api/docs;
// https://platform.openai.com/docs/api-reference/chat/create.
#include "dialects/openai_tools.h"

#include <string>
#include <vector>

#include "base/text_index.h"
#include "gemini/function_name.h"
#include "schemas/judge.h"
#include "schemas/rewrite.h"

namespace strata::dialects {
namespace {

using catalogue::Finding;
using catalogue::Severity;

// Adds findings about a schema to the notes. Returns false if one of them is an error.
bool addFindings(catalogue::Findings& findings, OpenAiDraft& draft) {
  for (Finding& finding : findings) {
    finding.hasUpstream = false;
    const bool isError = draft.target.severity(finding) == Severity::kError;
    if (isError && !draft.refused()) draft.refusal = finding;
    draft.findings.push_back(std::move(finding));
  }
  return !draft.refused();
}

// Writes the member `name` with a schema that Gemini takes.
void writeSchema(json::Writer& out, std::string_view name, const schemas::Subject& subject,
                 OpenAiDraft& draft) {
  catalogue::Findings found;
  schemas::judge(subject, draft.target, found);
  if (found.empty()) {
    out.key(name).raw(subject.schema.bytes());
    return;
  }
  schemas::Rewriting rewriting = schemas::toJsonSchema(subject, draft.target);
  addFindings(rewriting.left, draft);
  addFindings(rewriting.repaired, draft);
  out.key(name).raw(rewriting.schema);
}

class ToolReader {
 public:
  ToolReader(json::Value request, OpenAiDraft& draft) : request_(request), draft_(draft) {}

  void read() {
    readTools(givenMember(request_, "tools"), root_.at("tools"));
    if (!draft_.refused()) readChoice();
    const json::Value parallel = givenMember(request_, "parallel_tool_calls");
    const Path path = root_.at("parallel_tool_calls");
    if (parallel && !parallel.isBoolean()) return draft_.refuse(path, "a boolean");
    if (parallel && !parallel.isTrue() && !names_.empty()) {
      draft_.drop(path, "parallel_tool_calls",
                  "Gemini may still call several functions in one step");
    }
  }

 private:
  void readTools(json::Value tools, const Path& path) {
    if (!tools || (tools.isArray() && tools.size() == 0)) return;
    if (!tools.isArray()) return draft_.refuse(path, "an array of tools");
    json::Writer& out = draft_.fields;
    out.key("tools").open('[').open('{').key("functionDeclarations").open('[');
    size_t index = 0;
    for (const json::Value tool : json::elements(tools)) readTool(tool, path.at(index++));
    out.close(']').close('}').close(']');
  }

  void readTool(json::Value tool, const Path& path) {
    if (!tool.find("type").equals("function")) {
      return draft_.refuse(path.at("type"), "\"function\", the only kind that has a Gemini form");
    }
    draft_.noteOthers(tool, path, "type function ");
    const json::Value function = tool.find("function");
    const Path within = path.at("function");
    const json::Value name = function.find("name");
    if (!name.isString() || name.raw().empty()) {
      return draft_.refuse(within.at("name"), "the name of a function");
    }
    draft_.noteOthers(function, within, "name description parameters strict ");
    names_.add(name.text(), 0);
    json::Writer& out = draft_.fields;
    const json::Writer::Scope declaration = out.object();
    out.key("name").string(draft_.names.toGemini(name.text()));
    readDescription(givenMember(function, "description"), within);
    readParameters(givenMember(function, "parameters"), name, within.at("parameters"));
    if (function.find("strict").isTrue()) noteStrict(within.at("strict"));
  }

  void readDescription(json::Value description, const Path& path) {
    if (!description) return;
    if (!description.isString()) return draft_.refuse(path.at("description"), "a string");
    draft_.fields.key("description").raw(description.bytes());
  }

  void readParameters(json::Value parameters, json::Value name, const Path& path) {
    if (!parameters) return;
    if (!parameters.isObject()) return draft_.refuse(path, "a JSON Schema");
    const std::string pointer = path.text();
    writeSchema(
        draft_.fields, "parametersJsonSchema",
        {parameters, schemas::Form::kJsonSchema, schemas::Use::kArguments, pointer, name, true},
        draft_);
  }

  void noteStrict(const Path& path) {
    draft_.notes.add(catalogue::Rule::kImportLeftOut, path, "The field strict",
                     "Gemini has no strict mode for single functions", Severity::kInfo);
  }

  void readChoice() {
    const json::Value choice = givenMember(request_, "tool_choice");
    const Path path = root_.at("tool_choice");
    if (!choice) return;
    if (choice.equals("none")) return writeChoice("NONE", {});
    if (choice.equals("auto")) return writeChoice("AUTO", {});
    if (names_.empty()) return draft_.refuse(path, "\"none\" or \"auto\", as there are no tools");
    if (choice.equals("required")) return writeChoice("ANY", {});
    const json::Value type = choice.find("type");
    if (type.equals("function")) {
      if (isDeclared(choice, path)) writeChoice("ANY", {nameOf(choice)});
    } else if (type.equals("allowed_tools")) {
      readAllowedTools(choice.find("allowed_tools"), path.at("allowed_tools"));
    } else {
      draft_.refuse(path, "none, auto, required, a function or allowed_tools");
    }
  }

  // VALIDATED leaves the choice between text and the named functions to the model.
  void readAllowedTools(json::Value allowed, const Path& path) {
    const bool required = allowed.find("mode").equals("required");
    if (!required && !allowed.find("mode").equals("auto")) {
      return draft_.refuse(path.at("mode"), "\"auto\" or \"required\"");
    }
    const json::Value tools = allowed.find("tools");
    const Path within = path.at("tools");
    if (tools.size() == 0) return draft_.refuse(within, "an array with at least one function");
    std::vector<json::Value> names;
    size_t index = 0;
    for (const json::Value tool : json::elements(tools)) {
      if (!isDeclared(tool, within.at(index++))) return;
      names.push_back(nameOf(tool));
    }
    writeChoice(required ? "ANY" : "VALIDATED", names);
  }

  static json::Value nameOf(json::Value tool) { return tool.find("function").find("name"); }

  bool isDeclared(json::Value tool, const Path& path) {
    const std::string name = nameOf(tool).text();
    const bool declared = names_.find(name) >= 0;
    const Path within = path.at("function");
    if (!declared) draft_.refuse(within.at("name"), "the name of one of the tools");
    return declared;
  }

  void writeChoice(std::string_view mode, const std::vector<json::Value>& names) {
    // Google refuses a mode without functions.
    if (names_.empty()) return;
    json::Writer& out = draft_.fields;
    out.key("toolConfig").open('{').key("functionCallingConfig").open('{');
    out.key("mode").string(mode);
    if (!names.empty()) {
      const json::Writer::Scope list = out.array("allowedFunctionNames");
      for (const json::Value name : names) out.string(draft_.names.toGemini(name.text()));
    }
    out.close('}').close('}');
  }

  json::Value request_;
  OpenAiDraft& draft_;
  const Path root_;
  TextIndex names_;
};

void readSchemaFormat(json::Value given, const Path& path, OpenAiDraft& draft) {
  const json::Value schema = given.find("schema");
  const Path within = path.at("schema");
  if (!schema.isObject()) return draft.refuse(within, "a JSON Schema");
  draft.noteOthers(given, path, "name strict schema description ");
  if (givenMember(given, "description")) {
    draft.drop(path.at("description"), "description",
               "say it in a message, or in the schema's description");
  }
  const std::string pointer = within.text();
  writeSchema(draft.generation, "responseJsonSchema",
              {schema, schemas::Form::kJsonSchema, schemas::Use::kResponse, pointer, {}, true},
              draft);
}

}  // namespace

void readNames(json::Value request, OpenAiDraft& draft) {
  const json::Value tools = givenMember(request, "tools");
  const auto nameOf = [](json::Value tool) { return tool.find("function").find("name").text(); };
  for (const json::Value tool : json::elements(tools)) {
    if (gemini::isFunctionName(nameOf(tool))) draft.names.reserve(nameOf(tool));
  }
  const Path root;
  const Path path = root.at("tools");
  size_t index = 0;
  for (const json::Value tool : json::elements(tools)) {
    const Path at = path.at(index++);
    const Path function = at.at("function");
    const std::string name = nameOf(tool);
    const std::string given = draft.names.toGemini(name);
    if (given == name) continue;
    draft.notes.addConverted(function.at("name"), "The name \"" + name + "\", which Gemini refuses",
                             given);
  }
}

void readTools(json::Value request, OpenAiDraft& draft) { ToolReader(request, draft).read(); }

void readResponseFormat(json::Value format, OpenAiDraft& draft) {
  if (!format) return;
  const Path root;
  const Path path = root.at("response_format");
  const json::Value type = format.find("type");
  const bool isSchema = type.equals("json_schema");
  if (type.equals("text")) return;
  if (!isSchema && !type.equals("json_object")) {
    return draft.refuse(path.at("type"), "text, json_object or json_schema");
  }
  draft.noteOthers(format, path, "type json_schema ");
  draft.generation.key("responseMimeType").string("application/json");
  if (isSchema) readSchemaFormat(format.find("json_schema"), path.at("json_schema"), draft);
}

}  // namespace strata::dialects
