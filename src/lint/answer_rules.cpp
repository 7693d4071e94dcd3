#include "lint/answer_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "gemini/content_queries.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::lint {
namespace {

using catalogue::Rule;

constexpr std::array<std::string_view, 12> kKindNames = {
    "calls",      "text",   "data",       "cut",   "malformed_call", "unexpected_call",
    "max_tokens", "safety", "recitation", "other", "thoughts_only",  "empty"};

constexpr std::array<Rule, 9> kFaults = {
    Rule::kAnswerCut,       Rule::kAnswerMalformedCall, Rule::kAnswerUnexpectedCall,
    Rule::kAnswerMaxTokens, Rule::kAnswerSafety,        Rule::kAnswerRecitation,
    Rule::kAnswerOther,     Rule::kAnswerThoughtsOnly,  Rule::kAnswerEmpty};

struct Reason {
  std::string_view name;
  AnswerKind kind;
};

// The finishReasons that explain why an answer has no text.
constexpr std::array<Reason, 11> kReasons = {{
    {"MAX_TOKENS", AnswerKind::kMaxTokens},
    {"SAFETY", AnswerKind::kSafety},
    {"IMAGE_SAFETY", AnswerKind::kSafety},
    {"PROHIBITED_CONTENT", AnswerKind::kSafety},
    {"IMAGE_PROHIBITED_CONTENT", AnswerKind::kSafety},
    {"BLOCKLIST", AnswerKind::kSafety},
    {"SPII", AnswerKind::kSafety},
    {"RECITATION", AnswerKind::kRecitation},
    {"IMAGE_RECITATION", AnswerKind::kRecitation},
    {"OTHER", AnswerKind::kOther},
    {"IMAGE_OTHER", AnswerKind::kOther},
}};

bool isZeroWidth(uint32_t c) { return (c >= 0x200B && c <= 0x200F) || c == 0xFEFF; }

// The white space of ECMAScript.
bool isSpace(uint32_t c) {
  if ((c >= 0x09 && c <= 0x0D) || (c >= 0x2000 && c <= 0x200A)) return true;
  constexpr std::array<uint32_t, 8> kOthers = {0x20,   0xA0,   0x1680, 0x2028,
                                               0x2029, 0x202F, 0x205F, 0x3000};
  return std::find(kOthers.begin(), kOthers.end(), c) != kOthers.end();
}

bool hasVisibleText(std::string_view text) {
  constexpr std::string_view kCommentStart = "<!--";
  constexpr std::string_view kCommentEnd = "-->";
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, kCommentStart.size()) == kCommentStart) {
      const size_t end = text.find(kCommentEnd, at + kCommentStart.size());
      if (end == std::string_view::npos) return true;
      at = end + kCommentEnd.size();
      continue;
    }
    const uint32_t c = decodeUtf8(text, at);
    if (!isZeroWidth(c) && !isSpace(c)) return true;
  }
  return false;
}

bool hasVisibleText(json::Value content) {
  std::string text;
  json::appendUnescaped(text, gemini::spokenText(content));
  return hasVisibleText(text);
}

// Returns whether a Part without text has a field that is data. Unknown fields count.
bool hasOtherData(json::Value part) {
  if (part.find("text").isString()) return false;
  for (const json::Member member : json::members(part)) {
    const bool annotation = member.key.equals("text") || member.key.equals("thought") ||
                            gemini::isField(member.key, "thoughtSignature");
    if (!annotation && !member.value.isNull()) return true;
  }
  return false;
}

template <typename Matches>
bool anyPart(json::Value content, const Matches& matches) {
  for (const json::Value part : gemini::repeated(content.find("parts"))) {
    if (matches(part)) return true;
  }
  return false;
}

bool isThought(json::Value part) { return part.find("thought").isTrue(); }

}  // namespace

std::string_view answerKindName(AnswerKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

AnswerKind classifyAnswer(std::string_view finishReason, json::Value content) {
  if (finishReason == "CONTINUATION") return AnswerKind::kCut;
  // Google could not parse a call, so none of the answer may run: NousResearch/hermes-agent#83886.
  if (finishReason == "MALFORMED_FUNCTION_CALL") return AnswerKind::kMalformedCall;
  if (!gemini::openCallsOf(content).empty()) return AnswerKind::kCalls;
  if (finishReason == "UNEXPECTED_TOOL_CALL") return AnswerKind::kUnexpectedCall;
  if (hasVisibleText(content)) return AnswerKind::kText;
  if (anyPart(content, hasOtherData)) return AnswerKind::kData;
  for (const Reason& reason : kReasons) {
    if (reason.name == finishReason) return reason.kind;
  }
  return anyPart(content, isThought) ? AnswerKind::kThoughtsOnly : AnswerKind::kEmpty;
}

std::optional<Rule> faultOf(AnswerKind kind, bool afterResponses) {
  if (kind < AnswerKind::kCut) return std::nullopt;
  if (kind == AnswerKind::kEmpty && afterResponses) return std::nullopt;
  return kFaults[static_cast<size_t>(kind) - static_cast<size_t>(AnswerKind::kCut)];
}

void writeAnswer(json::Writer& out, std::string_view finishReason, json::Value content,
                 bool afterResponses, const catalogue::Target& target) {
  const AnswerKind kind = classifyAnswer(finishReason, content);
  out.open('{').key("kind").string(answerKindName(kind));
  out.key("blank").boolean(gemini::isBlank(content));
  out.key("text").raw("\"" + gemini::spokenText(content) + "\"");
  gemini::writeCalls(out.key("calls"), gemini::openCallsOf(content));
  const std::optional<Rule> fault = faultOf(kind, afterResponses);
  if (fault && target.severity({*fault}) == catalogue::Severity::kError) {
    const catalogue::RuleRow& row = target.row(*fault);
    out.key("fault").open('{').key("code").string(row.code);
    out.key("message").string(row.message).close('}');
  }
  out.close('}');
}

}  // namespace strata::lint
