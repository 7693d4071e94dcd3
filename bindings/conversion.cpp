// Binds the conversion between the two APIs of Gemini.
#include <array>
#include <optional>

#include "bodies.h"
#include "interactions/convert_document.h"
#include "json/lenient.h"
#include "lint/interaction_rules.h"

namespace strata::bindings {
namespace {

using interactions::Wire;

// In the order of Wire.
constexpr std::array<std::string_view, 2> kWireNames = {"generateContent", "interactions"};

struct ConvertTask {
  std::string model;
  std::optional<Wire> to;
  catalogue::Service service;
  interactions::ConvertOptions options;
};

Result<ConvertTask> readTask(Core& core) {
  const Options given(core.exchange().part(1));
  json::OptionsReader options = given.reader();
  ConvertTask task;
  options.nonEmptyString("model", task.model).oneOf("to", kWireNames, task.to);
  options.boolean("placeholder", task.options.placeholder);
  catalogue::readService(options, task.service);
  if (Status status = options.finish(); !status) return status;
  if (!task.to) return Error{"field.invalid", 0, "/to", "generateContent or interactions"};
  return task;
}

// Returns what is wrong with a document that is nothing of the two APIs.
std::optional<catalogue::Finding> findUnfit(json::Value document, const ConvertTask& task) {
  const Wire wire = interactions::wireOf(document, task.model);
  if (interactions::isOfOthers(wire)) return lint::otherApiFinding(wire).front();
  if (document.isObject() || document.isArray()) return std::nullopt;
  catalogue::Finding finding{catalogue::Rule::kFieldInvalid};
  finding.arg1 = "the document";
  finding.arg2 = "a body, a list of Contents or steps, or an answer";
  return finding;
}

}  // namespace

void convert(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<ConvertTask> read = readTask(core);
  if (!read) return core.replyOptionError(read.error());
  const ConvertTask& task = read.value();
  const catalogue::Target target = core.targetOf(task.model, task.service);
  const json::LenientTape document(exchange.part(0));
  if (!document.status()) {
    const catalogue::Finding unreadable =
        catalogue::toFinding(document.status().error(), core.catalogue(), document.text());
    return exchange.reply(reportOf({unreadable}, target));
  }
  if (std::optional<catalogue::Finding> unfit = findUnfit(document.root(), task))
    return exchange.reply(reportOf({*unfit}, target));
  interactions::Converted converted =
      interactions::convertDocument(document.root(), target, {*task.to, task.model, task.options});
  Segments body;
  body.own(std::move(converted.json));
  exchange.reply(reportOf(converted.findings, target), std::move(body));
}

}  // namespace strata::bindings
