"""Small valid files from which the fuzzers start: seeds.py KIND FOLDER."""
import io
import pathlib
import struct
import sys
import zipfile
import zlib

import numpy

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


MODELS = [
    '<mujoco><include file="part.xml"/></mujoco>',
    '<mujoco><asset><model name="m" file="model.xml"/></asset><worldbody><attach model="m" body="b" prefix="p"/>'
    '<frame><attach model="m" prefix="q"/></frame></worldbody></mujoco>',
    '<mujoco><asset><mesh file="mesh.obj"/></asset><worldbody><geom type="mesh" mesh="mesh"/></worldbody></mujoco>',
    '<mujoco><worldbody><replicate count="2" offset="1 0 0"><body><joint/><geom size="1"/><replicate count="3">'
    '<site/></replicate></body></replicate></worldbody></mujoco>',
    '<mujoco><custom><text name="t"><![CDATA[a &lt; b]]></text></custom></mujoco>',
    '<mujoco><worldbody>' + '<body><site/>' * 120 + '<!-- <a> --><site name="&lt;"/>' + '</body>' * 120
    + '</worldbody></mujoco>',
]


def models():
    """Models of the repository, cases that need other files, archives, and for each element its attributes."""
    root = pathlib.Path(__file__).parents[2]
    for folder in ('models', 'tests/data'):
        for path in sorted((root / folder).rglob('*.xml')):
            if path.stat().st_size < 1 << 14 and not path.stem.startswith('absurd_'):  # slow on purpose
                yield path.read_bytes()
    for text in MODELS:
        yield text.encode()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED) as file:
            file.writestr('model.xml', text)
        yield archive.getvalue()
    sys.path.insert(0, str(root / 'tests/python'))
    import probes
    parts = dict.fromkeys(('top', 'asset', 'world', 'body', 'section'), '')
    yield probes.HOST.format(**parts).encode()


def words():
    """Elements, attributes and keywords of the schema, as a dictionary of libFuzzer."""
    import lockstep
    tokens = {'<!--', '-->', '<![CDATA[', ']]>', '&lt;', '&#0;', '</', '/>', '1e9', '-1', 'nan', '2147483647', '1e308'}
    for element in lockstep.schema():
        tokens.add('<' + element['path'].split('/')[-1] + ' ')
        for row in element['attributes']:
            tokens.add(' ' + row['name'] + '="')
            tokens.update(word + '"' for word in row['keywords'] or ())
    return ''.join('"%s"\n' % token.replace('\\', '\\\\').replace('"', '\\"') for token in sorted(tokens))


BINARIES = [
    '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>',
    '''<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture type="2d" name="t" builtin="flat" width="2"
    height="2"/><material name="a" texture="t"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset><worldbody>
    <geom type="hfield" hfield="h" material="a"/><body name="b"><freejoint/><geom type="mesh" mesh="m"/><site name="s"/>
    <body pos="1 0 0"><joint name="j"/><joint type="slide" axis="1 0 0"/><geom name="g" size=".1"/><site name="u" pos="1 1 1"/>
    <body><joint type="ball" stiffness="1"/><geom size=".1"/></body></body></body><body mocap="true" name="c"/></worldbody>
    <tendon><spatial name="p"><site site="s"/><geom geom="g"/><site site="u"/></spatial><fixed name="f"><joint joint="j"
    coef="2"/></fixed></tendon><actuator><motor joint="j"/><muscle tendon="p" lengthrange="1 2"/><position site="s" refsite="u"/>
    </actuator><sensor><gyro site="s"/><tendonpos tendon="p"/></sensor><equality><weld body1="b" body2="c"/></equality>
    <keyframe><key name="k"/></keyframe><custom><numeric name="n" data="1 2"/></custom></mujoco>''',
]


def binaries():
    import lockstep
    for text in BINARIES:
        model = lockstep.MjModel.from_xml_string(text)
        data = numpy.empty(lockstep.mj_sizeModel(model), numpy.uint8)
        lockstep.mj_saveModel(model, None, data)
        yield data.tobytes()


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    make = {'mjcf': models, 'mesh': meshes, 'image': images, 'binary': binaries}[kind]
    for number, data in enumerate(make()):
        (folder / f'seed{number}').write_bytes(data)
    if kind == 'mjcf':
        folder.with_suffix('.dict').write_text(words())


if __name__ == '__main__':
    main()
