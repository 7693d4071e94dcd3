#include "dialects/turn_writer.h"

#include "base/heap_sort.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

void addField(json::Writer& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out.key(name).string(text);
}

std::string metaOf(const TurnOrigin& origin) {
  json::Writer out;
  out.open('{');
  addField(out, "at", origin.at);
  addField(out, "model", origin.model);
  addField(out, "backend", origin.backend);
  out.close('}');
  return out.take();
}

void addComma(std::string& list) {
  if (!list.empty()) list.push_back(',');
}

}  // namespace

void appendTurn(thread::Thread& thread, std::string_view bytes, json::Value content,
                const TurnOrigin& origin) {
  const std::string meta = metaOf(origin);
  const Result<json::Tape> metaTape = json::Tape::read(meta);
  const json::Value metaObject = metaTape.value().root();
  const bool keepsMeta = metaObject.size() > 0 && gemini::field(content, "role").equals("model");
  thread.append(bytes, content, keepsMeta ? metaObject : json::Value(),
                thread::Thread::Policy::kWarn);
}

std::string textPart(std::string_view quoted, bool thought, std::string_view signature) {
  json::Writer out;
  out.open('{').key("text").raw(quoted);
  if (thought) out.key("thought").boolean(true);
  if (!signature.empty()) out.key("thoughtSignature").string(signature);
  out.close('}');
  return out.take();
}

void TurnWriter::open(bool model, const Path& path) {
  const bool continues = model && isOpen_ && isModel_ && !parts_.empty() && results_.empty();
  if (continues) {
    notes_.addConverted(path, "A model message directly after another one",
                        "part of the same Content: calls must directly follow a user turn");
    return;
  }
  close();
  if (model || openNames_.empty()) writeWaiting();
  if (model) {
    calls_.clear();
    openIds_.clear();
    openNames_.clear();
    answers_.clear();
  }
  isOpen_ = true;
  isModel_ = model;
  origin_ = {defaultOrigin_.model, defaultOrigin_.backend, ""};
  path_ = path.text();
}

void TurnWriter::setOrigin(const TurnOrigin& origin) {
  if (!origin.model.empty()) origin_.model = origin.model;
  if (!origin.backend.empty()) origin_.backend = origin.backend;
  if (!origin.at.empty()) origin_.at = origin.at;
}

void TurnWriter::addPart(std::string_view json) {
  addComma(parts_);
  parts_.append(json);
}

void TurnWriter::addText(json::Value text, bool thought, std::string_view signature) {
  if (!text.raw().empty() || !signature.empty())
    addPart(textPart(text.bytes(), thought, signature));
}

void TurnWriter::registerCall(const std::string& id, std::string name) {
  addOpenCall({id, id, std::move(name)});
}

void TurnWriter::addOpenCall(Call call) {
  const auto index = static_cast<int32_t>(calls_.size());
  openIds_.add(call.id, index);
  openNames_.add(call.name, index);
  calls_.push_back(std::move(call));
}

void TurnWriter::addCall(const std::string& id, json::Value name, std::string_view args,
                         std::string_view signature) {
  addCall(id, id, name, args, signature);
}

void TurnWriter::addCall(const std::string& id, const std::string& contentId, json::Value name,
                         std::string_view args, std::string_view signature) {
  json::Writer out;
  out.open('{').key("functionCall").open('{');
  addField(out, "id", contentId);
  const std::string text = name.text();
  const std::string given = geminiName(text);
  out.key("name");
  if (given == text) {
    out.raw(name.bytes());
  } else {
    out.string(given);
  }
  out.key("args").raw(args).close('}');
  if (!signature.empty()) out.key("thoughtSignature").string(signature);
  out.close('}');
  addPart(out.text());
  addOpenCall({id, contentId, text});
}

std::string TurnWriter::geminiName(const std::string& name) const {
  return names_ == nullptr ? name : names_->toGemini(name);
}

// Source: google-gemini/gemini-cli, packages/core/src/utils/generateContentResponseUtilities.ts,
// sends them apart to models before Gemini 3, too.
void TurnWriter::addMedia(const std::string& name, std::string_view parts, const Path& path) {
  notes_.addConverted(path, "Media in a tool result, which this model refuses there",
                      "a user Content behind the results");
  std::string label;
  json::appendQuoted(label, "Media of the tool response (" + name + "):");
  addComma(media_);
  media_.append(textPart(label)).append(",").append(parts);
}

int32_t TurnWriter::findCall(std::string_view id, json::Value name) const {
  if (!id.empty()) return openIds_.find(std::string(id));
  return name.isString() ? openNames_.find(name.text()) : -1;
}

bool TurnWriter::addResult(std::string_view id, json::Value name, std::string_view response,
                           std::string_view parts, const Path& path) {
  const int32_t index = findCall(id, name);
  std::string answer;
  if (!id.empty()) {
    answer = std::to_string(id.size()) + " ";
    answer.append(id).append(response).append(parts);
  }
  if (index < 0) {
    const bool repeats = answers_.find(answer) >= 0;
    if (repeats) notes_.addOmitted(path, "A result", "it repeats another one");
    return repeats;
  }
  const Call& call = calls_[static_cast<size_t>(index)];
  openIds_.remove(call.id, index);
  openNames_.remove(call.name, index);
  if (!id.empty()) answers_.add(std::move(answer), index);
  json::Writer out;
  out.open('{').key("functionResponse").open('{');
  addField(out, "id", call.contentId);
  const std::string given = geminiName(call.name);
  out.key("name").string(given).key("response").raw(response);
  const bool takesMedia = thread_.target().model->generation >= catalogue::Generation::k3;
  if (!parts.empty() && !takesMedia) addMedia(given, parts, path);
  if (!parts.empty() && takesMedia) out.key("parts").open('[').raw(parts).close(']');
  out.close('}').close('}');
  if (index < lastResult_ || !held_.empty() || (!isModel_ && !parts_.empty())) {
    notes_.addConverted(path, "The order of the messages",
                        "results, in that of their calls, first");
  }
  lastResult_ = std::max(lastResult_, index);
  results_.push_back({index, out.take()});
  return true;
}

void TurnWriter::append(bool model, const std::string& parts) {
  const std::string role = model ? "model" : "user";
  const std::string content = R"({"role":")" + role + R"(","parts":[)" + parts + "]}";
  const Result<json::Tape> tape = json::Tape::read(content);
  if (tape) return appendTurn(thread_, content, tape.value().root(), origin_);
  // Each Part was validated, so the only possible error is that the Content nests too deep.
  Error error = tape.error();
  error.path = path_;
  if (status_) status_ = error;
}

void TurnWriter::close() {
  if (!isOpen_) return;
  if (parts_.empty()) {
    notes_.addAt(catalogue::Rule::kImportLeftOut, path_, "A message", "it says nothing");
  } else if (isModel_) {
    append(true, parts_);
  } else {
    // Results of the step may still come.
    addComma(held_);
    held_ += parts_;
  }
  parts_.clear();
  isOpen_ = false;
}

void TurnWriter::writeResults() {
  if (results_.empty()) return;
  heapSort(results_.begin(), results_.end(),
           [](const ToolResult& a, const ToolResult& b) { return a.call < b.call; });
  std::string parts;
  for (const ToolResult& result : results_) {
    addComma(parts);
    parts += result.json;
  }
  results_.clear();
  lastResult_ = -1;
  append(false, parts);
}

void TurnWriter::writeWaiting() {
  writeResults();
  if (!media_.empty() && !held_.empty()) media_.push_back(',');
  media_ += held_;
  if (!media_.empty()) append(false, media_);
  media_.clear();
  held_.clear();
}

Status TurnWriter::finish() {
  close();
  writeWaiting();
  return std::move(status_);
}

}  // namespace strata::dialects
