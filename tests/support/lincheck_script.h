// A small Lincheck trace of one thread, written point by point by a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/support/java_bytes.h"

namespace cinderscope {

// Version 22. Things that are named get ids as they come; points get event numbers from 1 on.
class LincheckScript {
 public:
  explicit LincheckScript(std::int32_t thread = 0) {
    out_.i64(0x706E547124EE5F70);
    out_.i64(22);
    begin_block(thread);
  }

  void begin_block(std::int32_t thread) {
    thread_ = thread;
    out_.u8(10);
    out_.i32(thread);
  }
  void end_block() { out_.u8(11); }
  void next_event(std::int32_t event) { event_ = event - 1; }

  // -- what points name
  std::int32_t string(std::string_view text) { return named(5, text); }
  std::int32_t class_of(std::string_view name) { return named(1, name); }
  // Of no arguments and no result.
  std::int32_t method(std::string_view class_name, std::string_view name) {
    const std::int32_t of = class_of(class_name);
    object(2);
    out_.i32(of);
    out_.utf(name);
    out_.u8(10);
    out_.i32(0);
    return next_id_++;
  }
  std::int32_t field(std::string_view class_name, std::string_view name) {
    const std::int32_t of = class_of(class_name);
    object(3);
    out_.i32(of);
    out_.utf(name);
    out_.u8(6);
    for (int i = 0; i < 3; ++i) out_.u8(0);
    return next_id_++;
  }
  std::int32_t variable(std::string_view name) {
    object(4);
    out_.utf(name);
    out_.u8(6);
    return next_id_++;
  }
  std::int32_t path_of_variable(std::string_view name) {
    const std::int32_t of = variable(name);
    object(6);
    out_.i32(1);
    out_.u8(0);
    out_.i32(of);
    return next_id_++;
  }
  std::int32_t location(std::string_view file, std::int32_t line, std::int32_t path = -1) {
    const std::int32_t name = string(file);
    out_.u8(7);
    out_.u8(2);
    out_.i32(next_id_);
    out_.i32(name);
    out_.i32(-1);
    out_.i32(-1);
    out_.i32(line);
    out_.i32(path);
    out_.i32(0);
    out_.i32(0);
    return next_id_++;
  }

  // -- points; `status` of a diff, -1: it is none
  void call(std::int32_t method, std::int32_t location = -1, std::int8_t status = -1) {
    head(0, location, status);
    out_.i32(method);
    out_.i32(-1);  // static
    out_.i32(0);
    out_.u16(0);
  }
  void end_call() {
    out_.u8(9);
    out_.i32(-2);
    out_.u16(0);
  }
  void loop(std::int32_t location = -1) {
    head(7, location, -1);
    out_.i32(1);
  }
  void end_loop(std::int32_t iterations) {
    out_.u8(9);
    out_.i32(iterations);
  }
  void iteration(std::int32_t number) {
    head(8, -1, -1);
    out_.i32(1);
    out_.i32(number);
  }
  void end_iteration() { out_.u8(9); }
  void read_field(std::int32_t field, std::int32_t location = -1) { access(3, field, location); }
  void write_field(std::int32_t field, std::int32_t location = -1) { access(6, field, location); }
  void write_variable(std::int32_t variable, std::int32_t location = -1, std::int8_t status = -1) {
    head(5, location, status);
    out_.i32(variable);
    out_.integer(7);
  }

  std::vector<std::byte> finish() {
    end_block();
    out_.u8(12);
    return {out_.all().begin(), out_.all().end()};
  }

 private:
  void object(std::uint8_t kind) {
    out_.u8(kind);
    out_.i32(next_id_);
  }
  std::int32_t named(std::uint8_t kind, std::string_view text) {
    object(kind);
    out_.utf(text);
    return next_id_++;
  }
  void head(std::uint8_t point, std::int32_t location, std::int8_t status) {
    out_.u8(8);
    out_.u8(point);
    out_.i32(location);
    out_.i32(thread_);
    out_.i32(++event_);
    out_.u8(static_cast<std::uint8_t>(status));
    const bool contains = point == 0 || point == 7 || point == 8;
    if (contains) out_.u8(0);  // statuses of the children
  }
  void access(std::uint8_t point, std::int32_t field, std::int32_t location) {
    head(point, location, -1);
    out_.i32(field);
    out_.i32(-1);
    out_.integer(7);
  }

  JavaBytes out_;
  std::int32_t thread_ = 0, event_ = 0, next_id_ = 0;
};

}  // namespace cinderscope
