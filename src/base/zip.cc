#include "base/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace lockstep {
namespace {

constexpr uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr size_t local_size = 30, central_size = 46, end_size = 22;
constexpr int stored = 0, deflated = 8;
constexpr uint64_t max_total = uint64_t{1} << 31;  // unpacked bytes of an archive

uint16_t get16(const uint8_t* p) { return static_cast<uint16_t>(p[0] | p[1] << 8); }
uint32_t get32(const uint8_t* p) { return get16(p) | static_cast<uint32_t>(get16(p + 2)) << 16; }

void put16(Bytes& out, uint32_t v) {
  out.push_back(static_cast<uint8_t>(v));
  out.push_back(static_cast<uint8_t>(v >> 8));
}
void put32(Bytes& out, uint32_t v) {
  put16(out, v & 0xffff);
  put16(out, v >> 16);
}

// position of the end record, searched backwards over the comment that may follow it
size_t find_end(const Bytes& bytes) {
  if (bytes.size() < end_size) return std::string::npos;
  const size_t last = bytes.size() - end_size;
  const size_t first = last > 0xffff ? last - 0xffff : 0;
  for (size_t at = last + 1; at-- > first;) {
    if (get32(&bytes[at]) == end_mark) return at;
  }
  return std::string::npos;
}

bool inflate_raw(const uint8_t* data, size_t size, Bytes& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  stream.next_in = const_cast<uint8_t*>(data);
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  int status = inflate(&stream, Z_FINISH);
  bool complete = status == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  return complete;
}

struct Entry {
  std::string name;
  int method;
  uint32_t crc, packed, size, offset;
};

// bytes of one member, or what is wrong
std::string unpack(const Bytes& archive, const Entry& entry, Bytes& out) {
  if (uint64_t{entry.offset} + local_size > archive.size()) return "a member is cut off";
  const uint8_t* local = &archive[entry.offset];
  if (get32(local) != local_mark) return "a member has no header";
  const uint64_t begin =
      uint64_t{entry.offset} + local_size + get16(local + 26) + get16(local + 28);
  if (begin + entry.packed > archive.size()) return "a member is cut off";
  out.resize(entry.size);
  const uint8_t* data = archive.data() + begin;
  if (entry.method == stored) {
    if (entry.packed != entry.size) return "a stored member has two sizes";
    std::copy(data, data + entry.size, out.begin());
  } else if (entry.method == deflated) {
    if (!inflate_raw(data, entry.packed, out)) return "a member cannot be unpacked";
  } else {
    return "a member is packed in an unknown way";
  }
  uLong crc = crc32(0, out.data(), static_cast<uInt>(out.size()));
  return crc == entry.crc ? "" : "a member has a wrong checksum";
}

}  // namespace

bool looks_like_zip(const Bytes& bytes) {
  return bytes.size() >= 4 &&
         (get32(bytes.data()) == local_mark || get32(bytes.data()) == end_mark);
}

std::vector<ZipMember> read_zip(const Bytes& bytes, std::string& problem) {
  std::vector<ZipMember> members;
  problem.clear();
  const size_t end = find_end(bytes);
  if (end == std::string::npos) {
    problem = "not a zip archive";
    return members;
  }
  const int count = get16(&bytes[end + 10]);
  uint64_t at = get32(&bytes[end + 16]), total = 0;
  for (int i = 0; i < count && problem.empty(); i++) {
    if (at + central_size > bytes.size() || get32(&bytes[at]) != central_mark) {
      problem = "the directory of the archive is broken";
      break;
    }
    const uint8_t* p = &bytes[at];
    const size_t name_size = get16(p + 28);
    if (at + central_size + name_size > bytes.size()) {
      problem = "the directory of the archive is broken";
      break;
    }
    Entry entry{std::string(reinterpret_cast<const char*>(p + central_size), name_size),
                get16(p + 10),
                get32(p + 16),
                get32(p + 20),
                get32(p + 24),
                get32(p + 42)};
    at += central_size + name_size + get16(p + 30) + get16(p + 32);
    total += entry.size;
    if (total > max_total) {
      problem = "the archive is too large";
    } else if (!entry.name.empty() && entry.name.back() != '/') {
      ZipMember& member = members.emplace_back();
      member.name = entry.name;
      problem = unpack(bytes, entry, member.bytes);
    }
  }
  if (!problem.empty()) members.clear();
  return members;
}

Bytes write_zip(const std::vector<ZipMember>& members) {
  Bytes out, directory;
  for (const ZipMember& member : members) {
    const auto size = static_cast<uint32_t>(member.bytes.size());
    const auto crc = static_cast<uint32_t>(crc32(0, member.bytes.data(), size));
    const auto offset = static_cast<uint32_t>(out.size());
    // version, flags, method, time, date, checksum, sizes, lengths of name and extra field
    auto header = [&](Bytes& to) {
      put16(to, 20);
      put16(to, 0);
      put16(to, stored);
      put16(to, 0);
      put16(to, 0x21);
      put32(to, crc);
      put32(to, size);
      put32(to, size);
      put16(to, static_cast<uint32_t>(member.name.size()));
      put16(to, 0);
    };
    put32(out, local_mark);
    header(out);
    out.insert(out.end(), member.name.begin(), member.name.end());
    out.insert(out.end(), member.bytes.begin(), member.bytes.end());
    put32(directory, central_mark);
    put16(directory, 20);
    header(directory);
    for (int i = 0; i < 3; i++) put16(directory, 0);
    put32(directory, 0);
    put32(directory, offset);
    directory.insert(directory.end(), member.name.begin(), member.name.end());
  }
  const auto begin = static_cast<uint32_t>(out.size());
  out.insert(out.end(), directory.begin(), directory.end());
  put32(out, end_mark);
  put32(out, 0);
  put16(out, static_cast<uint32_t>(members.size()));
  put16(out, static_cast<uint32_t>(members.size()));
  put32(out, static_cast<uint32_t>(directory.size()));
  put32(out, begin);
  put16(out, 0);
  return out;
}

}  // namespace lockstep
