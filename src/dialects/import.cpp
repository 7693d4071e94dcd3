#include "dialects/import.h"

#include <array>

#include "dialects/foreign_signatures.h"
#include "dialects/message_reader.h"
#include "json/scan.h"

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 5> kFormats = {"strata", "gemini", "raw_response", "openai",
                                                      "ai-sdk"};
constexpr std::array<std::string_view, 3> kSignatureModes = {"keep", "strip", "dummy"};

// Looks for fields that only OpenAI's messages or only ModelMessages have. Text is the same in
// both.
bool looksLikeAiSdk(json::Value messages) {
  for (const json::Value message : json::elements(messages)) {
    if (message.find("providerOptions")) return true;
    if (message.find("tool_calls") || message.find("tool_call_id")) return false;
    for (const json::Value part : json::elements(message.find("content"))) {
      const json::Value type = part.find("type");
      if (part.find("providerOptions") || type.equals("image")) return true;
      if (type.text().find('-') != std::string::npos || type.equals("reasoning")) return true;
      if (type.equals("file")) return !part.find("file");
      if (type.equals("image_url") || type.equals("input_audio")) return false;
    }
  }
  return false;
}

Format detectListFormat(json::Value list) {
  for (const json::Value entry : json::elements(list)) {
    if (entry.find("parts")) return Format::kGemini;
    if (entry.find("role") && entry.find("content")) {
      return looksLikeAiSdk(list) ? Format::kAiSdk : Format::kOpenAi;
    }
    if (entry.find("tool_calls") || entry.find("function_call")) return Format::kOpenAi;
    if (entry.find("type") && !entry.find("role")) return Format::kRawResponse;
  }
  return Format::kGemini;
}

Format detectFormat(json::Value root) {
  if (root.find("messages").isArray()) {
    // In OpenAI's API, system text is a message.
    return root.find("system") ? Format::kAiSdk : detectListFormat(root.find("messages"));
  }
  if (root.find("turns").isArray()) return Format::kRawResponse;
  return detectListFormat(root);
}

void readAs(Format format, ImportState& state, json::Value root) {
  switch (format) {
    case Format::kRawResponse:
      return importRawResponse(state, root);
    case Format::kOpenAi:
      return importOpenAi(state, root);
    case Format::kAiSdk:
      return importAiSdk(state, root);
    default:
      return importGemini(state, root);
  }
}

Status readHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                   Imported& imported) {
  if (json::skipSpace(bytes, 0) == bytes.size()) return {};
  if (options.format ? options.format == Format::kStrata : thread::isSaved(bytes)) {
    return thread::loadSaved(thread, bytes, &imported.records);
  }
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  ImportState state(thread, options);
  readAs(options.format.value_or(detectFormat(root)), state, root);
  const Status written = state.turns.finish();
  imported.notes = state.notes.take();
  imported.systemText = std::move(state.systemText);
  return state.status ? written : state.status;
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
