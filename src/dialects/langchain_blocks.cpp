#include "dialects/langchain_blocks.h"

#include <algorithm>
#include <array>

#include "dialects/media.h"
#include "gemini/content_view.h"
#include "json/writer.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kEscaped = "__lc_escaped__";

constexpr std::array<std::string_view, 7> kCopiedFields = {
    "inlineData",          "fileData", "functionResponse", "executableCode",
    "codeExecutionResult", "toolCall", "toolResponse"};

// A type such as "image/png" names a file, too.
constexpr std::array<std::string_view, 8> kFileTypes = {
    "image", "image_url", "audio", "input_audio", "video", "file", "media", "text-plain"};

bool isFile(const std::string& type) {
  return type.find('/') != std::string::npos ||
         std::find(kFileTypes.begin(), kFileTypes.end(), type) != kFileTypes.end();
}

// Returns base64, a data URL or an address, or "".
std::string dataOf(json::Value block) {
  const json::Value image = block.find("image_url");
  if (image.isString()) return image.text();
  for (const json::Value holder :
       {block, image, block.find("source"), block.find("input_audio"), block.find("file")}) {
    const json::Value data = firstText(holder, "data base64 url file_data ");
    if (data) return data.text();
    const json::Value address = firstText(holder, "fileUri file_uri fileId file_id id ");
    if (address.raw().find("://") != std::string_view::npos) return address.text();
  }
  return {};
}

std::string mediaTypeOf(json::Value block, const std::string& type) {
  for (const json::Value holder : {block, block.find("source")}) {
    const json::Value given = firstText(holder, "mimeType mime_type media_type ");
    if (given) return given.text();
  }
  const json::Value format = block.find("input_audio").find("format");
  if (format.isString()) return audioType(format.text());
  if (type.find('/') != std::string::npos) return type;
  if (type == "image_url") return "image/*";
  if (type == "text-plain") return "text/plain";
  return type == "image" || type == "audio" || type == "video" ? type + "/*" : "";
}

bool isFailure(json::Value block, json::Value outcome) {
  return outcome.integer(1) != 1 || block.find("status").equals("error");
}

std::string codeResult(json::Value block, json::Value output) {
  json::Value outcome = block.find("outcome");
  if (!outcome) outcome = block.find("extras").find("outcome");
  json::Writer out;
  out.open('{').key("codeExecutionResult").open('{').key("outcome");
  if (outcome.isString()) {
    out.raw(outcome.bytes());
  } else {
    out.string(isFailure(block, outcome) ? "OUTCOME_FAILED" : "OUTCOME_OK");
  }
  out.key("output").string(output.text());
  return out.close('}').close('}').take();
}

std::string executableCode(json::Value code) {
  json::Writer out;
  out.open('{').key("executableCode").open('{');
  // Google runs Python only.
  out.key("language").string("PYTHON").key("code").string(code.text());
  return out.close('}').close('}').take();
}

}  // namespace

json::Value firstText(json::Value object, std::string_view names) {
  json::Value found;
  while (!names.empty() && !found.isString()) {
    const size_t end = names.find(' ');
    found = object.find(names.substr(0, end));
    names.remove_prefix(end + 1);
  }
  return found.isString() ? found : json::Value();
}

std::string unescaped(json::Value value) {
  const std::string_view bytes = value.bytes();
  if (bytes.find(kEscaped) == std::string_view::npos) return std::string(bytes);
  const json::Value original = value.find(kEscaped);
  if (value.size() == 1 && original) return std::string(original.bytes());
  json::Writer out;
  if (value.isObject()) {
    const json::Writer::Scope object = out.object();
    for (const json::Member member : json::members(value)) {
      out.key(member.key.text()).raw(unescaped(member.value));
    }
  } else if (value.isArray()) {
    const json::Writer::Scope array = out.array();
    for (const json::Value element : json::elements(value)) out.raw(unescaped(element));
  } else {
    out.raw(bytes);
  }
  return out.take();
}

std::string copiedPart(json::Value block) {
  const bool isCopied =
      std::any_of(kCopiedFields.begin(), kCopiedFields.end(),
                  [block](std::string_view name) { return gemini::field(block, name).isObject(); });
  if (!isCopied) return {};
  json::Writer out;
  out.open('{');
  for (const json::Member member : json::members(block)) {
    const std::string_view name = gemini::partField(member.key);
    if (!name.empty() && name != "thoughtSignature") out.key(name).raw(member.value.bytes());
  }
  return out.close('}').take();
}

std::string filePart(json::Value block, bool thought) {
  const std::string type = block.find("type").text();
  if (!isFile(type)) return {};
  const std::string data = dataOf(block);
  if (data.empty()) return {};
  std::string part = mediaPart(data, mediaTypeOf(block, type), thought);
  json::Value video = gemini::field(block, "videoMetadata");
  if (!video) video = block.find("metadata").find("videoMetadata");
  if (!video.isObject()) return part;
  part.pop_back();
  return part.append(",\"videoMetadata\":").append(video.bytes()).append("}");
}

std::string codePart(json::Value block) {
  const json::Value type = block.find("type");
  if (type.equals("executable_code")) return executableCode(block.find("executable_code"));
  if (type.equals("code_execution_result")) {
    return codeResult(block, block.find("code_execution_result"));
  }
  // LangChain 1 stores both as a tool that the provider ran.
  if (type.equals("server_tool_call") && block.find("name").equals("code_interpreter")) {
    return executableCode(block.find("args").find("code"));
  }
  const bool isResult = block.find("extras").find("block_type").equals("code_execution_result");
  if (type.equals("server_tool_result") && isResult) {
    return codeResult(block, block.find("output"));
  }
  return {};
}

}  // namespace strata::dialects
