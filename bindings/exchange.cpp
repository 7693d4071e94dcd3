#include "exchange.h"

#include <cstring>

#include "json/writer.h"

namespace strata::bindings {
namespace {

uint32_t word(std::string_view bytes, size_t index) {
  uint32_t value = 0;
  if (bytes.size() >= (index + 1) * 4) std::memcpy(&value, bytes.data() + index * 4, 4);
  return value;
}

emscripten::val view(std::string_view bytes) {
  return emscripten::val(
      emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
}

}  // namespace

emscripten::val Exchange::input(uint32_t size) {
  input_.resize(size);
  return view(input_);
}

std::string_view Exchange::part(size_t index) const {
  const std::string_view frame = input_;
  const uint32_t count = word(frame, 0);
  size_t offset = (size_t{count} + 1) * 4;
  if (index >= count || offset > frame.size()) return {};
  for (size_t i = 0; i < index; ++i) offset += word(frame, i + 1);
  return frame.substr(std::min(offset, frame.size()), word(frame, index + 1));
}

void Exchange::reply(std::string document) { reply(std::move(document), {}); }

void Exchange::reply(std::string document, json::Segments segments) {
  document_ = std::move(document);
  segments_ = std::move(segments);
  output_.assign(1, document_);
  output_.insert(output_.end(), segments_.pieces().begin(), segments_.pieces().end());
}

void Exchange::replyError(const Error& error, const rules::Target& target) {
  json::Writer out;
  out.open('{').key("error").open('{').key("code").string(error.code);
  out.key("offset").integer(static_cast<int64_t>(error.offset));
  out.key("diagnostic");
  rules::writeDiagnostic(out, rules::findingOf(error, *target.catalogue), target);
  out.close('}').close('}');
  reply(out.take());
}

emscripten::val Exchange::output(uint32_t index) const { return view(output_[index]); }

std::string reportOf(const rules::Findings& findings, const rules::Target& target) {
  bool ok = true;
  for (const rules::Finding& finding : findings) {
    ok = ok && target.severity(finding) != rules::Severity::kError;
  }
  json::Writer report;
  report.open('{').key("ok").boolean(ok).key("diagnostics");
  rules::writeDiagnostics(report, findings, target);
  return report.close('}').take();
}

}  // namespace strata::bindings
