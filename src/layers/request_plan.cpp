#include "layers/request_plan.h"

#include <algorithm>

#include "compaction/cut.h"

namespace strata::layers {
namespace {

using catalogue::Rule;

class RequestPlanner {
 public:
  RequestPlanner(const thread::Thread& thread, const AssembleInput& input, TextLayers& texts,
                 Plan& plan)
      : thread_(thread),
        input_(input),
        texts_(texts),
        plan_(plan),
        model_(*thread.target().model) {}

  std::optional<LayerFailure> run() {
    if (auto failure = texts_.dynamicRenderer.render(input_.dynamicText, input_, ""))
      return failure;
    if (!input_.continued.id.empty()) return planAt(input_.continued.turns);
    // The Interactions API has no explicit caches.
    if (!input_.hasCache || isInteraction(input_)) return planAt(defaultCut());
    if (auto failure = planAt(std::min(input_.cache.turns, thread_.size()))) return failure;
    plan_.cached = isUsable();
    if (plan_.cached) return std::nullopt;
    // Without the cache the history is split as if none were given.
    return planAt(defaultCut());
  }

 private:
  std::optional<LayerFailure> planAt(size_t cut) {
    plan_.cut = cut;
    const bool asText = cut > 0 && !input_.cacheContents && input_.continued.id.empty();
    const std::string nothing;
    const std::string& quoted = asText ? texts_.quotedHistory(thread_, cut) : nothing;
    if (auto failure = texts_.staticRenderer.render(input_.staticText, input_, quoted))
      return failure;
    plan_.key = cacheKey();
    return std::nullopt;
  }

  size_t defaultCut() {
    // Old Contents can be left out of a request only if a cache contains them.
    if (input_.cacheContents && !input_.forCache) return 0;
    const int64_t threshold = input_.hasBufferTokens ? input_.bufferTokens : model_.bufferTokens;
    const bool asText = !input_.cacheContents;
    const compaction::Cut cut = compaction::findCut(thread_, threshold, asText);
    if (cut.blockedByMedia) addFinding(Rule::kHistoryMediaBuffered, "/contents");
    return cut.turns;
  }

  // Returns a hash of everything a CachedContent would contain. It combines digests that are known
  // already, so long inputs are not hashed again.
  std::string cacheKey() {
    Sha256 hash;
    hash.add(catalogue::bareModelName(input_.model));
    hash.add(input_.staticAsUser ? "\nuser\n" : "\nsystem\n");
    hash.add(bytesOf(texts_.staticLayer().digest));
    hash.add(bytesOf(texts_.tools().digest()));
    hash.add(bytesOf(texts_.toolConfig().digest()));
    if (input_.cacheContents) hash.add(bytesOf(thread_.checkpointAfter(plan_.cut).digest));
    return toHex(hash.finish());
  }

  bool isUsable() {
    const std::string model(catalogue::bareModelName(input_.model));
    const std::string cached(catalogue::bareModelName(input_.cache.model));
    const bool rewound = input_.cache.turns > thread_.size();
    if (!model_.explicitCache) {
      rejectCache(Rule::kCacheUnsupportedModel, model);
    } else if (cached != model) {
      rejectCache(Rule::kCacheModelMismatch, model, cached);
    } else if (!rewound && !compaction::isSafeSplitPoint(thread_, input_.cache.turns)) {
      rejectCache(Rule::kCacheSplitsStep);
    } else if (rewound || input_.cache.key != plan_.key) {
      rejectCache(Rule::kCacheStale);
    } else {
      return true;
    }
    return false;
  }

  catalogue::Finding& addFinding(Rule rule, std::string path) {
    catalogue::Finding& finding = plan_.findings.emplace_back();
    finding.rule = rule;
    finding.path = std::move(path);
    return finding;
  }

  // Records why the cache is not used. At most a warning, since the request is valid without it.
  void rejectCache(Rule rule, std::string arg1 = {}, std::string arg2 = {}) {
    catalogue::Finding& finding = addFinding(rule, "/cachedContent");
    finding.severityCap = catalogue::Severity::kWarning;
    finding.arg1 = std::move(arg1);
    finding.arg2 = std::move(arg2);
  }

  const thread::Thread& thread_;
  const AssembleInput& input_;
  TextLayers& texts_;
  Plan& plan_;
  const catalogue::ModelRow& model_;
};

}  // namespace

std::optional<LayerFailure> makePlan(const thread::Thread& thread, const AssembleInput& input,
                                     TextLayers& texts, Plan& plan) {
  return RequestPlanner(thread, input, texts, plan).run();
}

}  // namespace strata::layers
