// Reads the options of a call. An unknown name and a value of the wrong type are errors, because
// they would otherwise silently select the default.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/given.h"

namespace strata::json {

/// Whether an option must be given.
enum class Need : uint8_t { kOptional, kRequired };

/// How the caller may spell the names of options. `kSnakeOrCamel`: the reader's names are in
/// snake_case, and the caller may also write them in camelCase; null then means that an option is
/// not given.
enum class Spelling : uint8_t { kExact, kSnakeOrCamel };

/// Reads the members of one object. Each method names one option, leaves its target unchanged if
/// the option is not given, and remembers the first error. Call `finish` after the last option:
///
///     OptionsReader options(given);
///     options.nonEmptyString("model", model).oneOf("backend", kBackendNames, backend);
///     if (Status status = options.finish(); !status) return status;
///
/// Errors: `field.unknown`, whose detail proposes the option that a misspelled one means and lists
/// all, and `field.invalid`, whose detail says what was expected and what was given.
/// `describeOptionError` writes the message. Reading m options of n given ones takes O(m n)
/// comparisons and allocates nothing unless there is an error.
class OptionsReader {
 public:
  /// Reads `object`, which is an error unless it is an object. `path` is its JSON Pointer in the
  /// caller's options.
  explicit OptionsReader(Given object, std::string path = {}, Spelling spelling = Spelling::kExact);

  /// Reads nothing; `finish` returns `error`.
  explicit OptionsReader(Error error) : spelling_(Spelling::kExact), status_(std::move(error)) {}

  OptionsReader& string(std::string_view name, std::string& into, Need need = Need::kOptional);
  OptionsReader& string(std::string_view name, std::optional<std::string>& into);
  /// A string that is required and not empty.
  OptionsReader& nonEmptyString(std::string_view name, std::string& into);
  OptionsReader& boolean(std::string_view name, bool& into);
  /// Any finite number.
  OptionsReader& number(std::string_view name, double& into, Need need = Need::kOptional);
  /// A number of 0 or more.
  OptionsReader& amount(std::string_view name, double& into, Need need = Need::kOptional);
  /// An integer of 0 or more. A value that `Integer` cannot hold becomes its maximum.
  template <typename Integer>
  OptionsReader& count(std::string_view name, Integer& into, Need need = Need::kOptional) {
    if (const std::optional<uint64_t> read = readCount(name, need)) {
      into = saturated<Integer>(static_cast<double>(*read));
    }
    return *this;
  }
  /// Like `amount`, without the fraction. A value that `Integer` cannot hold becomes its maximum.
  template <typename Integer>
  OptionsReader& size(std::string_view name, Integer& into, Need need = Need::kOptional) {
    double read = -1;
    amount(name, read, need);
    if (read >= 0) into = saturated<Integer>(read);
    return *this;
  }
  /// One of `names`, which are in the order of the enumerators 0 to N - 1.
  template <typename Enum, size_t N>
  OptionsReader& oneOf(std::string_view name, const std::array<std::string_view, N>& names,
                       Enum& into) {
    if (const auto index = readChoice(name, names.data(), N)) into = static_cast<Enum>(*index);
    return *this;
  }
  template <typename Enum, size_t N>
  OptionsReader& oneOf(std::string_view name, const std::array<std::string_view, N>& names,
                       std::optional<Enum>& into) {
    if (const auto index = readChoice(name, names.data(), N)) into = static_cast<Enum>(*index);
    return *this;
  }
  /// An array of strings.
  OptionsReader& strings(std::string_view name, std::vector<std::string>& into);
  /// An object whose members all are strings; appends them to `into`.
  OptionsReader& stringMap(std::string_view name,
                           std::vector<std::pair<std::string, std::string>>& into);
  /// An object with any members.
  OptionsReader& object(std::string_view name);
  /// An option that is read elsewhere.
  OptionsReader& accept(std::string_view name);

  /// Accepts members with any other names, for records of other systems.
  OptionsReader& acceptOthers() {
    matched_ = object_.size();
    return *this;
  }

  /// An object with options of its own: calls `read(OptionsReader&)` if it is given.
  template <typename Read>
  OptionsReader& nested(std::string_view name, Read read) {
    readNested(name, callReading<Read>, &read);
    return *this;
  }
  /// An array of objects with options of their own: calls `read(OptionsReader&)` for each.
  template <typename Read>
  OptionsReader& list(std::string_view name, Read read) {
    readList(name, callReading<Read>, &read);
    return *this;
  }

  /// Returns the value of the option `name`, or an absent value. Does not check or accept it.
  Given given(std::string_view name) const;
  /// Returns the option `name` if it is an array; otherwise an absent value.
  Given array(std::string_view name);
  /// Reports that the option `name` must be `expected`.
  void refuse(std::string_view name, std::string_view expected);
  /// Reports that the element `index` of the option `name` must be `expected`.
  void refuse(std::string_view name, size_t index, std::string_view expected);
  /// Reports `status` unless it is a success or there is an error already.
  void add(Status status);
  /// Returns whether there is no error so far.
  bool ok() const { return static_cast<bool>(status_); }

  /// Returns the path of this object, and that of its option `name` as the caller spells it.
  const std::string& path() const { return path_; }
  std::string pathOf(std::string_view name) const;

  /// Returns `field.unknown` if a name is unknown, otherwise the first error.
  Status finish();

 private:
  template <typename Integer>
  static Integer saturated(double value) {
    constexpr auto kMax = static_cast<double>(std::numeric_limits<Integer>::max());
    return value >= kMax ? std::numeric_limits<Integer>::max() : static_cast<Integer>(value);
  }
  // Reads an object with the callable at `read`. Only this function is a template: what calls it
  // would otherwise exist once for each callable.
  template <typename Read>
  static void callReading(OptionsReader& reader, void* read) {
    (*static_cast<Read*>(read))(reader);
  }
  using Reading = void (*)(OptionsReader& reader, void* read);
  void readNested(std::string_view name, Reading reading, void* read);
  void readList(std::string_view name, Reading reading, void* read);
  void readObject(Given given, std::string path, Reading reading, void* read);
  // Returns the value of the option `name` and marks the name as known.
  Given mark(std::string_view name);
  // Returns the option if it is given and `valid`, otherwise reports it.
  Given take(std::string_view name, Need need, std::string_view expected, bool (*valid)(Given));
  std::optional<uint64_t> readCount(std::string_view name, Need need);
  std::optional<size_t> readChoice(std::string_view name, const std::string_view* names,
                                   size_t count);
  Status unknownName() const;
  std::string adviceFor(std::string_view given) const;

  static constexpr size_t kMaxNames = 32;

  Given object_;
  std::string path_;
  Spelling spelling_;
  Status status_;
  size_t matched_ = 0;  // Members of `object_` whose names are known.
  size_t known_ = 0;
  std::array<std::string_view, kMaxNames> names_;  // Must outlive the reader: literals.
};

/// Returns the message of an OptionsReader's error, such as `/x must be a string, not 5`.
std::string describeOptionError(const Error& error);

}  // namespace strata::json
