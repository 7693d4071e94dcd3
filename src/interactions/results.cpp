#include "interactions/results.h"

#include "gemini/content_view.h"
#include "interactions/media.h"
#include "interactions/shapes.h"
#include "json/tape.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

// Returns whether a value is a text or an image that the API takes. Other tools have such objects,
// too: those of MCP have `mimeType`.
bool isContent(json::Value value) {
  const ContentKind kind = contentKindOf(value);
  const json::Value text = value.find("text");
  if (kind == ContentKind::kText && (!text.isString() || text.raw().empty())) return false;
  if (kind == ContentKind::kImage && !isSet(value.find("data")) && !isSet(value.find("uri")))
    return false;
  if (kind != ContentKind::kText && kind != ContentKind::kImage) return false;
  for (const json::Member member : json::members(value)) {
    if (!hasName(fieldsOf(kind), member.key.raw())) return false;
  }
  return true;
}

// Returns whether a value is a list of texts and images.
bool isResultList(json::Value list) {
  if (!list.isArray() || list.size() == 0) return false;
  for (const json::Value each : json::elements(list)) {
    if (!isContent(each)) return false;
  }
  return true;
}

bool hasImage(json::Value list) {
  for (const json::Value each : json::elements(list)) {
    if (contentKindOf(each) == ContentKind::kImage) return true;
  }
  return false;
}

// Returns the only member of an object if it has this name.
json::Value onlyMember(json::Value object, std::string_view name) {
  return object.isObject() && object.size() == 1 ? object.find(name) : json::Value();
}

std::string wrapped(std::string_view name, std::string_view json) {
  json::Writer out;
  out.open('{').key(name).raw(json);
  out.close('}');
  return out.take();
}

std::string textContent(std::string_view text) {
  json::Writer out;
  out.open('{').key("type").string("text").key("text").string(text);
  out.close('}');
  return out.take();
}

// Returns the elements of a response that also has media: its texts, or its JSON as a text.
std::string listOf(json::Value response) {
  const json::Value list = onlyMember(response, "result");
  if (isResultList(list) && !hasImage(list)) {
    const std::string_view bytes = list.bytes();
    return std::string(bytes.substr(1, bytes.size() - 2));
  }
  if (response.isObject() && response.size() == 0) return {};
  return response ? textContent(response.bytes()) : std::string();
}

// Returns the Content of the images of functionResponse.parts. Nothing else has a place.
std::string imagesOf(json::Value parts, const std::string& path, Losses& losses) {
  std::string images;
  for (const json::Value part : gemini::repeated(parts)) {
    gemini::ContentView view;
    const std::string content = joined({R"({"parts":[)", part.bytes(), "]}"});
    const Result<json::Tape> tape = json::Tape::read(content);
    view.read(tape.value().root());
    const gemini::PartView& media = view.partViews.front();
    const std::string type = gemini::field(media.data, "mimeType").text();
    if (!gemini::isMediaKind(media.kind) || !type.starts_with("image/")) {
      losses.lost(path, "a part of the type " + (type.empty() ? "(none)" : type));
      continue;
    }
    images += (images.empty() ? "" : ",") + contentOfMedia(media, path, "", losses);
  }
  return images;
}

}  // namespace

std::string argumentsOf(json::Value given, const std::string& path, Losses& losses) {
  if (given.isObject()) return std::string(given.bytes());
  if (!given || given.isNull()) return "{}";
  if (given.isString()) {
    const std::string text = given.text();
    const Result<json::Tape> tape = json::Tape::read(text);
    if (tape && tape.value().root().isObject()) {
      losses.changed(path, "A text of arguments", "the object in it");
      return std::string(tape.value().root().bytes());
    }
    if (text.empty()) return "{}";
  }
  losses.lost(path, "What is no object of arguments");
  return "{}";
}

StepResult stepResultOf(json::Value response, json::Value parts, const std::string& path,
                        Losses& losses) {
  StepResult converted;
  const json::Value error = onlyMember(response, "error");
  if (error.isString() || error.isObject()) {
    converted.isError = true;
    response = error;
  }
  const std::string images = imagesOf(parts, path, losses);
  if (!images.empty()) {
    const std::string texts = response.isString() ? textContent(response.text()) : listOf(response);
    converted.result = "[" + texts + (texts.empty() ? "" : ",") + images + "]";
    return converted;
  }
  const json::Value result = onlyMember(response, "result");
  const bool isPlain = !converted.isError && (result.isString() || isResultList(result));
  if (isPlain) {
    converted.result = result.bytes();
  } else if (response.isObject() || response.isString()) {
    converted.result = response.bytes();
  } else {
    // generateContent takes nothing else.
    converted.result = response ? wrapped("result", response.bytes()) : "{}";
  }
  return converted;
}

namespace {

// Separates the texts of a list from its images, which become `parts`.
Response splitList(json::Value list, const std::string& path, Losses& losses) {
  Response split;
  std::string texts;
  json::Value onlyText;
  size_t count = 0;
  bool afterImage = false;
  for (const json::Value each : json::elements(list)) {
    if (contentKindOf(each) == ContentKind::kImage) {
      const std::string part = partOfMedia(each, path, losses, true);
      split.parts += (split.parts.empty() ? "{" : ",{") + part + "}";
      afterImage = true;
      continue;
    }
    if (afterImage) losses.changed(path, "A text behind an image", "a text before it");
    texts += (texts.empty() ? "" : ",") + std::string(each.bytes());
    onlyText = each.find("text");
    ++count;
  }
  const std::string text = onlyText.text();
  const Result<json::Tape> tape = json::Tape::read(text);
  const bool isObject = count == 1 && tape && tape.value().root().isObject();
  split.response = isObject     ? text
                   : count == 0 ? "{}"
                                : wrapped("result", joined({"[", texts, "]"}));
  return split;
}

}  // namespace

Response responseOf(json::Value result, bool isError, const std::string& path, Losses& losses) {
  Response converted;
  if (isResultList(result)) {
    converted = hasImage(result) ? splitList(result, path, losses)
                                 : Response{wrapped("result", result.bytes()), ""};
    if (isError) losses.lost(path, "is_error of a list");
    return converted;
  }
  if (isError && (result.isString() || result.isObject())) {
    converted.response = wrapped("error", result.bytes());
  } else if (result.isObject()) {
    converted.response = result.bytes();
    const json::Value same = onlyMember(result, "result");
    const json::Value error = onlyMember(result, "error");
    if (same.isString() || isResultList(same) || error.isString() || error.isObject())
      losses.changed(path, "An object of nothing but a result or an error", "that value itself");
  } else {
    converted.response = result ? wrapped("result", result.bytes()) : "{}";
    if (isError) losses.lost(path, "is_error of such a result");
  }
  return converted;
}

}  // namespace strata::interactions
