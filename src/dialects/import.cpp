#include "dialects/import.h"

#include <array>

#include "dialects/foreign_signatures.h"
#include "dialects/langchain.h"
#include "dialects/message_reader.h"
#include "dialects/other_formats.h"
#include "interactions/shapes.h"
#include "interactions/wire.h"
#include "json/scan.h"

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 7> kFormats = {
    "strata", "gemini", "raw_response", "openai", "ai-sdk", "langchain", "interactions"};
// What a message calls them.
constexpr std::array<std::string_view, 7> kFormatNames = {
    "a saved thread",  "Contents",           "turns with raw responses",     "OpenAI messages",
    "AI SDK messages", "LangChain messages", "steps of the Interactions API"};
constexpr std::array<std::string_view, 3> kSignatureModes = {"keep", "strip", "dummy"};

// The format of a history, and what showed it: a value at `place` that has the field `what`, or
// the type `type`.
struct Recognized {
  Format format = Format::kGemini;
  std::string place;
  std::string_view what;
  json::Value type;
};

Recognized hasField(Format format, const Path& path, std::string_view name) {
  return {format, path.text(), name, json::Value()};
}

Recognized hasType(Format format, const Path& path, json::Value value) {
  return {format, path.text(), "", value.find("type")};
}

// Returns the first of `names`, which each end with a space, that is a member; "" if none is.
std::string_view firstMember(json::Value object, std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    if (object.find(name)) return name;
    names.remove_prefix(name.size() + 1);
  }
  return {};
}

// Looks for what only OpenAI's messages or only ModelMessages have in a message or a content part.
bool recognizePart(json::Value part, const Path& path, Recognized& found) {
  const json::Value type = part.find("type");
  const std::string_view openAi = firstMember(part, "tool_calls tool_call_id ");
  if (part.find("providerOptions")) {
    found = hasField(Format::kAiSdk, path, "providerOptions");
  } else if (!openAi.empty()) {
    found = hasField(Format::kOpenAi, path, openAi);
  } else if (type.equals("image_url") || type.equals("input_audio")) {
    found = hasType(Format::kOpenAi, path, part);
  } else if (type.equals("file")) {
    found = hasType(part.find("file") ? Format::kOpenAi : Format::kAiSdk, path, part);
  } else if (type.equals("image") || type.equals("reasoning") ||
             type.raw().find('-') != std::string_view::npos) {
    found = hasType(Format::kAiSdk, path, part);
  } else {
    return false;
  }
  return true;
}

// `found` is what a message with a role and content shows: text is the same in both formats, so
// messages of nothing but text are OpenAI's.
Recognized recognizeMessages(json::Value messages, const Path& path, Recognized found) {
  size_t index = 0;
  for (const json::Value message : json::elements(messages)) {
    const Path at = path.at(index++);
    if (recognizePart(message, at, found)) return found;
    const Path content = at.at("content");
    size_t partIndex = 0;
    for (const json::Value part : json::elements(message.find("content"))) {
      if (recognizePart(part, content.at(partIndex++), found)) return found;
    }
  }
  return found;
}

Recognized recognizeList(json::Value list, const Path& path) {
  size_t index = 0;
  for (const json::Value entry : json::elements(list)) {
    const Path at = path.at(index++);
    if (entry.find("parts")) return hasField(Format::kGemini, at, "parts");
    if (interactions::stepKindOf(entry) != interactions::StepKind::kUnknown && !entry.find("role"))
      return hasType(Format::kInteractions, at, entry);
    if (entry.find("steps").isArray()) return hasField(Format::kInteractions, at, "steps");
    if (isLangChainMessage(entry)) {
      return entry.find("lc") ? hasField(Format::kLangChain, at, "lc")
                              : hasType(Format::kLangChain, at, entry);
    }
    if (entry.find("role") && entry.find("content")) {
      return recognizeMessages(list, path, hasField(Format::kOpenAi, at, "role` and `content"));
    }
    const std::string_view call = firstMember(entry, "tool_calls function_call ");
    if (!call.empty()) return hasField(Format::kOpenAi, at, call);
    if (entry.find("type") && !entry.find("role")) {
      return hasType(Format::kRawResponse, at, entry);
    }
  }
  return {};
}

Recognized recognize(json::Value root) {
  const Path top;
  if (root.isObject() && interactions::wireOf(root) == interactions::Wire::kInteractions) {
    const std::string_view field = firstMember(root, "steps input ");
    if (!field.empty()) return hasField(Format::kInteractions, top, field);
  }
  // In OpenAI's API, system text is a message.
  const std::string_view name =
      firstMember(root, root.find("messages").isArray() ? "system messages " : "turns contents ");
  if (name == "messages") return recognizeList(root.find(name), top.at(name));
  if (name.empty()) return recognizeList(root, top);
  const Format format = name == "system"  ? Format::kAiSdk
                        : name == "turns" ? Format::kRawResponse
                                          : Format::kGemini;
  return hasField(format, top, name);
}

// Adds to an error which format was read and why, so that a wrong guess is seen.
Error explained(Error error, const Recognized& read, bool isGiven) {
  if (error.code != "field.invalid") return error;
  std::string& text = error.detail;
  text.append(". It was read as ").append(kFormatNames[static_cast<size_t>(read.format)]);
  if (isGiven) {
    text += ", as `format` says";
    return error;
  }
  const std::string what = read.type ? read.type.text() : std::string(read.what);
  if (what.empty()) {
    text += ", since nothing shows another format";
  } else {
    text.append(", because ").append(read.place.empty() ? "it" : read.place).append(" has ");
    text.append(read.type ? "the type `" : "`").append(what).append("`");
  }
  text += "; set `format` to choose another one";
  return error;
}

void readAs(Format format, ImportState& state, json::Value root) {
  switch (format) {
    case Format::kRawResponse:
      return importRawResponse(state, root);
    case Format::kOpenAi:
      return importOpenAi(state, root);
    case Format::kAiSdk:
      return importAiSdk(state, root);
    case Format::kLangChain:
      return importLangChain(state, root);
    case Format::kInteractions:
      return importInteractions(state, root);
    default:
      return importGemini(state, root);
  }
}

// A format that is given is not guessed at, apart from calls and results that it would lose.
std::optional<Error> findOtherFormat(json::Value root, const std::optional<Format>& given) {
  if (given && *given != Format::kOpenAi && *given != Format::kAiSdk) return std::nullopt;
  std::optional<Error> error = findAnthropicMessages(root);
  return error || given ? std::move(error) : findGeminiCliSession(root);
}

Status readHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                   Imported& imported) {
  if (json::skipSpace(bytes, 0) == bytes.size()) return {};
  if (options.format ? options.format == Format::kStrata : thread::isSaved(bytes)) {
    Status loaded = thread::loadSaved(thread, bytes, &imported.records);
    const Recognized saved = hasField(Format::kStrata, Path(), "strata");
    if (loaded) return loaded;
    return explained(std::move(loaded.error()), saved, options.format.has_value());
  }
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  if (std::optional<Error> other = findOtherFormat(root, options.format)) return std::move(*other);
  Recognized read;
  if (options.format) {
    read.format = *options.format;
  } else {
    read = recognize(root);
  }
  ImportState state(thread, options);
  readAs(read.format, state, root);
  Status written = state.turns.finish();
  imported.notes = state.notes.take();
  imported.systemText = std::move(state.systemText);
  if (state.status) return written;
  return explained(std::move(state.status.error()), read, options.format.has_value());
}

}  // namespace

ImportOptions readImportOptions(json::OptionsReader& options) {
  ImportOptions read;
  options.oneOf("format", kFormats, read.format);
  options.oneOf("signatures", kSignatureModes, read.signatures);
  read.signaturesFrom = lint::readProvenance(options, "signaturesFrom");
  return read;
}

Status importHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                     Imported& imported) {
  Status status = readHistory(thread, bytes, options, imported);
  if (status) rewriteForeignSignatures(thread, options.signatures, imported.notes);
  return status;
}

}  // namespace strata::dialects
