#include "layers/assembler.h"

#include <algorithm>

#include "cache/decision.h"
#include "compaction/cut.h"
#include "layers/body_writer.h"
#include "layers/cache_body.h"
#include "layers/request_plan.h"
#include "layers/trigger.h"
#include "lint/lint.h"
#include "lint/request_rules.h"
#include "tokens/estimate.h"

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

std::array<Field, 4> requestFields(const AssembleInput& input) {
  return {{{"tools", input.tools, true},
           {"toolConfig", input.toolConfig, true},
           {"generationConfig", input.generationConfig, false},
           {"safetySettings", input.safetySettings, false}}};
}

// Checks that each field is JSON, since its bytes are copied into the body.
std::optional<prompt::LayerFailure> checkFields(const AssembleInput& input) {
  for (const Field& field : requestFields(input)) {
    if (field.json.empty()) continue;
    const Result<json::Tape> tape = json::Tape::read(field.json);
    if (tape) continue;
    Error error = tape.error();
    error.path = "/" + std::string(field.name) + error.path;
    return prompt::LayerFailure{std::move(error), std::nullopt};
  }
  return std::nullopt;
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
        writer_(result.body, manifest_.pieces) {}

  std::optional<prompt::LayerFailure> run() {
    if (auto failure = makePlan(thread_, input_, memo_.texts, plan_)) return failure;
    Result<Trigger> trigger = chooseTrigger(thread_, input_);
    if (!trigger) return prompt::LayerFailure{trigger.error(), std::nullopt};
    trigger_ = std::move(trigger.value());
    writeTopLevelFields();
    writeContents();
    collectFindings();
    writeReport();
    return std::nullopt;
  }

 private:
  const RenderedText& staticLayer() const { return memo_.texts.staticLayer(); }
  const RenderedText& dynamicLayer() const { return memo_.texts.dynamicLayer(); }
  LayerEntry& layer(Layer which) { return manifest_.layers[static_cast<size_t>(which)]; }

  void writeTopLevelFields() {
    const bool inBody = !staticLayer().text.empty() && !plan_.cached;
    const Digest& digest = staticLayer().digest;
    layer(Layer::kStatic) = {staticLayer().text.empty() ? 0 : staticLayer().json.size(),
                             staticLayer().tokens, digest, plan_.cached};
    if (inBody && !input_.staticAsUser) writer_.systemInstruction(staticLayer().json, digest);
    const std::array<Field, 4> fields = requestFields(input_);
    for (size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      if (field.json.empty() || (plan_.cached && field.inCache)) continue;
      writer_.field(field.name, field.json, memo_.texts.fieldHashes[i].digest(field.json));
    }
    if (plan_.cached) writer_.cachedContent(input_.cache.name);
  }

  // Returns the number of turns before the dynamic text, which never splits a step.
  size_t dynamicPosition() const {
    const int32_t opening = trigger_.state.plainOpeningIndex;
    if (!input_.dynamicBeforeTurn || opening < 0) return plan_.cut;
    return std::clamp(static_cast<size_t>(opening), plan_.cut, historyEnd());
  }

  size_t historyEnd() const { return std::max(plan_.cut, trigger_.end); }

  void writeContents() {
    if (!staticLayer().text.empty() && !plan_.cached && input_.staticAsUser) {
      writer_.text("static", staticLayer().json, layer(Layer::kStatic).digest);
      ++leadingContents_;
    }
    dynamicAt_ = dynamicLayer().text.empty() ? historyEnd() : dynamicPosition();
    writer_.history(thread_, plan_.cut, dynamicAt_);
    if (!dynamicLayer().text.empty()) {
      const RenderedText& text = dynamicLayer();
      layer(Layer::kDynamic) = {text.json.size(), text.tokens, text.digest, false};
      writer_.text("dynamic", text.json, text.digest);
    }
    writer_.history(thread_, dynamicAt_, historyEnd());
    writeBufferedEntry();
    writeTrigger();
    writer_.close();
  }

  void writeBufferedEntry() {
    const thread::Checkpoint& end = thread_.checkpointAfter(historyEnd());
    layer(Layer::kBuffered) = {thread_.contents(plan_.cut, historyEnd()).size(),
                               end.tokens - thread_.checkpointAfter(plan_.cut).tokens, end.digest,
                               false};
  }

  void writeTrigger() {
    if (trigger_.missing()) return;
    const Digest digest =
        trigger_.inThread
            ? thread_.checkpointAfter(thread_.size()).digest
            : thread::chainDigest(thread_.checkpointAfter(historyEnd()).digest, trigger_.bytes());
    layer(Layer::kTrigger) = {trigger_.bytes().size(), trigger_.tokens, digest, false};
    writer_.trigger(trigger_.bytes(), !trigger_.owned.empty(), digest);
  }

  void addFinding(Rule rule, std::string arg1, std::string arg2) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.arg1 = std::move(arg1);
    finding.arg2 = std::move(arg2);
  }

  void addFindings(const catalogue::Findings& findings) {
    findings_.insert(findings_.end(), findings.begin(), findings.end());
  }

  void collectFindings() {
    checkFieldRules();
    checkSize();
    addFindings(memo_.texts.staticRenderer.rendered().findings);
    addFindings(memo_.texts.dynamicRenderer.rendered().findings);
    addFindings(plan_.findings);
    for (const Finding& finding : thread_.findings(trigger_.state)) {
      // Turns before the split point are not in contents. Below warnings only repairs are reported.
      const bool inContents = finding.content >= static_cast<int32_t>(plan_.cut);
      const bool reported = finding.repaired || target_.severity(finding) >= Severity::kWarning;
      if (inContents && reported) findings_.push_back(finding);
    }
    addFindings(trigger_.findings);
    if (!trigger_.missing()) lint::checkEnd(trigger_.state, findings_);
  }

  // Applies the rules about fields other than contents, and again only if a field has changed.
  void checkFieldRules() {
    std::string fields = "{";
    for (const Field& field : requestFields(input_)) {
      if (field.json.empty() || (plan_.cached && field.inCache)) continue;
      fields.append(fields.size() > 1 ? ",\"" : "\"").append(field.name).append("\":");
      fields.append(field.json);
    }
    fields += "}";
    if (fields != memo_.checkedFields) {
      const json::Tape tape = json::Tape::read(fields).value();
      lint::LintContext context;
      context.target = target_;
      context.model = input_.model;
      memo_.fieldFindings.clear();
      lint::checkRequest(tape.root(), lint::BodyKind::kRequest, fields.size(), context,
                         memo_.fieldFindings);
      memo_.checkedFields = std::move(fields);
    }
    addFindings(memo_.fieldFindings);
  }

  void checkSize() {
    const size_t bytes = result_.body.size();
    if (bytes > lint::kMaxRequestBytes) {
      addFinding(Rule::kSizeTooLarge, std::to_string(bytes),
                 std::to_string(lint::kMaxRequestBytes));
    }
    uint32_t tokens = 0;
    for (const LayerEntry& entry : manifest_.layers) tokens += entry.tokens;
    const uint32_t limit = target_.model->contextTokens;
    if (tokens > limit) {
      addFinding(Rule::kContextTooLarge, std::to_string(tokens), std::to_string(limit));
    }
  }

  // Returns what to add to a turn's index in the thread to get its index in the body's contents.
  int32_t contentOffset(const Finding& finding) const {
    const bool afterDynamic =
        !dynamicLayer().text.empty() && finding.content >= static_cast<int32_t>(dynamicAt_);
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

  void decideCache() {
    cache::DecisionInput input;
    input.model = target_.model;
    input.hasCache = input_.hasCache;
    input.usable = plan_.cached;
    input.stableTokens =
        layer(Layer::kStatic).tokens + static_cast<uint32_t>(tokens::estimateText(input_.tools));
    if (input_.cacheContents) input.stableTokens += thread_.checkpointAfter(plan_.cut).tokens;
    const cache::Choice choice = cache::decide(input);
    manifest_.cacheDecision = cache::decisionName(choice.decision);
    manifest_.cacheReason = choice.reason;
    manifest_.cacheKey = plan_.key;
  }

  void writeReport() {
    const std::string diagnosticsJson = diagnostics();
    decideCache();
    manifest_.model = input_.model;
    manifest_.compiled = input_.compiled;
    manifest_.ownSections = {staticLayer().ownSection, dynamicLayer().ownSection};
    manifest_.stablePrefixBytes = sharedPrefix(manifest_.pieces, input_.previous, thread_);
    json::Writer out;
    out.open('{').key("ok").boolean(result_.ok);
    out.key("diagnostics").raw(diagnosticsJson).key("manifest");
    writeManifest(out, manifest_, diagnosticsJson);
    out.close('}');
    result_.report = out.take();
  }

  AssemblyMemo& memo_;
  const thread::Thread& thread_;
  const AssembleInput& input_;
  Assembled& result_;
  catalogue::Target target_;
  Manifest manifest_;
  BodyWriter writer_;
  Plan plan_;
  Trigger trigger_;
  catalogue::Findings findings_;
  size_t dynamicAt_ = 0;         // turns before the dynamic text
  int32_t leadingContents_ = 0;  // Contents before all turns, except the dynamic text
};

}  // namespace

Assembled Assembler::assemble(const thread::Thread& thread, const AssembleInput& input) {
  Assembled result;
  result.failure = checkFields(input);
  if (!result.failure) result.failure = Assembly(memo_, thread, input, result).run();
  return result;
}

CacheBody Assembler::cacheBody(const thread::Thread& thread, const AssembleInput& input) {
  CacheBody result;
  result.failure = checkFields(input);
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
  result.failure = checkFields(input);
  Plan plan;
  if (!result.failure) result.failure = makePlan(thread, input, memo_.texts, plan);
  if (result.failure) return result;
  result.usable = plan.cached;
  result.turns = std::max(plan.cut, compaction::findCut(thread, 0, !input.cacheContents).turns);
  // If history is cached as text, the static text already contains it up to the split point.
  const size_t counted = input.cacheContents ? 0 : plan.cut;
  result.tokens =
      memo_.texts.staticLayer().tokens + static_cast<uint32_t>(tokens::estimateText(input.tools)) +
      thread.checkpointAfter(result.turns).tokens - thread.checkpointAfter(counted).tokens;
  result.promptTokens = result.tokens + memo_.texts.dynamicLayer().tokens + thread.tokens() -
                        thread.checkpointAfter(result.turns).tokens;
  return result;
}

}  // namespace strata::layers
