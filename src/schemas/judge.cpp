#include "schemas/judge.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gemini/content_view.h"
#include "gemini/proto_integer.h"
#include "schemas/references.h"
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
constexpr double kManyStates = 30000;

// What the rules need of one schema, read in one pass over its members.
struct Node {
  Type type = Type::kMissing;
  json::Value typeKey;
  json::Value format;
  json::Value formatKey;
  json::Value enumKey;
  json::Value propertiesKey;
  json::Value requiredKey;
  json::Value itemsKey;
  json::Value anyOfKey;
  json::Value refKey;
  json::Value limit;     // maxItems
  json::Value otherKey;  // A keyword that must not stand beside anyOf or a reference.
  bool open = false;     // Whether additionalProperties is set.

  json::Value properties() const { return propertiesKey ? propertiesKey.next() : json::Value(); }
};

class Judge {
 public:
  Judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings)
      : subject_(subject), target_(target), findings_(findings) {}

  void run() {
    const Step root;
    judge(subject_.schema, root, 0, 1);
    if (tooDeep_.index >= 0) return;
    if (subject_.use == Use::kResponse && maxItems_ > kMaxItemsSum) {
      add(Rule::kSchemaMaxItems, root, std::to_string(maxItems_));
    }
    if (states_ > kManyStates) {
      add(Rule::kSchemaTooManyStates, root, std::to_string(static_cast<int64_t>(states_)));
    }
  }

 private:
  bool isGoogle() const { return subject_.form == Form::kGoogle; }
  bool isVertex() const { return target_.backend == Backend::kVertex; }

  Finding& add(Rule rule, const Step& step, std::string arg1 = {}, std::string arg2 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.path = subject_.path;
    appendPointer(finding.path, step);
    finding.arg1 = std::move(arg1);
    finding.arg2 = std::move(arg2);
    return finding;
  }

  // A finding for which no refusal is on record.
  void addInferred(Rule rule, const Step& step, std::string arg1) {
    Finding& finding = add(rule, step, std::move(arg1));
    finding.severityCap = Severity::kWarning;
    finding.hasUpstream = false;
  }

  std::string placeOf(const Step& step, Notation notation) const {
    std::string place = catalogue::toGoogleNotation(subject_.path);
    appendGoogle(place, step, notation);
    return place;
  }

  // A finding of the API's validator: the place, and its words about it.
  Finding& addInvalid(Rule rule, const Step& step, std::string arg1, std::string_view words) {
    return add(rule, step, std::move(arg1), placeOf(step, Notation::kValidator).append(words));
  }

  // A finding of the API's JSON parser about the name of a member.
  Finding& addName(Rule rule, const Step& schema, json::Value key, std::string arg1) {
    const std::string name = key.text();
    return add(rule, {&schema, key}, std::move(arg1),
               "\"" + name + "\" at '" + placeOf(schema, Notation::kParser) + "'");
  }

  // A finding of the API's JSON parser about a value.
  void addValue(const Step& step, std::string_view expected, std::string_view type,
                json::Value value) {
    add(Rule::kSchemaInvalidValue, step, std::string(expected),
        "'" + placeOf(step, Notation::kParser) + "' (" + std::string(type) + "), " +
            std::string(value.bytes().substr(0, 80)));
  }

  // The function and the names of the properties, as Vertex AI writes them.
  std::string vertexPlace(const Step& step) const {
    std::string names = "parameters";
    appendNames(names, step);
    return "`" + subject_.function + "` functionDeclaration `" + names + "`";
  }

  void judge(json::Value schema, const Step& step, uint32_t levels, double factor) {
    if (!schema.isObject()) {
      const bool anything = schema.isBoolean() && !isGoogle();
      if (!anything) addInferred(Rule::kSchemaInvalidValue, step, "a schema, which is an object");
      return;
    }
    Node node;
    if (!read(schema, step, node)) return;
    const bool container = node.type == Type::kArray || node.type == Type::kObject;
    levels += container ? 1 : 0;
    if (isTooDeep(step, levels)) return;
    const auto limit = gemini::protoInteger(node.limit).value_or(0);
    if (limit > 0) maxItems_ += limit;
    if (limit > 1) factor *= static_cast<double>(limit);
    judgeType(node, step);
    if (isGoogle()) {
      judgeGoogle(node, step);
    } else {
      judgeJsonSchema(node, step);
    }
    judgeEnum(node, step, factor);
    judgeRequired(node, step);
    descend(schema, step, levels, factor);
  }

  // Reads the members of a schema and reports unknown keywords. Returns false for the object of a
  // validator library, whose members are no keywords.
  bool read(json::Value schema, const Step& step, Node& node) {
    bool first = true;
    for (const json::Member member : json::members(schema)) {
      const Keyword* keyword = findKeyword(member.key, subject_.form);
      const bool known = isKnown(keyword, subject_.form, target_.backend);
      if (!known) {
        if (first && isValidatorObject(schema)) return reportValidator(schema, step, member.key);
        first = false;
        reportKeyword(keyword, member, step);
      }
      if (keyword != nullptr && (known || !isGoogle())) collect(*keyword, member, node);
    }
    return true;
  }

  bool reportValidator(json::Value schema, const Step& step, json::Value key) {
    Finding& finding = addName(Rule::kSchemaValidatorObject, step, key, validatorName(schema));
    finding.path = subject_.path;
    appendPointer(finding.path, step);
    finding.hasUpstream = isGoogle();
    if (!isGoogle()) finding.severityCap = Severity::kWarning;
    return false;
  }

  void reportKeyword(const Keyword* keyword, json::Member member, const Step& step) {
    std::string name = member.key.text();
    if (isGoogle()) {
      addName(Rule::kSchemaUnknownKeyword, step, member.key, std::move(name));
      return;
    }
    // Once for each keyword of a schema.
    const bool known = std::find(ignored_.begin(), ignored_.end(), name) != ignored_.end();
    if (known || (keyword != nullptr && keyword->word == Word::kRef)) return;
    ignored_.push_back(name);
    add(Rule::kSchemaKeywordIgnored, {&step, member.key}, std::move(name));
  }

  void collect(const Keyword& keyword, json::Member member, Node& node) {
    const json::Value key = member.key;
    if (member.value.isNull() && isGoogle()) return;
    bool alone = (keyword.known & kNote) == 0;
    switch (keyword.word) {
      case Word::kType:
        node.type = typeOf(member.value, subject_.form);
        node.typeKey = key;
        break;
      case Word::kFormat:
        node.format = member.value;
        node.formatKey = key;
        break;
      case Word::kEnum:
        node.enumKey = key;
        break;
      case Word::kProperties:
        node.propertiesKey = key;
        break;
      case Word::kRequired:
        node.requiredKey = key;
        break;
      case Word::kItems:
        node.itemsKey = key;
        break;
      case Word::kMaxItems:
        node.limit = member.value;
        break;
      case Word::kAnyOf:
        node.anyOfKey = key;
        alone = false;
        break;
      case Word::kAdditionalProperties:
        node.open = true;
        break;
      case Word::kRef:
        node.refKey = key;
        alone = false;
        break;
      case Word::kOther:
        // Definitions belong to the document, not to the schema.
        if (keyword.holds == Holds::kSchemaMap) alone = false;
        break;
    }
    if (alone) node.otherKey = key;
  }

  bool isTooDeep(const Step& step, uint32_t levels) {
    const bool response = subject_.use == Use::kResponse;
    if (levels < (response ? kDeepResponse : kDeepArguments)) return false;
    if (tooDeep_.index >= 0) return true;
    tooDeep_.index = 0;
    add(Rule::kSchemaTooDeep, step, std::to_string(levels),
        response ? "A schema in GenerationConfig in the request"
                 : "A FunctionDeclaration in the request");
    return true;
  }

  void judgeType(const Node& node, const Step& step) {
    if (node.type == Type::kInvalid) {
      const Step type = {&step, node.typeKey};
      if (!isGoogle()) return addInferred(Rule::kSchemaInvalidValue, type, "the name of a type");
      addValue(type, "STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT or NULL",
               "type.googleapis.com/google.ai.generativelanguage.v1beta.Type", node.typeKey.next());
    }
    if (node.type != Type::kList) return;
    if (isGoogle()) {
      addName(Rule::kSchemaNotRepeating, step, node.typeKey, node.typeKey.text());
      return;
    }
    for (const json::Value name : json::elements(node.typeKey.next())) {
      if (typeOf(name, subject_.form) != Type::kInvalid) continue;
      addInferred(Rule::kSchemaInvalidValue, {&step, node.typeKey}, "names of types");
    }
  }

  void judgeGoogle(const Node& node, const Step& step) {
    const bool arguments = subject_.use == Use::kArguments;
    if (step.isRoot() && arguments && node.type != Type::kObject && !node.refKey &&
        node.type != Type::kList) {
      add(Rule::kSchemaRootNotObject, step, {},
          "`" + subject_.function + "` functionDeclaration parameters");
    } else if (node.type == Type::kMissing && !node.anyOfKey && !node.refKey) {
      Finding& finding = add(Rule::kSchemaTypeMissing, step, {}, vertexPlace(step));
      finding.hasUpstream = arguments;
      if (!arguments) finding.severityCap = Severity::kWarning;
    }
    judgeObject(node, step);
    if (node.type == Type::kArray && !node.itemsKey) {
      addInvalid(Rule::kSchemaItemsMissing, step, {}, ".items: missing field");
    }
    judgeFit(node, step);
    judgeFormat(node, step);
    if (node.anyOfKey && node.otherKey) {
      Finding& finding = add(Rule::kSchemaAnyOfSiblings, {&step, node.otherKey},
                             node.otherKey.text(), vertexPlace(step));
      finding.hasUpstream = arguments;
    }
  }

  // An object without properties. All arguments of a function may be such an object.
  void judgeObject(const Node& node, const Step& step) {
    if (node.propertiesKey && !node.properties().isObject()) {
      addInferred(Rule::kSchemaInvalidValue, {&step, node.propertiesKey}, "an object of schemas");
      return;
    }
    const bool empty = node.type == Type::kObject && node.properties().size() == 0 && !node.open;
    const bool root = step.isRoot() && subject_.use != Use::kResponse;
    if (!empty || root || node.anyOfKey) return;
    Finding& finding = addInvalid(Rule::kSchemaEmptyObject, step, {},
                                  ".properties: should be non-empty for OBJECT type");
    if (step.isRoot()) finding.severityCap = Severity::kWarning;
  }

  void judgeFit(const Node& node, const Step& step) {
    const auto check = [&](json::Value key, Type type, std::string_view words) {
      const bool set = key && key.next().size() > 0;
      if (!set || node.type == type || node.type == Type::kInvalid || node.type == Type::kList)
        return;
      addInvalid(Rule::kSchemaWrongType, {&step, key}, key.text(), words);
    };
    check(node.propertiesKey, Type::kObject, ": only allowed for OBJECT type");
    check(node.requiredKey, Type::kObject, ": only allowed for OBJECT type");
    if (node.itemsKey && node.itemsKey.next().isArray()) {
      addName(Rule::kSchemaNotRepeating, step, node.itemsKey, node.itemsKey.text());
    } else if (node.itemsKey && node.type != Type::kArray && node.type != Type::kList) {
      addInvalid(Rule::kSchemaWrongType, {&step, node.itemsKey}, node.itemsKey.text(),
                 ": field predicate failed: $type == Type.ARRAY");
    }
  }

  void judgeFormat(const Node& node, const Step& step) {
    if (!node.format.isString()) return;
    const json::Value format = node.format;
    const Step place = {&step, node.formatKey};
    const bool integer = format.equals("int32") || format.equals("int64");
    const bool number = format.equals("float") || format.equals("double");
    if (node.type == Type::kString) {
      if (format.equals("enum") || format.equals("date-time")) return;
      addInvalid(Rule::kSchemaFormatUnsupported, place, format.text(),
                 ": only 'enum' and 'date-time' are supported for STRING type");
    } else if ((node.type == Type::kInteger && !integer) ||
               (node.type == Type::kNumber && !integer && !number)) {
      addInferred(Rule::kSchemaFormatUnsupported, place, format.text());
    }
  }

  void judgeJsonSchema(const Node& node, const Step& step) {
    if (!node.refKey) return;
    const json::Value reference = node.refKey.next();
    const Step place = {&step, node.refKey};
    if (!resolve(subject_.schema, reference)) {
      add(Rule::kSchemaRefUndefined, place, reference.text(), dotted(step));
    }
    const json::Value other = node.anyOfKey ? node.anyOfKey : node.otherKey;
    if (!other) return;
    const std::string name = reference.text();
    add(Rule::kSchemaRefSiblings, {&step, other}, other.text(), name.substr(name.rfind('/') + 1));
  }

  void judgeEnum(const Node& node, const Step& step, double factor) {
    if (!node.enumKey) return;
    const Step list = {&step, node.enumKey};
    bool strings = true;
    int32_t index = 0;
    for (const json::Value value : json::elements(node.enumKey.next())) {
      const Step place = {&list, {}, index++};
      states_ += factor * static_cast<double>(value.bytes().size());
      if (value.isString() && value.raw().empty()) {
        Finding& finding = addInvalid(Rule::kSchemaEmptyEnumValue, place, {}, ": cannot be empty");
        if (!isGoogle()) finding.severityCap = Severity::kWarning;
      }
      if (value.isString() || !isGoogle()) continue;
      if (strings) addValue(place, "a string", "TYPE_STRING", value);
      strings = false;
    }
    // Vertex AI documents enums of every primitive type.
    const bool fits = node.type == Type::kString || node.type == Type::kList || isVertex();
    if (!isGoogle() || fits || !strings || index == 0) return;
    addInvalid(Rule::kSchemaWrongType, list, node.enumKey.text(), ": only allowed for STRING type");
  }

  // Names are usually in the order of the properties, so the search goes on behind the last match.
  void judgeRequired(const Node& node, const Step& step) {
    if (!node.requiredKey || (isGoogle() && node.type != Type::kObject)) return;
    if (!isGoogle() && (!node.properties().isObject() || node.open)) return;
    const Step list = {&step, node.requiredKey};
    const json::MemberRange all = json::members(node.properties());
    auto at = all.begin();
    int32_t index = -1;
    for (const json::Value name : json::elements(node.requiredKey.next())) {
      ++index;
      const auto start = at;
      while (at != all.end() && !sameText((*at).key, name)) ++at;
      if (at != all.end()) {
        ++at;
        continue;
      }
      at = all.begin();
      while (at != start && !sameText((*at).key, name)) ++at;
      if (at != start) continue;
      const Step place = {&list, {}, index};
      Finding& finding = addInvalid(Rule::kSchemaRequiredUndefined, place, name.text(),
                                    ": property is not defined");
      if (isGoogle()) continue;
      finding.severityCap = Severity::kWarning;
      finding.hasUpstream = false;
    }
  }

  static bool sameText(json::Value a, json::Value b) {
    if (!a.hasEscapes() && !b.hasEscapes()) return a.bytes() == b.bytes();
    return a.text() == b.text();
  }

  void descend(json::Value schema, const Step& step, uint32_t levels, double factor) {
    for (const json::Member member : json::members(schema)) {
      if (!member.value.isObject() && !member.value.isArray()) continue;
      const Keyword* keyword = findKeyword(member.key, subject_.form);
      if (keyword == nullptr || keyword->holds == Holds::kOther) continue;
      // What the API ignores or refuses as a whole is not judged, apart from definitions, which
      // references may name.
      if (!isKnown(keyword, subject_.form, target_.backend) &&
          (isGoogle() || keyword->holds != Holds::kSchemaMap))
        continue;
      const Step place = {&step, member.key};
      if (keyword->holds == Holds::kSchema && member.value.isObject()) {
        judge(member.value, place, levels, factor);
      }
      int32_t index = 0;
      if (keyword->holds == Holds::kSchemaList) {
        for (const json::Value each : json::elements(member.value))
          judge(each, {&place, {}, index++}, levels, factor);
      }
      if (keyword->holds != Holds::kSchemaMap) continue;
      for (const json::Member each : json::members(member.value)) {
        states_ += factor * static_cast<double>(each.key.bytes().size());
        judge(each.value, {&place, each.key, index++}, levels, factor);
      }
    }
  }

  const Subject& subject_;
  const catalogue::Target& target_;
  catalogue::Findings& findings_;
  std::vector<std::string> ignored_;
  Step tooDeep_;
  int64_t maxItems_ = 0;
  double states_ = 0;
};

}  // namespace

void judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings) {
  Judge(subject, target, findings).run();
}

}  // namespace strata::schemas
