// Defines what JavaScript can do with a thread. A module includes this once and registers the
// functions that it offers.
#pragma once

#include "compaction.h"
#include "core.h"
#include "json/writer.h"
#include "layers/assembler.h"
#include "module.h"
#include "thread/rewrite.h"
#include "thread/saved_form.h"
#include "thread/thread.h"
#include "tokens/estimate.h"

namespace strata::bindings {

using thread::Thread;

// The parts of an assemble frame, in the order in which the shell writes them
// (web/sdk/core/assemble.ts).
enum FramePart : uint8_t {
  kOptions,
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

inline layers::TextInput textInput(const Core& core, json::Value options, std::string_view text,
                                   std::string_view variables, std::string_view half) {
  layers::TextInput input;
  input.half = half;
  input.text = text;
  input.variables = variables;
  const json::Value source = options.find("source");
  if (source.equals("text")) input.source = layers::TextSource::kText;
  if (source.equals("template")) input.source = layers::TextSource::kTemplateSource;
  input.templateId = static_cast<uint32_t>(options.find("templateId").integer(0));
  input.compiled = core.templates().find(input.templateId);
  if (input.compiled == nullptr) return input;
  input.source = layers::TextSource::kTemplate;
  input.text = input.compiled->source();
  return input;
}

inline layers::TriggerKind triggerKind(json::Value options) {
  const json::Value kind = options.find("trigger");
  if (kind.equals("instruction")) return layers::TriggerKind::kInstruction;
  return kind.equals("content") ? layers::TriggerKind::kContent : layers::TriggerKind::kNone;
}

/// A thread with the assembler of its requests. The Core must outlive it.
class ThreadBinding {
 public:
  /// Creates a thread. Part 0: ThreadOptions without `from`, part 1: the history in `from`, or
  /// nothing. Replies {"systemText":…,"notes":{…},"report":{…}} or an error.
  explicit ThreadBinding(Core& core)
      : core_(&core), policy_(Thread::Policy::kReject), thread_(open(core)) {
    const Status status = importHistory();
    if (!status) exchange().replyError(status.error(), thread_.target());
    thread_.commit();
  }

  /// Forks the first `turns` turns.
  ThreadBinding(const ThreadBinding& other, uint32_t turns)
      : core_(other.core_),
        model_(other.model_),
        policy_(other.policy_),
        thread_(other.thread_),
        notes_(other.notes_) {
    rewind(turns);
  }

  /// Returns the address of the CommittedTurns, for web/sdk/core/committed-turns.ts.
  uint32_t committed() const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&thread_.committed()));
  }

  uint32_t size() const { return static_cast<uint32_t>(thread_.size()); }
  uint32_t tokens() const { return thread_.tokens(); }
  void rewind(uint32_t turns) {
    thread_.rewind(turns);
    thread_.commit();
  }

  /// Appends a Content. Part 0: the Content, part 1: TurnMeta or nothing. Replies
  /// {"accepted":…,"report":{…}} or an error.
  void append() {
    const std::string_view bytes = exchange().part(0);
    const Options meta(exchange().part(1));
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
    thread_.commit();
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
  void assemble() {
    Inputs inputs(*this);
    if (!inputs.status) return exchange().replyOptionError(inputs.status.error(), thread_.target());
    layers::Assembled result = assembler_.assemble(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    exchange().reply(std::move(result.report), result.ok ? std::move(result.body) : Segments());
  }

  /// Assembles the body that creates a cache. Replies {"turns":…,"key":…} and the body, or an
  /// error.
  void cacheBody() {
    Inputs inputs(*this);
    if (!inputs.status) return exchange().replyOptionError(inputs.status.error(), thread_.target());
    inputs.input.forCache = true;
    layers::CacheBody result = assembler_.cacheBody(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(result.turns));
    out.key("key").string(result.key).close('}');
    exchange().reply(out.take(), std::move(result.body));
  }

  /// Part 0: options. The replies are documented in compaction.h.
  void mask() { exchange().reply(maskReply(thread_, Options(exchange().part(0)).root())); }
  void shorten() { exchange().reply(shortenReply(thread_, Options(exchange().part(0)).root())); }
  void compression() {
    exchange().reply(compressionReply(thread_, Options(exchange().part(0)).root()));
  }
  void budget() { exchange().reply(budgetReply(thread_, Options(exchange().part(0)).root())); }

  /// Replaces turns with Contents. Part 0: [{"from":…,"to":…,"count":…}], then the Contents.
  /// Replies a report of the thread, or an error, after which the thread is unchanged.
  void rewrite() {
    const Options options(exchange().part(0));
    std::vector<thread::Replacement> replacements;
    size_t part = 0;
    for (const json::Value given : json::elements(options.root())) {
      thread::Replacement& next = replacements.emplace_back();
      next.from = static_cast<size_t>(given.find("from").integer(-1));
      next.to = static_cast<size_t>(given.find("to").integer(-1));
      const int64_t count = given.find("count").integer(0);
      for (int64_t i = 0; i < count; ++i) next.contents.push_back(exchange().part(++part));
    }
    Result<Thread> result = thread::rewrite(thread_, replacements);
    if (!result) return exchange().replyError(result.error(), thread_.target());
    thread_ = std::move(result.value());
    report();
    thread_.commit();
  }

  /// Replies {"turns":…,"tokens":…,"promptTokens":…,"usable":…} about the cache that the request
  /// would create, or an error.
  void cachePreview() {
    Inputs inputs(*this);
    if (!inputs.status) return exchange().replyOptionError(inputs.status.error(), thread_.target());
    const layers::CachePreview seen = assembler_.cachePreview(thread_, inputs.input);
    if (seen.failure) return replyFailure(*seen.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(seen.turns));
    out.key("tokens").integer(seen.tokens).key("promptTokens").integer(seen.promptTokens);
    exchange().reply(out.key("usable").boolean(seen.usable).close('}').take());
  }

 private:
  // The parsed parts of an assemble frame.
  struct Inputs {
    explicit Inputs(ThreadBinding& owner)
        : options(owner.exchange().part(kOptions)),
          previous(owner.exchange().part(kPrevious)),
          compiled(owner.exchange().part(kCompiledManifest)) {
      const Exchange& from = owner.exchange();
      const json::Value root = options.root();
      input.model = owner.model_;
      input.templates = templateEngine();
      input.staticText = textInput(*owner.core_, root.find("static"), from.part(kStaticText),
                                   from.part(kStaticVariables), from.part(kStableHalf));
      input.dynamicText = textInput(*owner.core_, root.find("dynamic"), from.part(kDynamicText),
                                    from.part(kDynamicVariables), from.part(kDynamicHalf));
      input.triggerKind = triggerKind(root);
      input.trigger = from.part(kTrigger);
      input.tools = from.part(kTools);
      input.toolConfig = from.part(kToolConfig);
      input.generationConfig = from.part(kGenerationConfig);
      input.safetySettings = from.part(kSafetySettings);
      input.previous = previous.root();
      input.compiled = compiled.root();
      status = layers::readOptions(root, input);
    }

    Options options;
    Options previous;
    Options compiled;
    layers::AssembleInput input;
    Status status;
  };

  Exchange& exchange() { return core_->exchange(); }

  Status importHistory() {
    const Options options(exchange().part(0));
    Imported imported = readHistory(thread_, exchange().part(1), options.root());
    if (imported.optionError) {
      exchange().replyOptionError(*imported.optionError, thread_.target());
      return {};
    }
    if (!imported.status) return imported.status;
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

  Thread open(Core& core) {
    const Options options(core.exchange().part(0));
    const json::Value root = options.root();
    model_ = root.find("model").text();
    if (root.find("policy").equals("warn")) policy_ = Thread::Policy::kWarn;
    if (root.find("policy").equals("repair")) policy_ = Thread::Policy::kRepair;
    const bool strict = !root.find("sequencing").equals("api");
    const catalogue::Target target = core.targetOf(root);
    const bool old = target.model->generation == catalogue::Generation::k2_5;
    return Thread(target, strict,
                  old ? tokens::estimateContentGemini2 : tokens::estimateContentGemini3);
  }

  void replyFailure(const layers::LayerFailure& failure) {
    if (failure.error) return exchange().replyError(*failure.error, thread_.target());
    exchange().reply(failure.templateError);
  }

  Core* core_;
  std::string model_;
  Thread::Policy policy_;
  Thread thread_;
  catalogue::Findings notes_;  // of the import
  layers::Assembler assembler_;
};

}  // namespace strata::bindings
