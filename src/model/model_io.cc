#include "model/model_io.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checksum.h"
#include "model/model_check.h"

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little, "binary models are little-endian");

constexpr char magic[8] = {'L', 'O', 'C', 'K', 'S', 'T', 'E', 'P'};
constexpr uint32_t format_version = 1;
constexpr int32_t mujoco_magic = 54321;  // first number of MuJoCo's MJB files

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t lists;     // of sizes, members and fields: a file of other lists cannot be read
  uint64_t checksum;  // of all that follows the header
};

uint64_t hash_text(std::string_view text, uint64_t hash) {
  return checksum({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, hash);
}

uint32_t hash_lists() {
  uint64_t hash = 1;
  Model empty;
  for (const SizeInfo& size : empty.sizes()) hash = hash_text(size.name, hash);
  for (auto table : {option_members(), statistic_members(), visual_members()}) {
    for (const MemberInfo& member : table) {
      hash = hash_text(member.name, hash) + static_cast<uint64_t>(member.count) * 8 +
             static_cast<uint64_t>(member.dtype);
    }
  }
  for (const FieldInfo& field : empty.fields()) {
    hash = hash_text(field.name, hash_text(field.rows_name, hash)) +
           static_cast<uint64_t>(field.dtype);
  }
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

size_t member_bytes(const MemberInfo& member) {
  return static_cast<size_t>(member.count) * (member.dtype == Dtype::f64 ? 8 : 4);
}

// calls visit(pointer, bytes) for everything in front of the arrays; saving, loading and measuring
// share it
template <class Visit>
void visit_head(Model& m, const Visit& visit) {
  for (const SizeInfo& size : m.sizes()) visit(size.value, sizeof(int64_t));
  visit(&m.signature, sizeof m.signature);
  for (bool* flag : {&m.flg_gravcomp, &m.flg_surfacevel, &m.flg_adhesion}) visit(flag, 1);
  auto members = [&](auto& group, std::span<const MemberInfo> table) {
    auto* start = reinterpret_cast<char*>(&group);
    for (const MemberInfo& member : table) visit(start + member.offset, member_bytes(member));
  };
  members(m.opt, option_members());
  members(m.stat, statistic_members());
  members(m.vis, visual_members());
}

int64_t head_bytes() {
  Model empty;
  size_t total = sizeof(Header);
  visit_head(empty, [&](void*, size_t bytes) { total += bytes; });
  return static_cast<int64_t>(total);
}

bool is_flag(uint8_t byte) { return byte <= 1; }

std::string check_header(std::span<const uint8_t> bytes) {
  int32_t first = 0, version = 0;
  if (bytes.size() >= 16) {
    std::memcpy(&first, bytes.data(), 4);
    std::memcpy(&version, bytes.data() + 12, 4);
  }
  if (first == mujoco_magic) {
    return "this is a binary model of MuJoCo " + std::to_string(version / 1000000) + "." +
           std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000) +
           " (MJB), which only that version can read; load its MJCF instead";
  }
  Header header;
  if (bytes.size() < sizeof header) return "too short for a binary model";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic)) return "not a binary model of lockstep";
  if (header.version != format_version || header.lists != hash_lists()) {
    return "binary model of another version of lockstep; save it again from its MJCF";
  }
  if (header.checksum != checksum(bytes.subspan(sizeof header))) {
    return "damaged binary model: the checksum does not match";
  }
  return "";
}

// bytes that the arrays need; -1 if more than `limit`
int64_t array_bytes(const Model& m, int64_t limit) {
  for (const SizeInfo& size : m.sizes()) {
    if (*size.value < -1 || *size.value > (int64_t{1} << 36)) return -1;
  }
  int64_t total = 0;
  for (const FieldInfo& field : m.fields()) {
    if (field.rows < 0 || field.cols < 0) return -1;
    if (field.cols > 0 && field.rows > limit / field.cols) return -1;
    total += field.bytes();
    if (total > limit) return -1;
  }
  return total;
}

}  // namespace

int64_t saved_bytes(const Model& m) {
  int64_t total = head_bytes();
  for (const FieldInfo& field : m.fields()) total += field.bytes();
  return total;
}

std::vector<uint8_t> save_model(const Model& m) {
  std::vector<uint8_t> bytes(sizeof(Header));
  bytes.reserve(static_cast<size_t>(saved_bytes(m)));
  auto write = [&](const void* data, size_t count) {
    auto* start = static_cast<const uint8_t*>(data);
    if (count) bytes.insert(bytes.end(), start, start + count);
  };
  visit_head(const_cast<Model&>(m), write);
  for (const FieldInfo& field : m.fields()) write(field.data, static_cast<size_t>(field.bytes()));
  seal_model(bytes);
  return bytes;
}

void seal_model(std::span<uint8_t> bytes) {
  if (bytes.size() < sizeof(Header)) return;
  Header header{{}, format_version, hash_lists(), checksum(bytes.subspan(sizeof(Header)))};
  std::memcpy(header.magic, magic, sizeof magic);
  std::memcpy(bytes.data(), &header, sizeof header);
}

std::string load_model(std::span<const uint8_t> bytes, Model& m) {
  std::string wrong = check_header(bytes);
  if (!wrong.empty()) return wrong;
  auto total = static_cast<int64_t>(bytes.size());
  if (total < head_bytes()) return "truncated binary model";
  const uint8_t* at = bytes.data() + sizeof(Header);
  auto read = [&](void* to, size_t count) {
    if (count) std::memcpy(to, at, count);
    at += count;
  };
  Model loaded;
  bool flags = true;
  visit_head(loaded, [&](void* to, size_t count) {
    if (count == 1) flags = flags && is_flag(*at);
    if (count > 1 || flags) read(to, count);
  });
  if (!flags) return "damaged binary model: a flag is neither 0 nor 1";
  int64_t rest = total - head_bytes();
  if (array_bytes(loaded, rest) != rest)
    return "damaged binary model: sizes and contents do not match";
  const int64_t stated = loaded.nbuffer;
  if (!loaded.allocate()) return "not enough memory for the binary model";
  if (loaded.nbuffer != stated) return "damaged binary model: nbuffer does not fit its arrays";
  for (const FieldInfo& field : loaded.fields()) {
    auto count = static_cast<size_t>(field.bytes());
    if (field.dtype == Dtype::boolean && !std::all_of(at, at + count, is_flag)) {
      return "damaged binary model: " + std::string(field.name) + " is neither 0 nor 1";
    }
    read(field.data, count);
  }
  wrong = check_model(loaded);
  if (!wrong.empty()) return "damaged binary model: " + wrong;
  loaded.derive();
  m = std::move(loaded);
  return "";
}

}  // namespace lockstep
