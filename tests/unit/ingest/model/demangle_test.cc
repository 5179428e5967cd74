#include "ingest/model/demangle.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

std::string name_of(std::string_view symbol) {
  return demangled(symbol).value_or("(none)");
}

TEST(DemangleTest, ShowsNamesWithoutParameters) {
  EXPECT_EQ(name_of("_ZN2ns6VectorIiE9push_backERKi"), "ns::Vector<int>::push_back");
  EXPECT_EQ(name_of("_ZNK3foo3barEv"), "foo::bar");
  EXPECT_EQ(name_of("_Z4mainv"), "main");
  EXPECT_EQ(name_of("__Z4mainv"), "main");
}

TEST(DemangleTest, LeavesOperatorsAndAnonymousNamespaces) {
  EXPECT_EQ(name_of("_ZN1AclEi"), "A::operator()");
  EXPECT_EQ(name_of("_ZN1AltERKS_"), "A::operator<");
  EXPECT_EQ(name_of("_Znwm"), "operator new");
  EXPECT_EQ(name_of("_ZN12_GLOBAL__N_13runEv"), "(anonymous namespace)::run");
  EXPECT_EQ(name_of("_ZTV3Foo"), "vtable for Foo");
}

TEST(DemangleTest, DropsReturnTypesOfTemplates) {
  EXPECT_EQ(name_of("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_"), "std::move<int&>");
}

TEST(DemangleTest, DropsWhatCompilersAdd) {
  EXPECT_EQ(name_of("_ZN3foo3barEv.part.0"), "foo::bar");
  EXPECT_EQ(name_of("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
}

TEST(DemangleTest, RefusesWhatIsNoSymbolOrWouldBeEndless) {
  EXPECT_EQ(name_of("main"), "(none)");
  EXPECT_EQ(name_of("_Zebra"), "(none)");
  EXPECT_EQ(name_of("_Z"), "(none)");
  EXPECT_EQ(name_of(""), "(none)");
  // Each pair is twice as long as the one before.
  std::string symbol = "_Z1fSt4pairIiiE";
  for (int i = 0; i < 60; ++i) symbol += "St4pairIS_S_E";
  EXPECT_EQ(name_of(symbol), "(none)");
  EXPECT_EQ(name_of("_Z" + std::string(5000, 'P') + "i"), "(none)");
}

}  // namespace
}  // namespace cinderscope
