// Tests reading histories that need no conversion.
#include "thread/history.h"

#include <gtest/gtest.h>

#include "support/contents.h"
#include "thread/saved_form.h"

namespace strata::thread {
namespace {

using test::model;
using test::user;

class History : public testing::Test {
 protected:
  // Loads `bytes` into a new thread. Returns the path of the error, or "none".
  std::string load(const std::string& bytes) {
    thread_ = judge_.thread(false, [](json::Value) { return 1U; });
    const Status status = loadHistory(thread_, bytes, records_);
    return status ? "none" : status.error().path;
  }

  test::Judge judge_;
  std::vector<CallRecord> records_;
  Thread thread_ = judge_.thread(false, [](json::Value) { return 1U; });
};

TEST_F(History, ReadsContentsAloneInARequestAndSaved) {
  const std::string list = "[" + user("a") + " ,\n" + model("b") + "]";
  EXPECT_EQ(load(list), "none");
  ASSERT_EQ(thread_.size(), 2U);
  EXPECT_EQ(thread_.content(1), model("b"));
  const std::string saved = save(thread_).join();
  EXPECT_EQ(load("{\"model\":\"m\",\"contents\":" + list + "}"), "none");
  EXPECT_EQ(save(thread_).join(), saved);
  EXPECT_EQ(load(saved), "none");
  EXPECT_EQ(save(thread_).join(), saved);
}

TEST_F(History, NothingIsAnEmptyHistory) {
  for (const char* nothing : {"", " \n", "[]"}) {
    EXPECT_EQ(load(nothing), "none") << nothing;
    EXPECT_EQ(thread_.size(), 0U);
  }
}

TEST_F(History, FindingsDoNotStopTheReading) {
  EXPECT_EQ(load("[" + model("a") + "," + model("b") + "]"), "none");
  EXPECT_EQ(thread_.size(), 2U);
  EXPECT_FALSE(thread_.findings().empty());
}

TEST_F(History, RejectsWhatIsNoContentWithItsPath) {
  EXPECT_EQ(load("[" + user("a") + R"(,{"role":"user","content":"b"}])"), "/1");
  EXPECT_EQ(load(R"({"contents":[1]})"), "/contents/0");
  EXPECT_EQ(load(R"({"contents":{}})"), "/contents");
  EXPECT_EQ(load("7"), "");
  EXPECT_EQ(load("[1"), "/1");
}

}  // namespace
}  // namespace strata::thread
