#include "bodies.h"

#include <algorithm>
#include <array>
#include <span>

#include "json/lenient.h"
#include "json/pointer.h"
#include "json/writer.h"
#include "lint/places.h"
#include "repair/edits_of.h"
#include "schemas/judge.h"

namespace strata::bindings {
namespace {

// The names of LintOptions.wire and LintOptions.apiVersion, in the order of their values.
constexpr std::array<std::string_view, 2> kWires = {"generateContent", "interactions"};
constexpr std::array<std::string_view, 2> kVersions = {"v1beta", "v1"};

// Returns the context of a body, which may name its model itself.
lint::LintContext contextFor(const json::LenientTape& body, const lint::LintContext& context) {
  return body.status() ? lint::contextOf(body.root(), context) : context;
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

// Returns the member that says for which of the two APIs a body was judged.
std::string wireMember(const json::LenientTape& body, const lint::LintContext& context) {
  const bool isSecond =
      body.status() && lint::wireOf(body.root(), context) == interactions::Wire::kInteractions;
  return isSecond ? R"("wire":"interactions",)" : R"("wire":"generateContent",)";
}

Result<LintOptions> readLintOptions(Core& core) {
  const Options given(core.exchange().part(1));
  json::OptionsReader options = given.reader();
  LintOptions read = bindings::readLintOptions(options, core);
  if (Status status = options.finish(); !status) return status;
  return read;
}

}  // namespace

LintOptions readLintOptions(json::OptionsReader& options, const Core& core) {
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
  context.judgeSchema = schemas::judge;
  options.boolean("dummySignatures", read.repair.dummySignatures);
  options.count("maxValues", read.repair.maxValues);
  options.oneOf("positions", json::kTextUnitNames, read.positions);
  options.oneOf("wire", kWires, context.wire);
  options.oneOf("apiVersion", kVersions, context.stableVersion);
  context.target = core.targetOf(context.model, service);
  return read;
}

void replyTooMuch(Core& core) {
  core.replyOptionError({"repair.too_much", 0, {}, "The repair would read more than maxValues"});
}

void lint(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<LintOptions> options = readLintOptions(core);
  if (!options) return core.replyOptionError(options.error());
  const json::LenientTape body(exchange.part(0));
  const lint::LintContext context = contextFor(body, options.value().context);
  catalogue::Findings findings = lint::lintRequest(body, context);
  lint::findRanges({findings.begin(), findings.size()}, body);
  std::optional<repair::RepairResult> repaired;
  repair::TextEdits edits =
      repair::findEdits(findings, body.text(), context, options.value().repair, repaired);
  const std::span found(findings.begin(), findings.size());
  if (exchange.part(2).empty()) {
    const json::TextUnit unit = options.value().positions.value_or(json::TextUnit::kByte);
    lint::countPlaces(found, edits, body.text(), unit);
  } else {
    for (catalogue::Finding& finding : found) finding.begin = std::string::npos;
    edits.clear();
  }
  std::string report = reportOf(findings, context.target, &edits);
  report.insert(1, wireMember(body, context));
  exchange.reply(report);
}

void repair(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<LintOptions> options = readLintOptions(core);
  if (!options) return core.replyOptionError(options.error());
  repair::RepairResult repaired =
      repair::repairRequest(exchange.part(0), options.value().context, options.value().repair);
  if (repaired.exceeded) return replyTooMuch(core);
  if (options.value().positions && exchange.part(2).empty()) {
    const repair::TextEdits edits =
        placeRepaired(repaired, exchange.part(0), *options.value().positions);
    const std::string report = reportOf(repaired.findings, repaired.target, &edits);
    return exchange.reply(report, repaired.body.segments());
  }
  exchange.reply(reportOf(repaired.findings, repaired.target), repaired.body.segments());
}

void locate(Core& core) {
  Exchange& exchange = core.exchange();
  const Options pointers(exchange.part(1));
  const Options given(exchange.part(2));
  json::OptionsReader options = given.reader();
  std::optional<json::TextUnit> unit;
  options.oneOf("positions", json::kTextUnitNames, unit);
  if (const Status status = options.finish(); !status) return core.replyOptionError(status.error());
  const json::LenientTape text(exchange.part(0));
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
  exchange.reply(out.take());
}

}  // namespace strata::bindings
