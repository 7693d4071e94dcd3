// Stores the bytes of a thread's turns, and says in a fixed layout where the committed ones are.
// JavaScript reads it from the memory of a WebAssembly instance that has trapped and cannot be
// called (web/sdk/core/committed-turns.ts), so that no turn is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "thread/byte_log.h"

namespace strata::thread {

/// Where the bytes of one turn are. The members are offsets in the two logs of a TurnLog.
struct TurnPlace {
  uint32_t contentBegin;
  uint32_t contentEnd;
  uint32_t metaBegin;
  uint32_t metaEnd;
};

/// Says where the turns are that survive a trap. At every allocation and at every trap the members
/// describe the turns of the last commit: the turns in `places`, then those of `next`.
struct CommittedTurns {
  static constexpr uintptr_t kMark = 0x54524e53;

  volatile uintptr_t mark = kMark;  ///< Shows that the memory was not overwritten.
  volatile uintptr_t turns = 0;
  volatile uintptr_t places = 0;    ///< Address of the first TurnPlace.
  volatile uintptr_t contents = 0;  ///< Address of a word: the address of the Contents' bytes.
  volatile uintptr_t metas = 0;     ///< Address of a word: the address of the metadata's bytes.
  volatile uintptr_t next = 0;      ///< Address of the CommittedTurns that follow, or 0.
};

/// The Contents of a thread and the caller's JSON about each. A copy shares the bytes until one of
/// the two diverges. Views are valid until this log, or a copy that shares its bytes, is appended
/// to. Indexes must be less than `size()`.
class TurnLog {
 public:
  TurnLog() { publish(); }
  /// Nothing in a copy is committed.
  TurnLog(const TurnLog& other);
  TurnLog(TurnLog&&) = default;
  TurnLog& operator=(const TurnLog& other) { return *this = TurnLog(other); }
  TurnLog& operator=(TurnLog&&) = default;
  ~TurnLog() = default;

  size_t size() const { return size_; }
  std::string_view content(size_t index) const;
  /// Returns the Contents `[from, to)`, separated by commas.
  std::string_view contents(size_t from, size_t to) const;
  /// Returns the JSON about a turn, or "".
  std::string_view meta(size_t index) const;

  /// Appends a turn. Neither string may point into this log. Amortized O(length); the first append
  /// after committed turns were dropped copies those.
  void append(std::string_view content, std::string_view meta);
  /// Drops all turns after the first `turns`, which must not exceed `size()`. O(1).
  void truncate(size_t turns);

  /// Makes the current turns the ones that survive a trap.
  void commit();
  /// The turns of the last commit. Its address is valid until this log is moved or destroyed.
  const CommittedTurns& committed() const { return committed_; }

 private:
  void publish();
  void keepDropped();

  ByteLog contents_;
  ByteLog metas_;
  // Dropped places stay behind the first `size_` until the next append.
  std::vector<TurnPlace> places_;
  size_t size_ = 0;
  CommittedTurns committed_;
  std::unique_ptr<TurnLog> dropped_;  // committed turns that were dropped since the commit
};

}  // namespace strata::thread
