#include "dialects/import.h"

#include <array>

#include "dialects/foreign_signatures.h"
#include "dialects/langchain.h"
#include "dialects/message_reader.h"
#include "json/scan.h"

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 6> kFormats = {"strata", "gemini", "raw_response",
                                                      "openai", "ai-sdk", "langchain"};
// What a message calls them.
constexpr std::array<std::string_view, 6> kFormatNames = {
    "a saved thread",  "Contents",        "turns with raw responses",
    "OpenAI messages", "AI SDK messages", "LangChain messages"};
constexpr std::array<std::string_view, 3> kSignatureModes = {"keep", "strip", "dummy"};

// The format of a history, and what showed it: "/0 has …". "" if nothing did.
struct Recognized {
  Format format = Format::kGemini;
  std::string because;
};

Recognized recognized(Format format, const Path& path, std::string_view what) {
  const std::string place = path.text();
  return {format, (place.empty() ? "it" : place) + " has " + std::string(what)};
}

std::string typeName(json::Value type) { return "the type `" + type.text() + "`"; }

// Looks for fields of a content part that only OpenAI's messages or only ModelMessages have.
std::optional<Recognized> recognizePart(json::Value part, const Path& path) {
  const json::Value type = part.find("type");
  if (part.find("providerOptions")) return recognized(Format::kAiSdk, path, "`providerOptions`");
  const bool isAiSdk = type.equals("image") || type.equals("reasoning") ||
                       type.text().find('-') != std::string::npos;
  if (isAiSdk) return recognized(Format::kAiSdk, path, typeName(type));
  if (type.equals("file")) {
    const bool isOpenAi = bool(part.find("file"));
    return recognized(isOpenAi ? Format::kOpenAi : Format::kAiSdk, path, typeName(type));
  }
  if (type.equals("image_url") || type.equals("input_audio")) {
    return recognized(Format::kOpenAi, path, typeName(type));
  }
  return {};
}

std::optional<Recognized> recognizeMessage(json::Value message, const Path& path) {
  if (message.find("providerOptions")) {
    return recognized(Format::kAiSdk, path, "`providerOptions`");
  }
  for (const std::string_view name : {"tool_calls", "tool_call_id"}) {
    if (message.find(name)) {
      return recognized(Format::kOpenAi, path, "`" + std::string(name) + "`");
    }
  }
  const Path content = path.at("content");
  size_t index = 0;
  for (const json::Value part : json::elements(message.find("content"))) {
    if (auto found = recognizePart(part, content.at(index++))) return found;
  }
  return {};
}

// Text is the same in both formats, so messages of nothing but text are OpenAI's. `first` is the
// path of a message with a role and content.
Recognized recognizeMessages(json::Value messages, const Path& path, const Path& first) {
  size_t index = 0;
  for (const json::Value message : json::elements(messages)) {
    if (auto found = recognizeMessage(message, path.at(index++))) return *found;
  }
  return recognized(Format::kOpenAi, first, "`role` and `content`");
}

Recognized recognizeList(json::Value list, const Path& path) {
  size_t index = 0;
  for (const json::Value entry : json::elements(list)) {
    const Path at = path.at(index++);
    if (entry.find("parts")) return recognized(Format::kGemini, at, "`parts`");
    if (isLangChainMessage(entry)) {
      const bool isConstructed = bool(entry.find("lc"));
      return recognized(Format::kLangChain, at,
                        isConstructed ? "`lc`" : typeName(entry.find("type")));
    }
    if (entry.find("role") && entry.find("content")) return recognizeMessages(list, path, at);
    for (const std::string_view name : {"tool_calls", "function_call"}) {
      if (entry.find(name)) return recognized(Format::kOpenAi, at, "`" + std::string(name) + "`");
    }
    if (entry.find("type") && !entry.find("role")) {
      return recognized(Format::kRawResponse, at, "`type` and no `role`");
    }
  }
  return {};
}

Recognized recognize(json::Value root) {
  const Path top;
  if (root.find("messages").isArray()) {
    const Path messages = top.at("messages");
    // In OpenAI's API, system text is a message.
    if (root.find("system")) {
      return recognized(Format::kAiSdk, top, "`system` beside `messages`");
    }
    return recognizeList(root.find("messages"), messages);
  }
  if (root.find("turns").isArray()) return recognized(Format::kRawResponse, top, "`turns`");
  if (root.find("contents")) return recognized(Format::kGemini, top, "`contents`");
  return recognizeList(root, top);
}

// Adds to an error which format was read and why, so that a wrong guess is seen.
Error explained(Error error, const Recognized& read, bool isGiven) {
  if (error.code != "field.invalid") return error;
  error.detail += ". It was read as ";
  error.detail += kFormatNames[static_cast<size_t>(read.format)];
  if (isGiven) {
    error.detail += ", as `format` says";
  } else {
    error.detail +=
        read.because.empty() ? ", since nothing shows another format" : ", because " + read.because;
    error.detail += "; set `format` to choose another one";
  }
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
    default:
      return importGemini(state, root);
  }
}

Status readHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                   Imported& imported) {
  if (json::skipSpace(bytes, 0) == bytes.size()) return {};
  if (options.format ? options.format == Format::kStrata : thread::isSaved(bytes)) {
    const Status loaded = thread::loadSaved(thread, bytes, &imported.records);
    const Recognized saved = {Format::kStrata, "its first line has `strata`"};
    return loaded ? loaded : explained(loaded.error(), saved, options.format.has_value());
  }
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  const Recognized read = options.format ? Recognized{*options.format, ""} : recognize(root);
  ImportState state(thread, options);
  readAs(read.format, state, root);
  const Status written = state.turns.finish();
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
