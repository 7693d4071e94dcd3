#include "prompt/options.h"

#include <algorithm>

#include "json/pointer.h"

namespace strata::prompt {
namespace {

std::string camelCase(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool underscore = name[i] == '_' && i + 1 < name.size();
    if (underscore) ++i;
    out.push_back(underscore ? static_cast<char>(name[i] - 'a' + 'A') : name[i]);
  }
  return out;
}

}  // namespace

json::Value option(json::Value object, std::string_view name) {
  json::Value value = object.find(name);
  const bool hasUnderscore = name.find('_') != std::string_view::npos;
  if (!value && hasUnderscore) value = object.find(camelCase(name));
  return value.isNull() ? json::Value() : value;
}

Error invalidOption(std::string_view path, std::string_view expected) {
  return {"field.invalid", 0, std::string(path), std::string(expected)};
}

Error invalidMember(std::string_view path, std::string_view member, std::string_view expected) {
  Error error = invalidOption(path, expected);
  error.path.append("/").append(member);
  return error;
}

Status checkMemberNames(json::Value object, std::string_view path,
                        std::initializer_list<std::string_view> known) {
  for (const json::Member member : json::members(object)) {
    const auto isMember = [&](std::string_view name) {
      return member.key.equals(name) || member.key.equals(camelCase(name));
    };
    if (std::any_of(known.begin(), known.end(), isMember)) continue;
    std::string memberPath(path);
    json::appendPointer(memberPath, member.key.text());
    return Error{"field.unknown", 0, std::move(memberPath), {}};
  }
  return {};
}

Status checkOptionalString(json::Value object, std::string_view name, std::string_view path) {
  const json::Value value = option(object, name);
  if (!value || value.isString()) return {};
  return invalidMember(path, name, "a string");
}

Status readCount(json::Value value, std::string_view path, size_t& count) {
  if (!value) return {};
  const int64_t number = value.integer(-1);
  if (number < 0) return invalidOption(path, "a non-negative integer");
  count = static_cast<size_t>(number);
  return {};
}

}  // namespace strata::prompt
