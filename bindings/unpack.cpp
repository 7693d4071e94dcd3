// Decompresses LZMA, as a WebAssembly module of its own without a standard library: the shell runs
// it before it compiles the module of an entry. lzma-specification.txt of the LZMA SDK describes
// the format. The compressed bytes have no header; lc is 4, lp and pb are 0.
#include <cstdint>

namespace {

// A probability has 11 bits; each bit that is read moves it by 1/32 of its distance.
constexpr unsigned kProbabilityBits = 11;
constexpr unsigned kMoveBits = 5;
using Probability = uint16_t;

constexpr unsigned kStates = 12;
constexpr unsigned kLiteralContextBits = 4;
constexpr unsigned kLiteralSize = 0x300;
constexpr unsigned kLengthStates = 4;
constexpr unsigned kSlotBits = 6;
constexpr unsigned kAlignBits = 4;
// Distances from this slot on have bits without a probability.
constexpr unsigned kFirstDirectSlot = 14;
constexpr unsigned kFullDistances = 1U << (kFirstDirectSlot / 2);
constexpr unsigned kShortestMatch = 2;

// All is inlined into one loop, whose state is then in local variables: what runs once is compiled
// by the fastest compiler of a runtime, which leaves memory accesses as they are.

/// Reads bits, each with its probability.
class RangeDecoder {
 public:
  explicit RangeDecoder(const uint8_t* source) : next_(source + 1) {
    for (unsigned i = 0; i < 4; ++i) code_ = (code_ << 8) | *next_++;
  }

  [[gnu::always_inline]] unsigned bit(Probability& probability) {
    normalize();
    const uint32_t bound = (range_ >> kProbabilityBits) * probability;
    if (code_ < bound) {
      range_ = bound;
      probability += ((1U << kProbabilityBits) - probability) >> kMoveBits;
      return 0;
    }
    range_ -= bound;
    code_ -= bound;
    probability -= probability >> kMoveBits;
    return 1;
  }

  /// Reads a number, its highest bit first.
  [[gnu::always_inline]] unsigned tree(Probability* probabilities, unsigned bits) {
    unsigned node = 1;
    for (unsigned i = 0; i < bits; ++i) node = (node << 1) | bit(probabilities[node]);
    return node - (1U << bits);
  }

  /// Reads a number, its lowest bit first.
  [[gnu::always_inline]] unsigned reverseTree(Probability* probabilities, unsigned bits) {
    unsigned node = 1;
    unsigned number = 0;
    for (unsigned i = 0; i < bits; ++i) {
      const unsigned read = bit(probabilities[node]);
      node = (node << 1) | read;
      number |= read << i;
    }
    return number;
  }

  /// Reads a number whose bits are 0 as often as 1.
  [[gnu::always_inline]] unsigned direct(unsigned bits) {
    unsigned number = 0;
    for (unsigned i = 0; i < bits; ++i) {
      normalize();
      range_ >>= 1;
      const bool isSet = code_ >= range_;
      if (isSet) code_ -= range_;
      number = (number << 1) | static_cast<unsigned>(isSet);
    }
    return number;
  }

 private:
  [[gnu::always_inline]] void normalize() {
    if (range_ >= 1U << 24) return;
    range_ <<= 8;
    code_ = (code_ << 8) | *next_++;
  }

  const uint8_t* next_;
  uint32_t range_ = UINT32_MAX;
  uint32_t code_ = 0;
};

/// The probabilities of the lengths of matches.
struct Lengths {
  Probability isLong;
  Probability isVeryLong;
  Probability low[1 << 3];
  Probability middle[1 << 3];
  Probability high[1 << 8];
};

/// All probabilities, named as in the specification.
struct Model {
  Probability isMatch[kStates];
  Probability isRepeated[kStates];
  Probability isRepeated0[kStates];
  Probability isRepeated1[kStates];
  Probability isRepeated2[kStates];
  Probability isRepeated0Long[kStates];
  Probability slot[kLengthStates][1 << kSlotBits];
  Probability distance[kFullDistances];
  Probability align[1 << kAlignBits];
  Lengths length;
  Lengths repeatedLength;
  Probability literal[1 << kLiteralContextBits][kLiteralSize];
};

/// Decompresses one file.
class Decoder {
 public:
  Decoder(const uint8_t* source, uint8_t* target, Model& model)
      : range_(source), target_(target), model_(model) {
    // A Model is nothing but probabilities, each of which starts at one half.
    auto* const probabilities = reinterpret_cast<Probability*>(&model_);
    for (unsigned i = 0; i < sizeof(Model) / sizeof(Probability); ++i) {
      probabilities[i] = 1U << (kProbabilityBits - 1);
    }
  }

  void decode(uint32_t size) {
    while (at_ < size) {
      if (range_.bit(model_.isMatch[state_]) == 0) {
        literal();
      } else {
        match();
      }
    }
  }

 private:
  // The states from here on follow a match.
  static constexpr unsigned kFirstAfterMatch = 7;

  [[gnu::always_inline]] void literal() {
    const unsigned before = at_ == 0 ? 0 : target_[at_ - 1];
    Probability* const probabilities = model_.literal[before >> (8 - kLiteralContextBits)];
    unsigned node = 1;
    if (state_ >= kFirstAfterMatch) {
      // The byte is likely to differ from the one that would have continued the match.
      unsigned expected = target_[at_ - distances_[0] - 1];
      unsigned read;
      unsigned wanted;
      do {
        wanted = (expected >> 7) & 1;
        expected <<= 1;
        read = range_.bit(probabilities[((1 + wanted) << 8) + node]);
        node = (node << 1) | read;
      } while (read == wanted && node < 0x100);
    }
    while (node < 0x100) node = (node << 1) | range_.bit(probabilities[node]);
    target_[at_++] = static_cast<uint8_t>(node);
    state_ = state_ < 4 ? 0 : state_ < 10 ? state_ - 3 : state_ - 6;
  }

  [[gnu::always_inline]] void match() {
    const bool isRepeated = range_.bit(model_.isRepeated[state_]) != 0;
    const bool afterMatch = state_ >= kFirstAfterMatch;
    if (isRepeated) {
      if (readRepeatedDistance()) {
        state_ = afterMatch ? 11 : 9;
        copy(1);
        return;
      }
      state_ = afterMatch ? 11 : 8;
    } else {
      pushDistance(3);
      state_ = afterMatch ? 10 : 7;
    }
    const unsigned length = lengthOf(isRepeated ? model_.repeatedLength : model_.length);
    if (!isRepeated) distances_[0] = distanceOf(length);
    copy(length + kShortestMatch);
  }

  // Reads which of the last four distances is repeated, and makes it the first one. Returns whether
  // it is the first one already, for a single byte.
  [[gnu::always_inline]] bool readRepeatedDistance() {
    if (range_.bit(model_.isRepeated0[state_]) == 0) {
      return range_.bit(model_.isRepeated0Long[state_]) == 0;
    }
    uint32_t distance = distances_[1];
    if (range_.bit(model_.isRepeated1[state_]) == 0) {
      pushDistance(1);
    } else if (range_.bit(model_.isRepeated2[state_]) == 0) {
      distance = distances_[2];
      pushDistance(2);
    } else {
      distance = distances_[3];
      pushDistance(3);
    }
    distances_[0] = distance;
    return false;
  }

  // Moves the distances before `last` one place on.
  [[gnu::always_inline]] void pushDistance(unsigned last) {
    if (last > 2) distances_[3] = distances_[2];
    if (last > 1) distances_[2] = distances_[1];
    distances_[1] = distances_[0];
  }

  [[gnu::always_inline]] unsigned lengthOf(Lengths& lengths) {
    const bool isLong = range_.bit(lengths.isLong) != 0;
    const bool isVeryLong = isLong && range_.bit(lengths.isVeryLong) != 0;
    // Each call is a copy of what it calls.
    Probability* const tree = isVeryLong ? lengths.high : isLong ? lengths.middle : lengths.low;
    return (isVeryLong ? 16 : isLong ? 8 : 0) + range_.tree(tree, isVeryLong ? 8 : 3);
  }

  [[gnu::always_inline]] uint32_t distanceOf(unsigned length) {
    const unsigned lengthState = length < kLengthStates ? length : kLengthStates - 1;
    const unsigned slot = range_.tree(model_.slot[lengthState], kSlotBits);
    if (slot < 4) return slot;
    unsigned bits = (slot >> 1) - 1;
    uint32_t distance = (2 | (slot & 1)) << bits;
    Probability* low = model_.distance + distance - slot;
    if (slot >= kFirstDirectSlot) {
      distance += range_.direct(bits - kAlignBits) << kAlignBits;
      low = model_.align;
      bits = kAlignBits;
    }
    return distance + range_.reverseTree(low, bits);
  }

  [[gnu::always_inline]] void copy(unsigned length) {
    for (unsigned i = 0; i < length; ++i, ++at_) target_[at_] = target_[at_ - distances_[0] - 1];
  }

  RangeDecoder range_;
  uint8_t* target_;
  uint32_t at_ = 0;
  unsigned state_ = 0;
  uint32_t distances_[4] = {};
  Model& model_;
};

}  // namespace

/// Decompresses `source` to the `size` bytes from `target` on. Both are trusted: the build made
/// them.
extern "C" __attribute__((export_name("unpack"))) void unpack(const uint8_t* source,
                                                              uint8_t* target, uint32_t size) {
  Model model;
  Decoder(source, target, model).decode(size);
}
