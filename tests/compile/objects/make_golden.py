#!/usr/bin/env python3
"""Writes the golden files of this folder: small models and what MuJoCo makes of them.

    python make_golden.py        (needs the mujoco package)

A case is what it adds to base.xml ("@place text"), a line "---", then the sizes and fields of the kind
under test. Cases that MuJoCo refuses go to refused.txt, without its words: ours are checked by the test.
"""

import pathlib

import mujoco
import numpy as np

FOLDER = pathlib.Path(__file__).parent
BASE = (FOLDER / "base.xml").read_text()  # with places for what a case adds
DERIVED = {"actuator_acc0", "actuator_length0", "tendon_length0", "tendon_invweight0", "tendon_lengthspring"}


def model(rest, compiler="", top="", h='range="-90 60"', b="", hh="", tf='range="-1 2"'):
    return dict(compiler=compiler, top=top, h=h, b=b, hh=hh, tf=tf, rest=rest)


def places(case):
    return "".join(f"@{name} {text}".rstrip() + "\n" for name, text in case.items())


def text(value):
    value = np.asarray(value).ravel()
    if value.dtype == bool:
        value = value.astype(int)
    if value.dtype.kind in "SV":
        value = np.frombuffer(value.tobytes(), np.int8)
    return " ".join(repr(x) for x in value.tolist())


def fields(m, prefixes, sizes):
    lines = [f"{name} {getattr(m, name)}" for name in sizes.split()]
    for name in sorted(dir(m)):
        if any(name.startswith(p) for p in prefixes.split()) and name not in DERIVED:
            value = getattr(m, name)
            if isinstance(value, (np.ndarray, bytes)):
                lines.append(f"{name} {text(np.frombuffer(value, np.int8) if isinstance(value, bytes) else value)}")
    return "\n".join(line.rstrip() for line in lines)


def write(name, cases, prefixes, sizes):
    good, bad = [], []
    for case in cases:
        try:
            m = mujoco.MjModel.from_xml_string(BASE.format(**case))
            good.append(f"===\n{places(case)}---\n{fields(m, prefixes, sizes)}\n")
        except ValueError:
            bad.append(case)
    (FOLDER / f"{name}.golden").write_text("".join(good))
    print(f"{name}: {len(good)} models, {len(bad)} refused")
    return bad


def each(section, items, **extra):
    return [model(f"<{section}>{item}</{section}>", **extra) for item in items.strip().split("\n")]


def spatial(*stations):
    body = "".join(f'<site site="{s}"/>' if s[0] != "<" else s for s in stations)
    return f"<spatial>{body}</spatial>"


TENDONS = "\n".join([
    spatial("s2", "s3"), spatial("s1", "s1b"), spatial("s2", "s4"), spatial("s3", "sf"),
    spatial("s3", "sh", "sf"), spatial("w0", "sm"), spatial("s1", "sw"),
    spatial("s2", '<geom geom="g4"/>', "s3"), spatial("s2", '<geom geom="gw" sidesite="sf"/>', "s3"),
    spatial("s2", '<geom geom="g3" sidesite="w0"/>', "s3"),
    spatial("s2", "s3", '<pulley divisor="2"/>', "s1", "sf"), spatial('<pulley divisor="2"/>', "s1", "sf"),
    spatial("s1", "sf", '<pulley divisor="2"/>'), spatial("s2", "s3", '<pulley divisor="2"/>', "s1"),
    spatial("s2", "s3", '<pulley divisor="0"/>', "s1", "sf"),
    spatial("s2", "s3", '<pulley divisor="2"/>', '<pulley divisor="2"/>', "s1", "sf"),
    spatial("s2"), spatial("s2", "s2"), spatial("s2", '<geom geom="gf"/>', "s3"),
    spatial('<geom geom="g2"/>', "s3"), spatial("s2", '<geom geom="g2"/>', '<geom geom="g4"/>', "s3"),
    spatial("s2", "zz"), spatial("s2", '<geom geom="g2" sidesite="zz"/>', "s3"), spatial("s2", '<geom geom="zz"/>', "s3"),
]) + """
<fixed><joint joint="hh" coef="2"/><joint joint="h" coef="3"/></fixed>
<fixed><joint joint="h" coef="2"/><joint joint="h" coef="3"/></fixed>
<fixed><joint joint="b" coef="2"/></fixed>
<fixed/>
<fixed><joint joint="zz" coef="2"/></fixed>
<fixed springyield="2"><joint joint="h" coef="2"/></fixed><fixed stiffness="0 1" springyield="2"><joint joint="h" coef="2"/></fixed>
<fixed springyield="-2"><joint joint="h" coef="2"/></fixed>
<fixed armature="-1"><joint joint="h" coef="2"/></fixed>
<spatial armature="1"><site site="s2"/><geom geom="g2"/><site site="s3"/></spatial>
<spatial width="0"><site site="s2"/><site site="s3"/></spatial>
<fixed range="1 0"><joint joint="h" coef="2"/></fixed>
<fixed limited="true"><joint joint="h" coef="2"/></fixed>
<fixed actuatorfrcrange="1 2"><joint joint="h" coef="2"/></fixed>
<fixed springlength="2 1"><joint joint="h" coef="2"/></fixed>
<fixed class="zz"><joint joint="h" coef="2"/></fixed>
<spatial group="2" width=".01" rgba="1 0 0 .5" margin=".1" frictionloss=".2" armature=".3" solreflimit=".1 .2" solimplimit=".1 .2 .3 .4 .5" solreffriction=".3 .4" solimpfriction=".6 .7 .8 .1 1" springlength="2" stiffness="1 2 3" damping="4 5 6" range="0 1" actuatorfrcrange="-1 2" user="1 2 3"><site site="s2"/><site site="s3"/></spatial>
<spatial springlength="0 3" limited="false" range="0 1"><site site="s2"/><site site="s3"/></spatial>
<spatial material="zz"><site site="s2"/><site site="s3"/></spatial>"""

ACTUATORS = """<motor joint="b"/>
<motor joint="f"/>
<motor jointinparent="b"/>
<motor tendon="tf"/>
<motor tendon="ts"/>
<motor site="s1"/>
<motor site="s3"/>
<motor site="w0"/>
<motor site="s1" refsite="s3"/>
<motor site="s4" refsite="s3"/>
<motor site="sf" refsite="sh"/>
<motor site="s1" refsite="s1b"/>
<motor cranksite="s1" slidersite="s2" cranklength="1"/>
<motor cranksite="s4" slidersite="s3" cranklength="1"/>
<motor cranksite="s1" slidersite="s2"/>
<motor cranksite="s1" cranklength="1"/>
<motor/>
<motor joint="hx"/>
<motor tendon="zz"/>
<motor site="s1" refsite="x"/>
<adhesion body="b1" ctrlrange="0 1"/>
<adhesion body="b1"/>
<position joint="h" kp="3"/>
<position joint="h" kp="3" kv="2"/>
<position joint="h" kp="3" timeconst=".1"/>
<position joint="h" inheritrange="1"/>
<position joint="s" inheritrange="1"/>
<position tendon="tf" inheritrange=".5"/>
<position joint="b" inheritrange=".5"/>
<position site="s1" inheritrange="1"/>
<intvelocity joint="h" inheritrange="1"/>
<intvelocity joint="h" actrange="-1 1"/>
<intvelocity joint="h" kp="3" kv="2"/>
<general joint="h" inheritrange="1"/>
<general joint="h" inheritrange="1" gaintype="fixed" gainprm="3" biastype="affine" biasprm="0 -3"/>
<general joint="h" inheritrange="1" gaintype="fixed" gainprm="3" biastype="affine" biasprm="0 -3" dyntype="filter"/>
<general joint="h" dyntype="filter" actdim="2"/>
<general joint="h" dyntype="user" actdim="3"/>
<general joint="h" dyntype="user" actdim="0"/>
<general joint="h" actdim="1"/>
<general joint="h" dyntype="integrator" actdim="0"/>
<general joint="h" actdim="0"/>
<general joint="h" actrange="-1 1"/>
<general joint="h" dyntype="filter" actrange="1 -1" actlimited="true"/>
<general joint="h" ctrlrange="1 -1"/>
<general joint="h" ctrllimited="true"/>
<general joint="h" forcerange="1 -1"/>
<motor joint="h" ctrlrange="-1 1" forcerange="-2 3" gear="2 3 4 5 6 7"/>
<motor joint="h" delay=".1"/>
<motor joint="h" delay=".1" nsample="10"/>
<motor joint="h" delay=".1" nsample="10" interp="cubic"/><motor joint="s" nsample="2"/>
<motor joint="h" nsample="99999999"/>
<motor joint="h" armature="2" damping="1 2 3"/>
<motor site="s1" armature="2"/>
<motor site="s1" damping="2"/>
<motor tendon="tf" armature="2" damping="1"/>
<motor tendon="ts" armature="2"/>
<motor tendon="tf" armature="1"/><motor tendon="tf" damping="1"/><motor joint="h" armature="1"/><motor joint="h" damping="0 1"/><motor joint="s"/>
<motor joint="h" user="1 2 3" group="3"/><motor joint="s" user="5"/>
<muscle joint="h" lengthrange=".1 .2"/>
<muscle joint="h" lengthrange=".1 .2" range="1 1"/>
<muscle joint="h" lengthrange=".1 .2" lmin="1"/>
<muscle joint="h" lengthrange=".1 .2" scale="0"/>
<muscle joint="h" lengthrange=".1 .2" timeconst=".1 .2" tausmooth=".3"/>
<general joint="h" actearly="true" dyntype="filter"/>
<damper joint="h"/>
<damper joint="h" kv="2" ctrlrange="0 1"/>
<cylinder joint="h" area="2" bias="1 2 3" timeconst="3"/>
<velocity joint="h" kv="3"/>
<pid joint="h" kp="3"/>
<pid joint="h" kp="3" kv="2" ki="1" imax="2" slewmax="3"/>
<pid joint="h" kp="3" input="vel ff"/><motor joint="s"/>
<pid joint="h" kp="3" input="pos vel ff" posrange="-1 1" velrange="-2 2" ffrange="-3 3"/>
<pid joint="h" kp="3" input="pos ff" ffrange="-3 3" nsample="4"/>
<pid joint="h" kp="3" input="vel" ki="1"/>
<pid joint="h" inheritrange="1"/>
<orientation joint="b" kp="2" kv="1"/>
<orientation joint="b" kp="2" input="quat" ctrlrange="-1 1" nsample="3"/><position joint="h" timeconst="1"/>
<orientation joint="b" kp="2" forcerange="0 1"/>
<orientation joint="b" kp="2" forcerange="-1 1"/>
<orientation joint="h"/>
<orientation site="s1"/>
<orientation site="s1" refsite="s3"/>
<dcmotor joint="h" motorconst="1.5 2" resistance="2.5"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" lugre="1 2 3 4 5" thermal="1 2 3 4 5 6" controller="1 2 3 4 5 6" inductance=".3" input="pos vel ff voltage" saturation="1 2 3"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" controller="1 2 3 4 5 6"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" controller="1 2 3" input="vel"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" controller="0 0 0 1"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" input="none"/><motor joint="s"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" input="none" nsample="3"/>
<dcmotor joint="h" motorconst="1" resistance="2.5" ctrlrange="-1 1" input="ff voltage"/>
<general joint="h" dyntype="dcmotor"/>
<general joint="h" gaintype="dcmotor"/>
<general joint="h" gaintype="dcmotor" dynprm="0" gainprm="1 1"/>
<general joint="h" gaintype="so3"/>
<general joint="b" gaintype="so3" biastype="so3"/>
<general joint="b" gaintype="so3" biastype="so3" biasprm="0 -1 0" dyntype="integrator" actrange="-1 1"/>
<general joint="b" gaintype="so3" biastype="so3" biasprm="0 -1 0" dyntype="integrator" actdim="1"/>
<general joint="b" gaintype="so3" biastype="so3" biasprm="0 -1 0" dyntype="filter"/>
<general joint="b" gaintype="so3" biastype="so3" biasprm="0 -1 0" input="quat" dyntype="integrator"/>
<general joint="b" gaintype="so3" biastype="so3" biasprm="0 -1 0" input="pos vel"/>
<general jointinparent="b" gaintype="so3" biastype="so3" biasprm="0 -1 0"/>
<general joint="h" input="pos"/>
<general joint="h" input="pos vel"/>
<general joint="h" gaintype="muscle" input="pos"/>
<general joint="h" gaintype="pid"/>
<general joint="h" gaintype="pid" biastype="affine"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="0"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="1" dyntype="pid" dynprm="0 1"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="1" dyntype="filter"/>
<general body="b1" gaintype="pid" biastype="affine" gainprm="0"/>
<general joint="h" dyntype="pid"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="1" dyntype="pid" dynprm="-1"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="1" dyntype="pid" dynprm="0 -1"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="1" dyntype="pid" actdim="2"/>
<general joint="h" gaintype="pid" biastype="affine" gainprm="0" dyntype="pid" dynprm="0 0"/>"""

SENSORS = """<touch site="s1"/><accelerometer site="s1"/><velocimeter site="s1"/><gyro site="s1"/><force site="s1"/><torque site="s1"/><magnetometer site="s1"/>
<jointpos joint="h"/><jointvel joint="h"/><jointactuatorfrc joint="h"/><jointlimitpos joint="h"/><jointlimitvel joint="h"/><jointlimitfrc joint="h"/><ballquat joint="b"/><ballangvel joint="b"/>
<tendonpos tendon="ts"/><tendonvel tendon="ts"/><tendonactuatorfrc tendon="ts"/><tendonlimitpos tendon="tf"/><tendonlimitvel tendon="tf"/><tendonlimitfrc tendon="tf"/>
<framepos objtype="body" objname="b1"/><framequat objtype="xbody" objname="b1"/><framexaxis objtype="geom" objname="g1"/><frameyaxis objtype="site" objname="s1"/><framezaxis objtype="camera" objname="c"/>
<framelinvel objtype="xbody" objname="b1" reftype="site" refname="s1"/><frameangvel objtype="body" objname="b1"/><framelinacc objtype="body" objname="b1"/><frameangacc objtype="body" objname="b1"/>
<subtreecom body="b1"/><subtreelinvel body="b1"/><subtreeangmom body="b1"/><e_potential/><e_kinetic/><clock cutoff="3"/>
<contact data="found"/><contact geom1="g1"/><contact geom1="g1" geom2="g2" num="3" reduce="mindist" data="found force"/>
<contact body1="b1" data="dist"/><contact subtree1="b1" data="linvel" num="2"/><contact subtree1="b1" subtree2="fb" data="found force torque dist pos normal tangent linvel angvel"/>
<contact site="s3" geom2="g2" data="pos"/><contact geom2="g2" data="pos" reduce="maxforce"/><contact geom2="g2" data="angvel normal" reduce="netforce" cutoff="1"/>
<rangefinder site="s1"/><rangefinder site="s1" data="dist dir"/><rangefinder camera="c"/><rangefinder camera="c0" data="depth"/><rangefinder camera="c" data="dist dir origin point normal depth" cutoff="2"/>
<camprojection site="s1" camera="c"/><insidesite site="s3" objtype="body" objname="b1"/><insidesite site="s3" objtype="geom" objname="g1" enclosed="true" cutoff="1"/>
<insidesite site="s3" objtype="body" objname="b1" enclosed="true"/>
<insidesite site="s3" objtype="camera" objname="c" enclosed="true"/>
<insidesite site="s3" objtype="geom" objname="floor" enclosed="true"/>
<insidesite site="s3" objtype="body" objname="world" enclosed="true"/>
<distance geom1="g1" geom2="g2" cutoff="1"/><normal body1="b1" geom2="gf" cutoff="1"/><fromto body1="b1" body2="b2"/>
<fromto body1="b1" body2="b1"/>
<framequat objtype="camera" objname="c" cutoff="1"/>
<framexaxis objtype="geom" objname="g1" cutoff="1"/>
<user dim="3"/><user name="u" dim="3" objtype="body" objname="b1" datatype="axis" needstage="vel" user="1 2"/><user dim="0"/>
<user dim="2" datatype="axis"/>
<user dim="2" datatype="quaternion"/>
<user dim="-1"/>
<touch site="s1" cutoff="-1"/>
<touch site="s1" noise="-1"/>
<touch site="s1" noise="2" cutoff="4" user="1 2"/>
<touch site="s1" nsample="4" delay=".1" interp="linear"/><gyro site="s1" nsample="4" interval="1 -.5"/>
<gyro site="s1" interval="1 -.5"/>
<gyro site="s1" interval="1 .5"/>
<gyro site="s1" interval="1 -1"/>
<gyro site="s1" interval="-1 0"/>
<gyro site="s1" delay="1"/>
<jointpos joint="b"/>
<ballquat joint="h"/>
<jointlimitpos joint="s"/>
<tendonlimitpos tendon="ts"/>
<actuatorpos actuator="a"/><actuatorpos actuator="o"/><actuatorvel actuator="o" cutoff="1"/><actuatorfrc actuator="o"/>
<touch site="zz"/>
<framepos objtype="body" objname="b1" reftype="body" refname="zz"/>
<contact geom1="g2" num="0"/>
<tactile geom="g1" mesh="ball" nsample="2"/>
<tactile geom="g1" mesh="zz"/>"""

EQUALITIES = """<connect body1="b1" body2="b2" anchor="1 2 3"/>
<connect body1="b1" anchor="1 2 3"/>
<connect site1="s1" site2="s3"/>
<weld body1="b1" body2="b2"/>
<weld body1="b1" body2="b2" anchor=".1 .2 .3" torquescale="3" solref=".1 .2" solimp=".1 .2 .3 .4 .5"/>
<weld body1="b1" body2="b2" relpose="1 2 3 1 1 0 0"/>
<weld site1="s1" site2="s3" torquescale="2"/>
<weld body1="b1"/>
<joint joint1="h"/>
<joint joint1="h" joint2="s" polycoef="1 2 3 4 5" active="false"/>
<joint joint1="b"/>
<joint joint1="h" joint2="f"/>
<joint joint1="h" joint2="h"/>
<tendon tendon1="tf" tendon2="ts"/>
<tendon tendon1="tf"/>
<connect body1="world" anchor="1 2 3"/>
<connect body1="b1" body2="b1" anchor="1 2 3"/>
<connect body1="zz" anchor="0 0 0"/>
<connect site1="s1" site2="s1"/>
<connect body1="b1" body2="zz" anchor="0 0 0"/>"""

CONTACTS = """<pair name="x" geom1="gf" geom2="g1"/><pair name="y" geom1="floor" geom2="g2"/><exclude name="e1" body1="b3" body2="b1"/><exclude name="e2" body1="b2" body2="b1"/>
<pair geom1="g1" geom2="g2" condim="2"/>
<pair geom1="g1" geom2="zz"/>
<exclude body1="b1" body2="zz"/>
<exclude body1="b1" body2="b1"/>
<pair geom1="g1" geom2="g2"/><pair geom1="g2" geom2="g1" margin="1" gap=".5" condim="4" friction="1 2 3 4 5" solref=".1 .2" solreffriction=".3 .4" solimp=".1 .2 .3 .4 .5" adhesion="2"/>
<pair geom1="floor" geom2="gm"/>
<exclude body1="world" body2="b1"/>"""

KEYS = """<key/>
<key name="a" time="3" qpos="1"/>
<key qpos="1 2 2 0 0 0 5 6 7 8 2 0 0 0"/><key name="second"/>
<key qpos="1 2 0 0 0 0 5 6 7 8 0 0 0 0"/>
<key qpos="1 2 .5 .5 0 0 9"/>
<key qvel="1 2 3"/>
<key act="5 6" ctrl="5 6 7"/>
<key mpos="1 2 3 4" mquat="3 4 0 0 1 1"/>
<key mpos="1 2 3 4 5 6" mquat="3 4 0 0 1 1 1 1"/>
<key plastic="1 2"/>
<key plastic="1 2 3 4 5 6"/>
<key plastic="1 2 3 4 5 6 7"/>
<key act="1 2 3 4 5"/>
<key ctrl="1 2 3 4 5 6 7 8"/>
<key mpos="1 2 3 4 5 6 7"/>
<key mquat="1 2 3 4 5 6 7 8 9"/>
<key plastic="1 2 3 4 5 6 7 8 9"/>
<key qpos="1 2 2 0 0 0 5 6 7 8 2 0 0 0 1 1 1 1"/>
<key qvel="1 2 2 0 0 0 5 6 7 8 2 0 0 0 1 1 1 1"/>"""

CUSTOM = """<numeric name="n" data="1 2 3" size="5"/><numeric name="m" data="7"/>
<numeric name="n" size="3"/>
<text name="t" data="hello"/><text name="u" data="x"/>
<tuple name="u"><element objtype="body" objname="b1" prm="3"/><element objtype="geom" objname="g1"/></tuple>
<tuple name="u"/>
<tuple name="u"><element objtype="body" objname="zz" prm="3"/></tuple>
<tuple name="u"><element objtype="xbody" objname="b1" prm="3"/></tuple>
<tuple name="u"><element objtype="tuple" objname="u" prm="3"/></tuple>"""

BONES = ('<bone body="b1" bindpos="0 0 1" bindquat="1 2 3 4" vertid="0 1" vertweight="1 3"/>'
         '<bone body="b2" bindpos="0 0 1" bindquat="1 0 0 0" vertid="1 2" vertweight="1 2"/>')
VERTS = 'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'
ONE = '<bone body="{}" bindpos="0 0 1" bindquat="0 0 0 0" vertid="{}" vertweight="{}"/>'
SKINS = "\n".join([
    f'<skin name="s" rgba="1 0 0 1" inflate=".1" group="2" {VERTS}>{BONES}</skin><skin {VERTS} texcoord="0 0 1 0 0 1">{BONES}</skin>',
    f'<skin {VERTS} texcoord="0 0 1 0">{BONES}</skin>',
    f'<skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 3">{BONES}</skin>',
    f'<skin vertex="0 0 0 1 0 0 0 1" face="0 1 2">{BONES}</skin>',
    f"<skin {VERTS}></skin>",
    f'<skin {VERTS}>{ONE.format("b1", "0 1", "1 3")}</skin>',
    f'<skin {VERTS}>{ONE.format("b1", "0 1 2", "1 3 1")}</skin>',
    f'<skin {VERTS}>{ONE.format("b1", "0 1 5", "1 3 1")}</skin>',
    f'<skin {VERTS}>{ONE.format("b1", "0 1 2", "1 3")}</skin>',
    f'<skin {VERTS}>{ONE.format("zz", "0 1 2", "1 3 1")}</skin>',
    f'<skin {VERTS} material="zz">{ONE.format("b1", "0 1 2", "1 3 1")}</skin>',
    '<skin name="f" file="none.skn"/>', '<skin name="f" file="none.foo"/>', '<skin name="f"/>',
])


def config(**values):
    return "".join(f'<config key="{k}" value="{v}"/>' for k, v in values.items())


def extension(name, inner="", rest=""):
    return model(f'<extension><plugin plugin="{name}">{inner}</plugin></extension>{rest}')


PLUGINS = [
    extension("mujoco.pid"),
    extension("mujoco.pid", f'<instance name="i">{config(kp=2)}</instance>',
              '<actuator><motor joint="h"/><plugin joint="h" instance="i"/><plugin joint="s" instance="i"/></actuator>'),
    extension("mujoco.pid", "", f'<actuator><plugin joint="h" plugin="mujoco.pid" actdim="2">{config(slewmax=5, kp=1, ki=2, kd=3, imax=4)}</plugin></actuator>'),
    extension("mujoco.pid", "", f'<actuator><plugin joint="h" plugin="mujoco.pid">{config(ki=2)}</plugin></actuator>'),
    extension("mujoco.pid", "", f'<actuator><plugin joint="h" plugin="mujoco.pid" dyntype="filter" actdim="2">{config(ki=2)}</plugin></actuator>'),
    extension("mujoco.pid", "", f'<actuator><plugin joint="h" plugin="mujoco.pid">{config(kpp=2)}</plugin></actuator>'),
    model('<actuator><plugin joint="h" plugin="mujoco.pid"/></actuator>'),
    extension("foo.bar"),
    extension("mujoco.sensor.touch_grid", "", '<actuator><plugin joint="h" plugin="mujoco.sensor.touch_grid"/></actuator>'),
    extension("mujoco.pid", "", '<actuator><plugin joint="h"/></actuator>'),
    extension("mujoco.pid", "", '<actuator><plugin joint="h" instance="zz"/></actuator>'),
    extension("mujoco.sensor.touch_grid", "", f'<sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s1">{config(size="7 5", fov="45 45", nchannel=3)}</plugin></sensor>'),
    extension("mujoco.sensor.touch_grid", "", '<sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s1"/></sensor>'),
    extension("mujoco.sdf.gear", f'<instance name="a">{config(innerdiameter=1, thickness=2, teeth=3, diameter=4, alpha=5)}</instance><instance name="b"/>'),
    extension("mujoco.sdf.bowl", f'<instance name="a">{config(thickness=.1, radius=.4, height=.3)}</instance>'),
    extension("mujoco.sdf.torus", f'<instance name="a">{config(radius2=.1, radius1=.4)}</instance>'),
]

LIMITS = [model(x, compiler='autolimits="false"', h="", tf="") for x in (
    '<actuator><motor joint="h" ctrlrange="-1 1"/></actuator>',
    '<actuator><motor joint="h" forcerange="-1 1"/></actuator>',
    '<actuator><general dyntype="filter" joint="h" actrange="-1 1"/></actuator>',
    '<actuator><pid joint="h" velrange="-1 1"/></actuator>',
    '<tendon><fixed range="0 1"><joint joint="h" coef="1"/></fixed></tendon>',
    '<tendon><fixed actuatorfrcrange="-1 1"><joint joint="h" coef="1"/></fixed></tendon>',
    '<actuator><motor joint="h" ctrllimited="true" ctrlrange="-1 1"/></actuator>')]

KEY_ACTUATORS = '<actuator><general joint="h" dyntype="user" actdim="3"/><position joint="h" timeconst="1"/><orientation joint="b" input="quat"/></actuator>'
SENSOR_TOP = '<asset><mesh name="ball" builtin="sphere" params="1"/></asset><actuator><motor name="a" joint="h"/><orientation name="o" joint="b"/></actuator>'


def main():
    refused = []
    refused += write("tendon", each("tendon", TENDONS), "tendon_ ten_ wrap_", "nwrap nJten nplastic nuser_tendon")
    refused += write("actuator", each("actuator", ACTUATORS) + LIMITS, "actuator_ jnt_actuatorid tendon_actuatorid",
                     "nu nactuator nout na nJmom nhistory nuser_actuator")
    refused += write("sensor", each("sensor", SENSORS, top=SENSOR_TOP), "sensor_", "nsensor nsensordata nhistory nuser_sensor")
    refused += write("equality", each("equality", EQUALITIES), "eq_", "neq")
    refused += write("contact", each("contact", CONTACTS), "pair_ exclude_ name_pairadr name_excludeadr", "npair nexclude")
    keys = [model(f"{KEY_ACTUATORS}<keyframe>{k}</keyframe>", b='springyield="1"', hh='springyield="1" springref="20"', tf='springyield="1" springlength=".5 .7"', top='<size nkey="3"/>')
            for k in KEYS.split("\n")]
    refused += write("key", keys, "key_", "nkey nplastic")
    refused += write("custom", each("custom", CUSTOM), "numeric_ text_ tuple_", "nnumericdata ntextdata ntupledata")
    refused += write("skin", each("deformable", SKINS), "skin_", "nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert")
    refused += write("plugin", PLUGINS, "plugin actuator_plugin actuator_act sensor_plugin sensor_dim sensor_needstage name_pluginadr", "nplugin npluginattr npluginstate na")
    (FOLDER / "refused.txt").write_text("".join(f"===\n{places(case)}" for case in refused))


if __name__ == "__main__":
    main()
