#include "core.h"

#include "json/number.h"
#include "json/pointer.h"
#include "json/writer.h"
#include "lint/lint.h"
#include "out_of_memory.h"
#include "repair/repair.h"
#include "tokens/calibration.h"

namespace strata::bindings {
namespace {

std::string tokensReply(double tokens) {
  return "{\"tokens\":" + std::to_string(static_cast<uint32_t>(tokens)) + "}";
}

tokens::Calibration calibrationOf(json::Value options) {
  const json::Value given = options.find("calibration");
  const auto number = [&](std::string_view name, double fallback) {
    return json::readDouble(given.find(name).bytes()).value_or(fallback);
  };
  return {number("text", 1), number("data", 1), number("seen", 0)};
}

}  // namespace

Options::Options(std::string_view json) {
  if (json.empty()) return;
  Result<json::Tape> tape = json::Tape::read(json);
  if (tape) tape_ = std::move(tape.value());
}

uint32_t Core::outOfMemory() const {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&ranOutOfMemory));
}

catalogue::Target Core::targetOf(json::Value options) const {
  catalogue::Target target;
  target.catalogue = &catalogue_;
  target.model = &catalogue_.model(options.find("model").text());
  if (options.find("backend").equals("vertex")) target.backend = gemini::Backend::kVertex;
  return target;
}

void Core::configure() {
  const Options models(exchange_.part(0));
  const Options rows(exchange_.part(1));
  Status status = catalogue_.addModels(models.root());
  if (status) status = catalogue_.addRules(rows.root());
  if (status) return exchange_.reply("{}");
  exchange_.replyOptionError(status.error(), targetOf({}));
}

lint::LintContext Core::contextOf(json::Value options) const {
  const json::Value cache = options.find("cache");
  const json::Value from = options.find("signaturesFrom");
  lint::LintContext context;
  context.target = targetOf(options);
  context.model = options.find("model").text();
  if (cache.isObject()) context.cacheModel = cache.find("model").text();
  context.cacheTokens = cache.find("tokens").integer(-1);
  context.signaturesFrom = {from.find("model").text(), from.find("backend").text()};
  return context;
}

void Core::lint() {
  const Options options(exchange_.part(1));
  const lint::LintContext context = contextOf(options.root());
  exchange_.reply(reportOf(lint::lintRequest(exchange_.part(0), context), context.target));
}

void Core::repair() {
  const Options options(exchange_.part(1));
  const lint::LintContext context = contextOf(options.root());
  const bool dummies = options.root().find("dummySignatures").isTrue();
  const repair::RepairResult repaired =
      repair::repairRequest(exchange_.part(0), context, {dummies});
  exchange_.reply(reportOf(repaired.findings, context.target), repaired.body.segments());
}

void Core::locate() {
  const Options pointers(exchange_.part(1));
  const Result<json::Tape> tape = json::Tape::read(exchange_.part(0));
  json::Writer out;
  out.open('{').key("places").open('[');
  for (const json::Value pointer : json::elements(pointers.root())) {
    const json::Value value =
        tape ? json::valueAt(tape.value().root(), pointer.text()) : json::Value();
    const size_t begin = tape ? value.offset() : tape.error().offset;
    if (tape && !value) {
      out.raw("null");
      continue;
    }
    out.open('[').integer(static_cast<int64_t>(begin));
    out.integer(static_cast<int64_t>(begin + value.bytes().size())).close(']');
  }
  out.close(']').close('}');
  exchange_.reply(out.take());
}

void Core::modelLimits() {
  const Options options(exchange_.part(0));
  const catalogue::ModelRow& row = *targetOf(options.root()).model;
  json::Writer out;
  out.open('{').key("contextTokens").integer(row.contextTokens);
  out.key("outputTokens").integer(row.outputTokens).key("cacheMinimum").integer(row.cacheMinimum);
  out.key("explicitCache").boolean(row.explicitCache);
  exchange_.reply(out.key("bufferTokens").integer(row.bufferTokens).close('}').take());
}

// Estimates part 0: plain text, a Content, or an array of Contents.
Result<tokens::Measure> Core::measureInput(json::Value options) const {
  if (options.find("plain").isTrue()) {
    tokens::Measure plain;
    plain.text = tokens::estimateText(exchange_.part(0));
    return plain;
  }
  const Result<json::Tape> tape = json::Tape::read(exchange_.part(0));
  if (!tape) return tape.error();
  const bool known = options.find("model").isString();
  const bool old = targetOf(options).model->generation == catalogue::Generation::k2_5;
  const auto count = old ? tokens::MediaCount::kGemini2 : tokens::MediaCount::kGemini3;
  return tokens::measure(tape.value().root(), known ? count : tokens::MediaCount::kFlat);
}

void Core::estimate() {
  const Options options(exchange_.part(1));
  const Result<tokens::Measure> sum = measureInput(options.root());
  if (!sum) return exchange_.replyError(sum.error(), targetOf({}));
  exchange_.reply(tokensReply(tokens::corrected(sum.value(), calibrationOf(options.root()))));
}

void Core::calibrate() {
  const Options options(exchange_.part(1));
  const json::Value root = options.root();
  const Result<tokens::Measure> sum = measureInput(root);
  if (!sum) return exchange_.replyError(sum.error(), targetOf({}));
  tokens::Calibration calibration = calibrationOf(root);
  tokens::learn(calibration, sum.value(),
                json::readDouble(root.find("tokens").bytes()).value_or(0));
  json::Writer out;
  out.open('{').key("text").number(calibration.text).key("data").number(calibration.data);
  exchange_.reply(out.key("seen").number(calibration.seen).close('}').take());
}

}  // namespace strata::bindings
