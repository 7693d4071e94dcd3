#include "json/options_reader.h"

#include <cmath>

#include "base/near_name.h"
#include "json/pointer.h"

namespace strata::json {
namespace {

constexpr double kMaxInteger = 9007199254740991;  // Number.MAX_SAFE_INTEGER

std::string camelCase(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool underscore = name[i] == '_' && i + 1 < name.size();
    if (underscore) ++i;
    out.push_back(underscore ? static_cast<char>(name[i] - 'a' + 'A') : name[i]);
  }
  return out;
}

bool isString(Given given) { return given.is(Kind::kString); }
bool isArray(Given given) { return given.is(Kind::kArray); }
bool isObject(Given given) { return given.is(Kind::kObject); }

Error invalid(std::string path, std::string_view expected, Given given) {
  std::string detail(expected);
  if (given) detail.append(", not ").append(given.described());
  return {"field.invalid", 0, std::move(path), std::move(detail)};
}

}  // namespace

OptionsReader::OptionsReader(Given object, std::string path, Spelling spelling)
    : object_(object), path_(std::move(path)), spelling_(spelling) {
  if (isObject(object)) return;
  // A text is not quoted: it may be a key in the wrong place.
  status_ = invalid(path_, "an object", isString(object) ? Given() : object);
  object_ = {};
}

Given OptionsReader::mark(std::string_view name) {
  const auto first = names_.cbegin();
  const auto last = first + static_cast<ptrdiff_t>(known_);
  if (std::find(first, last, name) != last) return given(name);
  if (known_ < kMaxNames) names_[known_++] = name;
  if (object_.find(name)) ++matched_;
  const bool twoSpellings =
      spelling_ == Spelling::kSnakeOrCamel && name.find('_') != std::string_view::npos;
  if (twoSpellings && object_.find(camelCase(name))) ++matched_;
  return given(name);
}

Given OptionsReader::given(std::string_view name) const {
  const Given exact = object_.find(name);
  if (spelling_ == Spelling::kExact) return exact;
  const Given given = exact ? exact : object_.find(camelCase(name));
  return given.is(Kind::kNull) ? Given() : given;
}

std::string OptionsReader::pathOf(std::string_view name) const {
  std::string path = path_;
  const bool asGiven = spelling_ == Spelling::kExact || object_.find(name);
  const std::string camel = asGiven ? std::string() : camelCase(name);
  appendPointer(path, asGiven || !object_.find(camel) ? name : std::string_view(camel));
  return path;
}

void OptionsReader::add(Status status) {
  if (status_ && !status) status_ = std::move(status);
}

void OptionsReader::refuse(std::string_view name, std::string_view expected) {
  if (status_) status_ = invalid(pathOf(name), expected, given(name));
}

void OptionsReader::refuse(std::string_view name, size_t index, std::string_view expected) {
  const std::vector<Given> elements = given(name).elements();
  const Given element = index < elements.size() ? elements[index] : Given();
  add(invalid(pathOf(name) + "/" + std::to_string(index), expected, element));
}

Given OptionsReader::take(std::string_view name, Need need, std::string_view expected,
                          bool (*valid)(Given)) {
  const Given given = mark(name);
  if (given ? valid(given) : need == Need::kOptional) return given;
  if (status_) status_ = invalid(pathOf(name), expected, given);
  return {};
}

OptionsReader& OptionsReader::string(std::string_view name, std::string& into, Need need) {
  if (const Given given = take(name, need, "a string", isString)) into = given.text();
  return *this;
}

OptionsReader& OptionsReader::string(std::string_view name, std::optional<std::string>& into) {
  if (const Given given = take(name, Need::kOptional, "a string", isString)) into = given.text();
  return *this;
}

OptionsReader& OptionsReader::nonEmptyString(std::string_view name, std::string& into) {
  const auto valid = [](Given given) { return isString(given) && !given.equals(""); };
  if (const Given given = take(name, Need::kRequired, "a non-empty string", valid)) {
    into = given.text();
  }
  return *this;
}

OptionsReader& OptionsReader::boolean(std::string_view name, bool& into) {
  const auto valid = [](Given given) { return given.isBoolean(); };
  if (const Given given = take(name, Need::kOptional, "true or false", valid)) {
    into = given.is(Kind::kTrue);
  }
  return *this;
}

OptionsReader& OptionsReader::number(std::string_view name, double& into, Need need) {
  const auto valid = [](Given given) { return given.number().has_value(); };
  if (const Given given = take(name, need, "a number", valid)) into = *given.number();
  return *this;
}

OptionsReader& OptionsReader::amount(std::string_view name, double& into, Need need) {
  const auto valid = [](Given given) { return given.number().value_or(-1) >= 0; };
  if (const Given given = take(name, need, "a non-negative number", valid)) into = *given.number();
  return *this;
}

std::optional<uint64_t> OptionsReader::readCount(std::string_view name, Need need) {
  const auto valid = [](Given given) {
    const double number = given.number().value_or(-1);
    return number >= 0 && number <= kMaxInteger && number == std::floor(number);
  };
  const Given given = take(name, need, "a non-negative integer", valid);
  if (!given) return std::nullopt;
  return static_cast<uint64_t>(*given.number());
}

std::optional<size_t> OptionsReader::readChoice(std::string_view name,
                                                const std::string_view* names, size_t count) {
  const Given given = mark(name);
  if (!given) return std::nullopt;
  const std::string_view* const end = names + count;
  const auto* found =
      std::find_if(names, end, [&](std::string_view each) { return given.equals(each); });
  if (found != end) return static_cast<size_t>(found - names);
  std::string expected;
  for (const std::string_view* each = names; each != end; ++each) {
    expected.append(each == names ? "'" : " or '").append(*each).append("'");
  }
  if (status_) status_ = invalid(pathOf(name), expected, given);
  return std::nullopt;
}

OptionsReader& OptionsReader::strings(std::string_view name, std::vector<std::string>& into) {
  const Given given = array(name);
  if (!given) return *this;
  into.clear();
  for (const Given element : given.elements()) {
    if (!isString(element)) {
      add(invalid(pathOf(name) + "/" + std::to_string(into.size()), "a string", element));
    }
    into.push_back(element.text());
  }
  return *this;
}

OptionsReader& OptionsReader::stringMap(std::string_view name,
                                        std::vector<std::pair<std::string, std::string>>& into) {
  const Given given = take(name, Need::kOptional, "an object", isObject);
  for (const auto& [key, value] : given.members()) {
    std::string path = pathOf(name);
    appendPointer(path, key);
    if (!isString(value)) add(invalid(std::move(path), "a string", value));
    into.emplace_back(key, value.text());
  }
  return *this;
}

OptionsReader& OptionsReader::object(std::string_view name) {
  take(name, Need::kOptional, "an object", isObject);
  return *this;
}

OptionsReader& OptionsReader::accept(std::string_view name) {
  mark(name);
  return *this;
}

void OptionsReader::readNested(std::string_view name, Reading reading, void* read) {
  if (const Given given = mark(name)) readObject(given, pathOf(name), reading, read);
}

void OptionsReader::readList(std::string_view name, Reading reading, void* read) {
  const std::vector<Given> all = array(name).elements();
  for (size_t i = 0; i < all.size(); ++i) {
    readObject(all[i], pathOf(name) + "/" + std::to_string(i), reading, read);
  }
}

void OptionsReader::readObject(Given given, std::string path, Reading reading, void* read) {
  OptionsReader reader(given, std::move(path), spelling_);
  if (reader.ok()) reading(reader, read);
  add(reader.finish());
}

Given OptionsReader::array(std::string_view name) {
  return take(name, Need::kOptional, "an array", isArray);
}

Status OptionsReader::unknownName() const {
  const auto isKnown = [&](std::string_view given) {
    return std::any_of(names_.data(), names_.data() + known_, [&](std::string_view name) {
      return given == name || (spelling_ == Spelling::kSnakeOrCamel && given == camelCase(name));
    });
  };
  for (const auto& [given, value] : object_.members()) {
    if (isKnown(given)) continue;
    std::string path = path_;
    appendPointer(path, given);
    return Error{"field.unknown", 0, std::move(path), adviceFor(given)};
  }
  return {};
}

// Returns the option that a wrong name most likely means, or else all.
std::string OptionsReader::adviceFor(std::string_view given) const {
  std::string all;
  for (size_t i = 0; i < known_; ++i) {
    if (isNearName(given, names_[i])) return "Did you mean " + std::string(names_[i]) + "?";
    all.append(i == 0 ? "Options: " : ", ").append(names_[i]);
  }
  return all;
}

Status OptionsReader::finish() {
  if (matched_ < object_.size()) {
    if (Status unknown = unknownName(); !unknown) return unknown;
  }
  return std::move(status_);
}

std::string describeOptionError(const Error& error) {
  const std::string place = error.path.empty() ? "The options" : error.path;
  if (error.code != "field.unknown") return place + " must be " + error.detail;
  return place + " is not an option" + (error.detail.empty() ? "" : ". " + error.detail);
}

}  // namespace strata::json
