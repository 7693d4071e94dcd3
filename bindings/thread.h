// Defines what JavaScript can do with a thread. The module talk includes this once and registers
// the functions.
#pragma once

#include "compaction.h"
#include "core.h"
#include "host_reply.h"
#include "json/scan.h"
#include "json/validated.h"
#include "json/writer.h"
#include "layers/assembler.h"
#include "layers/extra_fields.h"
#include "models.h"
#include "response.h"
#include "schemas/judge.h"
#include "thread/append_steps.h"
#include "thread/history.h"
#include "thread/rewrite.h"
#include "thread/saved_form.h"
#include "thread/tail.h"
#include "thread/thread.h"
#include "thread/timeline.h"
#include "thread/turn_meta.h"
#include "thread_calls.h"

namespace strata::bindings {

using thread::Thread;

/// A thread with the assembler of its requests. The Core must outlive it.
class ThreadBinding {
 public:
  /// Creates a thread. Part 0: ThreadOptions without `from`, part 1: the history in `from`, or
  /// nothing. Replies
  /// {"sequencing":…,"report":{…},"mark":{"turns":…,"digest":…},
  /// "tail":{…},"manifest":{…},"step":{"started":[0],"results":[{"index":1,"result":{…}}]}} or an
  /// error. `mark` is what `saveSince` takes; `tail` is that of thread/tail.h; `manifest` and
  /// `spent`, if any, are of the newest model turn; `step` holds the records after the last turn,
  /// if any, see thread/saved_form.h.
  explicit ThreadBinding(Core& core) : ThreadBinding(core, Options(core.exchange().part(0))) {}

  /// Forks the first `turns` turns.
  ThreadBinding(const ThreadBinding& other, uint32_t turns)
      : core_(other.core_), model_(other.model_), policy_(other.policy_), thread_(other.thread_) {
    thread_.rewind(turns);
    thread_.commit();
  }

  /// Returns the address of the CommittedTurns, for web/sdk/core/committed-turns.ts.
  uint32_t committed() const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&thread_.committed()));
  }

  uint32_t size() const { return static_cast<uint32_t>(thread_.size()); }
  uint32_t tokens() const { return thread_.tokens(); }
  /// Drops all turns after the first `turns`. Replies the tail of thread/tail.h.
  void rewind(uint32_t turns) {
    thread_.rewind(turns);
    json::Writer out;
    thread::writeTail(out, thread_);
    exchange().reply(out.take());
    thread_.commit();
  }

  /// Appends a Content, or a list of steps, see thread/append_steps.h. Part 0: the Content or the
  /// list, part 1: TurnMeta or nothing, part 2:
  /// {"placeholder":…,"learn":…,"tail":…,"content":…,"steps":…} or nothing; the first two are
  /// thread::AppendOptions, and `steps` says that the TurnMeta may have those of a turn. Replies
  /// {"accepted":…,"report":{…}} or an error. If the Content was accepted, `tail` adds
  /// "index":…,"tail":{…} (the index of the appended turn, and the tail of thread/tail.h), and
  /// `content` the bytes of the turn.
  void append() {
    const std::string_view bytes = exchange().part(0);
    const TurnCall call(exchange());
    if (!call.status) return core_->replyOptionError(call.status.error());
    appendRead(bytes, json::Tape::read(bytes, thread::kMaxContentDepth), call);
  }

  /// Moves the answer of a response to the end of the thread, whose replies and other parts are
  /// those of `append`. A response that is no complete answer is not accepted: see
  /// `ResponseBinding::moveTo`.
  void appendAnswer(ResponseBinding& response) {
    const TurnCall call(exchange());
    if (!call.status) return core_->replyOptionError(call.status.error());
    response.moveTo([&](const AnswerContent& answer) {
      if (answer.steps.empty()) return appendRead(answer.bytes, answer.tape, call);
      // Those that the Content does not have may be deeper than it.
      Result<json::Tape> steps = json::Tape::read(answer.steps, thread::kMaxContentDepth);
      if (!steps) return appendRead(answer.bytes, steps, call);
      const std::string meta = thread::withSteps(call.meta.root().bytes(), answer.steps);
      const json::Tape read = json::readValidated(meta);
      return appendRead(answer.bytes, answer.tape, call, read.root());
    });
  }

  /// Judges a Content, or a list of steps, as what comes next. Nothing is appended. Part 0: the
  /// Content or the list, part 1: TurnMeta or nothing, part 2: {"placeholder":…} or nothing.
  /// Replies {"accepted":…,"report":{…},"role":"user"}: what `append` would reply, and the
  /// Content's role as it is written, "" for a list. A Content that is not JSON is not accepted and
  /// has no role.
  void check() {
    const std::string_view bytes = exchange().part(0);
    const TurnCall call(exchange());
    if (!call.status) return core_->replyOptionError(call.status.error());
    setTime(call.meta.root().find("at").text());
    const Result<json::Tape> tape = json::Tape::read(bytes, thread::kMaxContentDepth);
    if (!tape) return replyNotJson(tape.error());
    const json::Value content = tape.value().root();
    if (thread::isStepList(content)) return checkSteps(content, call);
    gemini::ContentView view;
    view.read(content);
    const thread::AppendResult result =
        thread_.preview(bytes, content, call.meta.root(), policy_, call.append);
    json::Writer out = openReport(result, policy_);
    exchange().reply(out.key("role").string(view.role.text()).close('}').take());
  }

  /// Judges some of the functionResponses for the open calls, in a Content (part 0). Nothing is
  /// appended or repaired, and missing responses are not reported. Replies
  /// {"accepted":…,"report":{…}}.
  void checkResponses() {
    const Result<json::Tape> tape = json::Tape::read(exchange().part(0), thread::kMaxContentDepth);
    if (!tape) return replyNotJson(tape.error());
    gemini::ContentView view;
    view.read(tape.value().root());
    thread::AppendResult result;
    result.findings = thread_.checkSomeResponses(view, policy_);
    result.accepted = !thread_.hasErrors(view, result.findings, Thread::Policy::kReject);
    exchange().reply(openReport(result, Thread::Policy::kReject).close('}').take());
  }

  /// Replies the tail with its text, see thread/tail.h.
  void tail() {
    json::Writer out;
    thread::writeTailWithText(out, thread_);
    exchange().reply(out.take());
  }

  /// Replies the turns as thread/timeline.h says. Part 0: TimelineOptions.
  void timeline() {
    const Options given(exchange().part(0));
    thread::TimelineOptions asked;
    json::OptionsReader options = given.reader();
    options.count("from", asked.from).boolean("content", asked.content);
    if (const Status read = options.finish(); !read) return core_->replyOptionError(read.error());
    json::Writer out;
    out.open('{');
    thread::writeTimeline(out, thread_, asked);
    exchange().reply(out.close('}').take());
  }

  /// Replies {"turns":…,"index":…,"text":…}, see thread::writeLastUserText.
  void lastUserText() {
    json::Writer out;
    thread::writeLastUserText(out, thread_);
    exchange().reply(out.take());
  }

  /// Replies {"text":…,"data":…,"seen":…}, the calibration of the thread's estimates.
  void calibration() { exchange().reply(calibrationReply(thread_.calibration())); }
  /// Sets the calibration. Part 0: what `calibration` replied. Replies {}.
  void setCalibration() {
    const Options given(exchange().part(0));
    json::OptionsReader options = given.reader();
    const tokens::Calibration calibration = readCalibration(options);
    const Status status = options.finish();
    if (!status) return core_->replyOptionError(status.error());
    thread_.setCalibration(calibration);
    exchange().reply("{}");
  }

  /// Replies {} and the bytes of one turn: its Content or, unless `asContent`, the array of steps
  /// in which it came.
  void content(uint32_t index, bool asContent) {
    Segments bytes;
    const bool isSteps = !asContent && thread_.checkpointAfter(index + 1).isSteps;
    if (isSteps) bytes.own(thread::stepsIn(thread_.meta(index)));
    if (!isSteps) bytes.borrow(thread_.content(index));
    exchange().reply("{}", std::move(bytes));
  }

  /// Replies a report with the findings of the thread.
  void report() { exchange().reply(reportOf(thread_.findings(), thread_.requestTarget())); }

  /// Replies {} and the saved lines from turn `from` on.
  void save(uint32_t from) { exchange().reply("{}", thread::save(thread_, from)); }

  /// Replies the lines that a store lacks. Part 0: {"turns":…,"digest":…}, the `mark` of the reply
  /// after which the store was last written, or {} for an empty store. Replies
  /// {"from":…,"mark":{"turns":…, "digest":…}} and the saved lines from turn `from` on: `from` is 0
  /// unless the thread still begins with the stored turns.
  void saveSince() {
    const Options stored(exchange().part(0));
    const auto turns = static_cast<uint32_t>(stored.root().find("turns").integer(0));
    const bool extends = turns <= size() && stored.root().find("digest").equals(digest(turns));
    const uint32_t from = extends ? turns : 0;
    json::Writer out;
    out.open('{').key("from").integer(from);
    writeMark(out.key("mark"), size());
    out.close('}');
    exchange().reply(out.take(), thread::save(thread_, from));
  }

  /// Writes the record of an open call. Part 0: its response, or nothing if it has only started.
  /// Replies {} and the line, without a line feed.
  void record(uint32_t call) {
    Segments line;
    line.own(thread::recordLine({call, std::string(exchange().part(0))}));
    exchange().reply("{}", std::move(line));
  }

  /// Assembles a request from a frame of FrameParts. `render` renders its templates, see
  /// TemplateHost. Replies the report with the manifest, and the body if the report is ok; or an
  /// error.
  void assemble(emscripten::val render) {
    Inputs inputs(*this, std::move(render));
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    layers::Assembled result = assembler_.assemble(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    exchange().reply(std::move(result.report), result.ok ? std::move(result.body) : Segments());
  }

  /// Assembles the body that creates a cache. Replies {"turns":…,"key":…} and the body, or an
  /// error.
  void cacheBody(emscripten::val render) {
    Inputs inputs(*this, std::move(render));
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    inputs.input.forCache = true;
    layers::CacheBody result = assembler_.cacheBody(thread_, inputs.input);
    if (result.failure) return replyFailure(*result.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(result.turns));
    out.key("key").string(result.key).close('}');
    exchange().reply(out.take(), std::move(result.body));
  }

  /// Returns a view for what a rendered template returns, see HostReply.
  emscripten::val hostReply(uint32_t size) { return reply_.buffer(size); }

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
    thread_.commit();
  }

  /// Replies {"turns":…,"tokens":…,"promptTokens":…,"usable":…} about the cache that the request
  /// would create, or an error.
  void cachePreview(emscripten::val render) {
    Inputs inputs(*this, std::move(render));
    if (!inputs.status) return core_->replyOptionError(inputs.status.error());
    const layers::CachePreview seen = assembler_.cachePreview(thread_, inputs.input);
    if (seen.failure) return replyFailure(*seen.failure);
    json::Writer out;
    out.open('{').key("turns").integer(static_cast<int64_t>(seen.turns));
    out.key("tokens").integer(seen.tokens).key("promptTokens").integer(seen.promptTokens);
    exchange().reply(out.key("usable").boolean(seen.usable).close('}').take());
  }

 private:
  ThreadBinding(Core& core, const Options& given) : ThreadBinding(core, given.reader()) {}
  ThreadBinding(Core& core, json::OptionsReader reader)
      : ThreadBinding(core, ThreadOptions(reader), reader) {}
  ThreadBinding(Core& core, const ThreadOptions& options, json::OptionsReader& reader)
      : core_(&core),
        model_(options.model),
        policy_(options.policy),
        thread_(makeThread(core, options)) {
    const Status status = importHistory(reader, options);
    if (!status) exchange().replyError(status.error(), thread_.target());
    thread_.commit();
  }

  // The parsed parts of an assemble frame.
  struct Inputs {
    Inputs(ThreadBinding& owner, emscripten::val render)
        : host(owner.reply_),
          options(owner.exchange().part(kOptions)),
          sources(owner.exchange().part(kSources)),
          previous(owner.exchange().part(kPrevious)),
          compiled(owner.exchange().part(kCompiledManifest)),
          staticTemplate(layers::Layer::kStatic, sources.root().find("static"),
                         owner.exchange().part(kStaticText), host, owner.core_->catalogue()),
          dynamicTemplate(layers::Layer::kDynamic, sources.root().find("dynamic"),
                          owner.exchange().part(kDynamicText), host, owner.core_->catalogue()) {
      const Exchange& from = owner.exchange();
      const json::Value source = sources.root();
      host.setCallback(std::move(render));
      input.model = owner.model_;
      input.judgeSchema = schemas::judge;
      input.staticText =
          textInput(source.find("static"), from.part(kStaticText), from.part(kStaticVariables),
                    from.part(kStableHalf), staticTemplate);
      input.dynamicText =
          textInput(source.find("dynamic"), from.part(kDynamicText), from.part(kDynamicVariables),
                    from.part(kDynamicHalf), dynamicTemplate);
      input.triggerKind = triggerKind(source.find("trigger"));
      input.trigger = from.part(kTrigger);
      input.tools = from.part(kTools);
      input.toolConfig = from.part(kToolConfig);
      input.generationConfig = from.part(kGenerationConfig);
      input.safetySettings = from.part(kSafetySettings);
      input.previous = previous.root();
      input.compiled = compiled.root();
      status = layers::readOptions(options.reader(), input);
      if (status) owner.setTime(input.now);
      if (status) status = layers::readExtra(from.part(kExtra), input);
      if (status && input.previous) {
        status = json::OptionsReader(input.previous, "/previous").acceptOthers().finish();
      }
    }

    TemplateHost host;
    Options options;
    Options sources;
    Options previous;
    Options compiled;
    HostTemplate staticTemplate;
    HostTemplate dynamicTemplate;
    layers::AssembleInput input;
    Status status;
  };

  Exchange& exchange() { return core_->exchange(); }

  // Appends a Content, or a list of steps, whose bytes `tape` has read, and replies. Returns
  // whether it was accepted.
  bool appendRead(std::string_view bytes, const Result<json::Tape>& tape, const TurnCall& call) {
    return appendRead(bytes, tape, call, call.meta.root());
  }
  bool appendRead(std::string_view bytes, const Result<json::Tape>& tape, const TurnCall& call,
                  json::Value meta) {
    setTime(call.meta.root().find("at").text());
    if (!tape) {
      exchange().replyError(locatedNext(tape.error()), thread_.target());
      return false;
    }
    const json::Value root = tape.value().root();
    if (!thread::isStepList(root))
      return replyAppended(thread_.append(bytes, root, meta, policy_, call.append), call);
    const Result<thread::AppendResult> done =
        thread::appendSteps(thread_, root, meta, policy_, call.append);
    if (done) return replyAppended(done.value(), call);
    exchange().replyError(done.error(), thread_.target());
    return false;
  }

  void checkSteps(json::Value steps, const TurnCall& call) {
    Thread trial = thread_;
    const Result<thread::AppendResult> result =
        thread::appendSteps(trial, steps, call.meta.root(), policy_, call.append);
    if (!result) return exchange().replyError(result.error(), thread_.target());
    exchange().reply(openReport(result.value(), policy_).key("role").string("").close('}').take());
  }

  bool replyAppended(const thread::AppendResult& done, const TurnCall& call) {
    json::Writer out = openReport(done, policy_);
    Segments content;
    if (done.accepted && call.tail) {
      out.key("index").integer(size() - 1);
      thread::writeTail(out.key("tail"), thread_);
    }
    if (done.accepted && call.content) content.borrow(thread_.content(size() - 1));
    exchange().reply(out.close('}').take(), std::move(content));
    thread_.commit();
    return done.accepted;
  }

  // Returns an error within a Content with the path that it has as the next turn.
  Error locatedNext(Error error) const {
    error.path = "/contents/" + std::to_string(thread_.size()) + error.path;
    return error;
  }

  // Writes what identifies the first `turns` turns.
  void writeMark(json::Writer& out, uint32_t turns) const {
    out.open('{').key("turns").integer(turns);
    out.key("digest").string(digest(turns)).close('}');
  }
  std::string digest(uint32_t turns) const { return toHex(thread_.checkpointAfter(turns).digest); }

  // Opens a reply with what an append found.
  json::Writer openReport(const thread::AppendResult& result, Thread::Policy policy) const {
    json::Writer out;
    out.open('{').key("accepted").boolean(result.accepted);
    out.key("report").raw(reportOf(result.findings, thread_.targetOf(policy)));
    return out;
  }

  void replyNotJson(Error error) {
    const catalogue::Finding finding =
        catalogue::toFinding(locatedNext(std::move(error)), *thread_.target().catalogue);
    exchange().reply(openReport({false, {finding}}, policy_).close('}').take());
  }

  // Replies the result of a query whose options are part 0.
  void replyQuery(Result<std::string> (*query)(const Thread&, json::OptionsReader)) {
    const Options options(exchange().part(0));
    Result<std::string> result = query(thread_, options.reader());
    if (!result) return core_->replyOptionError(result.error());
    exchange().reply(std::move(result.value()));
  }

  // Reads the history and replies. Returns an error of the history.
  Status importHistory(json::OptionsReader& reader, const ThreadOptions& options) {
    constexpr std::array<std::string_view, 2> kFormats = {"gemini", "strata"};
    bool isSaved = false;
    reader.oneOf("format", kFormats, isSaved);
    if (const Status given = reader.finish(); !given) {
      core_->replyOptionError(given.error());
      return {};
    }
    const std::string_view bytes = exchange().part(1);
    isSaved = isSaved && json::skipSpace(bytes, 0) < bytes.size();
    std::vector<thread::CallRecord> records;
    Status status = isSaved ? thread::loadSaved(thread_, bytes, &records)
                            : thread::loadHistory(thread_, bytes, records);
    if (!status) return status;
    // Loading a saved thread has set what it was saved with.
    if (options.sequencing) {
      thread_.setStrict(*options.sequencing == ThreadOptions::Sequencing::kStrict);
    }
    json::Writer out;
    out.open('{').key("sequencing").string(thread_.requestTarget().strict ? "strict" : "api");
    // What `append` accepted opens again: strict sequencing is about requests, unless the caller
    // asks for it here.
    const bool asked = options.sequencing.has_value();
    const lint::SequenceState end = thread_.checkpointAfter(size()).state;
    out.key("report").raw(reportOf(thread_.findings(lint::beforeNextAnswer(end)),
                                   asked ? thread_.requestTarget() : thread_.target()));
    writeMark(out.key("mark"), size());
    thread::writeTail(out.key("tail"), thread_);
    for (const std::string_view member : {"manifest", "spent"}) {
      const std::string value = thread::lastMeta(thread_, member);
      if (!value.empty()) out.key(member).raw(value);
    }
    writeStep(out, records);
    exchange().reply(out.close('}').take());
    return {};
  }

  // Writes the records of open calls as a member, if there are any.
  static void writeStep(json::Writer& out, const std::vector<thread::CallRecord>& records) {
    if (records.empty()) return;
    out.key("step").open('{').key("started").open('[');
    for (const thread::CallRecord& each : records) {
      if (each.result.empty()) out.integer(each.index);
    }
    out.close(']').key("results").open('[');
    for (const thread::CallRecord& each : records) {
      if (each.result.empty()) continue;
      out.open('{').key("index").integer(each.index).key("result").raw(each.result).close('}');
    }
    out.close(']').close('}');
  }

  static Thread makeThread(Core& core, const ThreadOptions& options) {
    catalogue::Target target = core.targetOf(options.model, options.service);
    target.limits = options.limits;
    const std::string_view from = core.exchange().part(1);
    const bool imports = json::skipSpace(from, 0) < from.size();
    return Thread(target, !imports, thread::estimateFor(target));
  }

  // Judges by the rows that hold at `timestamp` from now on. Any other text changes nothing.
  void setTime(std::string_view timestamp) {
    const catalogue::Target& before = thread_.target();
    const catalogue::Day day = catalogue::dayOf(timestamp, before.day);
    if (day == before.day) return;
    catalogue::Target target = core_->targetOf(model_, {before.backend, day});
    target.limits = before.limits;
    thread_.retarget(target, thread::estimateFor(target));
  }

  void replyFailure(const layers::LayerFailure& failure) {
    if (failure.error) return exchange().replyError(*failure.error, thread_.target());
    exchange().reply(failure.templateError);
  }

  Core* core_;
  std::string model_;
  Thread::Policy policy_;
  Thread thread_;
  HostReply reply_;
  layers::Assembler assembler_;
};

}  // namespace strata::bindings
