// Imports steps of the Interactions API: a list of steps, a stored interaction, a list of
// interactions, or the body of a request, each as sent or as an SDK prints its object.
#include "dialects/message_reader.h"
#include "interactions/to_contents.h"

namespace strata::dialects {
namespace {

class InteractionReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  void read(json::Value root) {
    const Path top;
    if (!root.isArray()) return readInteraction(root, top);
    if (!root.at(0).find("steps")) {
      readEntries(root, top);
      return failed() ? void() : readSteps(root, top, {});
    }
    size_t index = 0;
    for (const json::Value each : json::elements(root)) {
      readInteraction(each, top.at(index++));
      if (failed()) return;
    }
  }

 private:
  // Entries are read as a list, because the steps of a turn are one Content.
  void readEntry(json::Value entry, const Path& path) override {
    if (entry.find("parts")) fail(entry, path, "a step: `checker.convert` makes steps of Contents");
  }

  void readInteraction(json::Value interaction, const Path& path) {
    const json::Value instruction = interaction.find("system_instruction");
    if (instruction.isString()) addSystemText(instruction, path.at("system_instruction"));
    noteUnknownFields(interaction, path,
                      "id object model agent status steps input usage created updated "
                      "service_tier system_instruction stream store errors tools generation_config "
                      "response_format previous_interaction_id ");
    TurnOrigin origin;
    origin.model = interaction.find("model").text();
    origin.at = interaction.find("created").text();
    const bool hasSteps = interaction.find("steps").isArray();
    const std::string_view name = hasSteps ? "steps" : "input";
    const json::Value steps = interaction.find(name);
    if (interaction.find("previous_interaction_id").isString())
      notes_.addOmitted(path, "The history before previous_interaction_id",
                        "only Google stores it");
    if (!steps.isArray() && !steps.isString() && !steps.isObject())
      return fail(steps ? steps : interaction, path.at(name), "a list of steps");
    readSteps(steps, path.at(name), origin);
  }

  void readSteps(json::Value steps, const Path& path, TurnOrigin origin) {
    const lint::Provenance& from = state_.options.signaturesFrom;
    if (origin.model.empty()) origin.model = from.model;
    if (origin.backend.empty()) origin.backend = from.backend;
    const interactions::Converted converted = interactions::contentsOf(steps, path.text());
    for (const catalogue::Finding& each : converted.findings) addNote(each);
    const Result<json::Tape> tape = json::Tape::read(converted.json);
    if (!tape) {
      state_.status = tape.error();
      return;
    }
    for (const json::Value content : json::elements(tape.value().root())) {
      appendTurn(state_.thread, content.bytes(), content, origin);
    }
  }

  void addNote(const catalogue::Finding& finding) {
    if (finding.rule == catalogue::Rule::kConvertChanged) {
      notes_.addAt(catalogue::Rule::kImportConverted, finding.path, finding.arg1, finding.arg2);
    } else {
      notes_.addAt(catalogue::Rule::kImportLeftOut, finding.path, finding.arg1,
                   "Contents have no form for it");
    }
  }
};

}  // namespace

void importInteractions(ImportState& state, json::Value root) {
  InteractionReader(state).read(root);
}

}  // namespace strata::dialects
