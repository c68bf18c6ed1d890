"""Writes tests/data/mesh: small meshes and what MuJoCo 4.0.0 makes of them.

Run with a Python that has mujoco==4.0.0:  python make_golden.py
"""

import os
import struct
import zlib

import mujoco
import numpy as np

OUT = os.path.join(os.path.dirname(__file__), "..", "..", "data", "mesh")
INERTIA = ["convex", "exact", "legacy", "shell"]
BUILTIN = [
    "none", "sphere", "hemisphere", "cone", "supersphere", "supertorus", "wedge", "plate", "grid",
    "box", "cylinder", "ellipsoid", "square", "disc",
]
MESH_FIELDS = [
    "vert", "normal", "texcoord", "face", "facenormal", "graph", "polynormal", "polyvertadr",
    "polyvertnum", "polyvert", "polymapadr", "polymapnum", "polymap", "extrema", "pos", "quat",
]


def text(values):
    values = np.ravel(values)
    if values.dtype.kind in "iu":
        return " ".join(map(str, values))
    return " ".join(repr(float(x)) for x in values)


def compile_mesh(mesh):
    attributes, assets = "", {}
    for key, value in mesh.items():
        if key in ("needhull", "needsdf", "octree_maxdepth"):
            continue
        if key == "file":
            with open(os.path.join(OUT, value), "rb") as f:
                assets[value] = f.read()
        name = {"vert": "vertex"}.get(key, key)
        value = str(value).lower() if isinstance(value, bool) else value
        attributes += f' {name}="{value if isinstance(value, str) else text(value)}"'
    visual = "" if mesh.get("needhull", True) else 'contype="0" conaffinity="0"'
    kind = "sdf" if mesh.get("needsdf") else "mesh"
    spec = mujoco.MjSpec.from_string(
        f'<mujoco><asset><mesh name="m"{attributes}/></asset><worldbody><body>'
        f'<geom type="{kind}" mesh="m" density="1" {visual}/></body></worldbody></mujoco>',
        assets=assets)
    if "octree_maxdepth" in mesh:
        spec.mesh("m").octree_maxdepth = int(mesh["octree_maxdepth"])
    return spec.compile()


def expected_lines(m):
    lines = [f"mesh_{name} {text(getattr(m, 'mesh_' + name))}" for name in MESH_FIELDS]
    if m.nmeshtexcoord:
        lines.append("mesh_facetexcoord " + text(m.mesh_facetexcoord))
    lines.append(f"nmeshdegmax {m.nmeshdegmax}")
    lines.append("mass " + text(m.body_mass[1:2]))
    lines.append("inertia " + text(m.body_inertia[1]))
    start, num = m.mesh_bvhadr[0], m.mesh_bvhnum[0]
    for name in ("aabb", "child", "nodeid", "depth"):
        lines.append(f"bvh_{name} {text(getattr(m, 'bvh_' + name)[start:start + num])}")
    for name in ("aabb", "child", "depth", "coeff"):
        lines.append(f"oct_{name} {text(getattr(m, 'oct_' + name))}")
    return lines


def write(name, mesh):
    lines = ["name m", f"needhull {int(mesh.get('needhull', True))}"]
    for key, value in mesh.items():
        if key == "inertia":
            value = str(INERTIA.index(value))
        if key == "builtin":
            value = str(BUILTIN.index(value))
        if isinstance(value, bool):
            value = str(int(value))
        if key != "needhull":
            lines.append(f"{key} {value if isinstance(value, str) else text(value)}")
    lines.append("")
    try:
        lines += expected_lines(compile_mesh(mesh))
    except ValueError as error:
        lines.append("error " + str(error).replace("\n", " "))
    with open(os.path.join(OUT, name + ".txt"), "w") as f:
        f.write("\n".join(lines) + "\n")


def write_bytes(name, data):
    with open(os.path.join(OUT, name), "wb") as f:
        f.write(data)


def stl(vert, face):
    out = bytearray(80) + struct.pack("<i", len(face))
    for f in face:
        out += struct.pack("<3f", 0, 0, 0)
        for v in f:
            out += struct.pack("<3f", *vert[v])
        out += b"\0\0"
    return bytes(out)


def msh(vert, normal, texcoord, face):
    head = struct.pack("<4i", len(vert), len(normal), len(texcoord), len(face))
    return (head + np.asarray(vert, "<f4").tobytes() + np.asarray(normal, "<f4").tobytes() +
            np.asarray(texcoord, "<f4").tobytes() + np.asarray(face, "<i4").tobytes())


def png(rows, color_type, srgb=False):
    """rows of bytes; color type 0 gray, 2 RGB, 6 RGBA"""
    width = len(rows[0]) // {0: 1, 2: 3, 6: 4}[color_type]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, len(rows), 8, color_type, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + (chunk(b"sRGB", b"\0") if srgb else b"") +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))


def write_textures(rng):
    """one line each: attributes of the texture; then its size, colour space and pixels"""
    write_bytes("rgb.png", png([bytes(rng.integers(0, 256, 24).tolist()) for _ in range(8)], 2, True))
    write_bytes("grid.png", png([bytes(rng.integers(0, 256, 36).tolist()) for _ in range(8)], 2))
    assets = {name: open(os.path.join(OUT, name), "rb").read() for name in ("rgb.png", "grid.png")}
    colors = {"rgb1": "0.1 0.5 0.9", "rgb2": "0.7 0.31 0.2", "markrgb": "1 0.4 0"}
    cases = []
    for kind in ("2d", "cube", "skybox"):
        for builtin in ("gradient", "checker", "flat"):
            for mark in ("none", "edge", "cross", "random"):
                cases.append({"type": kind, "builtin": builtin, "mark": mark, "random": "0.2",
                              "width": "7", "height": "6", **colors})
    for nchannel in ("1", "3", "4"):
        cases.append({"type": "2d", "file": "rgb.png", "nchannel": nchannel, "hflip": "true"})
    cases.append({"type": "2d", "file": "rgb.png", "vflip": "true", "colorspace": "linear"})
    cases.append({"type": "cube", "file": "rgb.png"})
    cases.append({"type": "cube", "file": "grid.png", "gridsize": "2 3", "gridlayout": "RLUD.F",
                  **colors})
    cases.append({"type": "cube", "fileright": "rgb.png", "fileback": "rgb.png", **colors})
    cases.append({"type": "cube", "file": "grid.png"})
    cases.append({"type": "2d", "builtin": "flat", "width": "0", "height": "3"})
    lines = []
    for case in cases:
        attributes = " ".join(f'{key}="{value}"' for key, value in case.items())
        lines.append("|".join(f"{key}={value}" for key, value in case.items()))
        try:
            m = mujoco.MjModel.from_xml_string(
                f'<mujoco><asset><texture name="t" {attributes}/></asset></mujoco>', assets=assets)
            lines.append(f"{m.tex_width[0]} {m.tex_height[0]} {m.tex_nchannel[0]} "
                         f"{m.tex_colorspace[0]} {m.tex_data.tobytes().hex()}")
        except ValueError as error:
            lines.append("error " + str(error).replace("\n", " "))
    write_bytes("textures.dat", ("\n".join(lines) + "\n").encode())


def main():
    rng = np.random.default_rng(7)
    os.makedirs(OUT, exist_ok=True)
    cube = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    cloud = rng.normal(size=(14, 3)).astype(np.float32)
    hull = compile_mesh({"vert": cloud}).mesh_face
    cube_face = compile_mesh({"vert": cube}).mesh_face
    flat = np.array([(x, y, 0) for x in range(3) for y in range(3)], np.float32)

    write("points", {"vert": cloud})
    write("points_scaled", {"vert": cloud, "scale": [0.5, 2.0, 1.5], "inertia": "convex"})
    write("points_mirrored", {"vert": cloud, "scale": [1.0, -1.0, 0.7], "inertia": "shell"})
    write("points_reference", {"vert": cloud, "refpos": [1.0, 2.0, 3.0],
                               "refquat": [1.0, 0.5, -0.3, 0.2], "inertia": "exact"})
    write("points_maxhullvert", {"vert": cloud, "maxhullvert": "6"})
    write("cube", {"vert": cube * np.array([1, 2, 3], np.float32)})
    write("faces", {"vert": cloud, "face": hull, "smoothnormal": True})
    write("faces_visual", {"vert": cloud, "face": hull, "needhull": False})
    write("faces_normals", {"vert": cloud, "face": hull, "scale": [-1.0, 0.3, 2.0],
                            "normal": rng.normal(size=cloud.shape).astype(np.float32),
                            "texcoord": rng.random((14, 2)).astype(np.float32)})
    write("faces_degenerate", {"vert": cloud, "face": np.vstack([hull, [[0, 0, 1], [2, 2, 2]]])})
    write("faces_open", {"vert": cloud, "face": hull[:9], "inertia": "shell"})
    write("sdf", {"vert": cube[:4] * 0.1 + cube[[0, 3, 5, 6]] * 0.01, "needsdf": True,
                  "octree_maxdepth": "2"})

    write("error_few", {"vert": cube[:3]})
    write("error_coplanar", {"vert": flat})
    write("error_collinear", {"vert": np.outer(np.arange(5), [1, 2, 3]).astype(np.float32)})
    write("error_colocated", {"vert": np.ones((5, 3), np.float32)})
    write("error_index", {"vert": cube, "face": [[0, 1, 8]]})
    write("error_orientation", {"vert": cube, "face": np.vstack([cube_face, cube_face[:1]]),
                                "inertia": "exact"})
    write("error_volume", {"vert": flat, "face": [[0, 1, 3], [1, 4, 3]], "needhull": False})
    write("error_negative", {"vert": cube, "face": cube_face[:, ::-1], "inertia": "exact"})
    write("error_area", {"vert": cube * np.float32(1e-10), "face": cube_face, "inertia": "shell"})
    write("error_texcoord", {"vert": cube, "face": cube_face, "texcoord": [0.0, 1.0]})

    for kind, params in [("sphere", [1]), ("hemisphere", [2]), ("cone", [5, 0.5]),
                         ("supersphere", [6, 0.5, 1.5]), ("supertorus", [5, 0.3, 0.7, 1.0]),
                         ("wedge", [4, 3, 60.0, 30.0, 0.5]), ("plate", [4, 4]),
                         ("grid", [2, 3, 2, 0.5, 0.3, 0.2]), ("box", [3, 2, 2, 0.5, 0.3, 0.2, 2]),
                         ("cylinder", [3, 3, 3, 0.5, 0.3, 0.2, 2]),
                         ("ellipsoid", [3, 3, 3, 0.5, 0.3, 0.2, 2]),
                         ("square", [3, 4, 1, 0.5, 0.3, 0.2]),
                         ("disc", [4, 4, 1, 0.5, 0.3, 0.2])]:
        flat_shape = kind in ("plate", "square", "disc")
        write("builtin_" + kind, {"builtin": kind, "params": np.array(params, float),
                                  "needhull": not flat_shape})

    write_bytes("cube.stl", stl(cube, cube_face))
    write("file_stl", {"file": "cube.stl", "scale": [1.0, 2.0, 3.0]})
    write_bytes("cube.msh", msh(cube, cube, cube[:, :2], cube_face))
    write("file_msh", {"file": "cube.msh", "scale": [1.0, -2.0, 3.0]})
    obj = "".join(f"v {x:g} {y:g} {z:g}\n" for x, y, z in cube * [1, 1.5, 2])
    obj += "vt 0 0\nvt 1 0.25\nvt 0.5 1\nvn 0 0 1\nvn 1 0 0\n"
    obj += "f 1/1/1 3/2/1 7/3/1 5/1/1\nf 2/1/2 6/2/2 8/3/2 4/1/1\nf 1/1/1 2/2/2 4/3/1 3/1/1\n"
    obj += "f 5/1/1 7/2/1 8/3/1 6/1/1\nf 1/1/1 5/1/1 6/2/1\nf -8/1/1 -3/2/1 -7/3/2\n"
    obj += "f 3/1/1 4/2/1 8/3/1 7/2/2\n"
    write_bytes("cube.obj", obj.encode())
    write("file_obj", {"file": "cube.obj"})
    write_bytes("gray.png", png([bytes([0, 10, 20]), bytes([30, 40, 255])], 0))
    write_textures(rng)


if __name__ == "__main__":
    main()
