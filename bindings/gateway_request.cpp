#include "gateway_request.h"

#include <emscripten/bind.h>

#include <algorithm>
#include <span>

#include "lint/places.h"
#include "repair/repair.h"

namespace strata::bindings {
namespace {

using catalogue::Finding;
using catalogue::Findings;

}  // namespace

bool GatewayRequestBinding::isInBounds() {
  if (!given_.tape.hasTooManyValues()) return true;
  core_.replyOptionError(given_.tape.status().error());
  return false;
}

bool GatewayRequestBinding::isJson() {
  if (!isInBounds()) return false;
  if (given_.tape.status() && !given_.tape.lenient()) return true;
  const Result<json::Tape> strict = json::Tape::read(given_.text);
  exchange_.replyError(strict.error(), core_.targetOf(""));
  return false;
}

void GatewayRequestBinding::lookup() {
  if (!isJson()) return;
  signatures::Sites found = signatures::sitesOf(given_.tape.root(), secretsIn(exchange_, 1));
  exchange_.reply(lookupReply(found));
  sites_ = std::move(found.sites);
}

void GatewayRequestBinding::chain() {
  if (!isJson()) return;
  json::Writer out;
  out.open('{').key("chain").string(
      signatures::chainOf(given_.tape.root(), secretsIn(exchange_, 1)));
  exchange_.reply(out.close('}').take());
}

void GatewayRequestBinding::prepare() {
  if (!isInBounds()) return;
  const Options given(exchange_.part(1));
  json::OptionsReader options = given.reader();
  LintOptions read = readLintOptions(options, core_);
  // The route is that of generateContent, whatever the body looks like.
  read.context.wire = interactions::Wire::kGenerateContent;
  bool repairs = false;
  options.boolean("repair", repairs);
  const std::vector<signatures::SignatureEdit> edits = readEdits(options);
  if (const Status status = options.finish(); !status) {
    return core_.replyOptionError(status.error());
  }
  if (edits.empty()) return reply(given_, false, read, repairs);
  if (!isJson()) return;
  const Result<Segments> edited =
      signatures::editSignatures(given_.tape.root(), given_.text, edits);
  if (!edited) return core_.replyOptionError(edited.error());
  edited_ = std::make_unique<Body>(edited.value().join());
  reply(*edited_, true, read, repairs);
}

void GatewayRequestBinding::reply(const Body& body, bool isEdited, const LintOptions& options,
                                  bool repairs) {
  const lint::LintContext& context = options.context;
  Findings findings = lint::lintRequest(body.tape, context);
  // A repair reads the body again, so it only runs where it changes something.
  if (!repairs || !repair::isWrong(findings, context.target)) {
    const std::span found(findings.begin(), findings.size());
    lint::findRanges(found, body.tape);
    lint::countPlaces(found, {}, body.text, json::TextUnit::kByte);
    Segments bytes;
    if (isEdited) bytes.borrow(body.text);
    return exchange_.reply(reportOf(findings, context.target), std::move(bytes));
  }
  const repair::RepairResult result = repair::repairRequest(body.text, context, options.repair);
  if (result.exceeded) return replyTooMuch(core_);
  const bool isRepaired = std::any_of(result.findings.begin(), result.findings.end(),
                                      [](const Finding& finding) { return finding.repaired; });
  Segments bytes;
  if (isRepaired || isEdited) bytes = result.body.segments();
  exchange_.reply(reportOf(result.findings, context.target), std::move(bytes));
}

EMSCRIPTEN_BINDINGS(gateway_request) {
  emscripten::class_<GatewayRequestBinding>("GatewayRequest")
      .constructor<Core&, uint32_t>()
      .function("lookup", &GatewayRequestBinding::lookup)
      .function("sites", &GatewayRequestBinding::sites)
      .function("chain", &GatewayRequestBinding::chain)
      .function("prepare", &GatewayRequestBinding::prepare);
}

}  // namespace strata::bindings
