#include "stream/step_builder.h"

#include <utility>

#include "json/string.h"
#include "json/tape.h"
#include "json/writer.h"

namespace strata::stream {
namespace {

constexpr std::string_view kSignature = "signature";
constexpr std::string_view kArguments = "arguments";

bool isMediaType(json::Value type) {
  return type.equals("image") || type.equals("audio") || type.equals("video") ||
         type.equals("document");
}

// Returns whether base64 may follow base64.
bool canContinue(std::string_view data) {
  return !data.empty() && data.size() % 4 == 0 && data.back() != '=';
}

std::string quoted(std::string_view escaped) { return "\"" + std::string(escaped) + "\""; }

}  // namespace

// Returns the last Content if it has the type, or a new one.
StepBuilder::ContentList::Item& StepBuilder::ContentList::last(std::string_view type) {
  if (items_.empty() || items_.back().type != type) items_.emplace_back().type = type;
  return items_.back();
}

void StepBuilder::ContentList::addText(json::Value delta, std::string_view escaped) {
  Item& item = last("text");
  item.text += escaped;
  for (const json::Member member : json::members(delta)) {
    if (member.key.equals("annotations")) {
      addAnnotations(member.value);
    } else if (!member.key.equals("type") && !member.key.equals("text")) {
      item.fields.set(member.key, member.value);
    }
  }
}

void StepBuilder::ContentList::addAnnotations(json::Value annotations) {
  Item& item = last("text");
  for (const json::Value each : json::elements(annotations)) {
    if (!item.annotations.empty()) item.annotations.push_back(',');
    item.annotations += each.bytes();
  }
}

// Audio comes in pieces, everything else whole.
void StepBuilder::ContentList::addMedia(json::Value content) {
  const std::string type = content.find("type").text();
  FieldList fields;
  for (const json::Member member : json::members(content)) {
    if (!member.key.equals("type") && !member.key.equals("data"))
      fields.set(member.key, member.value);
  }
  const std::string_view data = content.find("data").raw();
  if (type == "audio" && !items_.empty() && items_.back().type == type &&
      canContinue(items_.back().data) && !data.empty() && items_.back().fields == fields) {
    items_.back().data += data;
    return;
  }
  Item& item = items_.emplace_back();
  item.type = type;
  item.fields = std::move(fields);
  item.data = data;
}

void StepBuilder::ContentList::addWhole(std::string_view json) {
  items_.emplace_back().whole = json;
}

void StepBuilder::ContentList::addAll(json::Value content) {
  if (content.isString()) addText({}, content.raw());
  for (const json::Value each : json::ElementRange::orSelf(content)) addWhole(each.bytes());
}

void StepBuilder::ContentList::write(json::Writer& out) const {
  const json::Writer::Scope list = out.array();
  for (const Item& item : items_) {
    if (!item.whole.empty()) {
      out.raw(item.whole);
      continue;
    }
    const json::Writer::Scope content = out.object();
    out.key("type").string(item.type);
    if (item.type == "text") out.key("text").raw(quoted(item.text));
    item.fields.write(out);
    if (!item.data.empty()) out.key("data").raw(quoted(item.data));
    if (!item.annotations.empty()) out.key("annotations").raw("[" + item.annotations + "]");
  }
}

void StepBuilder::start(json::Value step) {
  for (const json::Member member : json::members(step)) {
    if (ContentList* list = listOf(member.key)) {
      list->addAll(member.value);
    } else if (member.key.equals(kSignature)) {
      signature_ = member.value.raw();
    } else if (member.key.equals(kArguments)) {
      hasArguments_ = true;
      // The pieces replace the empty object of the start.
      if (member.value.size() > 0) fields_.set(kArguments, member.value.bytes());
    } else {
      fields_.set(member.key, member.value);
    }
  }
}

// Returns the list that a field holds, or nullptr for other fields.
StepBuilder::ContentList* StepBuilder::listOf(json::Value key) {
  if (key.equals("content")) return &content_;
  return key.equals("summary") ? &summary_ : nullptr;
}

DeltaText StepBuilder::add(json::Value delta) {
  const json::Value type = delta.find("type");
  const json::Value text = delta.find("text");
  if (type.equals("text") && text.isString()) {
    content_.addText(delta, text.raw());
    return {text, false};
  }
  const json::Value content = delta.find("content");
  const json::Value summary = content.find("text");
  if (type.equals("thought_summary") && summary.isString()) {
    summary_.addText(content, summary.raw());
    return {summary, true};
  }
  if (type.equals("thought_summary") && content.isObject()) {
    summary_.addWhole(content.bytes());
  } else if (type.equals("text_annotation_delta")) {
    content_.addAnnotations(delta.find("annotations"));
  } else if (type.equals("arguments_delta") && delta.find(kArguments).isString()) {
    hasArguments_ = true;
    arguments_ += delta.find(kArguments).text();
  } else if (isMediaType(type)) {
    content_.addMedia(delta);
  } else {
    merge(delta);
  }
  return {};
}

// Merges the fields of a delta into those of the step.
void StepBuilder::merge(json::Value delta) {
  for (const json::Member member : json::members(delta)) {
    if (member.key.equals("type")) continue;
    if (ContentList* list = listOf(member.key)) {
      list->addAll(member.value);
      continue;
    }
    if (member.key.equals(kSignature)) {
      signature_ += member.value.raw();
      continue;
    }
    const std::string name = member.key.text();
    const bool isAppended = member.value.isString() && fields_.appendText(name, member.value.raw());
    if (!isAppended) fields_.set(name, member.value.bytes());
  }
}

bool StepBuilder::stop() {
  if (!arguments_.empty()) {
    const Result<json::Tape> tape = json::Tape::read(arguments_);
    if (!tape || !tape.value().root().isObject()) return false;
    fields_.set(kArguments, tape.value().root().bytes());
    arguments_.clear();
  }
  isStopped_ = true;
  return true;
}

bool StepBuilder::lacksArguments() const {
  return is("function_call") && fields_.get(kArguments).empty();
}

bool StepBuilder::is(std::string_view type) const { return fields_.get("type") == quoted(type); }

std::string StepBuilder::text() const {
  const bool mayLackArguments = is("function_call") || !arguments_.empty();
  if (mayLackArguments && !isStopped_) return {};
  json::Writer out;
  {
    const json::Writer::Scope step = out.object();
    fields_.write(out);
    if (hasArguments_ && fields_.get(kArguments).empty()) out.key(kArguments).raw("{}");
    if (!signature_.empty() && isStopped_) out.key(kSignature).raw(quoted(signature_));
    if (!summary_.empty()) summary_.write(out.key("summary"));
    if (!content_.empty()) content_.write(out.key("content"));
  }
  return out.take();
}

}  // namespace strata::stream
