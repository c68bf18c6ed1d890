// texture_test.cc: pixels of textures and elevations of height fields against the reference.
#include "compile/mesh/texture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "compile/mesh/hfield.h"

namespace lockstep::mesh {
namespace {

const std::string data_dir = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/mesh/";

std::map<std::string, std::string> read_attributes(const std::string& line) {
  std::map<std::string, std::string> out;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, '|');) {
    size_t equals = word.find('=');
    out[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return out;
}

template <class Array>
void read_numbers(const std::string& text, Array& out) {
  std::istringstream in(text);
  for (auto& x : out) in >> x;
}

template <class E>
E pick(const std::string& word, std::initializer_list<const char*> words) {
  int i = 0;
  for (const char* w : words) {
    if (word == w) return static_cast<E>(i);
    i++;
  }
  ADD_FAILURE() << word;
  return E{};
}

struct TextureCase {
  TextureInput input;
  std::map<std::string, Bytes> files;

  TextureFile file(const std::string& name) {
    files[name] = *read_bytes(data_dir + name);
    return {name, &files[name]};
  }

  void set(const std::string& key, const std::string& value) {
    TextureInput& t = input;
    if (key == "type") t.type = pick<TextureType>(value, {"2d", "cube", "skybox"});
    if (key == "builtin") t.builtin = pick<Builtin>(value, {"none", "gradient", "checker", "flat"});
    if (key == "mark") t.mark = pick<Mark>(value, {"none", "edge", "cross", "random"});
    if (key == "colorspace") t.colorspace = pick<ColorSpace>(value, {"auto", "linear", "sRGB"});
    if (key == "rgb1") read_numbers(value, t.rgb1);
    if (key == "rgb2") read_numbers(value, t.rgb2);
    if (key == "markrgb") read_numbers(value, t.markrgb);
    if (key == "gridsize") read_numbers(value, t.gridsize);
    if (key == "gridlayout") t.gridlayout = value;
    if (key == "random") t.random = std::stod(value);
    if (key == "width") t.width = std::stoi(value);
    if (key == "height") t.height = std::stoi(value);
    if (key == "nchannel") t.nchannel = std::stoi(value);
    if (key == "hflip") t.hflip = value == "true";
    if (key == "vflip") t.vflip = value == "true";
    if (key == "file") t.file = file(value);
    if (key == "fileright") t.cubefile[0] = file(value);
    if (key == "fileback") t.cubefile[5] = file(value);
  }
};

std::string to_hex(const std::vector<uint8_t>& data) {
  std::string out;
  for (uint8_t x : data) {
    out += "0123456789abcdef"[x >> 4];
    out += "0123456789abcdef"[x & 15];
  }
  return out;
}

TEST(Texture, EqualsReference) {
  std::ifstream in(data_dir + "textures.dat");
  std::string line, expected;
  int ncase = 0;
  while (std::getline(in, line) && std::getline(in, expected)) {
    SCOPED_TRACE(line);
    TextureCase test;
    for (const auto& [key, value] : read_attributes(line)) test.set(key, value);
    TextureData data;
    std::string error;
    if (!process_texture(test.input, data, error)) {
      EXPECT_NE(expected.find(error), std::string::npos) << error << " / " << expected;
    } else {
      std::ostringstream ours;
      ours << data.width << ' ' << data.height << ' ' << data.nchannel << ' '
           << static_cast<int>(data.colorspace) << ' ' << to_hex(data.data);
      EXPECT_EQ(ours.str(), expected);
    }
    ncase++;
  }
  EXPECT_EQ(ncase, 45);
}

HFieldData hfield(const HFieldInput& input, std::string& error) {
  HFieldData out;
  process_hfield(input, out, error);
  return out;
}

TEST(HField, FromImageAndNumbers) {
  std::string error;
  Bytes png = *read_bytes(data_dir + "gray.png");
  HFieldInput input;
  input.file = "gray.png";
  input.bytes = &png;
  input.size = {1, 1, 1, 1};
  HFieldData out = hfield(input, error);
  EXPECT_EQ(out.nrow, 2);
  EXPECT_EQ(out.ncol, 3);
  // the reference's numbers
  EXPECT_EQ(out.data, (std::vector<float>{0.11764705926179886f, 0.1568627506494522f, 1, 0,
                                          0.03921568766236305f, 0.0784313753247261f}));

  HFieldInput user;
  user.size = {1, 1, 1, 1};
  user.nrow = user.ncol = 2;
  user.user = {3, 3, 3, 3};
  EXPECT_EQ(hfield(user, error).data, (std::vector<float>{0, 0, 0, 0}));
  user.user = {1, 2, 3, 5};
  EXPECT_EQ(hfield(user, error).data, (std::vector<float>{0, 0.25f, 0.5f, 1}));
  EXPECT_EQ(error, "");
}

TEST(HField, RefusesBadFiles) {
  auto error_of = [](Bytes bytes) {
    HFieldInput input;
    input.file = "a.bin";
    input.bytes = &bytes;
    input.size = {1, 1, 1, 1};
    std::string error;
    hfield(input, error);
    return error;
  };
  EXPECT_EQ(error_of({}), "cannot read file 'a.bin'");
  EXPECT_EQ(error_of({1, 2, 3}), "file 'a.bin' ends within its header");
  EXPECT_EQ(error_of({1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}),
            "file 'a.bin' has fewer than 2 rows or columns");
  EXPECT_EQ(error_of({255, 255, 255, 127, 255, 255, 255, 127}),
            "the size of file 'a.bin' does not fit its header");
}

}  // namespace
}  // namespace lockstep::mesh
