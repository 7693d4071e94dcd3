// Assembles requests of one thread for tests, and reads them as JSON.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "layers/assembler.h"
#include "prompt/prompt_template.h"
#include "support/contents.h"
#include "support/random_history.h"
#include "templates/default_templates.h"
#include "templates/jinja_template.h"

namespace strata::test {

/// An assembled request with its body joined.
struct AssembledRequest {
  explicit AssembledRequest(layers::Assembled assembled)
      : ok(assembled.ok),
        body(assembled.body.join()),
        report(std::move(assembled.report)),
        failure(std::move(assembled.failure)) {}

  json::Value manifest() const { return report.root().find("manifest"); }
  std::vector<std::string> contents() const {
    const Json read(body);
    std::vector<std::string> all;
    for (const json::Value each : json::elements(read.root().find("contents"))) {
      all.emplace_back(each.bytes());
    }
    return all;
  }
  std::vector<std::string> fields() const {
    const Json read(body);
    std::vector<std::string> names;
    for (const json::Member each : json::members(read.root())) names.push_back(each.key.text());
    return names;
  }
  /// Returns the text of systemInstruction.
  std::string instruction() const {
    const Json read(body);
    return read.root().find("systemInstruction").find("parts").at(0).find("text").text();
  }
  /// Returns `severity code path` of each diagnostic.
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const json::Value each : json::elements(report.root().find("diagnostics"))) {
      all.push_back(each.find("severity").text() + " " + each.find("code").text() + " " +
                    each.find("path").text());
    }
    return all;
  }

  bool ok;
  std::string body;
  Json report;
  std::optional<layers::LayerFailure> failure;
};

inline uint32_t tenTokens(json::Value) { return 10; }

/// One thread with its assembler. Both text layers are plain texts by default.
class Requests : public testing::Test {
 protected:
  explicit Requests(const std::string& model = "gemini-3.8-flash", bool strict = false)
      : judge_(model), thread_(judge_.thread(strict, tenTokens)) {
    input_.now = "2026-11-21T10:00:00Z";
    input_.model = model;
    useTexts("Be brief.", "");
  }

  void useTexts(std::string_view staticText, std::string_view dynamicText) {
    input_.staticText = plain(staticText);
    input_.dynamicText = plain(dynamicText);
  }
  static layers::TextInput plain(std::string_view text) {
    layers::TextInput input;
    input.text = text;
    return input;
  }
  layers::TextInput templated(std::string_view source, std::string_view variables = "") {
    const auto isSame = [&](const templates::JinjaTemplate& each) {
      return each.source() == source;
    };
    auto found = std::find_if(templates_.begin(), templates_.end(), isSame);
    if (found == templates_.end()) {
      templates_.emplace_back(std::string(source), prompt::promptTemplateOptions(), nullptr);
      found = std::prev(templates_.end());
    }
    layers::TextInput input;
    input.text = found->source();
    input.templateId = static_cast<uint32_t>(found - templates_.begin()) + 1;
    input.compiled = &*found;
    input.variables = variables;
    return input;
  }
  layers::TextInput defaultTemplate(layers::Layer layer) {
    return templated(templates::defaultTemplate(layer));
  }
  void setInstruction(std::string_view instruction) {
    input_.triggerKind = layers::TriggerKind::kInstruction;
    input_.trigger = instruction;
  }
  void setTriggerContent(std::string_view content) {
    input_.triggerKind = layers::TriggerKind::kContent;
    input_.trigger = content;
  }
  void add(const std::vector<std::string>& contents) {
    for (const std::string& each : contents) append(thread_, each);
  }
  void buffer(int64_t tokens) {
    input_.hasBufferTokens = true;
    input_.bufferTokens = tokens;
  }
  AssembledRequest assemble() { return AssembledRequest(assembler_.assemble(thread_, input_)); }

  std::deque<templates::JinjaTemplate> templates_;
  Judge judge_;
  thread::Thread thread_;
  layers::Assembler assembler_;
  layers::AssembleInput input_;
};

}  // namespace strata::test
