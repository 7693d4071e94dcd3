// Checks the schemas of a request, and what its declarations and toolConfig say of each other.
#include "lint/request_check.h"
#include "schemas/fields.h"

namespace strata::lint {
namespace {

using catalogue::Rule;
using catalogue::Severity;
using schemas::SchemaField;

// google-gemini/gemini-cli#19083.
constexpr size_t kMaxDeclarations = 512;
// Only so many names are compared with others, so that the time stays linear.
constexpr size_t kComparedNames = 2 * kMaxDeclarations;

// Returns whether two texts are the same. Names have no escapes unless they are invalid.
bool sameText(json::Value a, json::Value b) { return a.bytes() == b.bytes(); }

class SchemaCheck : public RequestCheck, public schemas::RequestVisitor {
 public:
  using RequestCheck::RequestCheck;

  void run() {
    visit(request_);
    if (declarations_ > kMaxDeclarations) {
      add(Rule::kToolsTooManyDeclarations, pathOf(request_, "", "tools"),
          std::to_string(declarations_));
    }
    checkCalling();
  }

 private:
  // Names are compared with earlier ones. Most differ in length or in their first bytes.
  void declaration(json::Value value, const std::string& path) override {
    const json::Value name = gemini::field(value, "name");
    if (isDeclared(name)) add(Rule::kToolsDuplicateDeclaration, path, name.text());
    if (++declarations_ <= kComparedNames) names_.push_back(name);
  }

  bool isDeclared(json::Value name) const {
    for (const json::Value each : names_) {
      if (each && sameText(each, name)) return true;
    }
    return false;
  }

  void field(const SchemaField& field) override {
    if (context_.judgeSchema != nullptr) {
      context_.judgeSchema(field.subject, context_.target, findings_);
    }
    const bool isResponse = field.subject.use == schemas::Use::kResponse;
    // Both forms of a schema are fields of one object.
    const bool isArguments = field.subject.use == schemas::Use::kArguments;
    if (before_ && owner_.offset() == field.owner.offset() && wereArguments_ == isArguments) {
      add(Rule::kSchemaBothForms, std::string(field.subject.path), before_.text(),
          field.key.text());
    }
    owner_ = field.owner;
    before_ = field.key;
    wereArguments_ = isArguments;
    const json::Value mime = gemini::field(field.owner, "responseMimeType");
    if (!isResponse || mime.equals("application/json") || mime.equals("text/x.enum")) return;
    add(Rule::kSchemaMimeTypeMissing, std::string(field.subject.path), field.key.text());
  }

  void checkCalling() {
    const json::Value toolConfig = gemini::field(request_, "toolConfig");
    const json::Value config = gemini::field(toolConfig, "functionCallingConfig");
    // A cache may hold the declarations.
    if (config.size() == 0 || isSet(gemini::field(request_, "cachedContent"))) return;
    const std::string path =
        pathOf(toolConfig, pathOf(request_, "", "toolConfig"), "functionCallingConfig");
    if (!names_.empty()) return checkAllowed(config, path);
    const bool accepted = gemini::field(request_, "tools").size() > 0 ||
                          catalogue::bareModelName(context_.model).starts_with("gemini-2.0");
    catalogue::Finding& finding = add(Rule::kToolsConfigWithoutDeclarations, path);
    if (accepted) finding.severityCap = Severity::kWarning;
  }

  void checkAllowed(json::Value config, const std::string& path) {
    const json::Value allowed = gemini::field(config, "allowedFunctionNames");
    const std::string allowedPath = pathOf(config, path, "allowedFunctionNames");
    if (allowed.size() == 0) return;
    const std::string mode = gemini::field(config, "mode").text();
    bool takesNames = false;
    for (const std::string_view known : {"ANY", "any", "VALIDATED", "validated"}) {
      takesNames = takesNames || mode == known;
    }
    if (!takesNames) add(Rule::kToolsAllowedNamesMode, allowedPath, mode.empty() ? "AUTO" : mode);
    if (declarations_ > kComparedNames || allowed.size() > kComparedNames) return;
    size_t index = 0;
    for (const json::Value name : json::elements(allowed)) {
      const std::string here = allowedPath + "/" + std::to_string(index++);
      if (!isDeclared(name)) add(Rule::kToolsAllowedNameUndeclared, here, name.text());
    }
  }

  size_t declarations_ = 0;
  std::vector<json::Value> names_;  // Of the first ones.
  // The previous field with a schema.
  json::Value owner_;
  json::Value before_;
  bool wereArguments_ = false;
};

}  // namespace

void checkSchemas(json::Value request, const LintContext& context, catalogue::Findings& findings) {
  SchemaCheck(request, context, findings).run();
}

}  // namespace strata::lint
