#include "app/desktop/open_dialog.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <optional>
#include <thread>

#include "app/desktop/posix/file_portal.h"
#include "tests/support/fake_portal.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

template <class Done>
bool becomes(Done done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!done() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done();
}

// No program that opens dialogs is found but those that a test writes.
class OpenDialogTest : public testing::Test {
 protected:
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  FileAnswer asked(const FileQuestion& question) {
    setenv("PATH", folder_.path().c_str(), 1);
    OpenDialog dialog;
    EXPECT_TRUE(becomes([&] { return dialog.there(); }));
    EXPECT_TRUE(dialog.ask(question));
    EXPECT_TRUE(dialog.open());
    EXPECT_TRUE(dialog.ask({"another", "", ""}));  // changes nothing
    std::optional<FileAnswer> answer;
    EXPECT_TRUE(becomes([&] {
      if (!answer) answer = dialog.take();
      return answer.has_value();
    }));
    EXPECT_FALSE(dialog.open());
    EXPECT_FALSE(dialog.take());
    return answer.value_or(FileAnswer{});
  }

  const std::string path_ = getenv("PATH") == nullptr ? "" : getenv("PATH");
  TempDir folder_;
};

using Paths = std::vector<std::string>;

TEST_F(OpenDialogTest, ThePortalAsksForFilesToOpen) {
  const FakePortal portal(FakePortal::Answers::chosen,
                          {"file:///tmp/a%20b.json", "https://example.org/c", "file:///d"});
  if (!portal.runs()) GTEST_SKIP() << "no dbus-daemon, or built without libdbus";
  const FileAnswer answer = asked({"Open a trace", "", "x11:2a"});
  EXPECT_TRUE(answer.asked);
  EXPECT_EQ(answer.paths, (Paths{"/tmp/a b.json", "/d"}));
  EXPECT_EQ(portal.asked().method, "OpenFile");
  EXPECT_EQ(portal.asked().title, "Open a trace");
  EXPECT_EQ(portal.asked().window, "x11:2a");
  EXPECT_TRUE(portal.asked().multiple);
}

TEST_F(OpenDialogTest, ThePortalAsksForAFileToWrite) {
  const FakePortal portal(FakePortal::Answers::chosen, {"file:///tmp/x.csv"});
  if (!portal.runs()) GTEST_SKIP() << "no dbus-daemon, or built without libdbus";
  const FileAnswer answer = asked({"Save", "/some where/x.csv", ""});
  EXPECT_EQ(answer.paths, (Paths{"/tmp/x.csv"}));
  EXPECT_EQ(portal.asked().method, "SaveFile");
  EXPECT_EQ(portal.asked().name, "x.csv");
  EXPECT_EQ(portal.asked().folder, std::string("/some where\0", 12));
}

TEST_F(OpenDialogTest, WhatTheUserCancelsIsNoFailure) {
  const FakePortal portal(FakePortal::Answers::cancelled);
  if (!portal.runs()) GTEST_SKIP() << "no dbus-daemon, or built without libdbus";
  const FileAnswer answer = asked({"Open", "", ""});
  EXPECT_TRUE(answer.asked);
  EXPECT_EQ(answer.paths, Paths{});
}

TEST_F(OpenDialogTest, APortalThatCannotAskIsSaid) {
  for (const auto how :
       {FakePortal::Answers::failed, FakePortal::Answers::refused, FakePortal::Answers::never}) {
    const FakePortal portal(how);
    if (!portal.runs()) GTEST_SKIP() << "no dbus-daemon, or built without libdbus";
    EXPECT_FALSE(asked({"Open", "", ""}).asked);
    setenv("PATH", path_.c_str(), 1);
  }
}

TEST_F(OpenDialogTest, AProgramAsksWhereThePortalCannot) {
  const FakePortal portal(FakePortal::Answers::failed);
  if (!portal.runs()) GTEST_SKIP() << "no dbus-daemon, or built without libdbus";
  const auto zenity = folder_.write("zenity", "#!/bin/sh\necho '/chosen/by zenity'\n");
  std::filesystem::permissions(zenity, std::filesystem::perms::owner_all);
  const FileAnswer answer = asked({"Open", "", ""});
  EXPECT_TRUE(answer.asked);
  EXPECT_EQ(answer.paths, (Paths{"/chosen/by zenity"}));
}

TEST_F(OpenDialogTest, WithoutASessionThereIsNoPortal) {
  const char* session = getenv("DBUS_SESSION_BUS_ADDRESS");
  const std::string before = session == nullptr ? "" : session;
  setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1);
  FilePortal portal;
  portal.ask({"Open", "", ""});
  EXPECT_FALSE(portal.open());
  EXPECT_FALSE(portal.take());
  if (session == nullptr)
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
  else
    setenv("DBUS_SESSION_BUS_ADDRESS", before.c_str(), 1);
}

}  // namespace
}  // namespace cinderscope
