#include "interactions/convert_document.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::interactions {
namespace {

using test::Json;

const std::string kContents =
    R"([{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"a","thoughtSignature":"S"}]}])";
const std::string kSteps =
    R"([{"type":"user_input","content":[{"type":"text","text":"hi"}]},)"
    R"({"type":"thought","signature":"S"},{"type":"model_output","content":[{"type":"text","text":"a"}]}])";

Converted convert(const std::string& document, Wire to) {
  const test::Judge judge;
  const Json read(document);
  return convertDocument(read.root(), judge.target(), {to, "gemini-3.8-flash", {}});
}

TEST(ConvertDocument, KnowsAListOfContentsAndOneOfSteps) {
  EXPECT_EQ(convert(kContents, Wire::kInteractions).json, kSteps);
  EXPECT_EQ(convert(kSteps, Wire::kGenerateContent).json, kContents);
  EXPECT_EQ(convert("[]", Wire::kInteractions).json, "[]");
}

TEST(ConvertDocument, ReturnsWhatIsForThisApiAsItIs) {
  const std::string spaced = R"([ {"role": "user", "parts": [{"text": "hi"}]} ])";
  EXPECT_EQ(convert(spaced, Wire::kGenerateContent).json, spaced);
  EXPECT_EQ(convert(kSteps, Wire::kInteractions).json, kSteps);
  const std::string body = R"({"model":"gemini-3.8-flash","input":"hi"})";
  EXPECT_EQ(convert(body, Wire::kInteractions).json, body);
}

TEST(ConvertDocument, ConvertsAStoredAnswer) {
  const std::string interaction =
      R"({"id":"i","status":"completed","steps":[{"type":"thought","signature":"S"},)"
      R"({"type":"model_output","content":[{"type":"text","text":"a"}]}]})";
  EXPECT_EQ(convert(interaction, Wire::kGenerateContent).json,
            R"([{"role":"model","parts":[{"text":"a","thoughtSignature":"S"}]}])");
  const std::string response =
      R"({"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}]})";
  EXPECT_EQ(convert(response, Wire::kInteractions).json,
            R"([{"type":"model_output","content":[{"type":"text","text":"a"}]}])");
}

TEST(ConvertDocument, NamesWhatAnAnswerLoses) {
  const auto findings = [](const std::string& answer) {
    const Json read(answer);
    const test::Judge judge;
    const Converted converted =
        convertDocument(read.root(), judge.target(), {Wire::kInteractions, "gemini-3.8-flash", {}});
    return converted.json.substr(0, 2) + std::to_string(converted.findings.size());
  };
  EXPECT_EQ(findings(R"({"promptFeedback":{"blockReason":"SAFETY"}})"), "[]1");
  EXPECT_EQ(findings(R"({"candidates":[{"finishReason":"SAFETY"}]})"), "[]1");
  const std::string candidate = R"({"content":{"role":"model","parts":[{"text":"a"}]}})";
  EXPECT_EQ(findings(R"({"candidates":[)" + candidate + "]}"), "[{0");
  EXPECT_EQ(findings(R"({"candidates":[)" + candidate + "," + candidate + "]}"), "[{1");
}

TEST(ConvertDocument, ConvertsARequest) {
  const std::string request = R"({"contents":)" + kContents + "}";
  const Json body(convert(request, Wire::kInteractions).json);
  EXPECT_EQ(body.root().find("model").text(), "gemini-3.8-flash");
  EXPECT_EQ(body.root().find("input").bytes(), kSteps);
  const Json back(convert(body.text(), Wire::kGenerateContent).json);
  EXPECT_EQ(back.root().find("contents").bytes(), kContents);
}

TEST(ConvertDocument, PlacesFindingsInTheDocument) {
  const std::string call = R"({"role":"model","parts":[{"functionCall":{"name":"f"}}]})";
  const auto pathOf = [](const std::string& document) {
    const Converted converted = convert(document, Wire::kInteractions);
    return converted.findings.empty() ? "none" : converted.findings.front().path;
  };
  EXPECT_EQ(pathOf("[" + call + "]").substr(0, 2), "/0");
  EXPECT_EQ(pathOf(R"({"candidates":[{"content":)" + call + "}]}").substr(0, 21),
            "/candidates/0/content");
  EXPECT_EQ(pathOf(R"({"contents":[)" + call + "]}").substr(0, 11), "/contents/0");
}

}  // namespace
}  // namespace strata::interactions
