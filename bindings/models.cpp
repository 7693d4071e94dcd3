#include "models.h"

#include <optional>

#include "catalogue/model.h"
#include "json/tape.h"
#include "json/writer.h"
#include "thread/thread.h"
#include "tokens/estimate.h"

namespace strata::bindings {
namespace {

/// The options of `estimate` and `calibrate`.
struct EstimateOptions {
  std::optional<std::string> model;
  catalogue::Service service;
  tokens::Calibration calibration;
  bool plain = false;
  double tokens = 0;
};

std::string tokensReply(double tokens) {
  return "{\"tokens\":" + std::to_string(static_cast<uint32_t>(tokens)) + "}";
}

void writePrice(json::Writer& out, const catalogue::Price& price) {
  out.open('{').key("input").number(price.input).key("output").number(price.output);
  out.key("cacheRead").number(price.cached).key("storagePerHour").number(price.storage).close('}');
}

Result<EstimateOptions> readEstimateOptions(const Exchange& exchange, json::Need tokens) {
  const Options given(exchange.part(1));
  const Options givenCall(exchange.part(2));
  EstimateOptions read;
  json::OptionsReader options = given.reader();
  options.string("model", read.model);
  catalogue::readService(options, read.service);
  options.nested("calibration", [&](json::OptionsReader& calibration) {
    read.calibration = readCalibration(calibration);
  });
  json::OptionsReader call = givenCall.reader();
  call.boolean("plain", read.plain).number("tokens", read.tokens, tokens);
  options.add(call.finish());
  if (Status status = options.finish(); !status) return status;
  return read;
}

// Estimates part 0: plain text, a Content, or an array of Contents.
Result<tokens::Measure> measureInput(Core& core, const EstimateOptions& options) {
  const std::string_view bytes = core.exchange().part(0);
  if (options.plain) {
    tokens::Measure plain;
    plain.text = tokens::estimateText(bytes);
    return plain;
  }
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  if (!options.model) return tokens::measure(tape.value().root(), tokens::MediaCount::kFlat);
  return tokens::measure(tape.value().root(),
                         thread::mediaCountOf(core.targetOf(*options.model, options.service)));
}

}  // namespace

tokens::Calibration readCalibration(json::OptionsReader& options) {
  tokens::Calibration calibration;
  options.amount("text", calibration.text, json::Need::kRequired);
  options.amount("data", calibration.data, json::Need::kRequired);
  options.amount("seen", calibration.seen, json::Need::kRequired);
  return calibration;
}

std::string calibrationReply(const tokens::Calibration& calibration) {
  json::Writer out;
  out.open('{').key("text").number(calibration.text).key("data").number(calibration.data);
  return out.key("seen").number(calibration.seen).close('}').take();
}

Result<ModelOptions> readModelOptions(const Exchange& exchange, size_t part) {
  const Options given(exchange.part(part));
  json::OptionsReader options = given.reader();
  ModelOptions read;
  options.nonEmptyString("model", read.model);
  catalogue::readService(options, read.service);
  if (Status status = options.finish(); !status) return status;
  return read;
}

void modelLimits(Core& core) {
  const Result<ModelOptions> options = readModelOptions(core.exchange(), 0);
  if (!options) return core.replyOptionError(options.error());
  const catalogue::Service service = options.value().service;
  const catalogue::ServedModel served = core.catalogue().resolve(options.value().model, service);
  const catalogue::ModelRow& row = *served.row;
  json::Writer out;
  out.open('{').key("servedBy").string(served.name);
  out.key("retired").boolean(row.retired <= service.day);
  if (row.retired <= service.day) out.key("retiredOn").string(catalogue::dayText(row.retired));
  out.key("output").string(catalogue::outputName(row.output));
  out.key("api").string(catalogue::apiName(row.api));
  out.key("contextTokens").integer(row.contextTokens);
  out.key("outputTokens").integer(row.outputTokens).key("cacheMinimum").integer(row.cacheMinimum);
  out.key("explicitCache").boolean(row.explicitCache);
  out.key("implicitCacheMinimum").integer(row.implicitMinimum);
  out.key("bufferTokens").integer(row.bufferTokens).key("thinkingLevels").open('[');
  for (size_t i = 0; i < catalogue::kThinkingLevels.size(); ++i) {
    if ((row.levels >> i & 1U) != 0) out.string(catalogue::kThinkingLevels[i]);
  }
  out.close(']');
  if (row.defaultLevel < catalogue::kThinkingOff)
    out.key("defaultThinkingLevel").string(catalogue::kThinkingLevels[row.defaultLevel]);
  const std::string_view near = core.catalogue().nearestModel(options.value().model);
  if (!near.empty()) out.key("didYouMean").string(near);
  if (row.price.input > 0) writePrice(out.key("price"), row.price);
  core.exchange().reply(out.close('}').take());
}

void estimate(Core& core) {
  const Result<EstimateOptions> options =
      readEstimateOptions(core.exchange(), json::Need::kOptional);
  if (!options) return core.replyOptionError(options.error());
  const Result<tokens::Measure> sum = measureInput(core, options.value());
  if (!sum) return core.exchange().replyError(sum.error(), core.targetOf(""));
  core.exchange().reply(tokensReply(tokens::corrected(sum.value(), options.value().calibration)));
}

void calibrate(Core& core) {
  const Result<EstimateOptions> options =
      readEstimateOptions(core.exchange(), json::Need::kRequired);
  if (!options) return core.replyOptionError(options.error());
  const Result<tokens::Measure> sum = measureInput(core, options.value());
  if (!sum) return core.exchange().replyError(sum.error(), core.targetOf(""));
  tokens::Calibration calibration = options.value().calibration;
  tokens::learn(calibration, sum.value(), options.value().tokens);
  core.exchange().reply(calibrationReply(calibration));
}

}  // namespace strata::bindings
