#include "exchange.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "json/options_reader.h"
#include "json/writer.h"
#include "module.h"

namespace strata::bindings {
namespace {

uint32_t readWord(std::string_view bytes, size_t index) {
  uint32_t value = 0;
  if (bytes.size() >= (index + 1) * 4) std::memcpy(&value, bytes.data() + index * 4, 4);
  return value;
}

// Opens `{"error":{…,"diagnostic":`.
json::Writer openError(const Error& error, bool aboutOptions) {
  json::Writer out;
  out.open('{').key("error").open('{').key("code").string(error.code);
  out.key("offset").integer(static_cast<int64_t>(error.offset));
  out.key("aboutOptions").boolean(aboutOptions).key("diagnostic");
  return out;
}

// Writes an error that is no finding of the catalogue, whose texts are about requests.
void writeOptionDiagnostic(json::Writer& out, const Error& error, std::string_view message) {
  out.open('{').key("code").string(error.code).key("severity").string("error");
  out.key("path").string(error.path).key("message").string(message).close('}');
}

}  // namespace

emscripten::val Exchange::buffer(uint32_t size) {
  const size_t wanted = std::max<size_t>(size, 2 * sizeof(uint32_t));
  if (wanted > buffer_.size()) buffer_.resize(wanted);
  return emscripten::val(emscripten::typed_memory_view(
      buffer_.size(), reinterpret_cast<const uint8_t*>(buffer_.data())));
}

std::string_view Exchange::part(size_t index) const {
  const std::string_view frame(buffer_.data(), buffer_.size());
  const uint32_t count = readWord(frame, 0);
  size_t offset = (size_t{count} + 1) * 4;
  if (index >= count || offset > frame.size()) return {};
  for (size_t i = 0; i < index; ++i) offset += readWord(frame, i + 1);
  return frame.substr(std::min(offset, frame.size()), readWord(frame, index + 1));
}

void Exchange::reply(std::string document) { reply(std::move(document), {}); }

void Exchange::reply(std::string document, Segments segments) {
  document_ = std::move(document);
  segments_ = std::move(segments);
  ranges_.assign(1, rangeOf(document_));
  for (const std::string_view piece : segments_.pieces()) ranges_.push_back(rangeOf(piece));
  const auto* address = reinterpret_cast<const char*>(ranges_.data());
  const ByteRange all = rangeOf({address, ranges_.size()});
  const std::array<uint32_t, 2> words = {all.length, all.address};
  std::memcpy(buffer_.data(), words.data(), sizeof(words));
}

Exchange::ByteRange Exchange::rangeOf(std::string_view bytes) {
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  return {static_cast<uint32_t>(address), static_cast<uint32_t>(bytes.size())};
}

void Exchange::replyError(const Error& error, const catalogue::Target& target) {
  replyError(error, catalogue::toFinding(error, *target.catalogue), target);
}

void Exchange::replyError(const catalogue::Finding& finding, const catalogue::Target& target) {
  replyError(Error{target.row(finding.rule).code, 0, finding.path, {}}, finding, target);
}

void Exchange::replyError(const Error& error, const catalogue::Finding& finding,
                          const catalogue::Target& target) {
  json::Writer out = openError(error, false);
  catalogue::writeDiagnostic(out, finding, target);
  reply(out.close('}').close('}').take());
}

void Exchange::replyOptionError(const Error& error, const catalogue::Catalogue& catalogue) {
  json::Writer out = openError(error, true);
  if (error.code.substr(0, 6) == "field.") {
    writeOptionDiagnostic(out, error, json::describeOptionError(error));
  } else if (catalogue.rule(catalogue.ruleOf(error.code)).code != error.code) {
    writeOptionDiagnostic(out, error, error.detail);
  } else {
    catalogue::Finding finding = catalogue::toFinding(error, catalogue);
    finding.aboutOptions = true;
    catalogue::writeDiagnostic(out, finding, {&catalogue, &catalogue.model("")});
  }
  reply(out.close('}').close('}').take());
}

std::string reportOf(const catalogue::Findings& findings, const catalogue::Target& target,
                     const std::vector<catalogue::TextEdit>* edits) {
  bool ok = true;
  for (const catalogue::Finding& finding : findings) {
    ok = ok && target.severity(finding) != catalogue::Severity::kError;
  }
  json::Writer report;
  report.open('{').key("ok").boolean(ok).key("diagnostics");
  catalogue::writeDiagnostics(report, findings, target, edits);
  return report.close('}').take();
}

}  // namespace strata::bindings
