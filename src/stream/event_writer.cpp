#include "stream/event_writer.h"

#include <utility>

#include "json/writer.h"

namespace strata::stream {

void EventWriter::begin(size_t bytes) {
  out_.reserve(bytes);
  out_ = '[';
}

std::string EventWriter::take() {
  out_.push_back(']');
  return std::exchange(out_, {});
}

void EventWriter::text(json::Value text, bool thought) {
  add(thought ? R"({"type":"thought","text":)" : R"({"type":"text","text":)", text.bytes());
}

void EventWriter::call(json::Value call) {
  EventWriter::call(call.find("name"), call.find("id"), call.find("args"));
}

void EventWriter::call(json::Value name, json::Value id, json::Value args) {
  json::Writer head;
  head.open('{').key("type").string("functionCall");
  head.key("name").string(name.text());
  if (id.isString()) head.key("id").raw(id.bytes());
  head.key("args");
  add(head.text(), args ? args.bytes() : "{}");
}

void EventWriter::part(json::Value part) { add(R"({"type":"part","part":)", part.bytes()); }

void EventWriter::step(std::string_view step) { add(R"({"type":"step","step":)", step); }

void EventWriter::usage(std::string_view usage) { add(R"({"type":"usage","usage":)", usage); }

void EventWriter::metadata(const FieldList& fields) {
  if (fields.empty()) return;
  json::Writer out;
  out.open('{');
  fields.write(out);
  add(R"({"type":"metadata","metadata":)", out.close('}').text());
}

void EventWriter::error(const ApiError& error) {
  json::Writer out;
  out.open('{');
  writeError(out, error);
  add(R"({"type":"error","error":)", out.close('}').text());
}

void EventWriter::add(std::string_view head, std::string_view value) {
  if (out_.size() > 1) out_.push_back(',');
  out_.append(head).append(value).push_back('}');
}

}  // namespace strata::stream
