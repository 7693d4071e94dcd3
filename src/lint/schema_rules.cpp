// Checks the schemas of a request, and what its declarations and toolConfig say of each other.
#include "base/heap_sort.h"
#include "lint/request_check.h"
#include "schemas/fields.h"

namespace strata::lint {
namespace {

using catalogue::Rule;
using catalogue::Severity;
using schemas::Element;
using schemas::SchemaField;

// google-gemini/gemini-cli#19083.
constexpr size_t kMaxDeclarations = 512;

bool isUpperEqual(json::Value value, std::string_view upper) {
  std::string text = value.text();
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  return text == upper;
}

class SchemaCheck : public RequestCheck {
 public:
  using RequestCheck::RequestCheck;

  void run() {
    const std::vector<SchemaField> fields = schemas::schemaFields(request_, &declarations_);
    const SchemaField* before = nullptr;
    for (const SchemaField& field : fields) {
      schemas::judge(field.subject, context_.target, findings_);
      checkForms(before, field);
      before = &field;
    }
    checkDeclaredNames();
    checkResponse();
    checkCalling();
  }

 private:
  // Both forms of a schema are adjacent fields of one object.
  void checkForms(const SchemaField* before, const SchemaField& field) {
    if (before == nullptr || before->owner.index() != field.owner.index()) return;
    const bool arguments = before->subject.use == schemas::Use::kArguments;
    if (arguments != (field.subject.use == schemas::Use::kArguments)) return;
    add(Rule::kSchemaBothForms, field.subject.path, before->key.text(), field.key.text());
  }

  void checkDeclaredNames() {
    if (declarations_.size() > kMaxDeclarations) {
      add(Rule::kToolsTooManyDeclarations, pathOf(request_, "", "tools"),
          std::to_string(declarations_.size()));
    }
    for (const Element& declaration : declarations_) {
      names_.push_back({gemini::field(declaration.value, "name").text(), names_.size()});
    }
    std::vector<Name> sorted = names_;
    heapSort(sorted.begin(), sorted.end(), [](const Name& a, const Name& b) {
      return a.text != b.text ? a.text < b.text : a.index < b.index;
    });
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].text.empty() || sorted[i].text != sorted[i - 1].text) continue;
      add(Rule::kToolsDuplicateDeclaration, declarations_[sorted[i].index].path, sorted[i].text);
    }
  }

  void checkResponse() {
    const json::Value config = gemini::field(request_, "generationConfig");
    const json::Value mime = gemini::field(config, "responseMimeType");
    if (mime.equals("application/json") || mime.equals("text/x.enum")) return;
    std::vector<SchemaField> fields;
    schemas::appendResponseSchemas(config, pathOf(request_, "", "generationConfig"), fields);
    for (const SchemaField& field : fields) {
      add(Rule::kSchemaMimeTypeMissing, field.subject.path, field.key.text());
    }
  }

  void checkCalling() {
    const json::Value toolConfig = gemini::field(request_, "toolConfig");
    const std::string toolPath = pathOf(request_, "", "toolConfig");
    const json::Value config = gemini::field(toolConfig, "functionCallingConfig");
    // A cache may hold the declarations.
    if (config.size() == 0 || isSet(gemini::field(request_, "cachedContent"))) return;
    const std::string path = pathOf(toolConfig, toolPath, "functionCallingConfig");
    if (declarations_.empty()) {
      const bool accepted = gemini::field(request_, "tools").size() > 0 ||
                            catalogue::bareModelName(context_.model).starts_with("gemini-2.0");
      catalogue::Finding& finding = add(Rule::kToolsConfigWithoutDeclarations, path);
      if (accepted) finding.severityCap = Severity::kWarning;
      return;
    }
    checkAllowed(config, path);
  }

  void checkAllowed(json::Value config, const std::string& path) {
    const json::Value allowed = gemini::field(config, "allowedFunctionNames");
    const json::Value mode = gemini::field(config, "mode");
    const std::string allowedPath = pathOf(config, path, "allowedFunctionNames");
    if (allowed.size() == 0) return;
    if (!isUpperEqual(mode, "ANY") && !isUpperEqual(mode, "VALIDATED")) {
      add(Rule::kToolsAllowedNamesMode, allowedPath, mode.isString() ? mode.text() : "AUTO");
    }
    for (const Element& name : schemas::elementsOf(allowed, allowedPath)) {
      const std::string text = name.value.text();
      bool declared = false;
      for (const Name& each : names_) declared = declared || each.text == text;
      if (!declared) add(Rule::kToolsAllowedNameUndeclared, name.path, text);
    }
  }

  struct Name {
    std::string text;
    size_t index;
  };
  std::vector<Element> declarations_;
  std::vector<Name> names_;
};

}  // namespace

void checkSchemas(json::Value request, const LintContext& context, catalogue::Findings& findings) {
  SchemaCheck(request, context, findings).run();
}

}  // namespace strata::lint
