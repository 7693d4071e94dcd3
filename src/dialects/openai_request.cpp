// docs/openai-dialect.md lists what becomes of each field.
//
// Sources: https://platform.openai.com/docs/api-reference/chat/create; "OpenAI compatibility",
// https://ai.google.dev/gemini-api/docs/openai, for what Google's own endpoint takes besides.
#include "dialects/openai_request.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/ascii.h"
#include "dialects/foreign_signatures.h"
#include "dialects/message_reader.h"
#include "dialects/openai_draft.h"
#include "dialects/openai_thinking.h"
#include "dialects/openai_tools.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

using catalogue::Rule;
using catalogue::Severity;

// Fields that the readers below take.
constexpr std::string_view kKnownFields =
    "model messages stream stream_options tools tool_choice parallel_tool_calls response_format "
    "temperature top_p top_k max_tokens max_completion_tokens n stop seed presence_penalty "
    "frequency_penalty logprobs top_logprobs reasoning_effort modalities store service_tier "
    "extra_body google logit_bias user metadata safety_identifier prompt_cache_key "
    "prompt_cache_retention verbosity prediction audio functions function_call "
    "web_search_options ";

// A field without a Gemini form, and why it has no effect.
struct Dropped {
  std::string_view name;
  std::string_view why;
  Severity severity;
};

constexpr std::string_view kNoField = "generateContent has no such field";

constexpr std::array<Dropped, 8> kDropped = {
    {{"logit_bias", "Gemini has no bias for single tokens", Severity::kWarning},
     {"prediction", kNoField, Severity::kInfo},
     {"verbosity", "say it in a message", Severity::kWarning},
     {"user", kNoField, Severity::kInfo},
     {"metadata", kNoField, Severity::kInfo},
     {"safety_identifier", kNoField, Severity::kInfo},
     {"prompt_cache_key", "Gemini caches implicitly, without a key", Severity::kInfo},
     {"prompt_cache_retention", "Gemini caches implicitly, without a key", Severity::kInfo}}};

// A field that asks for something that this dialect cannot do.
struct Unsupported {
  std::string_view name;
  std::string_view expected;
};

constexpr std::array<Unsupported, 4> kUnsupported = {
    {{"audio", "left out: answers in this dialect have no sound"},
     {"functions", "left out: declare functions in tools"},
     {"function_call", "left out: use tool_choice"},
     {"web_search_options", "left out: Google's search has no form in this dialect"}}};

// The texts of service_tier, and Gemini's.
constexpr std::array<std::array<std::string_view, 2>, 4> kTiers = {
    {{"default", "standard"}, {"flex", "flex"}, {"priority", "priority"}, {"auto", ""}}};

class RequestReader {
 public:
  RequestReader(json::Value root, OpenAiDraft& draft) : root_(root), draft_(draft) {}

  void read(OpenAiRequest& request) {
    readNames(root_, draft_);
    readMessages();
    if (!draft_.refused()) readTools(root_, draft_);
    readSampling();
    readLengths();
    readStop();
    readSeed();
    readPenalties();
    readLogprobs();
    readModalities();
    readResponseFormat(member("response_format"), draft_);
    readGoogleFields();
    readService();
    readStream(request);
    readOthers();
  }

 private:
  json::Value member(std::string_view name) const { return givenMember(root_, name); }

  void refuse(std::string_view name, std::string_view expected) {
    draft_.refuse(path_.at(name), expected);
  }

  // Returns the field if it is a number; refuses it otherwise.
  json::Value number(std::string_view name) {
    const json::Value given = member(name);
    if (!given || given.isNumber()) return given;
    refuse(name, "a number");
    return {};
  }

  // Returns the field if it is an integer of at least `least`; refuses it otherwise.
  std::optional<int64_t> integer(std::string_view name, int64_t least) {
    const json::Value given = member(name);
    if (!given) return std::nullopt;
    const int64_t value = given.integer(std::numeric_limits<int64_t>::min());
    if (value >= least) return value;
    refuse(name, "an integer of at least " + std::to_string(least));
    return std::nullopt;
  }

  bool boolean(std::string_view name) {
    const json::Value given = member(name);
    if (given && !given.isBoolean()) refuse(name, "a boolean");
    return given.isTrue();
  }

  void readMessages() {
    const json::Value messages = member("messages");
    const Path path = path_.at("messages");
    if (!messages.isArray() || messages.size() == 0) {
      return draft_.refuse(path, "an array with at least one message");
    }
    thread::Thread thread(draft_.target, false, [](json::Value) { return uint32_t{0}; });
    const ImportOptions importOptions;
    ImportState state(thread, importOptions);
    state.isRequest = true;
    state.rename(draft_.names);
    importOpenAiMessages(state, messages, path);
    const Status written = state.turns.finish();
    if (!state.status) return draft_.refuse(state.status.error());
    if (!written) return draft_.refuse(written.error());
    draft_.notes.append(state.notes);
    stripForeignSignatures(thread);
    writeContents(thread, state.systemText, path);
  }

  // A signature of the other service would be refused; without it the step can be repaired.
  void stripForeignSignatures(thread::Thread& thread) {
    bool named = false;
    for (size_t i = 0; i < thread.size(); ++i) named = named || !thread.meta(i).empty();
    if (named) rewriteForeignSignatures(thread, ForeignSignatures::kStrip, draft_.findings);
  }

  void writeContents(const thread::Thread& thread, const std::string& systemText,
                     const Path& path) {
    json::Writer& out = draft_.fields;
    std::string contents(thread.contents(0, thread.size()));
    if (thread.size() == 0 && !systemText.empty()) {
      // Gemini answers nothing but Contents.
      draft_.notes.addConverted(path, "System messages without another message", "a user Content");
      contents = R"({"role":"user","parts":[)" + quotedPart(systemText) + "]}";
    } else if (!systemText.empty()) {
      out.key("systemInstruction").raw(R"({"parts":[)" + quotedPart(systemText) + "]}");
    }
    if (contents.empty()) return draft_.refuse(path, "messages that say something");
    out.key("contents").open('[').raw(contents).close(']');
  }

  static std::string quotedPart(const std::string& text) {
    std::string quoted;
    json::appendQuoted(quoted, text);
    return textPart(quoted);
  }

  void copyNumber(std::string_view name, std::string_view geminiName) {
    if (const json::Value given = number(name))
      draft_.generation.key(geminiName).raw(given.bytes());
  }

  void readSampling() {
    copyNumber("temperature", "temperature");
    copyNumber("top_p", "topP");
    copyNumber("top_k", "topK");
    const std::optional<int64_t> n = integer("n", 1);
    // Gemini 3 refuses even the count of one.
    if (n && *n > 1) draft_.generation.key("candidateCount").integer(*n);
  }

  void readLengths() {
    const std::optional<int64_t> total = integer("max_completion_tokens", 1);
    const std::optional<int64_t> old = integer("max_tokens", 1);
    if (total && old && *total != *old) {
      draft_.drop(path_.at("max_tokens"), "max_tokens", "max_completion_tokens is given too");
    }
    const std::optional<int64_t> limit = total ? total : old;
    if (limit) draft_.generation.key("maxOutputTokens").integer(*limit);
  }

  void readStop() {
    const json::Value stop = member("stop");
    if (!stop || (stop.isArray() && stop.size() == 0)) return;
    json::Writer list;
    list.open('[');
    if (stop.isString()) list.raw(stop.bytes());
    bool valid = stop.isString() || stop.isArray();
    for (const json::Value text : json::elements(stop)) {
      valid = valid && text.isString();
      list.raw(text.bytes());
    }
    if (!valid) return refuse("stop", "a string or an array of strings");
    draft_.generation.key("stopSequences").raw(list.close(']').text());
  }

  // Gemini's seed has 32 bits.
  void readSeed() {
    const std::optional<int64_t> seed = integer("seed", std::numeric_limits<int64_t>::min() + 1);
    if (!seed) return;
    const auto kept = static_cast<int32_t>(*seed);
    if (kept != *seed) {
      draft_.notes.addConverted(path_.at("seed"), "A seed of more than 32 bits", "its lower bits");
    }
    draft_.generation.key("seed").integer(kept);
  }

  void readPenalties() {
    for (const auto& [name, geminiName] : {std::pair("presence_penalty", "presencePenalty"),
                                           std::pair("frequency_penalty", "frequencyPenalty")}) {
      const json::Value given = number(name);
      // Most models refuse the field, and 0 is the default.
      const bool zero = given.bytes().find_first_of("123456789") == std::string_view::npos;
      if (given && !zero) draft_.generation.key(geminiName).raw(given.bytes());
    }
  }

  void readLogprobs() {
    const bool asked = boolean("logprobs");
    const std::optional<int64_t> top = integer("top_logprobs", 0);
    if (top && *top > 0 && !asked)
      return refuse("top_logprobs", "left out unless logprobs is true");
    if (!asked) return;
    draft_.generation.key("responseLogprobs").boolean(true);
    if (top && *top > 0) draft_.generation.key("logprobs").integer(*top);
  }

  void readModalities() {
    const json::Value modalities = member("modalities");
    json::Writer list;
    list.open('[');
    bool textOnly = true;
    for (const json::Value given : json::elements(modalities)) {
      const bool image = given.equals("image");
      if (!image && !given.equals("text")) return refuse("modalities", "text and image");
      textOnly = textOnly && !image;
      list.string(image ? "IMAGE" : "TEXT");
    }
    if (modalities && !modalities.isArray()) return refuse("modalities", "an array");
    if (!textOnly) draft_.generation.key("responseModalities").raw(list.close(']').text());
  }

  // Google's own fields: the Python client sends them as extra_body.google, others as google.
  void readGoogleFields() {
    const json::Value extra = member("extra_body");
    const Path extraPath = path_.at("extra_body");
    draft_.noteOthers(extra, extraPath, "google ");
    const json::Value nested = givenMember(extra, "google");
    const json::Value direct = member("google");
    if (nested && direct) return refuse("google", "left out beside extra_body.google");
    const Path path = (nested ? extraPath : path_).at("google");
    const json::Value google = nested ? nested : direct;
    if (google && !google.isObject()) return draft_.refuse(path, "an object");
    draft_.noteOthers(google, path, "thinking_config cached_content safety_settings ");
    readThinking(root_, google, path, draft_);
    const json::Value cached = givenMember(google, "cached_content");
    if (cached && !cached.isString()) return draft_.refuse(path.at("cached_content"), "a string");
    if (cached) draft_.fields.key("cachedContent").raw(cached.bytes());
    const json::Value safety = givenMember(google, "safety_settings");
    if (safety) draft_.fields.key("safetySettings").raw(safety.bytes());
  }

  void readService() {
    const json::Value store = member("store");
    const bool stores = boolean("store");
    const bool hasStore = draft_.target.backend == gemini::Backend::kGemini;
    if (store && hasStore) draft_.fields.key("store").boolean(stores);
    if (store && !hasStore) draft_.drop(path_.at("store"), "store", "Vertex AI has no such field");
    const json::Value tier = member("service_tier");
    if (!tier) return;
    for (const auto& [name, geminiName] : kTiers) {
      if (!tier.equals(name)) continue;
      if (!geminiName.empty()) draft_.fields.key("serviceTier").string(geminiName);
      return;
    }
    draft_.drop(path_.at("service_tier"), "service_tier", "Gemini has no tier of this name");
  }

  void readStream(OpenAiRequest& request) {
    request.stream = boolean("stream");
    const json::Value options = member("stream_options");
    const Path path = path_.at("stream_options");
    if (options && !options.isObject()) return draft_.refuse(path, "an object");
    draft_.noteOthers(options, path, "include_usage include_obfuscation ");
    const json::Value usage = givenMember(options, "include_usage");
    if (usage && !usage.isBoolean()) return draft_.refuse(path.at("include_usage"), "a boolean");
    request.includeUsage = usage.isTrue();
  }

  void readOthers() {
    for (const Dropped& field : kDropped) {
      const json::Value given = member(field.name);
      const bool empty = given.isObject() && given.size() == 0;
      if (!given || empty) continue;
      draft_.notes.add(Rule::kImportLeftOut, path_.at(field.name),
                       "The field " + std::string(field.name), field.why, field.severity);
    }
    for (const Unsupported& field : kUnsupported) {
      if (member(field.name)) refuse(field.name, field.expected);
    }
    draft_.noteOthers(root_, path_, kKnownFields);
  }

  json::Value root_;
  OpenAiDraft& draft_;
  const Path path_;
};

// Returns whether a name can stand in the path of a URL.
bool isModelName(std::string_view name) {
  const auto fits = [](char c) {
    return ascii::isAlnum(c) || std::string_view("-_.:@").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.find("..") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), fits);
}

catalogue::Target targetOf(std::string_view model, const OpenAiRequestOptions& options,
                           const catalogue::Catalogue& catalogue) {
  catalogue::Target target;
  target.catalogue = &catalogue;
  target.model = &catalogue.model(model, options.service);
  target.backend = options.service.backend;
  target.day = options.service.day;
  return target;
}

// Returns the body, with the fields that the reader wrote.
std::string bodyOf(OpenAiDraft& draft) {
  if (draft.generation.text() != "{") {
    draft.fields.key("generationConfig").raw(draft.generation.close('}').text());
  }
  return draft.fields.close('}').take();
}

// The leading system messages are in the request, so there is nothing to report.
catalogue::Findings takeNotes(OpenAiDraft& draft) {
  catalogue::Findings notes = draft.notes.take();
  notes.filter([](const catalogue::Finding& note) { return note.rule != Rule::kImportSystemText; });
  notes.append(draft.findings);
  return notes;
}

}  // namespace

Result<OpenAiRequest> convertOpenAiRequest(std::string_view bytes,
                                           const OpenAiRequestOptions& options,
                                           const catalogue::Catalogue& catalogue) {
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  OpenAiRequest request;
  const json::Value given = root.find("model");
  const std::string name = options.model.empty() ? given.text() : options.model;
  request.model = catalogue::bareModelName(name);
  request.target = targetOf(request.model, options, catalogue);
  OpenAiDraft draft(request.target);
  const Path path;
  if (!root.isObject()) draft.refuse(path, "an object");
  if (!isModelName(request.model)) draft.refuse(path.at("model"), "the name of a Gemini model");
  if (!draft.refused()) RequestReader(root, draft).read(request);
  request.refusal = std::move(draft.refusal);
  if (request.refusal) return request;
  request.notes = takeNotes(draft);
  request.names = draft.names.renamed();
  request.body = bodyOf(draft);
  return request;
}

}  // namespace strata::dialects
