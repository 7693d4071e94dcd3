// Checks tools and toolConfig: field names, function names, and combinations that the API refuses.
#include "base/plain_text.h"
#include "gemini/function_name.h"
#include "lint/request_check.h"

namespace strata::lint {
namespace {

using catalogue::Rule;

class ToolCheck : public RequestCheck {
 public:
  using RequestCheck::RequestCheck;

  void run() {
    checkTools(gemini::field(request_, "tools"), pathOf(request_, "", "tools"));
    checkConfig(gemini::field(request_, "toolConfig"), pathOf(request_, "", "toolConfig"));
  }

 private:
  void checkTools(json::Value tools, const std::string& path) {
    checkList(tools, path, "tools");
    size_t index = 0;
    for (const json::Value tool : gemini::repeated(tools)) {
      checkTool(tool, elementPath(tools, path, index++));
    }
    if (functions_ && builtIn_) checkMixed(path);
    if (functions_ || builtIn_) checkJsonMode(path);
  }

  void checkTool(json::Value tool, const std::string& path) {
    if (!checkObject(tool, path, "a tool", gemini::ObjectKind::kTool)) return;
    bool isEmpty = true;
    for (const json::Member member : json::members(tool)) {
      if (!isSet(member.value)) continue;
      const std::string here = path + "/" + member.key.text();
      if (gemini::isField(member.key, "functionDeclarations")) {
        checkDeclarations(member.value, here);
        if (gemini::repeatedSize(member.value) == 0 && member.value.isArray()) continue;
        functions_ = functions_ || gemini::repeatedSize(member.value) > 0;
      } else if (isKnown(member.key, gemini::ObjectKind::kTool)) {
        checkBuiltIn(member.key, here);
        builtIn_ = builtIn_ || !standsBesideFunctions(member.key);
      }
      isEmpty = false;
    }
    if (!isEmpty) return;
    // A single object stands for a list of one.
    const std::string place = catalogue::toGoogleNotation(path);
    add(Rule::kToolsEmpty, path, place == "tools" ? "tools[0]" : place);
  }

  void checkBuiltIn(json::Value key, const std::string& path) {
    if (gemini::isField(key, "googleSearchRetrieval") && !model().starts_with("gemini-1."))
      add(Rule::kToolsSearchRetrieval, path);
    for (const auto& [name, feature, googleName] : kBuiltIns) {
      if (!gemini::isField(key, name) || !context_.target.model->refuses(feature)) continue;
      add(Rule::kToolsBuiltInUnsupported, path, name, googleName).hasUpstream = !googleName.empty();
    }
  }

  // The model's own functions of computerUse are functionDeclarations too. Of mcpServers beside
  // functions, no answer is on record.
  static bool standsBesideFunctions(json::Value key) {
    return gemini::isField(key, "computerUse") || gemini::isField(key, "mcpServers");
  }

  // Gemini 3 introduced the flag.
  bool takesFlag() const { return context_.target.model->generation > catalogue::Generation::k2_5; }

  void checkMixed(const std::string& path) {
    const json::Value config = gemini::field(request_, "toolConfig");
    const bool flag = gemini::field(config, "includeServerSideToolInvocations").isTrue();
    const bool unsupported = !takesFlag();
    if (flag && !unsupported) return;
    add(Rule::kToolsMixedWithoutFlag, path,
        unsupported ? "for a model that can't mix them"
                    : "without toolConfig.includeServerSideToolInvocations");
  }

  // JSON answers beside tools: refused up to Gemini 2.5, later only if a call is forced.
  void checkJsonMode(const std::string& path) {
    const json::Value config = gemini::field(request_, "generationConfig");
    if (!gemini::field(config, "responseMimeType").equals("application/json")) return;
    const json::Value calling =
        gemini::field(gemini::field(request_, "toolConfig"), "functionCallingConfig");
    add(Rule::kToolsJsonMode, path, functions_ ? "Function calling" : "Tool use");
    if (functions_ && gemini::field(calling, "mode").equals("ANY"))
      add(Rule::kToolsJsonModeForced, path);
  }

  void checkDeclarations(json::Value declarations, const std::string& path) {
    checkList(declarations, path, "functionDeclarations");
    if (gemini::repeatedSize(declarations) > 0 &&
        context_.target.model->refuses(catalogue::Feature::kFunctions)) {
      add(Rule::kToolsFunctionsUnsupported, path, model());
    }
    size_t index = 0;
    for (const json::Value declaration : gemini::repeated(declarations)) {
      const std::string here = elementPath(declarations, path, index++);
      if (!checkObject(declaration, here, "a declaration", gemini::ObjectKind::kDeclaration))
        continue;
      const json::Value description = gemini::field(declaration, "description");
      if (isSet(description) && !description.isString())
        addAt(Rule::kFieldInvalid, declaration, here, "description", "description", "a string");
      const std::string name = gemini::field(declaration, "name").text();
      if (!gemini::isFunctionName(name))
        add(Rule::kToolsNameInvalid, here + "/name", firstCharacters(name, 80));
    }
  }

  void checkConfig(json::Value config, const std::string& path) {
    if (!checkObject(config, path, "toolConfig", gemini::ObjectKind::kToolConfig)) return;
    static constexpr std::string_view kModes[] = {"AUTO", "ANY", "NONE", "VALIDATED",
                                                  "MODE_UNSPECIFIED"};
    checkWithin(config, path, "functionCallingConfig", gemini::ObjectKind::kFunctionCallingConfig);
    checkEnum(gemini::field(config, "functionCallingConfig"),
              pathOf(config, path, "functionCallingConfig"), "mode", kModes);
    checkWithin(config, path, "retrievalConfig", gemini::ObjectKind::kRetrievalConfig);
    constexpr std::string_view kFlag = "includeServerSideToolInvocations";
    if (!takesFlag() && gemini::field(config, kFlag).isTrue())
      addAt(Rule::kToolsFlagUnsupported, config, path, kFlag, model());
  }

  void checkWithin(json::Value config, const std::string& path, std::string_view name,
                   gemini::ObjectKind kind) {
    checkObject(gemini::field(config, name), pathOf(config, path, name), name, kind);
  }

  // A built-in tool that single models lack, and what Google's refusal calls it, if that is known.
  struct BuiltIn {
    std::string_view name;
    catalogue::Feature feature;
    std::string_view googleName;
  };
  static constexpr BuiltIn kBuiltIns[] = {
      {"googleSearch", catalogue::Feature::kGoogleSearch, "Search"},
      {"urlContext", catalogue::Feature::kUrlContext, "Url Context"},
      {"codeExecution", catalogue::Feature::kCodeExecution, ""},
  };

  bool functions_ = false;
  bool builtIn_ = false;
};

}  // namespace

void checkTools(json::Value request, const LintContext& context, catalogue::Findings& findings) {
  ToolCheck(request, context, findings).run();
}

}  // namespace strata::lint
