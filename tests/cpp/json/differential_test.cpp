// Compares Tape, numbers, strings and Writer with nlohmann/json on random and on mutated documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "json/number.h"
#include "json/random_json.h"
#include "json/string.h"
#include "json/tape.h"
#include "json/value.h"
#include "json/writer.h"
#include "support/cases.h"
#include "support/mutate.h"

namespace strata::json {
namespace {

using test::Case;
using test::Cases;

constexpr uint32_t kDocuments = 1000;
constexpr uint32_t kMutations = 8;

enum class Verdict : uint8_t { kAccepted, kInvalid, kLoneSurrogate, kNumberTooLarge };

/// What nlohmann/json says about a text, up to its first error.
class Oracle : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Oracle(const std::string& text) {
    // It skips a byte order mark, which RFC 8259 lets parsers reject, as Tape does.
    const bool marked = text.starts_with("\xEF\xBB\xBF");
    if (nlohmann::json::sax_parse(text, this) && marked) verdict = Verdict::kInvalid;
  }

  Verdict verdict = Verdict::kAccepted;
  bool hasDuplicateKey = false;
  bool isTooDeep = false;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool start_array(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) hasDuplicateKey = true;
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    verdict = Verdict::kInvalid;
    if (error.id == kNumberOverflow) verdict = Verdict::kNumberTooLarge;
    if (std::strstr(error.what(), "surrogate U+") != nullptr) verdict = Verdict::kLoneSurrogate;
    return false;
  }

 private:
  bool open() {
    keys_.emplace_back();
    if (keys_.size() > kMaxDepth) isTooDeep = true;
    return true;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;  // of each open container
};

bool hasSameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Compares the code under test with nlohmann/json. Subclasses plant faults in the results of the
/// code under test.
class Comparison {
 public:
  Comparison() = default;
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;
  virtual ~Comparison() = default;

  /// Returns the first difference, "" if there is none. The first word names what differs.
  std::string differenceIn(const std::string& text) const {
    const Oracle oracle(text);
    const Result<Tape> tape = Tape::read(text);
    if (!tape) return differenceOfError(tape.error(), oracle);
    const Value root = tape.value().root();
    if (oracle.hasDuplicateKey) return "duplicate key is accepted";
    if (oracle.isTooDeep) return "depth is accepted";
    switch (oracle.verdict) {
      case Verdict::kInvalid:
        return "syntax is accepted";
      case Verdict::kLoneSurrogate:
        return hasAny(root, isLoneSurrogate) ? "" : "string has no lone surrogate";
      case Verdict::kNumberTooLarge:
        return hasAny(root, isInfinite) ? "" : "number is not infinite";
      default:
        break;
    }
    const Cases expected(text);
    const std::string difference = differenceOf(root, expected.root(), 0);
    return difference.empty() ? differenceOfWritten(root, text) : difference;
  }

 protected:
  virtual double numberOf(Value value) const { return readDouble(value.bytes()).value(); }
  virtual std::string textOf(Value value) const { return value.text(); }
  /// Returns the value at this depth.
  virtual Value valueAt(Value value, size_t) const { return value; }
  virtual std::string textToWrite(Value value) const { return value.text(); }

 private:
  static std::string differenceOfError(const Error& error, const Oracle& oracle) {
    const bool isDeliberate = (error.code == "json.duplicate_key" && oracle.hasDuplicateKey) ||
                              (error.code == "json.too_deep" && oracle.isTooDeep);
    const bool isSyntax = error.code == "json.invalid" || error.code == "json.invalid_utf8";
    // Of a text that it only cannot represent, nlohmann/json has not seen the rest.
    const bool isUnseen =
        oracle.verdict == Verdict::kLoneSurrogate || oracle.verdict == Verdict::kNumberTooLarge;
    if (isDeliberate || isUnseen) return "";
    if (isSyntax && oracle.verdict == Verdict::kInvalid) return "";
    return "error " + std::string(error.code) + " at " + std::to_string(error.offset);
  }

  static bool isLoneSurrogate(Value value) { return hasLoneSurrogate(value.raw()); }
  static bool isInfinite(Value value) {
    return value.isNumber() && std::isinf(readDouble(value.bytes()).value());
  }
  template <typename Matches>
  static bool hasAny(Value value, const Matches& matches) {
    if (matches(value)) return true;
    for (const Member member : members(value)) {
      if (matches(member.key) || hasAny(member.value, matches)) return true;
    }
    for (const Value element : elements(value)) {
      if (hasAny(element, matches)) return true;
    }
    return false;
  }

  std::string differenceOf(Value given, Case expected, size_t depth) const {
    const Value value = valueAt(given, depth);
    if (expected.isObject()) return differenceOfObject(value, expected, depth);
    if (expected.isArray()) return differenceOfArray(value, expected, depth);
    const std::string bytes = expected.bytes();
    if (expected.isString()) return differenceOfString(value, expected);
    if (!expected.isNumber()) return value.bytes() == bytes ? "" : "literal " + bytes;
    if (!value.isNumber() || value.bytes() != bytes) return "number " + bytes;
    return differenceOfNumber(value, expected);
  }

  std::string differenceOfObject(Value value, Case expected, size_t depth) const {
    const std::string bytes = expected.bytes();
    if (!value.isObject() || value.size() != expected.size()) return "object " + bytes;
    if (value.bytes() != bytes) return "object ends elsewhere: " + bytes;
    std::vector<test::CaseMember> others = expected.members();
    auto other = others.begin();
    for (const Member member : members(value)) {
      if (textOf(member.key) != other->key) return "string, the key " + other->key;
      if (value.find(other->key) != member.value) return "find " + other->key;
      const std::string inner = differenceOf(member.value, (other++)->value, depth + 1);
      if (!inner.empty()) return inner;
    }
    return "";
  }

  std::string differenceOfArray(Value value, Case expected, size_t depth) const {
    const std::string bytes = expected.bytes();
    if (!value.isArray() || value.size() != expected.size()) return "array " + bytes;
    if (value.bytes() != bytes) return "array ends elsewhere: " + bytes;
    size_t position = 0;
    for (const Value element : elements(value)) {
      const std::string inner = differenceOf(element, expected.at(position++), depth + 1);
      if (!inner.empty()) return inner;
    }
    return "";
  }

  std::string differenceOfString(Value value, Case expected) const {
    const std::string bytes = expected.bytes();
    const bool same = value.isString() && value.bytes() == bytes;
    if (!same || textOf(value) != expected.text()) return "string " + bytes;
    if (!value.equals(expected.text())) return "string comparison of " + bytes;
    return isLoneSurrogate(value) ? "string has a lone surrogate: " + bytes : "";
  }

  // nlohmann/json reads -0 as the integer 0, so that integers are compared without their sign bits.
  std::string differenceOfNumber(Value value, Case expected) const {
    const std::string bytes = expected.bytes();
    for (const int64_t fallback : {7, 8}) {
      if (value.integer(fallback) != expected.integer(fallback)) return "integer " + bytes;
    }
    const double number = numberOf(value);
    const bool isInteger = expected.integer(7) == expected.integer(8);
    const bool same =
        isInteger ? number == expected.number(0) : hasSameBits(number, expected.number(0));
    return same ? "" : "number " + bytes;
  }

  // Writer writes -0 as 0, and integers beyond 64 bits as doubles; the comparison of nlohmann/json
  // takes both for equal.
  std::string differenceOfWritten(Value root, const std::string& text) const {
    Writer out;
    write(out, root);
    const auto written = nlohmann::ordered_json::parse(out.text(), nullptr, false);
    const auto given = nlohmann::ordered_json::parse(text, nullptr, false);
    return written == given ? "" : "writer " + out.text();
  }

  void write(Writer& out, Value value) const {
    if (value.isString()) {
      out.string(textToWrite(value));
    } else if (value.isNumber()) {
      const bool isInteger = value.integer(7) == value.integer(8);
      isInteger ? out.integer(value.integer(0)) : out.number(readDouble(value.bytes()).value());
    } else if (value.isObject()) {
      out.open('{');
      for (const Member member : members(value)) write(out.key(member.key.text()), member.value);
      out.close('}');
    } else if (value.isArray()) {
      out.open('[');
      for (const Value element : elements(value)) write(out, element);
      out.close(']');
    } else {
      value.isNull() ? out.raw("null") : out.boolean(value.isTrue());
    }
  }
};

std::string documentOf(uint32_t seed) { return test::RandomJson(seed).document(); }

/// Returns the first difference in all random documents, "" if there is none.
std::string firstDifference(const Comparison& comparison) {
  for (uint32_t seed = 0; seed < kDocuments; ++seed) {
    const std::string difference = comparison.differenceIn(documentOf(seed));
    if (!difference.empty()) return difference;
  }
  return "";
}

TEST(Differential, AgreesOnRandomDocuments) {
  const Comparison comparison;
  std::array<size_t, 4> verdicts{};
  size_t duplicates = 0;
  size_t tooDeep = 0;
  for (uint32_t seed = 0; seed < kDocuments; ++seed) {
    const std::string text = documentOf(seed);
    ASSERT_EQ(comparison.differenceIn(text), "") << "seed " << seed << ": " << text;
    const Oracle oracle(text);
    ++verdicts[static_cast<size_t>(oracle.verdict)];
    duplicates += oracle.hasDuplicateKey ? 1 : 0;
    tooDeep += oracle.isTooDeep ? 1 : 0;
  }
  EXPECT_GT(verdicts[0], kDocuments * 8 / 10);
  EXPECT_EQ(verdicts[static_cast<size_t>(Verdict::kInvalid)], 0U);
  EXPECT_GT(verdicts[static_cast<size_t>(Verdict::kLoneSurrogate)], 5U);
  EXPECT_GT(verdicts[static_cast<size_t>(Verdict::kNumberTooLarge)], 5U);
  EXPECT_GT(duplicates, 5U);
  EXPECT_GT(tooDeep, 5U);
}

/// Replaces up to three bytes by a piece that is invalid in most places.
std::string damaged(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "e", ".", "-", "+", "0", "tru", "NaN", "//", "'", ",", ":", "]", "}", R"(\)", R"(\v)",
      R"(\x41)", R"(\')", R"(\u12)", R"(\ud8g)", R"(\uD83)", R"(\")", R"(\\)", "\v", "\t", "\x01",
      "\x1F", "\x7F",
      // Bytes that are not UTF-8: incomplete, overlong, a surrogate, and beyond U+10FFFF.
      "\x80", "\xE2\x82", "\xF0\x9F\x98", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
      "\xF4\x90\x80\x80"};
  const size_t at = random() % (text.size() + 1);
  return text.replace(at, random() % 4, kPieces[random() % kPieces.size()]);
}

TEST(Differential, AgreesOnMutatedDocuments) {
  const Comparison comparison;
  std::mt19937 random(20261121);
  size_t accepted = 0;
  size_t rejected = 0;
  for (uint32_t seed = 0; seed < kDocuments; ++seed) {
    const std::string text = documentOf(seed);
    for (uint32_t i = 0; i < kMutations; ++i) {
      const std::string mutant = i % 2 == 0 ? damaged(text, random) : test::mutated(text, random);
      ASSERT_EQ(comparison.differenceIn(mutant), "") << "seed " << seed << ": " << mutant;
      ++(Tape::read(mutant) ? accepted : rejected);
    }
  }
  EXPECT_GT(accepted, kDocuments / 10);
  EXPECT_GT(rejected, kDocuments);
}

// Where the parsers differ, with the error code of Tape ("" if it accepts the text), and whether
// nlohmann/json accepts it.
TEST(Differential, DiffersOnlyWhereItShould) {
  const std::string deep = std::string(kMaxDepth + 1, '[') + std::string(kMaxDepth + 1, ']');
  const std::vector<std::tuple<std::string, std::string, bool>> cases = {
      {R"({"a":1,"\u0061":2})", "json.duplicate_key", true},
      {deep, "json.too_deep", true},
      {"\xEF\xBB\xBF{}", "json.invalid", true},
      {std::string("1\0", 2), "json.invalid", true},
      {R"("\ud83d")", "", false},
      {R"("\ude00\ud83d")", "", false},
      {"1e400", "", false},
      {"-1" + std::string(400, '0'), "", false},
  };
  for (const auto& [text, code, accepted] : cases) {
    const Result<Tape> tape = Tape::read(text);
    EXPECT_EQ(tape ? "" : tape.error().code, code) << text;
    EXPECT_EQ(nlohmann::json::accept(text), accepted) << text;
  }
}

/// Reads the last of at least seventeen digits as another one.
class WrongDigit : public Comparison {
 protected:
  double numberOf(Value value) const override {
    std::string digits(value.bytes());
    const size_t end = std::min(digits.find_first_of("eE"), digits.size());
    if (end >= 17) digits[end - 1] = digits[end - 1] == '0' ? '1' : '0';
    return readDouble(digits).value();
  }
};

/// Loses the ninth character of long strings without escapes.
class LostCharacter : public Comparison {
 protected:
  std::string textOf(Value value) const override {
    std::string text = value.text();
    if (!value.hasEscapes() && text.size() > 24) text.erase(8, 1);
    return text;
  }
};

/// Decodes \f as a line feed.
class WrongEscape : public Comparison {
 protected:
  std::string textOf(Value value) const override {
    std::string text = value.text();
    std::replace(text.begin(), text.end(), '\f', '\n');
    return text;
  }
};

/// Takes an array with one element for that element, below a depth of 100.
class LostLevel : public Comparison {
 protected:
  Value valueAt(Value value, size_t depth) const override {
    return depth > 100 && value.isArray() && value.size() == 1 ? value.at(0) : value;
  }
};

/// Writes a line feed for a form feed.
class WrongWriter : public Comparison {
 protected:
  std::string textToWrite(Value value) const override {
    std::string text = value.text();
    std::replace(text.begin(), text.end(), '\f', '\n');
    return text;
  }
};

std::string firstWord(const std::string& text) { return text.substr(0, text.find_first_of(" ,")); }

TEST(Differential, FindsAWrongDigitOfANumber) {
  EXPECT_EQ(firstWord(firstDifference(WrongDigit())), "number");
}

TEST(Differential, FindsALostCharacterOfAString) {
  EXPECT_EQ(firstWord(firstDifference(LostCharacter())), "string");
}

TEST(Differential, FindsAWrongEscape) {
  EXPECT_EQ(firstWord(firstDifference(WrongEscape())), "string");
}

TEST(Differential, FindsALostNestingLevel) {
  EXPECT_EQ(firstWord(firstDifference(LostLevel())), "array");
}

TEST(Differential, FindsAFaultOfTheWriter) {
  EXPECT_EQ(firstWord(firstDifference(WrongWriter())), "writer");
}

}  // namespace
}  // namespace strata::json
