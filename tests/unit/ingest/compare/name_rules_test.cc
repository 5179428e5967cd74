#include "ingest/compare/name_rules.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "ingest/compare/compared_names.h"

namespace cinderscope {
namespace {

struct NamePair {
  const char *a, *b;
  const char* same;  // what both become; null: they stay two names
};

// By the usual rules.
constexpr NamePair kPairs[] = {
    // C++
    {"_ZN3foo3barEi", "foo::bar(int)", "foo::bar(int)"},
    {"_ZN3foo3barEi", "_ZN3foo3barEl", nullptr},
    {"_Z4sortIiEvPT_.constprop.0", "_Z4sortIiEvPT_", "void sort<int>(int*)"},
    {"_ZN2ns3runEv.part.2", "_ZN2ns3runEv.isra.1.cold", "ns::run()"},
    {"_ZNnot a symbol", "_ZNnot a symbol", "_ZNnot a symbol"},
    {"std::sort<int*>(int*, int*)", "std::sort<long*>(int*, int*)", "std::sort<>(int*, int*)"},
    {"vector<pair<int, long>>::push_back", "vector<string>::push_back", "vector<>::push_back"},
    {"operator<<<int>", "operator<<<long>", "operator<<<>"},
    {"operator<", "operator<=", nullptr},
    {"operator<< <char>", "operator<< <wchar_t>", "operator<< <>"},
    {"Ptr<A>::operator->", "Ptr<B>::operator->", "Ptr<>::operator->"},
    {"run<(a->b)>", "run<(c->d)>", "run<>"},
    {"f(int)::{lambda(int)#1}", "f(int)::{lambda(int)#2}", "f(int)::{lambda(int)#}"},
    {"main::$_7::operator()", "main::$_12::operator()", "main::$_#::operator()"},
    {"<lambda_1f3e0a>::operator()", "<lambda_99beef>::operator()", "<lambda_#>::operator()"},
    {"compute.llvm.123456", "compute.llvm.987", "compute"},
    {"compute.cold", "compute.cold.3", "compute"},
    {"x.part.2", "x.part", nullptr},
    {"handler(0x7f12ab34)", "handler(0x55d0c0ffee)", "handler(0x…)"},
    {"mask 0xff", "mask 0xfe", nullptr},
    {"hash 0x0123456789abcdef0", "hash 0x0123456789abcdef1", nullptr},
    {"draw.cpp:120", "draw.cpp:133", "draw.cpp"},
    {"a < b", "a < c", nullptr},
    // Rust
    {"core::fmt::write::h0123456789abcdef", "core::fmt::write::hfedcba9876543210",
     "core::fmt::write"},
    {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "core::fmt::write"},
    {"core::fmt::write::h0123", "core::fmt::write", nullptr},
    {"app::run::{{closure}}::h0123456789abcdef.llvm.17", "app::run::{{closure}}",
     "app::run::{{closure}}"},
    {"app::run::{closure#3}", "app::run::{closure#0}", "app::run::{closure#}"},
    {"<Vec<u8> as Clone>::clone", "<Vec<u16> as Clone>::clone", "<>::clone"},
    {"alloc::vec::Vec<T,A>::push", "alloc::vec::Vec<u8,B>::push", "alloc::vec::Vec<>::push"},
    {"closure#3", "closure#14", "closure#"},
    // Java
    {"Main$$Lambda$12/0x00000008000c1040.run", "Main$$Lambda$7/0x00000007c0061000.run",
     "Main$$Lambda$#/0x….run"},
    {"Main$$Lambda/0x00000008000c1040.run", "Main$$Lambda/0x000000030f009d20.run",
     "Main$$Lambda/0x….run"},
    {"Main$$Lambda$14/1342443276.apply", "Main$$Lambda$9/81628611.apply", "Main$$Lambda$#/#.apply"},
    {"Main.lambda$run$3", "Main.lambda$run$0", "Main.lambda$run$#"},
    {"Main.lambda$run$3x", "Main.lambda$run$0", nullptr},
    {"java.lang.Object@6d06d69c", "java.lang.Object@7852e922", "java.lang.Object@…"},
    {"user@example", "user@examples", nullptr},
    {"Worker@1a2b3 waits", "Worker@4c5d6 waits", "Worker@… waits"},
    {"run(Foo.java:12)", "run(Foo.java:45)", "run(Foo.java)"},
    {"run(Foo.java)", "run(Foo.java:45)", "run(Foo.java)"},
    {"Foo.<init>", "Foo.<clinit>", nullptr},
    {"Box<A>.<init>", "Box<B>.<init>", "Box<>.<init>"},
    // Kotlin
    {"MainKt.main$lambda$3", "MainKt.main$lambda$0", "MainKt.main$lambda$#"},
    {"MainKt.main$lambda-3", "MainKt.main$lambda-0", "MainKt.main$lambda-#"},
    {"List<Int>.map", "List<String>.map", "List<>.map"},
    {"Channel@5f4da5c3.send", "Channel@443b7951.send", "Channel@….send"},
    {"<anonymous>.invoke", "<T>.invoke", nullptr},
    // JavaScript, Python
    {"render app.js:120:5", "render app.js:124:17", "render app.js"},
    {"(anonymous) bundle.js:1:9000", "(anonymous) bundle.js:1:9800", "(anonymous) bundle.js"},
    {"parse line 12", "parse line 57", "parse"},
    {"outer.<locals>.<lambda>", "outer.<locals>.<lambda>", "outer.<locals>.<lambda>"},
    {"at f (app.js:1:2)", "at f (app.js:3:4)", "at f (app.js)"},
    {"f(a, b:12)", "f(a, b:13)", nullptr},
    {"ns::12", "ns::13", nullptr},
    {"=> <a>", "=> <b>", "=> <>"},
    // Lincheck
    {"ConcurrentMap@2f333739.put(1, 2)", "ConcurrentMap@77468bd9.put(1, 2)",
     "ConcurrentMap@….put(1, 2)"},
    {"put(1, 2) at Test.kt:33", "put(1, 2) at Test.kt:35", "put(1, 2) at Test.kt"},
    {"iteration 3", "iteration 4", nullptr},
    {"Stack.push$lambda$2 at S.kt:9", "Stack.push$lambda$5 at S.kt:11",
     "Stack.push$lambda$# at S.kt"},
    // Anything
    {"", "", ""},
    {"Zürich", "zürich", nullptr},
    {"draw\xff", "draw\xfe", nullptr},
    {"<<<", ">>>", nullptr},
    {"f<g<h>", "f<g<i>", "f<g<>"},
    {"@", "0x", nullptr},
};
static_assert(std::size(kPairs) >= 60);

ComparedNames compared(const SideNames& a, const SideNames& b, const NameRules& rules = {}) {
  const std::atomic<bool> cancelled{false};
  return *compare_names({a, b}, rules, cancelled);
}

std::string changed(NameRule rule, std::string name) {
  apply_rule(rule, name);
  return name;
}

TEST(NameRules, UsualOnesMakePairsTheSame) {
  for (const NamePair& pair : kPairs) {
    const ComparedNames names = compared({pair.a}, {pair.b});
    if (pair.same == nullptr) {
      EXPECT_EQ(names.names.size(), 2u)
          << pair.a << " and " << pair.b << " became " << names.names[0].text;
    } else {
      EXPECT_EQ(names.names.size(), 1u)
          << names.names[0].text << " and " << names.names.back().text;
      EXPECT_EQ(names.names[0].text, pair.same);
    }
  }
}

TEST(NameRules, NoneAreAppliedExactly) {
  for (const NamePair& pair : kPairs) {
    const bool equal = std::string_view(pair.a) == pair.b;
    EXPECT_EQ(compared({pair.a}, {pair.b}, NameRules::exact()).names.size(), equal ? 1u : 2u);
  }
}

TEST(NameRules, NumbersAndCaseWhereTheyAreAskedFor) {
  EXPECT_EQ(changed(NameRule::numbers, "worker-12 of 3, vec3 12ms f_4"),
            "worker-# of #, vec3 12ms f_4");
  EXPECT_EQ(changed(NameRule::numbers, "12"), "#");
  EXPECT_EQ(changed(NameRule::letter_case, "DrawÄ"), "drawÄ");
}

TEST(NameRules, ApplyingThemTwiceChangesNothingMore) {
  for (const NamePair& pair : kPairs) {
    for (std::size_t r = 0; r < kNameRules; ++r) {
      std::string name = pair.a;
      apply_rule(static_cast<NameRule>(r), name);
      EXPECT_FALSE(apply_rule(static_cast<NameRule>(r), name)) << pair.a << " " << r;
    }
  }
}

TEST(NameRules, LongAndOddNamesTakeLinearTime) {
  constexpr std::size_t kParts = 20'000;
  for (const char* part : {"<", ">", "operator<<a", "lambda$", "$$Lambda$1/", "@abcde", "0x1234",
                           "#1", "<lambda_", ".cold", " [clone .a]", ":1", "1", "<init>", "_Z"}) {
    std::string name;
    for (std::size_t i = 0; i < kParts; ++i) name += part;
    for (std::size_t r = 0; r < kNameRules; ++r) {
      std::string each = name;
      apply_rule(static_cast<NameRule>(r), each);
      EXPECT_LE(each.size(), 2 * name.size());
    }
  }
}

TEST(NameRules, SpecsAreReadAndWritten) {
  EXPECT_EQ(*parse_name_rules("usual"), NameRules());
  EXPECT_EQ(*parse_name_rules("exact"), NameRules::exact());
  const NameRules some = *parse_name_rules("templates=always,case=rest,lines=off");
  EXPECT_EQ(some.of(NameRule::templates), RuleState::always);
  EXPECT_EQ(some.of(NameRule::letter_case), RuleState::rest);
  EXPECT_EQ(some.of(NameRule::lines), RuleState::off);
  EXPECT_EQ(some.of(NameRule::hashes), RuleState::always);
  EXPECT_EQ(*parse_name_rules(name_rules_text(some)), some);
  EXPECT_EQ(name_rules_text({}), "usual");
  for (const char* wrong : {"", "templates", "templates=", "templates=maybe", "x=off", "lines=off,",
                            ",", "usual,lines=off"}) {
    EXPECT_FALSE(parse_name_rules(wrong)) << wrong;
  }
}

TEST(NameRules, RenamesComeFirstAndInOrder) {
  NameRules rules;
  rules.renames = {*parse_rename("^old_(.*)$=new_\\1"), *parse_rename("new_draw=paint")};
  const ComparedNames names = compared({"old_draw", "old_x.cold"}, {"paint", "new_x"}, rules);
  EXPECT_EQ(names.both_count, 2u);
  EXPECT_EQ(names.names[0].text, "paint");
  EXPECT_EQ(names.renames[0].changed[side_a], 2u);
  EXPECT_EQ(names.renames[1].changed[side_a], 1u);
  EXPECT_EQ(names.renames[0].changed[side_b], 0u);
  EXPECT_EQ(parse_rename("a\\=b=c")->expression, "a=b");
  EXPECT_EQ(parse_rename("a=b=c")->text, "b=c");
  EXPECT_FALSE(parse_rename("nothing"));
  EXPECT_FALSE(parse_rename("=x"));
}

TEST(NameRules, WrongRenamesAreToldOf) {
  for (const Rename& wrong : {Rename{"(", "x"}, Rename{"a", "\\2"}, Rename{"a", "\\"}}) {
    const Result<Renamer> made = Renamer::of({&wrong, 1});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().text.find(wrong.expression), std::string::npos);
  }
}

}  // namespace
}  // namespace cinderscope
