#include "layers/assembler.h"

#include <algorithm>

#include "cache/decision.h"
#include "compaction/cut.h"
#include "gemini/content_view.h"
#include "json/string.h"
#include "json/validated.h"
#include "layers/body_writer.h"
#include "layers/cache_body.h"
#include "layers/extra_fields.h"
#include "layers/request_plan.h"
#include "layers/trigger.h"
#include "lint/lint.h"
#include "lint/request_rules.h"

namespace strata::layers {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

struct Field {
  std::string_view name;
  std::string_view json;
  bool inCache;  // part of the CachedContent if the request uses one
};

using Fields = std::array<Field, 7>;

Fields requestFields(const AssembleInput& input) {
  return {{{"tools", input.tools, true},
           {"toolConfig", input.toolConfig, true},
           {"generationConfig", input.generationConfig, false},
           {"safetySettings", input.safetySettings, false},
           {"serviceTier", input.serviceTier, false},
           {"store", input.store, false},
           {"labels", input.labels, false}}};
}

// Checks that each field is JSON, since its bytes are copied into the body.
std::optional<LayerFailure> readFields(const AssembleInput& input, RequestFields& known) {
  const Fields fields = requestFields(input);
  for (size_t i = 0; i < fields.size(); ++i) {
    const Status status = known[i].read(fields[i].json);
    if (status) continue;
    Error error = status.error();
    error.path = "/" + std::string(fields[i].name) + error.path;
    return LayerFailure{std::move(error), {}};
  }
  return std::nullopt;
}

bool isConversion(Rule rule) {
  return rule == Rule::kConvertLost || rule == Rule::kConvertChanged ||
         rule == Rule::kConvertUnsigned || rule == Rule::kConvertRefused;
}

// Assembles one request.
class Assembly {
 public:
  Assembly(AssemblyMemo& memo, const thread::Thread& thread, const AssembleInput& input,
           Assembled& result)
      : memo_(memo),
        thread_(thread),
        input_(input),
        result_(result),
        target_(thread.requestTarget()),
        isInteraction_(layers::isInteraction(input)),
        writer_(result.body, manifest_.pieces, isInteraction_) {}

  std::optional<LayerFailure> run() {
    if (auto failure = makePlan(thread_, input_, memo_.texts, plan_)) return failure;
    Result<Trigger> trigger = chooseTrigger(thread_, input_);
    if (!trigger) return LayerFailure{trigger.error(), {}};
    trigger_ = std::move(trigger.value());
    beginsWithResults_ = continuesCalls();
    if (isInteraction_) {
      convert();
      if (auto failure = checkFormat()) return failure;
    }
    writeTopLevelFields();
    writeContents();
    collectFindings();
    comparePrevious();
    checkContext();
    writeReport();
    return std::nullopt;
  }

 private:
  const RenderedText& staticLayer() const { return memo_.texts.staticLayer(); }
  const RenderedText& dynamicLayer() const { return memo_.texts.dynamicLayer(); }
  LayerEntry& layer(Layer which) { return manifest_.layers[static_cast<size_t>(which)]; }

  // Converts the options and the turns that no request before had.
  void convert() {
    memo_.converted.update(fieldsObject({"store"}) + "}", target_);
    memo_.steps.update(thread_, memo_.converted.resolution(), input_.placeholder);
    if (trigger_.missing() || trigger_.inThread) return;
    const json::Tape content = json::readValidated(trigger_.bytes());
    triggerSteps_ = memo_.steps.next(thread_, content.root(), triggerLosses_);
  }

  // A field that the options give must not come twice, and some are a model's only.
  std::optional<LayerFailure> checkFormat() const {
    const std::string_view name = "response_format";
    if (!input_.agent.empty() && !memo_.converted.jsonOf("generation_config").empty()) {
      return LayerFailure{Error{"field.invalid", 0, "/generationConfig",
                                "omitted, as toolConfig: an agent has agentConfig"},
                          {}};
    }
    if (input_.extra.empty() || memo_.converted.jsonOf(name).empty()) return std::nullopt;
    const json::Tape extra = json::readValidated(input_.extra);
    if (!extra.root().find(name)) return std::nullopt;
    return LayerFailure{Error{"field.invalid", 0, "/extra/response_format",
                              "left out: generationConfig has the format"},
                        {}};
  }

  void writeInteractionHead() {
    const bool isAgent = !input_.agent.empty();
    std::string name;
    json::appendQuoted(name, isAgent ? input_.agent : input_.model);
    writer_.copiedField(isAgent ? "agent" : "model", name);
    if (!input_.agentConfig.empty()) writer_.copiedField("agent_config", input_.agentConfig);
    const bool isContinued = !input_.continued.id.empty();
    const bool isStored = isContinued || input_.background || input_.store == "true";
    writer_.copiedField("store", isStored ? "true" : "false");
    if (input_.stream) writer_.copiedField("stream", "true");
    if (input_.background) writer_.copiedField("background", "true");
    if (!isContinued) return;
    std::string id;
    json::appendQuoted(id, input_.continued.id);
    writer_.copiedField("previous_interaction_id", id);
  }

  void writeOptions() {
    if (isInteraction_) {
      for (const InteractionFields::Field& field : memo_.converted.all()) {
        writer_.field(field.name, field.json, field.digest);
      }
      return;
    }
    const Fields fields = requestFields(input_);
    for (size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      if (field.json.empty() || (plan_.cached && field.inCache)) continue;
      writer_.field(field.name, field.json, memo_.texts.fields[i].digest());
    }
  }

  void writeTopLevelFields() {
    if (isInteraction_) writeInteractionHead();
    const bool inBody = !staticLayer().text.empty() && !plan_.cached;
    const Digest& digest = staticLayer().digest;
    if (!staticIsAtGoogle()) {
      layer(Layer::kStatic) = {staticLayer().text.empty() ? 0 : staticLayer().json.size(),
                               staticLayer().tokens, digest, plan_.cached};
    }
    if (inBody && !input_.staticAsUser) writer_.systemInstruction(staticLayer().json, digest);
    writeOptions();
    if (!input_.extra.empty()) writer_.members("extra", membersOf(input_.extra));
    if (plan_.cached) writer_.cachedContent(input_.cache.name);
  }

  // Returns whether the new turns answer the calls with which the continued interaction ends.
  // Nothing may stand between the two, and the request that led to the calls had the texts.
  bool continuesCalls() const {
    if (input_.continued.id.empty()) return false;
    if (!thread_.checkpointAfter(plan_.cut).state.hasOpenCalls()) return false;
    const bool isTrigger = plan_.cut == thread_.size();
    if (isTrigger && trigger_.missing()) return false;
    const json::Tape content =
        json::readValidated(isTrigger ? trigger_.bytes() : thread_.content(plan_.cut));
    gemini::ContentView view;
    view.read(content.root());
    return view.hasResponses();
  }

  bool staticIsAtGoogle() const { return input_.staticAsUser && beginsWithResults_; }
  bool hasStaticContent() const {
    return input_.staticAsUser && !staticLayer().text.empty() && !plan_.cached &&
           !beginsWithResults_;
  }
  bool hasDynamic() const {
    const bool splitsStep = beginsWithResults_ && dynamicPosition() == plan_.cut;
    return !dynamicLayer().text.empty() && !splitsStep;
  }

  // Returns the number of turns before the dynamic text, which never splits a step.
  size_t dynamicPosition() const {
    const int32_t opening = trigger_.state.plainOpeningIndex;
    if (!input_.dynamicBeforeTurn || opening < 0) return plan_.cut;
    return std::clamp(static_cast<size_t>(opening), plan_.cut, historyEnd());
  }

  size_t historyEnd() const { return std::max(plan_.cut, trigger_.end); }

  void writeContents() {
    if (hasStaticContent()) {
      writer_.text("static", staticLayer().json, layer(Layer::kStatic).digest);
      ++leadingContents_;
    }
    dynamicAt_ = hasDynamic() ? dynamicPosition() : historyEnd();
    writeHistory(plan_.cut, dynamicAt_);
    if (hasDynamic()) {
      const RenderedText& text = dynamicLayer();
      layer(Layer::kDynamic) = {text.json.size(), text.tokens, text.digest, false};
      writer_.text("dynamic", text.json, text.digest);
    }
    writeHistory(dynamicAt_, historyEnd());
    writeBufferedEntry();
    writeTrigger();
    writer_.close();
  }

  // Returns the turns [from, to) as the body has them.
  std::string_view turns(size_t from, size_t to) const {
    return isInteraction_ ? memo_.steps.steps(from, to) : thread_.contents(from, to);
  }
  void writeHistory(size_t from, size_t to) { writer_.history(thread_, from, to, turns(from, to)); }
  std::string_view triggerBytes() const {
    if (!isInteraction_) return trigger_.bytes();
    return trigger_.inThread ? turns(trigger_.end, thread_.size()) : triggerSteps_;
  }

  void writeBufferedEntry() {
    const thread::Checkpoint& end = thread_.checkpointAfter(historyEnd());
    layer(Layer::kBuffered) = {turns(plan_.cut, historyEnd()).size(),
                               end.tokens - thread_.checkpointAfter(plan_.cut).tokens, end.digest,
                               false};
  }

  void writeTrigger() {
    if (trigger_.missing()) return;
    const Digest digest =
        trigger_.inThread
            ? thread_.checkpointAfter(thread_.size()).digest
            : thread::chainDigest(thread_.checkpointAfter(historyEnd()).digest, trigger_.bytes());
    const std::string_view bytes = triggerBytes();
    layer(Layer::kTrigger) = {bytes.size(), trigger_.tokens, digest, false};
    writer_.trigger(bytes, isInteraction_ || !trigger_.owned.empty(), digest);
  }

  void addFinding(Rule rule, std::string arg1, std::string arg2) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.arg1 = std::move(arg1);
    finding.arg2 = std::move(arg2);
  }

  void addFindings(const catalogue::Findings& findings) { findings_.append(findings); }

  void collectFindings() {
    checkFieldRules();
    checkSize();
    addFindings(memo_.texts.staticRenderer.rendered().findings);
    addFindings(memo_.texts.dynamicRenderer.rendered().findings);
    addFindings(plan_.findings);
    // Turns before the split point are not in contents. Below warnings only repairs are reported.
    const auto cut = static_cast<int32_t>(plan_.cut);
    for (const Finding& finding : thread_.findings(trigger_.state, cut)) {
      // Steps are sent as they came.
      if (isInteraction_ && isConversion(finding.rule)) continue;
      const bool reported = finding.repaired || target_.severity(finding) >= Severity::kWarning;
      if (reported) findings_.push_back(finding);
    }
    if (isInteraction_) addLosses();
    addFindings(trigger_.findings);
    if (!trigger_.missing()) lint::checkEnd(trigger_.state, findings_);
  }

  // Adds what the Interactions API does not have of the options and the turns.
  void addLosses() {
    addFindings(memo_.converted.findings());
    noteUnknownExtra(input_.extra, findings_);
    catalogue::Findings losses;
    memo_.steps.addLosses(plan_.cut, losses);
    for (const Finding& loss : losses) {
      if (target_.severity(loss) >= Severity::kWarning) findings_.push_back(loss);
    }
    addFindings(triggerLosses_);
    if (input_.hasCache) {
      addFinding(Rule::kConvertRefused, "cachedContent", "the Interactions API");
      findings_.back().path = "/cachedContent";
    }
  }

  // Returns the fields that the options give, but these, as an object that is still open.
  std::string fieldsObject(std::initializer_list<std::string_view> except) const {
    std::string fields = "{";
    for (const Field& field : requestFields(input_)) {
      const bool isLeftOut = std::find(except.begin(), except.end(), field.name) != except.end();
      if (isLeftOut || field.json.empty() || (plan_.cached && field.inCache)) continue;
      fields.append(fields.size() > 1 ? ",\"" : "\"").append(field.name).append("\":");
      fields.append(field.json);
    }
    return fields;
  }

  // Applies the rules about fields other than contents, and again only if a field has changed.
  // Those of the Interactions API differ for the fields of the request's own.
  void checkFieldRules() {
    std::string fields = isInteraction_ ? fieldsObject({"store", "labels"}) : fieldsObject({});
    if (!input_.extra.empty() && !isInteraction_) {
      fields.append(fields.size() > 1 ? "," : "").append(membersOf(input_.extra));
    }
    fields += "}";
    const catalogue::Target& checked = memo_.checkedTarget;
    const bool sameTarget = checked.model == target_.model && checked.day == target_.day;
    if (!sameTarget || fields != memo_.checkedFields) {
      const json::Tape tape = json::readValidated(fields);
      lint::LintContext context;
      context.target = target_;
      context.model = input_.model;
      context.judgeSchema = input_.judgeSchema;
      memo_.fieldFindings.clear();
      lint::checkRequest(tape.root(), lint::BodyKind::kRequest, fields.size(), context,
                         memo_.fieldFindings);
      markExtraFields(tape.root(), target_.backend, memo_.fieldFindings);
      memo_.checkedFields = std::move(fields);
      memo_.checkedTarget = target_;
    }
    // The Interactions API takes its own tools beside functions, and has models of its own.
    const bool servesModel = target_.model->api == catalogue::Api::kInteractions;
    for (const Finding& finding : memo_.fieldFindings) {
      const bool isRight = finding.rule == Rule::kToolsMixedWithoutFlag ||
                           (finding.rule == Rule::kModelOtherApi && servesModel);
      if (!isInteraction_ || !isRight) findings_.push_back(finding);
    }
  }

  void checkSize() {
    const size_t bytes = result_.body.size();
    if (bytes > lint::kMaxRequestBytes) {
      addFinding(Rule::kSizeTooLarge, std::to_string(bytes),
                 std::to_string(lint::kMaxRequestBytes));
    }
  }

  // Needs `comparePrevious`, which counts the whole prompt.
  void checkContext() {
    const uint32_t tokens = manifest_.promptTokens;
    const uint32_t limit = target_.contextTokens();
    if (tokens > limit) {
      addFinding(Rule::kContextTooLarge, std::to_string(tokens), std::to_string(limit));
    }
  }

  uint32_t toolTokens() const { return memo_.texts.tools().tokens(); }

  // Measures what the previous request shares, and reports a change in front of history that is
  // sent again.
  void comparePrevious() {
    const uint32_t text = layer(Layer::kStatic).tokens;
    const PromptTokens tokens = {text,
                                 toolTokens(),
                                 0,
                                 text,
                                 layer(Layer::kDynamic).tokens,
                                 layer(Layer::kTrigger).tokens,
                                 cachedTokens(),
                                 0};
    manifest_.model = input_.model;
    manifest_.wire = input_.wire;
    const SharedStart start = compareWithPrevious(manifest_, tokens, input_.previous, thread_);
    manifest_.stablePrefixBytes = start.bytes;
    manifest_.stablePrefixTokens = start.tokens;
    manifest_.promptTokens = start.allTokens;
    manifest_.promptTokens += tokensAtGoogle();
    if (start.broken != PromptPiece::kNone) addBreak(start);
    for (const Piece& piece : manifest_.pieces) {
      memo_.sent.remember(piece, valueOf(promptPiece(piece.name)));
    }
  }

  // Returns the estimated tokens of the interaction that this one continues.
  uint32_t tokensAtGoogle() const {
    if (input_.continued.id.empty()) return 0;
    return thread_.checkpointAfter(plan_.cut).tokens +
           (staticIsAtGoogle() ? staticLayer().tokens : 0) +
           (hasDynamic() ? 0 : dynamicLayer().tokens);
  }

  void addBreak(const SharedStart& start) {
    const PromptPiece kind = start.broken;
    size_t at = 0;
    for (size_t i = 0; i < start.brokenIndex; ++i) at += manifest_.pieces[i].bytes;
    const Piece& piece = manifest_.pieces[start.brokenIndex];
    const bool isField = kind == PromptPiece::kTools || kind == PromptPiece::kToolConfig;
    if (kind == promptPiece(piece.name)) {
      const std::string_view value = valueOf(kind);
      const bool endsWithText =
          isField || (isInteraction_ && kind == PromptPiece::kSystemInstruction);
      at += piece.bytes - value.size() - (endsWithText ? 0 : BodyWriter::kTextEnd);
      at += memo_.sent.shared(kind, value, start.sentDigest);
    }
    std::string name(kind == PromptPiece::kTools ? "tools" : "toolConfig");
    if (!isField) name = kind == PromptPiece::kDynamic ? "the dynamic layer" : "the static layer";
    addFinding(Rule::kCachePrefixBroken, name, std::to_string(at));
    findings_.back().path = isField ? "/" + name : textPath(kind);
  }

  // Returns the JSON of a piece that can break the prefix, or "".
  std::string_view valueOf(PromptPiece piece) const {
    if (piece == PromptPiece::kTools)
      return isInteraction_ ? memo_.converted.jsonOf("tools") : input_.tools;
    if (piece == PromptPiece::kToolConfig) return input_.toolConfig;
    if (piece < PromptPiece::kDynamic) return staticLayer().json;
    return piece == PromptPiece::kDynamic ? std::string_view(dynamicLayer().json)
                                          : std::string_view();
  }

  std::string textPath(PromptPiece piece) const {
    // A turn may be several steps, so that the place of a text is no index of a turn.
    if (isInteraction_) return piece == PromptPiece::kDynamic ? "/dynamic" : "/static";
    if (piece == PromptPiece::kSystemInstruction) return "/systemInstruction";
    size_t index = 0;
    if (piece == PromptPiece::kDynamic) {
      index = static_cast<size_t>(leadingContents_) + dynamicAt_ - plan_.cut;
    }
    return "/contents/" + std::to_string(index);
  }

  // Returns what to add to a turn's index in the thread to get its index in the body's contents.
  int32_t contentOffset(const Finding& finding) const {
    // A turn may be several steps.
    if (isInteraction_) return 0;
    const bool afterDynamic = hasDynamic() && finding.content >= static_cast<int32_t>(dynamicAt_);
    return leadingContents_ - static_cast<int32_t>(plan_.cut) + (afterDynamic ? 1 : 0);
  }

  std::string diagnostics() {
    json::Writer out;
    out.open('[');
    result_.ok = true;
    for (const Finding& finding : findings_) {
      const Severity severity = target_.severity(finding);
      if (severity == Severity::kOff) continue;
      if (severity == Severity::kError) result_.ok = false;
      catalogue::writeDiagnostic(out, finding, target_, contentOffset(finding));
    }
    for (const json::Value diagnostic : json::elements(input_.compiled.find("diagnostics"))) {
      out.raw(diagnostic.bytes());
    }
    out.close(']');
    return out.take();
  }

  // Returns the estimated tokens of what a CachedContent holds, or would hold.
  uint32_t cachedTokens() {
    const uint32_t turns = input_.cacheContents ? thread_.checkpointAfter(plan_.cut).tokens : 0;
    return layer(Layer::kStatic).tokens + toolTokens() + turns;
  }

  void decideCache() {
    cache::DecisionInput input;
    input.model = target_.model;
    input.hasCache = input_.hasCache && !isInteraction_;
    input.usable = plan_.cached;
    input.stableTokens = cachedTokens();
    const cache::Choice choice = cache::decide(input);
    manifest_.cacheDecision = cache::decisionName(choice.decision);
    manifest_.cacheReason = choice.reason;
    manifest_.cacheKey = plan_.key;
  }

  void writeReport() {
    const std::string diagnosticsJson = diagnostics();
    decideCache();
    manifest_.compiled = input_.compiled;
    manifest_.ownSections = {staticLayer().ownSection, dynamicLayer().ownSection};
    constexpr size_t kUsualSize = 3072;
    json::Writer out(kUsualSize + diagnosticsJson.size());
    out.open('{').key("ok").boolean(result_.ok);
    out.key("diagnostics").raw(diagnosticsJson);
    out.key("promptTokens").integer(manifest_.promptTokens).key("manifest");
    writeManifest(out, manifest_, diagnosticsJson);
    out.close('}');
    result_.report = out.take();
  }

  AssemblyMemo& memo_;
  const thread::Thread& thread_;
  const AssembleInput& input_;
  Assembled& result_;
  catalogue::Target target_;
  bool isInteraction_;
  bool beginsWithResults_ = false;  // of calls that Google has
  Manifest manifest_;
  BodyWriter writer_;
  Plan plan_;
  Trigger trigger_;
  std::string triggerSteps_;  // of a trigger that is not in the thread
  catalogue::Findings triggerLosses_;
  catalogue::Findings findings_;
  size_t dynamicAt_ = 0;         // turns before the dynamic text
  int32_t leadingContents_ = 0;  // Contents before all turns, except the dynamic text
};

}  // namespace

Assembled Assembler::assemble(const thread::Thread& thread, const AssembleInput& input) {
  Assembled result;
  result.failure = readFields(input, memo_.texts.fields);
  if (!result.failure && input.continued.turns > thread.size()) {
    result.failure = LayerFailure{Error{"field.invalid", 0, "/previousInteraction/turns",
                                        "the number of turns of this thread, or less"},
                                  {}};
  }
  if (!result.failure) result.failure = Assembly(memo_, thread, input, result).run();
  return result;
}

CacheBody Assembler::cacheBody(const thread::Thread& thread, const AssembleInput& input) {
  CacheBody result;
  if (isInteraction(input)) {
    result.failure =
        LayerFailure{Error{"field.invalid", 0, "/wire",
                           "\"generateContent\": the Interactions API has no explicit caches"},
                     {}};
    return result;
  }
  result.failure = readFields(input, memo_.texts.fields);
  if (result.failure) return result;
  Plan plan;
  result.failure = makePlan(thread, input, memo_.texts, plan);
  if (result.failure) return result;
  result.turns = plan.cut;
  result.key = plan.key;
  writeCacheBody(result.body, thread, input, plan, memo_.texts);
  return result;
}

CachePreview Assembler::cachePreview(const thread::Thread& thread, const AssembleInput& input) {
  CachePreview result;
  result.failure = readFields(input, memo_.texts.fields);
  Plan plan;
  if (!result.failure) result.failure = makePlan(thread, input, memo_.texts, plan);
  if (result.failure) return result;
  result.usable = plan.cached;
  result.turns = std::max(plan.cut, compaction::findCut(thread, 0, !input.cacheContents).turns);
  // If history is cached as text, the static text already contains it up to the split point.
  const size_t counted = input.cacheContents ? 0 : plan.cut;
  result.tokens = memo_.texts.staticLayer().tokens + memo_.texts.tools().tokens() +
                  thread.checkpointAfter(result.turns).tokens -
                  thread.checkpointAfter(counted).tokens;
  result.promptTokens = result.tokens + memo_.texts.dynamicLayer().tokens + thread.tokens() -
                        thread.checkpointAfter(result.turns).tokens;
  return result;
}

}  // namespace strata::layers
