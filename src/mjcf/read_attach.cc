// read_attach.cc: replicate and attach.
#include "mjcf/reader.h"

namespace lockstep::mjcf {

void Reader::replicate(const Node& node, Body*, Frame*) {
  error(node, "", "replicate cannot be read yet");
}

void Reader::attach_element(const Node& node, Body*, Frame*) {
  error(node, "", "attach cannot be read yet");
}

}  // namespace lockstep::mjcf
