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

bool reads_rust() {
  return demangled("_RNvC6_123foo3bar").has_value();
}

TEST(DemangleTest, ShowsNamesOfRust) {
  if (!reads_rust()) GTEST_SKIP() << "built without libiberty";
  EXPECT_EQ(name_of("_RNvNtCs1234_4core3fmt5write"), "core::fmt::write");
  EXPECT_EQ(name_of("__RNvNtCs1234_4core3fmt5write"), "core::fmt::write");
  EXPECT_EQ(name_of("_RNvNtCs1234_4core3fmt5write.llvm.123"), "core::fmt::write");
  EXPECT_EQ(name_of("_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_3Foo3run"), "<mycrate::Foo>::run");
  EXPECT_EQ(name_of("_RNCNvCsf_7mycrate4main0"), "mycrate::main::{closure#0}");
  EXPECT_EQ(name_of("_RINvNtC3std3mem8align_ofjdE"), "std::mem::align_of::<usize, f64>");
  EXPECT_EQ(name_of("_RNvCsf_7mycrateu8gdel_5qa"),
            "mycrate::g\xC3\xB6"
            "del");
}

TEST(DemangleTest, RefusesRustThatWouldBeEndless) {
  EXPECT_EQ(name_of("_Random"), "(none)");
  EXPECT_EQ(name_of("_R"), "(none)");
  EXPECT_EQ(name_of("_RNv"), "(none)");
  EXPECT_EQ(name_of("_R" + std::string(5000, 'N')), "(none)");
  EXPECT_EQ(name_of("_RMC0" + std::string(3000, 'R') + "u"), "(none)");
  // Each tuple is twice the one before.
  std::string symbol = "_RINvC1a1bTuuE";
  const auto reference = [](std::size_t at) {  // in base 62, one less
    constexpr std::string_view kDigits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string digits = "_";
    for (std::size_t rest = at - 1;; rest = rest / 62) {
      digits.insert(digits.begin(), kDigits[rest % 62]);
      if (rest < 62) break;
    }
    return "B" + digits;
  };
  std::size_t last = symbol.size() - 4 - 2;  // offsets count behind "_R"
  for (int i = 0; i < 60; ++i) {
    const std::size_t at = symbol.size() - 2;
    symbol += "T" + reference(last) + reference(last) + "E";
    last = at;
  }
  EXPECT_EQ(name_of(symbol + "E"), "(none)");
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
