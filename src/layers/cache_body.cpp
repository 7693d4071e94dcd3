#include "layers/cache_body.h"

#include <string>

#include "json/string.h"
#include "layers/trigger.h"

namespace strata::layers {
namespace {

// Follows cached Contents, so that they do not end with a model turn. The text is constant because
// the cache's key does not cover it.
constexpr std::string_view kClosingContent =
    R"({"role":"user","parts":[{"text":"The conversation continues below."}]})";

}  // namespace

void writeCacheBody(Segments& body, const thread::Thread& thread, const AssembleInput& input,
                    const Plan& plan, const TextLayers& texts) {
  std::string head = "{\"model\":";
  json::appendQuoted(head, "models/" + std::string(catalogue::bareModelName(input.model)));
  const bool hasStatic = !texts.staticLayer().text.empty();
  const bool staticContent = hasStatic && input.staticAsUser;
  if (hasStatic && !staticContent) {
    head.append(R"(,"systemInstruction":{"parts":[{"text":)").append(texts.staticLayer().json);
    head.append("}]}");
  }
  if (!input.tools.empty()) head.append(",\"tools\":").append(input.tools);
  if (!input.toolConfig.empty()) head.append(",\"toolConfig\":").append(input.toolConfig);
  const bool turns = input.cacheContents && plan.cut > 0;
  if (staticContent || turns) head.append(",\"contents\":[");
  if (staticContent) head.append(instructionContent(texts.staticLayer().text));
  if (staticContent && turns) head.append(",");
  body.own(head);
  if (turns) {
    body.borrow(thread.contents(0, plan.cut));
    body.own(",");
    body.own(kClosingContent);
  }
  body.own(staticContent || turns ? "]}" : "}");
}

}  // namespace strata::layers
