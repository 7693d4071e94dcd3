#include "core.h"

#include <algorithm>
#include <span>

#include "json/lenient.h"
#include "json/pointer.h"
#include "json/writer.h"
#include "lint/lint.h"
#include "lint/places.h"
#include "module.h"
#include "out_of_memory.h"
#include "repair/repair.h"
#include "thread/thread.h"

namespace strata::bindings {
namespace {

std::string tokensReply(double tokens) {
  return "{\"tokens\":" + std::to_string(static_cast<uint32_t>(tokens)) + "}";
}

void writePrice(json::Writer& out, const catalogue::Price& price) {
  out.open('{').key("input").number(price.input).key("output").number(price.output);
  out.key("cacheRead").number(price.cached).key("storagePerHour").number(price.storage).close('}');
}

// Sets the places of a repair's findings, and returns its edits. Repairs are in the original body,
// and what remains is in the repaired one.
repair::TextEdits placeRepaired(repair::RepairResult& result, std::string_view original,
                                json::TextUnit unit) {
  const std::span all(result.findings.begin(), result.findings.size());
  const auto repairs = all.first(static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& each) { return each.repaired; })));
  const auto remaining = all.subspan(repairs.size());
  repair::TextEdits edits = repair::editsOf(result);
  lint::findRanges(repairs, json::LenientTape(original));
  lint::countPlaces(repairs, edits, original, unit);
  const json::LenientTape repaired(result.body.text());
  lint::findRanges(remaining, repaired);
  lint::countPlaces(remaining, {}, repaired.text(), unit);
  return edits;
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

Options::Options(std::string_view json) {
  if (json.empty()) return;
  Result<json::Tape> tape = json::Tape::read(json);
  if (!tape) {
    status_ = std::move(tape.error());
  } else {
    tape_ = std::move(tape.value());
  }
}

json::OptionsReader Options::reader(std::string path) const {
  if (!status_) return json::OptionsReader(status_.error());
  return json::OptionsReader(root(), std::move(path));
}

uint32_t Core::outOfMemory() const {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&ranOutOfMemory));
}

catalogue::Target Core::targetOf(std::string_view model, catalogue::Service service) const {
  catalogue::Target target;
  target.catalogue = &catalogue_;
  target.model = &catalogue_.model(model, service);
  target.backend = service.backend;
  target.day = service.day;
  return target;
}

void Core::configure() {
  const Options given(exchange_.part(0));
  json::OptionsReader options = given.reader();
  options.accept("wasm");
  catalogue_.addModels(options);
  catalogue_.addRules(options);
  const Status status = options.finish();
  if (status) return exchange_.reply("{}");
  replyOptionError(status.error());
}

Core::LintOptions Core::readLintOptions(json::OptionsReader& options) const {
  LintOptions read;
  lint::LintContext& context = read.context;
  catalogue::Service service;
  options.nonEmptyString("model", context.model);
  catalogue::readService(options, service);
  options.nested("cache", [&](json::OptionsReader& cache) {
    cache.nonEmptyString("model", context.cacheModel.emplace());
    cache.count("tokens", context.cacheTokens);
  });
  context.signaturesFrom = lint::readProvenance(options, "signaturesFrom");
  context.judgeSchema = schemaJudge();
  read.repair.rewriteSchemas = schemaRewrite();
  options.boolean("dummySignatures", read.repair.dummySignatures);
  options.count("maxValues", read.repair.maxValues);
  options.oneOf("positions", json::kTextUnitNames, read.positions);
  context.target = targetOf(context.model, service);
  return read;
}

Result<Core::LintOptions> Core::readLintOptions() const {
  const Options given(exchange_.part(1));
  json::OptionsReader options = given.reader();
  LintOptions read = readLintOptions(options);
  if (Status status = options.finish(); !status) return status;
  return read;
}

void Core::replyTooMuch() {
  replyOptionError({"repair.too_much", 0, {}, "The repair would read more than maxValues"});
}

void Core::lint() {
  const Result<LintOptions> options = readLintOptions();
  if (!options) return replyOptionError(options.error());
  const lint::LintContext& context = options.value().context;
  const json::LenientTape body(exchange_.part(0));
  catalogue::Findings findings = lint::lintRequest(body, context);
  lint::findRanges({findings.begin(), findings.size()}, body);
  std::optional<repair::RepairResult> repaired;
  repair::TextEdits edits;
  if (const EditsFinder find = editsFinder())
    edits = find(findings, body.text(), context, options.value().repair, repaired);
  const std::span found(findings.begin(), findings.size());
  if (exchange_.part(2).empty()) {
    const json::TextUnit unit = options.value().positions.value_or(json::TextUnit::kByte);
    lint::countPlaces(found, edits, body.text(), unit);
  } else {
    for (catalogue::Finding& finding : found) finding.begin = std::string::npos;
    edits.clear();
  }
  exchange_.reply(reportOf(findings, context.target, &edits));
}

void Core::repair() {
  const Result<LintOptions> options = readLintOptions();
  if (!options) return replyOptionError(options.error());
  const lint::LintContext& context = options.value().context;
  repair::RepairResult repaired =
      repair::repairRequest(exchange_.part(0), context, options.value().repair);
  if (repaired.exceeded) return replyTooMuch();
  if (options.value().positions && exchange_.part(2).empty()) {
    const repair::TextEdits edits =
        placeRepaired(repaired, exchange_.part(0), *options.value().positions);
    const std::string report = reportOf(repaired.findings, context.target, &edits);
    return exchange_.reply(report, repaired.body.segments());
  }
  exchange_.reply(reportOf(repaired.findings, context.target), repaired.body.segments());
}

void Core::locate() {
  const Options pointers(exchange_.part(1));
  const Options given(exchange_.part(2));
  json::OptionsReader options = given.reader();
  std::optional<json::TextUnit> unit;
  options.oneOf("positions", json::kTextUnitNames, unit);
  if (const Status status = options.finish(); !status) return replyOptionError(status.error());
  const json::LenientTape text(exchange_.part(0));
  json::TextPlaces places(text.text(), unit.value_or(json::TextUnit::kByte));
  std::vector<std::string> paths;
  for (const json::Value pointer : json::elements(pointers.root())) paths.push_back(pointer.text());
  std::vector<json::TextRange> ranges(paths.size());
  if (text.status()) {
    const std::vector<json::Value> values = json::findNearest(text.root(), paths);
    std::transform(values.begin(), values.end(), ranges.begin(),
                   [&](json::Value value) { return text.rangeOf(value); });
  } else {
    const size_t at = text.status().error().offset;
    std::fill(ranges.begin(), ranges.end(), json::TextRange{at, at});
  }
  json::Writer out;
  out.open('{').key("places").open('[');
  for (const json::TextRange& range : ranges) json::writeRange(out, places.range(range));
  out.close(']').close('}');
  exchange_.reply(out.take());
}

Result<Core::ModelOptions> Core::readModelOptions(size_t part) const {
  const Options given(exchange_.part(part));
  json::OptionsReader options = given.reader();
  ModelOptions read;
  options.nonEmptyString("model", read.model);
  catalogue::readService(options, read.service);
  if (Status status = options.finish(); !status) return status;
  return read;
}

void Core::modelLimits() {
  const Result<ModelOptions> options = readModelOptions(0);
  if (!options) return replyOptionError(options.error());
  const catalogue::Service service = options.value().service;
  const catalogue::ServedModel served = catalogue_.resolve(options.value().model, service);
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
  const std::string_view near = catalogue_.nearestModel(options.value().model);
  if (!near.empty()) out.key("didYouMean").string(near);
  if (row.price.input > 0) writePrice(out.key("price"), row.price);
  exchange_.reply(out.close('}').take());
}

Result<Core::EstimateOptions> Core::readEstimateOptions(json::Need tokens) const {
  const Options given(exchange_.part(1));
  const Options givenCall(exchange_.part(2));
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
Result<tokens::Measure> Core::measureInput(const EstimateOptions& options) const {
  if (options.plain) {
    tokens::Measure plain;
    plain.text = tokens::estimateText(exchange_.part(0));
    return plain;
  }
  const Result<json::Tape> tape = json::Tape::read(exchange_.part(0));
  if (!tape) return tape.error();
  if (!options.model) return tokens::measure(tape.value().root(), tokens::MediaCount::kFlat);
  return tokens::measure(tape.value().root(),
                         thread::mediaCountOf(targetOf(*options.model, options.service)));
}

void Core::estimate() {
  const Result<EstimateOptions> options = readEstimateOptions(json::Need::kOptional);
  if (!options) return replyOptionError(options.error());
  const Result<tokens::Measure> sum = measureInput(options.value());
  if (!sum) return exchange_.replyError(sum.error(), targetOf(""));
  exchange_.reply(tokensReply(tokens::corrected(sum.value(), options.value().calibration)));
}

void Core::calibrate() {
  const Result<EstimateOptions> options = readEstimateOptions(json::Need::kRequired);
  if (!options) return replyOptionError(options.error());
  const Result<tokens::Measure> sum = measureInput(options.value());
  if (!sum) return exchange_.replyError(sum.error(), targetOf(""));
  tokens::Calibration calibration = options.value().calibration;
  tokens::learn(calibration, sum.value(), options.value().tokens);
  exchange_.reply(calibrationReply(calibration));
}

}  // namespace strata::bindings
