// Binds a thread and the assembly of its requests to JavaScript.
#include "thread/thread.h"

#include <emscripten/bind.h>

#include <array>
#include <nlohmann/json.hpp>

#include "compaction.h"
#include "core.h"
#include "dialects/import.h"
#include "json/writer.h"
#include "layers/assembler.h"
#include "stream/content_builder.h"
#include "template.h"
#include "thread/rewrite.h"
#include "thread/saved_form.h"
#include "thread/turn_meta.h"
#include "tokens/estimate.h"

namespace strata::bindings {
namespace {

using thread::Thread;

// The parts of an assemble frame, in the order in which the shell writes them
// (web/sdk/assemble.ts).
enum FramePart : uint8_t {
  kOptions,  // AssembleInput without what has a part of its own.
  kSources,  // {"static":…,"dynamic":…,"trigger":…}: what these parts hold.
  kStaticText,
  kStaticVariables,
  kDynamicText,
  kDynamicVariables,
  kTrigger,
  kTools,
  kToolConfig,
  kGenerationConfig,
  kSafetySettings,
  kPrevious,
  kStableHalf,
  kDynamicHalf,
  kCompiledManifest,
};

// `source` says what `text` is: "text", "template", or the id of a compiled template.
layers::TextInput textInput(json::Value source, TemplateBinding* compiled, std::string_view text,
                            std::string_view variables, std::string_view half) {
  layers::TextInput input;
  input.half = half;
  input.text = text;
  input.variables = variables;
  if (source.equals("text")) input.source = layers::TextSource::kText;
  if (source.equals("template")) input.source = layers::TextSource::kTemplateSource;
  if (compiled == nullptr) return input;
  input.source = layers::TextSource::kTemplate;
  input.templateId = static_cast<uint32_t>(source.integer(0));
  input.text = compiled->source();
  input.compiled = compiled->compiled();
  input.host = compiled->host();
  return input;
}

layers::TriggerKind triggerKind(json::Value kind) {
  if (kind.equals("instruction")) return layers::TriggerKind::kInstruction;
  return kind.equals("content") ? layers::TriggerKind::kContent : layers::TriggerKind::kNone;
}

// Joins the Contents of a stream's chunks into one.
std::string composeContents(const std::vector<std::string>& contents) {
  stream::ContentBuilder builder;
  for (const std::string& content : contents) {
    const Result<json::Tape> tape = json::Tape::read(content);
    if (!tape) continue;
    builder.addContent(tape.value().root());
    for (const json::Value part : json::elements(tape.value().root().find("parts"))) {
      builder.addPart(part);
    }
  }
  return builder.text();
}

enum class Sequencing : uint8_t { kStrict, kApi };

constexpr std::array<std::string_view, 3> kPolicies = {"reject", "repair", "warn"};
constexpr std::array<std::string_view, 2> kSequencings = {"strict", "api"};

// The caller's ThreadOptions without `from`.
struct ThreadOptions {
  std::string model;
  gemini::Backend backend = gemini::Backend::kGemini;
  Thread::Policy policy = Thread::Policy::kReject;
  Sequencing sequencing = Sequencing::kStrict;
  dialects::ImportOptions import;
  Status status;  // The error of an option.

  static ThreadOptions read(std::string_view bytes) {
    const Options given(bytes);
    const json::Document document = json::toDocument(given.root());
    json::OptionsReader options = given.readerOf(document);
    ThreadOptions read;
    options.nonEmptyString("model", read.model);
    options.oneOf("backend", gemini::kBackendNames, read.backend);
    options.oneOf("policy", kPolicies, read.policy);
    options.oneOf("sequencing", kSequencings, read.sequencing).accept("from");
    read.import = dialects::readImportOptions(options);
    read.status = options.finish();
    return read;
  }
};

}  // namespace

class ThreadBinding {
 public:
  /// Creates a thread. Part 0: ThreadOptions without `from`, part 1: the history in `from`, or
  /// nothing. Replies {"systemText":…,"notes":{…},"report":{…}} or an error.
  explicit ThreadBinding(Core& core)
      : ThreadBinding(core, ThreadOptions::read(core.exchange().part(0))) {}

  /// Forks the first `turns` turns.
  ThreadBinding(const ThreadBinding& other, uint32_t turns)
      : core_(other.core_),
        model_(other.model_),
        policy_(other.policy_),
        thread_(other.thread_),
        notes_(other.notes_) {
    thread_.rewind(turns);
  }

  uint32_t size() const { return static_cast<uint32_t>(thread_.size()); }
  uint32_t tokens() const { return thread_.tokens(); }
  void rewind(uint32_t turns) { thread_.rewind(turns); }

  /// Appends a Content. Part 0: the Content, part 1: TurnMeta or nothing. Replies
  /// {"accepted":…,"report":{…}} or an error.
  void append() {
    const std::string_view bytes = exchange().part(0);
    const Options meta(exchange().part(1));
    if (!exchange().part(1).empty()) {
      const Status known = thread::checkTurnMeta(meta.reader("/meta"));
      if (!known) return core_->replyOptionError(known.error());
    }
    const Result<json::Tape> tape = json::Tape::read(bytes);
    if (!tape) {
      Error error = tape.error();
      error.path = "/contents/" + std::to_string(thread_.size()) + error.path;
      return exchange().replyError(error, thread_.target());
    }
    const thread::AppendResult done =
        thread_.append(bytes, tape.value().root(), meta.root(), policy_);
    json::Writer out;
    out.open('{').key("accepted").boolean(done.accepted);
    out.key("report").raw(reportOf(done.findings, thread_.targetOf(policy_))).close('}');
    exchange().reply(out.take());
  }

  /// Replies {} and the bytes of one turn.
  void content(uint32_t index) {
    Segments bytes;
    bytes.borrow(thread_.content(index));
    exchange().reply("{}", std::move(bytes));
  }

  /// Replies a report with the notes of the import and the findings of the thread, without the
  /// rules for requests.
  void report() { exchange().reply(fullReport()); }

  /// Replies {} and the saved lines from turn `from` on.
  void save(uint32_t from) { exchange().reply("{}", thread::save(thread_, from)); }

  /// Assembles a request from a frame of FrameParts. Replies the report with the manifest, and the
  /// body if the report is ok; or an error.
  void assemble(TemplateBinding* staticTemplate, TemplateBinding* dynamicTemplate) {
    Inputs inputs(*this, staticTemplate, dynamicTemplate);
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    layers::Assembled result = assembler_.assemble(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    exchange().reply(std::move(result.report), result.ok ? std::move(result.body) : Segments());
  }

  /// Assembles the body that creates a cache. Replies {"turns":…,"key":…} and the body, or an
  /// error.
  void cacheBody(TemplateBinding* staticTemplate, TemplateBinding* dynamicTemplate) {
    Inputs inputs(*this, staticTemplate, dynamicTemplate);
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    inputs.input.forCache = true;
    layers::CacheBody result = assembler_.cacheBody(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(result.turns));
    out.key("key").string(result.key).close('}');
    exchange().reply(out.take(), std::move(result.body));
  }

  /// Part 0: options. The replies are documented in compaction.h.
  void mask() { replyQuery(maskReply); }
  void shorten() { replyQuery(shortenReply); }
  void compression() { replyQuery(compressionReply); }
  void budget() { replyQuery(budgetReply); }

  /// Replaces turns with Contents. Part 0: [{"from":…,"to":…,"contents":…}] with the number of
  /// Contents, then the Contents. Replies a report of the thread, or an error, after which the
  /// thread is unchanged.
  void rewrite() {
    const Options options(exchange().part(0));
    std::vector<thread::Replacement> replacements;
    size_t part = 0;
    for (const json::Value given : json::elements(options.root())) {
      json::OptionsReader reader(given, "/" + std::to_string(replacements.size()));
      thread::Replacement& next = replacements.emplace_back();
      reader.count("from", next.from, json::Need::kRequired);
      reader.count("to", next.to, json::Need::kRequired);
      size_t contents = 0;
      reader.count("contents", contents, json::Need::kRequired);
      if (const Status read = reader.finish(); !read) return core_->replyOptionError(read.error());
      for (size_t i = 0; i < contents; ++i) next.contents.push_back(exchange().part(++part));
    }
    Result<Thread> result = thread::rewrite(thread_, replacements);
    if (!result) return exchange().replyError(result.error(), thread_.target());
    thread_ = std::move(result.value());
    report();
  }

  /// Replies {"turns":…,"tokens":…,"promptTokens":…,"usable":…} about the cache that the request
  /// would create, or an error.
  void cachePreview(TemplateBinding* staticTemplate, TemplateBinding* dynamicTemplate) {
    Inputs inputs(*this, staticTemplate, dynamicTemplate);
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    const layers::CachePreview seen = assembler_.cachePreview(thread_, inputs.input);
    if (seen.failure) return replyFailure(*seen.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(seen.turns));
    out.key("tokens").integer(seen.tokens).key("promptTokens").integer(seen.promptTokens);
    exchange().reply(out.key("usable").boolean(seen.usable).close('}').take());
  }

 private:
  ThreadBinding(Core& core, ThreadOptions options)
      : core_(&core),
        model_(options.model),
        policy_(options.policy),
        thread_(makeThread(core, options)) {
    if (!options.status) {
      core.replyOptionError(options.status.error());
      return;
    }
    const Status status = importHistory(options.import);
    if (!status) exchange().replyError(status.error(), thread_.target());
  }

  // The parsed parts of an assemble frame.
  struct Inputs {
    Inputs(ThreadBinding& owner, TemplateBinding* staticTemplate, TemplateBinding* dynamicTemplate)
        : options(owner.exchange().part(kOptions)),
          previous(owner.exchange().part(kPrevious)),
          compiled(owner.exchange().part(kCompiledManifest)) {
      const Exchange& from = owner.exchange();
      const Options sources(from.part(kSources));
      const json::Value source = sources.root();
      input.model = owner.model_;
      input.staticText = textInput(source.find("static"), staticTemplate, from.part(kStaticText),
                                   from.part(kStaticVariables), from.part(kStableHalf));
      input.dynamicText =
          textInput(source.find("dynamic"), dynamicTemplate, from.part(kDynamicText),
                    from.part(kDynamicVariables), from.part(kDynamicHalf));
      input.triggerKind = triggerKind(source.find("trigger"));
      input.trigger = from.part(kTrigger);
      input.tools = from.part(kTools);
      input.toolConfig = from.part(kToolConfig);
      input.generationConfig = from.part(kGenerationConfig);
      input.safetySettings = from.part(kSafetySettings);
      input.previous = previous.root();
      input.compiled = compiled.root();
      status = layers::readOptions(options.reader(), input);
      if (status && input.previous) {
        status = json::OptionsReader(input.previous, "/previous").acceptOthers().finish();
      }
    }

    Options options;
    Options previous;
    Options compiled;
    layers::AssembleInput input;
    Status status;
  };

  Exchange& exchange() { return core_->exchange(); }

  // Replies the result of a query whose options are part 0.
  void replyQuery(Result<std::string> (*query)(const Thread&, json::OptionsReader)) {
    const Options options(exchange().part(0));
    Result<std::string> result = query(thread_, options.reader());
    if (!result) return core_->replyOptionError(result.error());
    exchange().reply(std::move(result.value()));
  }

  Status importHistory(dialects::ImportOptions& importOptions) {
    importOptions.compose = composeContents;
    dialects::Imported imported;
    const std::string_view from = exchange().part(1);
    const Status status = dialects::importHistory(thread_, from, importOptions, imported);
    if (!status) return status;
    notes_ = std::move(imported.notes);
    json::Writer out;
    out.open('{').key("systemText").string(imported.systemText);
    out.key("notes").raw(reportOf(notes_, thread_.target()));
    out.key("report").raw(fullReport()).close('}');
    exchange().reply(out.take());
    return {};
  }

  std::string fullReport() const {
    catalogue::Findings findings = notes_;
    const catalogue::Findings more = thread_.findings();
    findings.insert(findings.end(), more.begin(), more.end());
    return reportOf(findings, thread_.requestTarget());
  }

  static Thread makeThread(const Core& core, const ThreadOptions& options) {
    const catalogue::Target target = core.targetOf(options.model, options.backend);
    const bool old = target.model->generation == catalogue::Generation::k2_5;
    return Thread(target, options.sequencing == Sequencing::kStrict,
                  old ? tokens::estimateContentGemini2 : tokens::estimateContentGemini3);
  }

  void replyFailure(const prompt::LayerFailure& failure) {
    if (failure.error) return exchange().replyError(*failure.error, thread_.target());
    exchange().reply(templateErrorOf(*failure.templateError));
  }

  Core* core_;
  std::string model_;
  Thread::Policy policy_;
  Thread thread_;
  catalogue::Findings notes_;  // of the import
  layers::Assembler assembler_;
};

EMSCRIPTEN_BINDINGS(thread) {
  emscripten::class_<ThreadBinding>("Thread")
      .constructor<Core&>()
      .constructor<const ThreadBinding&, uint32_t>()
      .function("size", &ThreadBinding::size)
      .function("tokens", &ThreadBinding::tokens)
      .function("rewind", &ThreadBinding::rewind)
      .function("append", &ThreadBinding::append)
      .function("content", &ThreadBinding::content)
      .function("mask", &ThreadBinding::mask)
      .function("shorten", &ThreadBinding::shorten)
      .function("compression", &ThreadBinding::compression)
      .function("budget", &ThreadBinding::budget)
      .function("rewrite", &ThreadBinding::rewrite)
      .function("report", &ThreadBinding::report)
      .function("save", &ThreadBinding::save)
      .function("assemble", &ThreadBinding::assemble, emscripten::allow_raw_pointers())
      .function("cacheBody", &ThreadBinding::cacheBody, emscripten::allow_raw_pointers())
      .function("cachePreview", &ThreadBinding::cachePreview, emscripten::allow_raw_pointers());
}

}  // namespace strata::bindings
