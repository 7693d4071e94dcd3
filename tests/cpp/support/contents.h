// Builds Contents and request bodies for tests, and lints or appends them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/lint.h"
#include "support/json_file.h"
#include "thread/thread.h"

namespace strata::test {

inline constexpr std::string_view kSignature = "EpEgCo4gAb4+9v";

inline std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ",") + text;
  return out;
}

inline std::string content(const std::string& role, const std::vector<std::string>& parts) {
  return R"({"role":")" + role + R"(","parts":[)" + joined(parts) + "]}";
}

inline std::string text(const std::string& value) { return R"({"text":")" + value + "\"}"; }
inline std::string user(const std::string& value = "hi") { return content("user", {text(value)}); }
inline std::string model(const std::string& value = "ok") {
  return content("model", {text(value)});
}

inline std::string idMember(const std::string& id) {
  return id.empty() ? "" : R"("id":")" + id + "\",";
}

/// Returns a functionCall Part, unsigned if `signature` is empty.
inline std::string call(const std::string& name = "f", const std::string& id = "",
                        std::string_view signature = kSignature) {
  const std::string data =
      R"({"functionCall":{)" + idMember(id) + R"("name":")" + name + R"(","args":{}})";
  if (signature.empty()) return data + "}";
  return data + R"(,"thoughtSignature":")" + std::string(signature) + "\"}";
}

inline std::string unsignedCall(const std::string& name = "f", const std::string& id = "") {
  return call(name, id, "");
}

inline std::string result(const std::string& name = "f", const std::string& id = "") {
  return R"({"functionResponse":{)" + idMember(id) + R"("name":")" + name +
         R"(","response":{"output":1}}})";
}

/// Return the two Contents of a step: one functionCall and its functionResponse.
inline std::string callTurn() { return content("model", {call()}); }
inline std::string resultTurn() { return content("user", {result()}); }

inline std::string bodyOf(const std::vector<std::string>& contents) {
  return R"({"contents":[)" + joined(contents) + "]}";
}

/// Returns `severity code path` for each finding that is not off.
inline std::vector<std::string> linesOf(const catalogue::Findings& findings,
                                        const catalogue::Target& target) {
  std::vector<std::string> lines;
  for (const catalogue::Finding& finding : findings) {
    if (target.severity(finding) == catalogue::Severity::kOff) continue;
    json::Writer out;
    catalogue::writeDiagnostic(out, finding, target);
    const Json diagnostic(out.take());
    lines.push_back(diagnostic.root().find("severity").text() + " " +
                    diagnostic.root().find("code").text() + " " +
                    diagnostic.root().find("path").text());
  }
  return lines;
}

inline uint32_t estimateByLength(json::Value content) {
  return static_cast<uint32_t>(content.bytes().size());
}

/// Lints bodies and creates threads for one model and backend.
class Judge {
 public:
  explicit Judge(std::string model = "gemini-3.8-flash",
                 gemini::Backend backend = gemini::Backend::kGemini,
                 catalogue::Day day = catalogue::kReleaseDay)
      : model_(std::move(model)),
        target_{&catalogue_, &catalogue_.model(model_, {backend, day}), backend, false, day} {}
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  const std::string& model() const { return model_; }
  const catalogue::Target& target() const { return target_; }
  lint::LintContext context() const {
    lint::LintContext context;
    context.judgeSchema = schemas::judge;
    context.target = target_;
    context.model = model_;
    return context;
  }

  std::vector<std::string> lint(const std::string& body) const {
    return linesOf(lint::lintRequest(body, context()), target_);
  }
  std::vector<std::string> lintContents(const std::vector<std::string>& contents) const {
    return lint(bodyOf(contents));
  }

  thread::Thread thread(bool strict = false, thread::Estimate estimate = estimateByLength) const {
    return thread::Thread(target_, strict, estimate);
  }

 private:
  std::string model_;
  catalogue::Catalogue catalogue_;
  catalogue::Target target_;
};

using Policy = thread::Thread::Policy;

inline thread::AppendResult append(thread::Thread& thread, const std::string& bytes,
                                   Policy policy = Policy::kWarn, const std::string& meta = "{}") {
  const Json read(bytes);
  const Json about(meta);
  return thread.append(bytes, read.root(), about.root(), policy);
}

inline std::string hexDigest(const thread::Thread& thread) {
  return toHex(thread.checkpointAfter(thread.size()).digest);
}

inline bool hasCode(const std::vector<std::string>& lines, const std::string& code) {
  for (const std::string& line : lines) {
    if (line.find(" " + code + " ") != std::string::npos) return true;
  }
  return false;
}

}  // namespace strata::test
