#include "schemas/judge.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/plain_text.h"
#include "base/text_index.h"
#include "gemini/content_view.h"
#include "gemini/proto_integer.h"
#include "json/number.h"
#include "json/pointer.h"
#include "schemas/step.h"
#include "schemas/validator_object.h"

namespace strata::schemas {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;
using gemini::Backend;

// The API's limits are not documented. Schemas of the response with six levels have been refused
// (Portkey-AI/gateway#1546), functions with more; five are recorded as accepted.
constexpr uint32_t kDeepResponse = 6;
constexpr uint32_t kDeepArguments = 10;
// googleapis/python-genai#2170, vercel/ai#21192.
constexpr int64_t kMaxItemsSum = 960;
constexpr uint64_t kManyStates = 30000;

constexpr std::string_view kSchemaType =
    "type.googleapis.com/google.ai.generativelanguage.v1beta.Schema";
constexpr std::string_view kFormats[] = {"enum", "date-time", "int32", "int64", "float", "double"};

// Where Google's text of a finding names the place.
enum class Words : uint8_t { kNone, kName, kValidator, kVertex };
// Whether a refusal is on record. What is only inferred is at most a warning.
enum class Proof : uint8_t { kKnown, kInferred };

// The keywords of one schema that rules are about.
struct Node {
  json::Value keys[kWordCount];
  Type type = Type::kMissing;
  json::Value otherKey;  // A keyword that must not stand beside anyOf or a reference.

  json::Value key(Word word) const { return keys[static_cast<size_t>(word)]; }
  json::Value value(Word word) const { return key(word) ? key(word).next() : json::Value(); }
};

class Judge {
 public:
  Judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings)
      : subject_(subject),
        target_(target),
        findings_(findings),
        isGoogle_(subject.form == Form::kGoogle),
        isArguments_(subject.use == Use::kArguments),
        isResponse_(subject.use == Use::kResponse) {}

  void run() {
    const Step root;
    judge(subject_.schema, root, 0, 1);
    if (tooDeep_) return;
    if (isResponse_ && maxItems_ > kMaxItemsSum) {
      report(Rule::kSchemaMaxItems, root, Words::kNone, std::to_string(maxItems_));
    }
    if (states_ > kManyStates) {
      report(Rule::kSchemaTooManyStates, root, Words::kNone, std::to_string(states_));
    }
  }

 private:
  bool isVertex() const { return target_.backend == Backend::kVertex; }

  // Reports a finding. Its argument is `arg1` or, without one, the last key of the place.
  void report(Rule rule, const Step& step, Words words, std::string_view arg1 = {},
              std::string_view rest = {}, Proof proof = Proof::kKnown) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.path = subject_.path;
    appendPlace(finding.path, step, Notation::kPointer);
    finding.arg1 = arg1.empty() && step.key ? step.key.text() : std::string(arg1);
    finding.arg2 = wordsOf(step, words).append(rest);
    if (proof == Proof::kKnown) return;
    finding.severityCap = Severity::kWarning;
    finding.hasUpstream = false;
  }

  std::string wordsOf(const Step& step, Words words) const {
    switch (words) {
      case Words::kNone:
        return {};
      case Words::kName:
        return step.key.text().insert(0, "\"").append("\" at '") +
               placeOf(*step.parent, Notation::kParser) + "'";
      case Words::kValidator:
        return placeOf(step, Notation::kValidator);
      case Words::kVertex:
        break;
    }
    std::string names = "`" + subject_.function.text() + "` functionDeclaration `parameters";
    appendPlace(names, step, Notation::kNames);
    return names + "`";
  }

  std::string placeOf(const Step& step, Notation notation) const {
    std::string place = catalogue::toGoogleNotation(subject_.path);
    appendPlace(place, step, notation);
    return place;
  }

  // Reports a value that the API's JSON parser does not read as `type`.
  void reportValue(const Step& step, std::string_view expected, std::string_view type,
                   json::Value value) {
    report(Rule::kSchemaInvalidValue, step, Words::kNone, expected, "'");
    findings_.back()
        .arg2.append(placeOf(step, Notation::kParser))
        .append("' (")
        .append(type)
        .append("), ")
        .append(firstCharacters(value.bytes(), 80));
  }

  void inferValue(const Step& step, std::string_view expected) {
    report(Rule::kSchemaInvalidValue, step, Words::kNone, expected, {}, Proof::kInferred);
  }

  void judge(json::Value schema, const Step& step, uint32_t levels, uint64_t factor) {
    if (!schema.isObject()) return judgeNoObject(schema, step);
    Node node;
    if (!read(schema, step, node)) return;
    if (node.type == Type::kArray || node.type == Type::kObject) ++levels;
    if (isTooDeep(step, levels)) return;
    const auto limit = gemini::protoInteger(node.value(Word::kMaxItems)).value_or(0);
    if (limit > 0) maxItems_ += limit;
    if (limit > 1) factor = std::min<uint64_t>(factor * static_cast<uint64_t>(limit), kManyStates);
    judgeType(node, step);
    if (isGoogle_) {
      judgeGoogle(node, step);
    } else {
      judgeReference(node, step);
    }
    judgeEnum(node, step, factor);
    judgeRequired(node, step);
    for (const json::Member member : json::members(schema)) descend(member, step, levels, factor);
  }

  void judgeNoObject(json::Value schema, const Step& step) {
    constexpr std::string_view kExpected = "a schema, which is an object";
    if (isGoogle_ && schema && !schema.isNull()) {
      reportNoSchema(step, kExpected, schema);
    } else if (isGoogle_ || !schema.isBoolean()) {
      inferValue(step, kExpected);
    }
  }

  // Google's text about a list names another place.
  void reportNoSchema(const Step& step, std::string_view expected, json::Value value) {
    reportValue(step, expected, kSchemaType, value);
    findings_.back().hasUpstream = !value.isArray();
  }

  // Reports a value of a keyword of Google's Schema that is not of its protobuf type. Schemas in
  // it are judged on their own.
  void judgeValue(const Keyword& keyword, json::Member member, const Step& step) {
    const Step place = {&step, member.key};
    const json::Value value = member.value;
    if (keyword.holds == Holds::kSchemaMap) {
      if (!value.isObject()) reportNoMap(place, value);
    } else if (keyword.holds != Holds::kOther) {
      const bool isList = keyword.holds == Holds::kSchemaList && value.isArray();
      const bool judged = value.isObject() || isList || keyword.word == Word::kAdditionalProperties;
      // A list of `items` has a rule of its own.
      if (!judged && !(keyword.word == Word::kItems && value.isArray()))
        reportNoSchema(place, "a schema, which is an object", value);
    } else if (keyword.takes == Takes::kTexts) {
      judgeTexts(keyword, value, place);
    } else if (!fits(keyword.takes, value)) {
      reportScalar(keyword.takes, value, place);
    }
  }

  // PHP writes an empty map as a list.
  void reportNoMap(const Step& place, json::Value value) {
    report(Rule::kSchemaInvalidValue, place, Words::kNone, "an object of schemas", "'");
    Finding& finding = findings_.back();
    finding.arg2.append(placeOf(*place.parent, Notation::kParser))
        .append("' (Map), Cannot bind a list to map for field '")
        .append(place.key.text())
        .append("'.");
    finding.hasUpstream = value.isArray();
  }

  void judgeTexts(const Keyword& keyword, json::Value value, const Step& list) {
    if (!value.isArray()) {
      if (!value.isString()) reportValue(list, "a list of strings", "TYPE_STRING", value);
      return;
    }
    // The values of `enum` have a rule of their own.
    if (keyword.word == Word::kEnum) return;
    int32_t index = 0;
    for (const json::Value text : json::elements(value)) {
      const Step place = {&list, {}, index++};
      if (!text.isString()) return reportValue(place, "a string", "TYPE_STRING", text);
    }
  }

  // ProtoJSON reads numbers and flags from strings, too.
  static bool fits(Takes takes, json::Value value) {
    switch (takes) {
      case Takes::kText:
        return value.isString();
      case Takes::kFlag:
        return value.isBoolean() || value.equals("true") || value.equals("false");
      case Takes::kNumber:
        return value.isNumber() || (value.isString() && json::readDouble(value.text()).has_value());
      case Takes::kCount:
        return gemini::protoInteger(value).has_value();
      default:
        return true;
    }
  }

  void reportScalar(Takes takes, json::Value value, const Step& place) {
    if (value.isArray()) return report(Rule::kSchemaNotRepeating, place, Words::kName);
    static constexpr std::string_view kExpected[] = {"a string", "true or false", "a number",
                                                     "an integer"};
    static constexpr std::string_view kTypes[] = {"TYPE_STRING", "TYPE_BOOL", "TYPE_DOUBLE",
                                                  "TYPE_INT64"};
    const auto index = static_cast<size_t>(takes) - static_cast<size_t>(Takes::kText);
    reportValue(place, kExpected[index], kTypes[index], value);
    findings_.back().hasUpstream = !value.isObject();
  }

  // Reads the members of a schema and reports unknown keywords. Returns false for the object of a
  // validator library, whose members are no keywords.
  bool read(json::Value schema, const Step& step, Node& node) {
    bool mayBeValidator = true;
    for (const json::Member member : json::members(schema)) {
      const Keyword* keyword = findKeyword(member.key, subject_.form);
      const bool known = isKnown(keyword, subject_.form, target_.backend);
      // Looks through all members, so once is enough.
      if (!known && mayBeValidator && isValidatorObject(schema)) {
        report(Rule::kSchemaValidatorObject, {&step, member.key}, Words::kName,
               validatorName(schema), {}, isGoogle_ ? Proof::kKnown : Proof::kInferred);
        findings_.back().path = subject_.path;
        appendPlace(findings_.back().path, step, Notation::kPointer);
        return false;
      }
      mayBeValidator = mayBeValidator && known;
      if (!known) reportKeyword(member.key, step);
      if (keyword == nullptr || (isGoogle_ && (!known || member.value.isNull()))) continue;
      node.keys[static_cast<size_t>(keyword->word)] = member.key;
      // Definitions belong to the document, not to the schema.
      const bool note = (keyword->known & kNote) != 0 || keyword->isDefinitions();
      if (isGoogle_) judgeValue(*keyword, member, step);
      if (!note && keyword->word != Word::kAnyOf && keyword->word != Word::kRef)
        node.otherKey = member.key;
    }
    node.type = typeOf(node.value(Word::kType), subject_.form);
    return true;
  }

  void reportKeyword(json::Value key, const Step& step) {
    if (isGoogle_) return report(Rule::kSchemaUnknownKeyword, {&step, key}, Words::kName);
    if (!subject_.everyKeyword) {
      std::string name(key.bytes());
      if (ignored_.find(name) >= 0) return;
      ignored_.add(std::move(name), 0);
    }
    report(Rule::kSchemaKeywordIgnored, {&step, key}, Words::kNone);
  }

  bool isTooDeep(const Step& step, uint32_t levels) {
    if (levels < (isResponse_ ? kDeepResponse : kDeepArguments)) return false;
    if (!tooDeep_) {
      report(Rule::kSchemaTooDeep, step, Words::kNone, std::to_string(levels),
             isResponse_ ? "A schema in GenerationConfig in the request"
                         : "A FunctionDeclaration in the request");
    }
    tooDeep_ = true;
    return true;
  }

  void judgeType(const Node& node, const Step& step) {
    const Step type = {&step, node.key(Word::kType)};
    if (node.type == Type::kInvalid && isGoogle_) {
      reportValue(type, "STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT or NULL",
                  "type.googleapis.com/google.ai.generativelanguage.v1beta.Type", type.key.next());
    }
    if (node.type == Type::kList && isGoogle_) {
      report(Rule::kSchemaNotRepeating, type, Words::kName);
    }
    if (isGoogle_) return;
    bool valid = node.type != Type::kInvalid;
    for (const json::Value name : json::elements(node.value(Word::kType))) {
      valid = valid && typeOf(name, subject_.form) != Type::kInvalid;
    }
    if (!valid) inferValue(type, "the name of a type");
  }

  void judgeGoogle(const Node& node, const Step& step) {
    const bool isRoot = step.parent == nullptr;
    const bool reference = static_cast<bool>(node.key(Word::kRef));
    const Proof proof = isArguments_ ? Proof::kKnown : Proof::kInferred;
    if (isRoot && isArguments_ && node.type != Type::kObject && !reference &&
        node.type != Type::kList) {
      report(Rule::kSchemaRootNotObject, step, Words::kNone, {}, subject_.function.text());
    } else if (node.type == Type::kMissing && !node.key(Word::kAnyOf) && !reference) {
      report(Rule::kSchemaTypeMissing, step, Words::kVertex, {}, {}, proof);
    }
    judgeObject(node, step);
    if (node.type == Type::kArray && !node.key(Word::kItems)) {
      report(Rule::kSchemaItemsMissing, step, Words::kValidator, {}, ".items: missing field");
    }
    const json::Value items = node.key(Word::kItems);
    if (items && items.next().isArray()) {
      report(Rule::kSchemaNotRepeating, {&step, items}, Words::kName);
    } else {
      judgeFit(node, step, Word::kItems, Type::kArray,
               ": field predicate failed: $type == Type.ARRAY");
    }
    judgeFit(node, step, Word::kProperties, Type::kObject, ": only allowed for OBJECT type");
    judgeFit(node, step, Word::kRequired, Type::kObject, ": only allowed for OBJECT type");
    judgeFormat(node, step);
    if (node.key(Word::kAnyOf) && node.otherKey) {
      report(Rule::kSchemaAnyOfSiblings, {&step, node.otherKey}, Words::kNone, {},
             wordsOf(step, Words::kVertex), proof);
    }
  }

  // An object without properties. All arguments of a function may be such an object.
  void judgeObject(const Node& node, const Step& step) {
    const json::Value properties = node.value(Word::kProperties);
    if (properties && !properties.isObject()) return;
    const bool isRoot = step.parent == nullptr;
    const bool empty = node.type == Type::kObject && properties.size() == 0;
    if (!empty || node.key(Word::kAdditionalProperties) || node.key(Word::kAnyOf)) return;
    if (isRoot && !isResponse_) return;
    report(Rule::kSchemaEmptyObject, step, Words::kValidator, {},
           ".properties: should be non-empty for OBJECT type",
           isRoot ? Proof::kInferred : Proof::kKnown);
  }

  // Reports a keyword that is only for one type.
  void judgeFit(const Node& node, const Step& step, Word word, Type type, std::string_view words) {
    const json::Value key = node.key(word);
    const bool set = key && (key.next().size() > 0 || word == Word::kItems);
    const bool unclear = node.type == Type::kInvalid || node.type == Type::kList;
    if (!set || unclear || node.type == type) return;
    report(Rule::kSchemaWrongType, {&step, key}, Words::kValidator, {}, words);
  }

  void judgeFormat(const Node& node, const Step& step) {
    const json::Value format = node.value(Word::kFormat);
    if (!format.isString()) return;
    bool known =
        node.type != Type::kString && node.type != Type::kInteger && node.type != Type::kNumber;
    for (const std::string_view name : kFormats) known = known || format.equals(name);
    if (known) return;
    report(Rule::kSchemaFormatUnsupported, {&step, node.key(Word::kFormat)}, Words::kValidator,
           format.text(), ": only 'enum' and 'date-time' are supported for STRING type",
           node.type == Type::kString ? Proof::kKnown : Proof::kInferred);
  }

  void judgeReference(const Node& node, const Step& step) {
    const json::Value reference = node.value(Word::kRef);
    if (!reference) return;
    const Step place = {&step, node.key(Word::kRef)};
    const std::string target = reference.text();
    // Anchors and escapes of a URI are not looked up.
    const bool pointer = target.starts_with("#/") && target.find('%') == target.npos;
    const bool missing = pointer && affords(subject_.schema.nodes()) &&
                         !json::valueAt(subject_.schema, std::string_view(target).substr(1));
    if (missing || !target.starts_with('#')) {
      std::string words;
      appendPlace(words, step, Notation::kDotted);
      report(Rule::kSchemaRefUndefined, place, Words::kNone, target,
             words.empty() ? "top-level" : std::string_view(words).substr(1));
    }
    const json::Value anyOf = node.key(Word::kAnyOf);
    const json::Value other = anyOf ? anyOf : node.otherKey;
    if (!other) return;
    report(Rule::kSchemaRefSiblings, {&step, other}, Words::kNone, {},
           std::string_view(target).substr(target.rfind('/') + 1));
  }

  void judgeEnum(const Node& node, const Step& step, uint64_t factor) {
    const json::Value key = node.key(Word::kEnum);
    const Step list = {&step, key};
    // Vertex AI documents enums of every primitive type.
    bool fits = !isGoogle_ || isVertex();
    int32_t index = 0;
    for (const json::Value value : json::elements(node.value(Word::kEnum))) {
      const Step place = {&list, {}, index++};
      states_ += factor * value.bytes().size();
      if (value.equals("")) {
        report(Rule::kSchemaEmptyEnumValue, place, Words::kValidator, {}, ": cannot be empty",
               isGoogle_ ? Proof::kKnown : Proof::kInferred);
      }
      if (value.isString() || !isGoogle_) continue;
      reportValue(place, "a string", "TYPE_STRING", value);
      fits = true;
      break;
    }
    if (!fits) {
      judgeFit(node, step, Word::kEnum, Type::kString, ": only allowed for STRING type");
    }
  }

  // Bounds the time for names that are looked up in very large schemas: no service accepts those.
  bool affords(size_t comparisons) {
    constexpr uint64_t kMost = 4'000'000;
    comparisons_ += comparisons;
    return comparisons_ <= kMost;
  }

  void judgeRequired(const Node& node, const Step& step) {
    const json::Value properties = node.value(Word::kProperties);
    const bool judged = isGoogle_ ? node.type == Type::kObject
                                  : properties && !node.key(Word::kAdditionalProperties);
    if (!judged) return;
    const Step list = {&step, node.key(Word::kRequired)};
    int32_t index = 0;
    for (const json::Value name : json::elements(node.value(Word::kRequired))) {
      const Step place = {&list, {}, index++};
      if (!affords(properties.size()) || properties.find(name.text())) continue;
      report(Rule::kSchemaRequiredUndefined, place, Words::kValidator, name.text(),
             ": property is not defined", isGoogle_ ? Proof::kKnown : Proof::kInferred);
    }
  }

  void descend(json::Member member, const Step& step, uint32_t levels, uint64_t factor) {
    if (!member.value.isObject() && !member.value.isArray()) return;
    const Keyword* keyword = findKeyword(member.key, subject_.form);
    if (keyword == nullptr || keyword->holds == Holds::kOther) return;
    // What the API refuses as a whole is not judged.
    if (isGoogle_ && !isKnown(keyword, subject_.form, target_.backend)) return;
    const Step place = {&step, member.key};
    if (keyword->holds == Holds::kSchema && member.value.isObject()) {
      judge(member.value, place, levels, factor);
    }
    int32_t index = 0;
    if (keyword->holds == Holds::kSchemaList) {
      for (const json::Value each : json::elements(member.value))
        judge(each, {&place, {}, index++}, levels, factor);
    }
    if (keyword->holds != Holds::kSchemaMap) return;
    for (const json::Member each : json::members(member.value)) {
      states_ += factor * each.key.bytes().size();
      judge(each.value, {&place, each.key, index++}, levels, factor);
    }
  }

  const Subject& subject_;
  const catalogue::Target& target_;
  catalogue::Findings& findings_;
  const bool isGoogle_;
  const bool isArguments_;
  const bool isResponse_;
  TextIndex ignored_;  // The ignored keywords that have been reported.
  bool tooDeep_ = false;
  int64_t maxItems_ = 0;
  uint64_t states_ = 0;
  uint64_t comparisons_ = 0;
};

}  // namespace

void judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings) {
  Judge(subject, target, findings).run();
}

}  // namespace strata::schemas
