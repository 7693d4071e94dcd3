// Reads what JavaScript passes to a thread: its options, turns, and the parts of an assemble frame.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core.h"
#include "host_template.h"
#include "layers/input.h"
#include "thread/thread.h"
#include "thread/turn_meta.h"

namespace strata::bindings {

// The parts of an assemble frame, in the order in which the shell writes them
// (web/sdk/core/assemble.ts).
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
  kExtra,
  kPrevious,
  kStableHalf,
  kDynamicHalf,
  kCompiledManifest,
};

// `source` describes a template, whose source `text` is, by its id and what HostTemplate reads; or
// `text` is the finished text. `compiled` is the template, if there is one.
inline layers::TextInput textInput(json::Value source, std::string_view text,
                                   std::string_view variables, std::string_view half,
                                   const HostTemplate& compiled) {
  layers::TextInput input;
  input.half = half;
  input.text = text;
  input.variables = variables;
  if (!source.isObject()) return input;
  input.templateId = static_cast<uint32_t>(source.find("id").integer(0));
  input.compiled = &compiled;
  return input;
}

inline layers::TriggerKind triggerKind(json::Value kind) {
  if (kind.equals("instruction")) return layers::TriggerKind::kInstruction;
  return kind.equals("content") ? layers::TriggerKind::kContent : layers::TriggerKind::kNone;
}

/// The caller's ThreadOptions without those of `readHistory`.
struct ThreadOptions {
  enum class Sequencing : uint8_t { kStrict, kApi };

  std::string model;
  catalogue::Service service;
  catalogue::TokenLimits limits;
  thread::Thread::Policy policy = thread::Thread::Policy::kReject;
  std::optional<Sequencing>
      sequencing;  ///< Default: of the saved thread; kApi for other histories.

  explicit ThreadOptions(json::OptionsReader& options) {
    constexpr std::array<std::string_view, 3> kPolicies = {"reject", "repair", "warn"};
    constexpr std::array<std::string_view, 2> kSequencings = {"strict", "api"};
    options.nonEmptyString("model", model);
    catalogue::readService(options, service);
    options.nested("limits", [&](json::OptionsReader& reported) {
      reported.count("inputTokenLimit", limits.input);
      reported.count("outputTokenLimit", limits.output).acceptOthers();
    });
    options.oneOf("policy", kPolicies, policy);
    options.oneOf("sequencing", kSequencings, sequencing).accept("from");
  }
};

/// What `append` and `check` are given. Part 1: TurnMeta or nothing, part 2: what the caller asks
/// of an append besides adding the Content, or nothing.
struct TurnCall {
  explicit TurnCall(const Exchange& exchange) : meta(exchange.part(1)) {
    bool hasSteps = false;
    const Options given(exchange.part(2));
    if (!exchange.part(2).empty()) readAsked(given.reader(), hasSteps);
    if (status && !exchange.part(1).empty())
      status = thread::checkTurnMeta(meta.reader("/meta"), hasSteps);
  }

  Options meta;
  thread::AppendOptions append;
  bool tail = false;
  bool content = false;
  Status status;  ///< The error of an option.

 private:
  void readAsked(json::OptionsReader options, bool& hasSteps) {
    options.boolean("placeholder", append.placeholder).boolean("learn", append.learn);
    options.boolean("tail", tail).boolean("content", content);
    options.boolean("steps", hasSteps);
    status = options.finish();
  }
};

}  // namespace strata::bindings
