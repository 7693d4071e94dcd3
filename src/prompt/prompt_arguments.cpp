#include "prompt/prompt_arguments.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/timestamp.h"
#include "json/pointer.h"
#include "prompt/dotted_keys.h"
#include "prompt/merge.h"
#include "prompt/options.h"
#include "prompt/timestamp.h"
#include "prompt/user_message.h"

namespace strata::prompt {
namespace {

constexpr std::array<std::string_view, 6> kNamespaces = {"system",  "assistant", "conversation",
                                                         "session", "message",   "args"};
// Go's zero time.Time, which means that no time was set.
constexpr std::string_view kZeroTime = "0001-01-01T00:00:00Z";

using json::Given;
using json::OptionsReader;

// Returns a string or the digits of a number: templates read ids as strings.
std::string stringOf(json::Value value) {
  return value.isNumber() ? std::string(value.bytes()) : value.text();
}

// Checks the strings `names` and `id`, which may be a number.
void checkRecord(OptionsReader& record, std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) record.string(name, text);
  const Given id = record.accept("id").given("id");
  const bool valid = id.is(json::Kind::kString) || id.is(json::Kind::kNumber);
  if (id && !valid) record.refuse("id", "a string or a number");
  record.acceptOthers();
}

// Accepts a map or a list.
void acceptVariables(OptionsReader& options, std::string_view name) {
  options.accept(name);
  const Given given = options.given(name);
  const bool valid = given.is(json::Kind::kObject) || given.is(json::Kind::kArray);
  if (given && !valid) options.refuse(name, "an object or an array");
}

void checkMessage(OptionsReader& message) {
  std::string text;
  message.string("text", text).string("language", text).acceptOthers();
}

// Checks all sources. Records of other systems, such as `assistant`, may have more members, and
// data of templates, such as `args`, may be any JSON.
Status checkSources(json::Value sources) {
  OptionsReader options = promptOptions(sources);
  std::string text;
  options.string("now", text, json::Need::kRequired);
  options.nested("assistant", [](OptionsReader& assistant) {
    checkRecord(assistant, {"name", "language", "description"});
  });
  options.nested("conversation", [](OptionsReader& conversation) {
    checkRecord(conversation,
                {"identifier", "source", "direction", "created_date", "updated_date"});
  });
  options.nested("session",
                 [&](OptionsReader& session) { session.string("mode", text).acceptOthers(); });
  options.nested("message", checkMessage).nested("user", checkMessage);
  options.array("history");
  options.object("metadata").object("args");
  acceptVariables(options, "variables");
  acceptVariables(options, "prompt_variables");
  return options.finish();
}

Error invalid(std::string_view path, std::string_view expected) {
  return {"field.invalid", 0, std::string(path), std::string(expected)};
}

class Builder {
 public:
  Builder(json::Value sources, catalogue::Findings& findings)
      : sources_(sources), findings_(findings) {}

  Status run(std::string& merged) {
    if (Status valid = checkSources(sources_); !valid) return valid;
    const std::optional<int64_t> now = readTimestamp(option(sources_, "now").text());
    if (!now) return invalid("/now", "an RFC 3339 timestamp");
    now_ = *now;
    std::string namespaces;
    std::string root;
    std::string defaults;
    Status status = writeNamespaces(namespaces, root);
    if (status) status = readDefaults(defaults);
    if (!status) return status;
    merged = mergeObjects({&defaults, &root, &namespaces});
    // Dotted keys can nest deeper than json::kMaxDepth.
    const Result<json::Tape> read = json::Tape::read(merged);
    return read ? Status() : Status(read.error());
  }

 private:
  static std::string mergeObjects(const std::array<const std::string*, 3>& objects) {
    std::array<std::optional<json::Tape>, 3> tapes;
    std::vector<json::Value> maps;
    for (size_t i = 0; i < objects.size(); ++i) {
      Result<json::Tape> tape = json::Tape::read(*objects[i]);
      if (!tape) continue;
      tapes[i] = std::move(tape.value());
      maps.push_back(tapes[i]->root());
    }
    return mergeMaps(maps);
  }

  Status writeNamespaces(std::string& namespaces, std::string& root) {
    json::Writer out;
    out.open('{').key("system").open('{');
    writeTimeFields(out, now_);
    out.close('}');
    writeAssistant(out);
    Status status = writeConversation(out);
    if (!status) return status;
    writeSession(out);
    const UserMessage message = findUserMessage(sources_);
    out.key("message").open('{').key("text").string(message.text);
    out.key("language").string(message.language).close('}');
    status = writeArgs(out, root);
    namespaces = out.close('}').take();
    return status;
  }

  static void writeStrings(json::Writer& out, json::Value from,
                           const std::array<std::string_view, 4>& names) {
    for (const std::string_view name : names) out.key(name).string(stringOf(option(from, name)));
  }

  void writeAssistant(json::Writer& out) {
    const json::Value assistant = option(sources_, "assistant");
    out.key("assistant").open('{');
    if (assistant) writeStrings(out, assistant, {"name", "id", "language", "description"});
    out.close('}');
  }

  // Reads a time of the conversation; leaves `time` empty if it was never set.
  Status readTime(json::Value conversation, std::string_view name, std::optional<int64_t>& time) {
    const json::Value given = option(conversation, name);
    if (!given || given.equals("") || given.equals(kZeroTime)) return {};
    time = readTimestamp(given.text());
    if (time) return {};
    return invalid("/conversation/" + std::string(name), "an RFC 3339 timestamp");
  }

  Status writeConversation(json::Writer& out) {
    const json::Value conversation = option(sources_, "conversation");
    std::optional<int64_t> created;
    std::optional<int64_t> updated;
    Status status = readTime(conversation, "created_date", created);
    if (status) status = readTime(conversation, "updated_date", updated);
    if (!status) return status;
    out.key("conversation").open('{');
    if (conversation) writeStrings(out, conversation, {"id", "identifier", "source", "direction"});
    if (created) {
      out.key("created_date").string(formatTimestamp(*created));
      out.key("duration").string(formatDuration((now_ - *created) / 1000));
    }
    if (updated) out.key("updated_date").string(formatTimestamp(*updated));
    out.close('}');
    return {};
  }

  void writeSession(json::Writer& out) {
    const json::Value mode = option(option(sources_, "session"), "mode");
    out.key("session").open('{');
    if (mode) out.key("mode").string(mode.text());
    out.close('}');
  }

  // Writes the namespace `args`; `root` gets the arguments that do not share a namespace's name.
  Status writeArgs(json::Writer& out, std::string& root) {
    const json::Value given = option(sources_, "args");
    const Result<std::string> expanded = expandDottedKeys(given, "/args", findings_);
    if (!expanded) return expanded.error();
    out.key("args").raw(expanded.value());
    const Result<json::Tape> tape = json::Tape::read(expanded.value());
    if (!tape) return tape.error();
    json::Writer rootArgs;
    rootArgs.open('{');
    for (const json::Member member : json::members(tape.value().root())) {
      const std::string name = member.key.text();
      if (std::find(kNamespaces.begin(), kNamespaces.end(), name) != kNamespaces.end()) {
        reportShadowed(name);
      } else {
        rootArgs.key(name).raw(member.value.bytes());
      }
    }
    root = rootArgs.close('}').take();
    return {};
  }

  void reportShadowed(const std::string& name) {
    catalogue::Finding& finding = findings_.emplace_back();
    finding.rule = catalogue::Rule::kArgumentShadowsNamespace;
    finding.path = "/args";
    json::appendPointer(finding.path, name);
    finding.arg1 = name;
  }

  // Reads a template's default variables: `[{name, defaultValue}]` or a map.
  Status readDefaults(std::string& defaults) {
    const json::Value given = option(sources_, "variables");
    const json::Value variables = given ? given : option(sources_, "prompt_variables");
    json::Writer out;
    out.open('{');
    size_t index = 0;
    for (const json::Value each : json::elements(variables)) {
      std::string path = "/variables";
      json::appendPointer(path, index++);
      std::string name;
      OptionsReader entry = promptOptions(each, path);
      entry.string("name", name, json::Need::kRequired).acceptOthers();
      if (Status status = entry.finish(); !status) return status;
      const json::Value value = each.find("defaultValue");
      out.key(name).raw(value ? value.bytes() : "\"\"");
    }
    const std::string fromList = out.close('}').take();
    const Result<json::Tape> tape = json::Tape::read(fromList);
    if (!tape) return tape.error();
    const json::Value map = variables.isObject() ? variables : tape.value().root();
    Result<std::string> expanded = expandDottedKeys(map, "/variables", findings_);
    if (!expanded) return expanded.error();
    defaults = std::move(expanded.value());
    return {};
  }

  json::Value sources_;
  catalogue::Findings& findings_;
  int64_t now_ = 0;
};

}  // namespace

Result<PromptArguments> promptArguments(json::Value sources) {
  PromptArguments arguments;
  const Status status = Builder(sources, arguments.findings).run(arguments.json);
  if (!status) return status.error();
  return arguments;
}

}  // namespace strata::prompt
