#include "lint/media_rules.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/ascii.h"
#include "base/plain_text.h"
#include "lint/signature.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

constexpr size_t kShown = 80;
constexpr std::string_view kFilesApi = "https://generativelanguage.googleapis.com/";

// Types that Google's pages list for one of the services, and audio/x-wav, whose acceptance is
// recorded. Sorted.
constexpr std::string_view kTypes[] = {"application/json",
                                       "application/pdf",
                                       "application/x-javascript",
                                       "application/x-python",
                                       "application/x-python-code",
                                       "application/x-typescript",
                                       "audio/aac",
                                       "audio/aiff",
                                       "audio/flac",
                                       "audio/m4a",
                                       "audio/mp3",
                                       "audio/mp4",
                                       "audio/mpeg",
                                       "audio/mpga",
                                       "audio/ogg",
                                       "audio/opus",
                                       "audio/pcm",
                                       "audio/wav",
                                       "audio/webm",
                                       "audio/x-aac",
                                       "audio/x-wav",
                                       "image/bmp",
                                       "image/heic",
                                       "image/heif",
                                       "image/jpeg",
                                       "image/png",
                                       "image/webp",
                                       "text/css",
                                       "text/csv",
                                       "text/html",
                                       "text/javascript",
                                       "text/markdown",
                                       "text/md",
                                       "text/plain",
                                       "text/rtf",
                                       "text/x-python",
                                       "text/x-typescript",
                                       "text/xml",
                                       "video/3gpp",
                                       "video/avi",
                                       "video/mov",
                                       "video/mp4",
                                       "video/mpeg",
                                       "video/mpegps",
                                       "video/mpegs",
                                       "video/mpg",
                                       "video/quicktime",
                                       "video/webm",
                                       "video/wmv",
                                       "video/x-flv"};

// Types inside functionResponse.parts.
constexpr std::string_view kResponseTypes[] = {"application/pdf", "image/jpeg", "image/png",
                                               "image/webp", "text/plain"};

// Office and OpenDocument files: .docx .dotx .doc .pptx .ppt .xlsx .xls .odt .odp .ods. Sorted.
constexpr std::string_view kOfficeTypes[] = {
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template"};

bool isIn(std::span<const std::string_view> sorted, std::string_view type) {
  return std::binary_search(sorted.begin(), sorted.end(), type);
}

// Returns whether `text` is a name of RFC 6838, section 4.2.
bool isRestrictedName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return ascii::isAlnum(c) || std::string_view("!#$&-^_.+").find(c) != std::string_view::npos;
  });
}

// Returns the type without its parameters, such as ";rate=24000".
std::string_view essence(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

bool isMimeType(std::string_view type) {
  const size_t slash = type.find('/');
  return slash != std::string_view::npos && isRestrictedName(type.substr(0, slash)) &&
         isRestrictedName(type.substr(slash + 1));
}

bool isBase64String(json::Value value) {
  if (!value.isString()) return false;
  if (!value.hasEscapes()) return looksLikeBase64(value.raw());
  std::string text = value.text();
  // Line breaks inside base64 are accepted.
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  return looksLikeBase64(text);
}

// Returns the text behind "scheme://", or "" if the URI has another scheme.
std::string_view behindScheme(std::string_view uri, std::string_view scheme) {
  const bool has = ascii::lowerCase(uri.substr(0, scheme.size())) == scheme;
  return has ? uri.substr(scheme.size()) : std::string_view();
}

// Returns whether a host can only be reached from the caller's own network.
bool isPrivateHost(std::string_view host) {
  const std::string name = ascii::lowerCase(host.substr(0, host.find_first_of(":/?#")));
  for (const std::string_view start : {"127.", "10.", "192.168.", "169.254."}) {
    const bool isAddress = name.find_first_not_of("0123456789.") == std::string::npos;
    if (isAddress && name.starts_with(start)) return true;
  }
  return name == "localhost" || name == "0.0.0.0" || name.ends_with(".localhost") ||
         name.ends_with(".local") || host.starts_with("[::1]");
}

class MediaCheck {
 public:
  MediaCheck(json::Value media, MediaPlace place, const Finding& location,
             const catalogue::Target& target, catalogue::Findings& findings)
      : media_(media), place_(place), location_(location), target_(target), findings_(findings) {}

  void run(gemini::PartKind kind) {
    const bool isFile = kind == gemini::PartKind::kFileData;
    checkType(isFile);
    if (isFile) return checkUri();
    if (!isBase64String(gemini::field(media_, "data"))) addInvalid("data", "a base64 string");
  }

 private:
  Finding& add(Rule rule, std::string_view name, std::string_view arg1 = {},
               std::string_view arg2 = {}) {
    Finding& finding = findings_.emplace_back(location_);
    finding.rule = rule;
    finding.arg1 = arg1;
    finding.arg2 = arg2;
    std::string spelled(name);
    for (const json::Member member : json::members(media_)) {
      if (gemini::isField(member.key, name)) spelled = member.key.text();
    }
    finding.path.append("/").append(spelled);
    return finding;
  }

  Finding& addInvalid(std::string_view name, std::string_view expected) {
    return add(Rule::kFieldInvalid, name, name, expected);
  }

  bool isVertex() const { return target_.backend == gemini::Backend::kVertex; }

  void checkType(bool isFile) {
    const json::Value value = gemini::field(media_, "mimeType");
    if (!value.isString() || value.raw().empty()) return checkNoType(value, isFile);
    const std::string given = value.text();
    const std::string type = ascii::lowerCase(essence(given));
    if (!isMimeType(type)) {
      add(Rule::kMediaTypeUnsupported, "mimeType", firstCharacters(given, kShown),
          "a MIME type of the form type/subtype, such as image/png");
    } else if (place_ != MediaPlace::kModel) {
      checkListed(type);
    }
  }

  // The Gemini API knows the type of a file: ProtoJSON reads "" as unset.
  void checkNoType(json::Value type, bool isFile) {
    const bool unset = !type || type.isNull();
    if (isFile && unset && !isVertex()) return;
    Finding& finding = addInvalid("mimeType", "a non-empty string");
    if (isFile && type.isString() && !isVertex()) finding.severityCap = Severity::kWarning;
  }

  void checkListed(const std::string& type) {
    const catalogue::ModelRow& model = *target_.model;
    const bool speaks = model.output == catalogue::Output::kSpeech;
    if (type.starts_with("audio/") && (speaks || model.refuses(catalogue::Feature::kAudioInput))) {
      add(Rule::kMediaAudioUnsupported, "mimeType");
      return;
    }
    const bool inResponse = place_ == MediaPlace::kResponse;
    const bool listed = inResponse ? isIn(kResponseTypes, type) : isIn(kTypes, type);
    if (listed || (model.officeFiles && isIn(kOfficeTypes, type))) return;
    add(Rule::kMediaTypeUnsupported, "mimeType", firstCharacters(type, kShown),
        inResponse ? "among the MIME types that Google lists for functionResponse.parts"
                   : "among the MIME types that Google lists for this model")
        .severityCap = Severity::kWarning;
  }

  // Each service reads its own storage: the Gemini API its Files API, Vertex AI Cloud Storage.
  void checkUri() {
    const json::Value value = gemini::field(media_, "fileUri");
    if (!value.isString() || value.raw().empty()) {
      addInvalid("fileUri", "a non-empty string");
      return;
    }
    const std::string uri = value.text();
    const std::string_view bucket = behindScheme(uri, "gs://");
    const std::string_view plain = behindScheme(uri, "http://");
    const std::string_view host = plain.empty() ? behindScheme(uri, "https://") : plain;
    if (!bucket.empty() && bucket.front() != '/') {
      if (!isVertex()) addUri(uri, "");
    } else if (host.empty() ||
               std::string_view("/?#").find(host.front()) != std::string_view::npos) {
      const bool isData = ascii::lowerCase(uri.substr(0, 5)) == "data:";
      addUri(uri, isData ? "; put its base64 text into inlineData.data"
                         : "; upload the file, or send its bytes as inlineData");
    } else if (isPrivateHost(host) || (isVertex() && uri.starts_with(kFilesApi))) {
      addUri(uri, "").severityCap = Severity::kWarning;
    }
  }

  Finding& addUri(std::string_view uri, std::string_view advice) {
    Finding& finding = add(Rule::kMediaUriUnsupported, "fileUri", firstCharacters(uri, kShown),
                           isVertex() ? "Vertex AI" : "the Gemini API");
    finding.arg2 += advice;
    return finding;
  }

  json::Value media_;
  MediaPlace place_;
  const Finding& location_;
  const catalogue::Target& target_;
  catalogue::Findings& findings_;
};

}  // namespace

void checkMedia(json::Value media, gemini::PartKind kind, MediaPlace place, const Finding& location,
                const catalogue::Target& target, catalogue::Findings& findings) {
  MediaCheck(media, place, location, target, findings).run(kind);
}

}  // namespace strata::lint
