// Defines the paths through the core whose instructions are counted. Each repetition does the same
// work.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gates/agent_prompt.h"
#include "gates/inputs.h"
#include "jinja/template.h"
#include "layers/assembler.h"
#include "lint/lint.h"
#include "prompt/prompt_template.h"
#include "stream/response_assembler.h"
#include "support/contents.h"
#include "templates/default_templates.h"
#include "templates/jinja_template.h"
#include "thread/thread.h"
#include "tokens/estimate.h"

namespace strata::gates {

inline constexpr size_t kTurns = 400;
inline constexpr size_t kChunks = 2000;
inline constexpr std::string_view kNow = "2026-11-21T10:00:00Z";

/// The inputs of a path, which its constructor builds, and the work that is counted.
class Path {
 public:
  virtual ~Path() = default;
  /// Does the work once. Returns whether its result is right.
  virtual bool repeat() = 0;
};

/// Returns an empty thread of the model that requests are for.
inline thread::Thread newThread(const test::Judge& judge) {
  return judge.thread(false, tokens::estimateContentGemini3);
}

/// Appends each Content to `thread`. Returns whether all were accepted.
inline bool appendAll(thread::Thread& thread, const std::vector<std::string>& contents) {
  bool accepted = true;
  for (const std::string& content : contents) {
    accepted = test::append(thread, content, test::Policy::kReject).accepted && accepted;
  }
  return accepted;
}

/// Returns the default template of a layer.
inline templates::JinjaTemplate layerTemplate(layers::Layer layer) {
  return {std::string(templates::defaultTemplate(layer)), prompt::promptTemplateOptions(), nullptr};
}

/// Appends a conversation to a new thread.
class AppendPath : public Path {
 public:
  bool repeat() override {
    thread::Thread thread = newThread(judge_);
    return appendAll(thread, contents_);
  }

 private:
  test::Judge judge_;
  std::vector<std::string> contents_ = conversation(kTurns);
};

/// Assembles the next request of a conversation, whose dynamic layer has changed.
class AssemblePath : public Path {
 public:
  AssemblePath() : thread_(newThread(judge_)) {
    appendAll(thread_, conversation(kTurns));
    input_.now = kNow;
    input_.model = judge_.model();
    input_.judgeSchema = schemas::judge;
    input_.staticText = {templates_[0].source(), 1, &templates_[0], staticVariables_, {}};
    input_.dynamicText = {templates_[1].source(), 2, &templates_[1], {}, {}};
    input_.tools = tools_;
    input_.toolConfig = kToolConfig;
    input_.generationConfig = kGenerationConfig;
    input_.hasBufferTokens = true;
    input_.bufferTokens = -1;  // All turns stay in `contents`.
    input_.triggerKind = layers::TriggerKind::kInstruction;
    input_.trigger = "And tomorrow?";
  }

  bool repeat() override {
    const std::string variables =
        R"({"todos":[{"title":"Pack for \"Bergen\"","step":)" + std::to_string(++step_) + "}]}";
    input_.dynamicText.variables = variables;
    const test::Json previous(std::move(report_));
    input_.previous = previous.root().find("manifest");
    layers::Assembled request = assembler_.assemble(thread_, input_);
    report_ = std::move(request.report);
    return request.ok && request.body.join().size() > thread_.contents(0, kTurns).size();
  }

 private:
  test::Judge judge_;
  thread::Thread thread_;
  std::string staticVariables_ =
      json::Writer().open('{').key("session_goal").string(prose(0, 20)).close('}').take();
  std::string tools_ = tools(4);
  std::array<templates::JinjaTemplate, 2> templates_ = {layerTemplate(layers::Layer::kStatic),
                                                        layerTemplate(layers::Layer::kDynamic)};
  layers::AssembleInput input_;
  layers::Assembler assembler_;
  std::string report_;
  size_t step_ = 100'000;  // so that all steps have the same number of digits
};

/// Lints the body of a request.
class LintPath : public Path {
 public:
  bool repeat() override { return lint::lintRequest(body_, judge_.context()).empty(); }

 private:
  test::Judge judge_;
  std::string body_ = requestBody(kTurns);
};

/// Reads a streamed answer from network reads that end in the middle of chunks.
class StreamPath : public Path {
 public:
  bool repeat() override {
    constexpr size_t kRead = 1400;
    stream::ResponseAssembler response;
    size_t events = 0;
    for (size_t at = 0; at < answer_.size(); at += kRead) {
      events += response.push(std::string_view(answer_).substr(at, kRead)).size();
    }
    events += response.end().size();
    return response.outcome() == stream::Outcome::kComplete && events > kChunks &&
           !response.content().empty() && !response.summary().empty();
  }

 private:
  std::string answer_ = streamedAnswer(kChunks);
};

/// Renders a compiled template.
class RenderPath : public Path {
 public:
  bool repeat() override {
    if (!prompt_) return false;
    const auto text = prompt_.value().render(context_, {kNow});
    return text && text.value().size() > kAgentPrompt.size();
  }

 private:
  static jinja::Options options() {
    jinja::Options options;
    options.trimBlocks = options.lstripBlocks = true;
    return options;
  }

  jinja::Expected<jinja::Template> prompt_ =
      jinja::Template::compile(std::string(kAgentPrompt), options());
  std::string context_ = agentContext();
};

/// Returns the path with this name, or nullptr.
inline std::unique_ptr<Path> makePath(std::string_view name) {
  if (name == "append") return std::make_unique<AppendPath>();
  if (name == "assemble") return std::make_unique<AssemblePath>();
  if (name == "lint") return std::make_unique<LintPath>();
  if (name == "stream") return std::make_unique<StreamPath>();
  if (name == "render") return std::make_unique<RenderPath>();
  return nullptr;
}

}  // namespace strata::gates
