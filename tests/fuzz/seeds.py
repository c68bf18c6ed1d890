"""Small valid files from which the fuzzers start: seeds.py KIND FOLDER."""
import pathlib
import struct
import sys
import zlib

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)]


def meshes():
    obj = ''.join('v %g %g %g\n' % v for v in CUBE) + ''.join('f %d %d %d\n' % tuple(i + 1 for i in f) for f in FACES)
    yield b'\0' + obj.encode()
    stl = b'\0' * 80 + struct.pack('<I', len(FACES))
    for face in FACES:
        stl += struct.pack('<12fH', 0, 0, 1, *(c for i in face for c in CUBE[i]), 0)
    yield b'\1' + stl
    msh = struct.pack('<4i', len(CUBE), 0, 0, len(FACES))
    msh += b''.join(struct.pack('<3f', *v) for v in CUBE) + b''.join(struct.pack('<3i', *f) for f in FACES)
    yield b'\2' + msh


def images():
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    for color, channels in ((0, 1), (2, 3), (6, 4)):
        rows = b''.join(b'\0' + bytes(range(4 * channels)) for _ in range(4))
        yield b'\0\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 4, 4, 8, color, 0, 0, 0)) \
            + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')
    yield b'\1' + struct.pack('<2i6f', 2, 3, 0, 1, 2, 3, 4, 5)


def binaries():
    import lockstep
    model = lockstep.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    path = pathlib.Path(sys.argv[2]) / 'small'
    lockstep.mj_saveModel(model, str(path), None)
    return ()


def main():
    make = {'mesh': meshes, 'image': images, 'binary': binaries}[sys.argv[1]]
    for number, data in enumerate(make()):
        (pathlib.Path(sys.argv[2]) / f'seed{number}').write_bytes(data)


if __name__ == '__main__':
    main()
