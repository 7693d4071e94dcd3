// reasoning_effort becomes a thinkingLevel that the model has, or the thinkingBudget that Google's
// own endpoint uses for the word.
//
// Source: "OpenAI compatibility", https://ai.google.dev/gemini-api/docs/openai (Thinking); levels
// and budgets of a model: src/catalogue/models.json.
#include "dialects/openai_thinking.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text_index.h"
#include "gemini/content_view.h"

namespace strata::dialects {
namespace {

struct Effort {
  std::string_view name;
  size_t level;    // in catalogue::kThinkingLevels
  int32_t budget;  // of models that take no level
};

constexpr std::array<Effort, 5> kEfforts = {{{"minimal", 0, 1024},
                                             {"low", 1, 1024},
                                             {"medium", 2, 8192},
                                             {"high", 3, 24576},
                                             {"xhigh", 4, 32768}}};

class ThinkingWriter {
 public:
  explicit ThinkingWriter(OpenAiDraft& draft) : draft_(draft), model_(*draft.target.model) {
    out_.open('{');
  }

  void readEffort(json::Value effort, const Path& path) {
    if (effort.equals("none")) return turnOff(path);
    const std::string name = effort.text();
    for (const Effort& row : kEfforts) {
      if (row.name != name) continue;
      if (model_.levels != 0) return writeLevel(row, path);
      if (model_.takesBudget()) return writeBudget(row, path);
      return draft_.drop(path, "reasoning_effort", "the model takes no thinking options");
    }
    draft_.refuse(path, "none, minimal, low, medium, high or xhigh");
  }

  // Copies Google's fields in the spelling of the API.
  void readConfig(json::Value config, bool hasEffort, const Path& path) {
    if (!config.isObject()) return draft_.refuse(path, "an object");
    TextIndex given;
    for (const json::Member member : json::members(config)) {
      const std::string name = gemini::toCamelCase(member.key);
      if (hasEffort && name != "includeThoughts") {
        return draft_.refuse(path.at(member.key.text()), "left out beside reasoning_effort");
      }
      if (member.value.isNull()) continue;
      if (given.find(name) >= 0) {
        return draft_.refuse(path.at(member.key.text()), "given once");
      }
      given.add(name, 0);
      out_.key(name).raw(member.value.bytes());
    }
  }

  void finish() {
    if (out_.text() == "{") return;
    draft_.generation.key("thinkingConfig").raw(out_.close('}').text());
  }

 private:
  void turnOff(const Path& path) {
    const bool canBeOff = model_.takesBudget() && (model_.thinkingOff || model_.budgetLow <= 0);
    if (canBeOff) {
      out_.key("thinkingBudget").integer(0);
      return;
    }
    Effort lowest = kEfforts.front();
    lowest.name = "none";
    lowest.budget = model_.budgetLow;
    if (model_.levels != 0) return writeLevel(lowest, path);
    if (model_.takesBudget()) return writeBudget(lowest, path);
  }

  void writeLevel(const Effort& effort, const Path& path) {
    const auto has = [&](size_t level) { return (model_.levels >> level & 1U) != 0; };
    size_t level = effort.level;
    while (level < catalogue::kThinkingLevels.size() && !has(level)) ++level;
    if (level == catalogue::kThinkingLevels.size()) {
      level = effort.level;
      while (!has(level)) --level;
    }
    const std::string_view name = catalogue::kThinkingLevels[level];
    out_.key("thinkingLevel").string(name);
    if (effort.name == "none" || level != effort.level) {
      note(effort, "the level " + std::string(name), path);
    }
  }

  void writeBudget(const Effort& effort, const Path& path) {
    const int32_t budget = std::clamp(effort.budget, model_.budgetLow, model_.budgetHigh);
    out_.key("thinkingBudget").integer(budget);
    if (effort.name == "none") note(effort, "a budget of " + std::to_string(budget), path);
  }

  void note(const Effort& effort, const std::string& instead, const Path& path) {
    draft_.notes.addConverted(path, "The effort " + std::string(effort.name),
                              instead + ", the nearest that the model takes");
  }

  OpenAiDraft& draft_;
  const catalogue::ModelRow& model_;
  json::Writer out_;
};

}  // namespace

void readThinking(json::Value request, json::Value google, const Path& googlePath,
                  OpenAiDraft& draft) {
  const Path root;
  const json::Value effort = givenMember(request, "reasoning_effort");
  const json::Value config = givenMember(google, "thinking_config");
  ThinkingWriter writer(draft);
  if (effort) writer.readEffort(effort, root.at("reasoning_effort"));
  const bool hasEffort = static_cast<bool>(effort);
  if (config) writer.readConfig(config, hasEffort, googlePath.at("thinking_config"));
  writer.finish();
}

}  // namespace strata::dialects
