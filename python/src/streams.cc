// streams.cc: random numbers of many worlds: the compiled part of lockstep.streams. A stream is
// NumPy's PCG64, number for number: state <- state * multiplier + increment (mod 2^128), of which a
// draw is 64 mixed bits.
#include <bit>
#include <vector>

#include "array_args.h"
#include "bind.h"

namespace lockstep::python {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide wide(uint64_t high, uint64_t low) { return Wide(high) << 64 | low; }
constexpr Wide multiplier = wide(0x2360ED051FC65DA4, 0x4385DF649FCCF645);

struct Stream {
  Wide state = 0, increment = 0;

  void advance() { state = state * multiplier + increment; }
  uint64_t draw() {
    advance();
    const uint64_t high = uint64_t(state >> 64);
    return std::rotr(high ^ uint64_t(state), int(high >> 58));
  }
};

// an array of numbers of one kind, with as many rows as there are worlds in the call
template <class T>
struct Numbers {
  Buffer buffer;
  T* data;
  int64_t cols;

  Numbers(nb::handle object, char kind, bool writable, int64_t rows = -1) {
    if (!buffer.open(object.ptr(), kind, writable) || buffer.view().ndim < 1) {
      throw nb::type_error("an array of another kind is needed");
    }
    const Py_buffer& view = buffer.view();
    if (rows >= 0 && view.shape[0] != rows) throw nb::value_error("a row per world is needed");
    data = static_cast<T*>(view.buf);
    cols = view.ndim > 1 ? view.shape[1] : view.shape[0];
  }
};

class Streams {
 public:
  explicit Streams(int64_t count) : streams_(size_t(count)) {}

  // words: four per world, as SeedSequence makes them
  void seed(nb::handle worlds, nb::handle words) {
    const std::vector<Stream*> streams = chosen(worlds);
    const Numbers<const uint64_t> given(words, 'L', false, int64_t(streams.size()));
    if (given.cols != 4) throw nb::value_error("four words per world are needed");
    for (size_t i = 0; i < streams.size(); i++) {
      const uint64_t* w = given.data + 4 * i;
      Stream& stream = *streams[i];
      stream.increment = wide(w[2], w[3]) << 1 | 1;
      stream.state = stream.increment + wide(w[0], w[1]);
      stream.advance();
    }
  }

  // between 0 and 1
  void uniform(nb::handle worlds, nb::handle out) {
    const std::vector<Stream*> streams = chosen(worlds);
    const Numbers<double> to(out, 'd', true, int64_t(streams.size()));
    double* number = to.data;
    for (Stream* stream : streams) {
      for (int64_t i = 0; i < to.cols; i++) *number++ = double(stream->draw() >> 11) * 0x1p-53;
    }
  }

  // Standard normal numbers from the layers of NumPy's ziggurat. Rows with a draw beyond the limit
  // of its layer, where more than one word is needed, are left to NumPy: they are returned.
  nb::list normal(nb::handle worlds, nb::handle widths, nb::handle limits, nb::handle out) {
    const std::vector<Stream*> streams = chosen(worlds);
    const Numbers<const double> width(widths, 'd', false, layers);
    const Numbers<const uint64_t> limit(limits, 'L', false, layers);
    const Numbers<double> to(out, 'd', true, int64_t(streams.size()));
    nb::list left;
    for (size_t row = 0; row < streams.size(); row++) {
      Stream after = *streams[row];
      bool done = true;
      for (int64_t i = 0; i < to.cols && done; i++) {
        const uint64_t word = after.draw(), layer = word & 255,
                       position = word >> 9 & position_mask;
        const double size = double(position) * width.data[layer];
        to.data[int64_t(row) * to.cols + i] = word >> 8 & 1 ? -size : size;
        done = position < limit.data[layer];
      }
      if (done) {
        *streams[row] = after;
      } else {
        left.append(row);
      }
    }
    return left;
  }

  // state and increment of a world, as words, high before low
  nb::tuple get(int64_t world) const {
    const Stream& stream = streams_.at(size_t(world));
    return nb::make_tuple(uint64_t(stream.state >> 64), uint64_t(stream.state),
                          uint64_t(stream.increment >> 64), uint64_t(stream.increment));
  }
  void set_state(int64_t world, uint64_t high, uint64_t low) {
    streams_.at(size_t(world)).state = wide(high, low);
  }

 private:
  static constexpr int64_t layers = 256;
  static constexpr uint64_t position_mask = (uint64_t{1} << 52) - 1;

  std::vector<Stream*> chosen(nb::handle worlds) {
    const Numbers<const int64_t> ids(worlds, 'l', false);
    std::vector<Stream*> list;
    for (int64_t i = 0; i < ids.cols; i++) list.push_back(&streams_.at(size_t(ids.data[i])));
    return list;
  }

  std::vector<Stream> streams_;
};

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<Streams>(m, "_Streams")
      .def(nb::init<int64_t>())
      .def("seed", &Streams::seed)
      .def("uniform", &Streams::uniform)
      .def("normal", &Streams::normal)
      .def("get", &Streams::get)
      .def("set_state", &Streams::set_state);
}

}  // namespace lockstep::python
