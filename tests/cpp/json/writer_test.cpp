#include "json/writer.h"

#include <gtest/gtest.h>

namespace strata::json {
namespace {

TEST(Writer, InsertsCommas) {
  Writer out;
  out.open('{').key("a").open('[').integer(1).boolean(true).string("x\"y").raw("1.0").close(']');
  out.key("b\n").open('{').close('}').key("c").open('[').open('{').close('}').open('[');
  out.close(']').close(']').close('}');
  EXPECT_EQ(out.text(), R"({"a":[1,true,"x\"y",1.0],"b\n":{},"c":[{},[]]})");
}

TEST(Writer, WritesTheExtremeIntegers) {
  Writer out;
  out.open('[').integer(INT64_MIN).integer(INT64_MAX).integer(0).boolean(false).close(']');
  EXPECT_EQ(out.take(), "[-9223372036854775808,9223372036854775807,0,false]");
}

TEST(Writer, WritesNumbersThatRoundTrip) {
  Writer out;
  out.open('[').number(0).number(-0.0).number(12).number(-2.5).number(0.1).number(1e300).close(']');
  EXPECT_EQ(out.take(), "[0,0,12,-25e-1,1e-1,1e300]");
}

TEST(Writer, ScopesCloseThemselves) {
  Writer out;
  {
    const Writer::Scope object = out.object();
    out.key("a").integer(1);
    {
      const Writer::Scope list = out.array("b");
      { const Writer::Scope empty = out.array(); }
      const Writer::Scope inner = out.object();
      out.key("c").boolean(true);
    }
    { const Writer::Scope empty = out.object("d"); }
  }
  EXPECT_EQ(out.text(), R"({"a":1,"b":[[],{"c":true}],"d":{}})");
}

}  // namespace
}  // namespace strata::json
