#include "thread/turn_log.h"

#include <atomic>

namespace strata::thread {
namespace {

uintptr_t addressOf(const volatile void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// Keeps the compiler from moving stores across this point, or dropping them. It may do both around
// an allocation, because it does not know that a failed one ends the instance.
void compilerBarrier() { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace

TurnLog::TurnLog(const TurnLog& other)
    : contents_(other.contents_),
      metas_(other.metas_),
      places_(other.places_.begin(),
              other.places_.begin() + static_cast<std::ptrdiff_t>(other.size_)),
      size_(other.size_) {
  publish();
}

std::string_view TurnLog::content(size_t index) const {
  return contents_.slice(places_[index].contentBegin, places_[index].contentEnd);
}

std::string_view TurnLog::contents(size_t from, size_t to) const {
  if (from >= to) return {};
  return contents_.slice(places_[from].contentBegin, places_[to - 1].contentEnd);
}

std::string_view TurnLog::meta(size_t index) const {
  return metas_.slice(places_[index].metaBegin, places_[index].metaEnd);
}

void TurnLog::append(std::string_view content, std::string_view meta) {
  if (committed_.turns > size_) keepDropped();
  contents_.append(size_ == 0 ? "" : ",", content);
  metas_.append("", meta);
  const auto contentEnd = static_cast<uint32_t>(contents_.size());
  const auto metaEnd = static_cast<uint32_t>(metas_.size());
  places_.resize(size_);
  places_.push_back({contentEnd - static_cast<uint32_t>(content.size()), contentEnd,
                     metaEnd - static_cast<uint32_t>(meta.size()), metaEnd});
  ++size_;
  publish();
}

void TurnLog::truncate(size_t turns) {
  size_ = turns;
  contents_.truncate(turns == 0 ? 0 : places_[turns - 1].contentEnd);
  metas_.truncate(turns == 0 ? 0 : places_[turns - 1].metaEnd);
}

void TurnLog::commit() {
  compilerBarrier();
  committed_.next = 0;
  committed_.turns = size_;
  compilerBarrier();
  dropped_.reset();
}

// Updates the addresses after an append, which does not change the committed turns.
void TurnLog::publish() {
  compilerBarrier();
  committed_.places = addressOf(places_.data());
  committed_.contents = addressOf(contents_.addressPlace());
  committed_.metas = addressOf(metas_.addressPlace());
  compilerBarrier();
}

// Copies the committed turns that the next append overwrites.
void TurnLog::keepDropped() {
  auto kept = std::make_unique<TurnLog>();
  for (size_t i = size_; i < committed_.turns; ++i) kept->append(content(i), meta(i));
  kept->commit();
  kept->dropped_ = std::move(dropped_);
  kept->committed_.next = committed_.next;
  dropped_ = std::move(kept);
  compilerBarrier();
  committed_.next = addressOf(&dropped_->committed_);
  committed_.turns = size_;
  compilerBarrier();
}

}  // namespace strata::thread
