"""Elements outside the tree that refer to parts of different scale, against MuJoCo."""
import pathlib
import re

import mujoco
import parity
import pytest

import lockstep

# two scaled frames and one body outside of them
HOST = """
<mujoco>
  <worldbody>
    <frame {first} pos="1 2 3" euler="0 0 30">
      <body name="b1" pos="0 0 1">
        <joint name="h1" axis="0 1 0" range="-30 40" stiffness="1" springyield=".1"/> <geom name="g1" size=".1"/> <site name="s1" pos=".1 0 .1"/>
        <body name="b2" pos=".2 0 0">
          <joint name="sl1" type="slide" axis="1 0 0" range="-1 1" stiffness="1" springyield=".1"/> <joint name="ball1" type="ball"/>
          <geom name="g2" type="box" size=".1 .05 .02"/> <geom name="ball" size=".03" pos="0 .1 0"/> <site name="s2" pos="0 .2 0"/>
        </body>
      </body>
      <body name="free"><freejoint name="fj"/><geom name="gf" size=".1"/></body>
      <body name="mocap" mocap="true" pos="0 1 1"><geom size=".05"/></body>
      <camera name="cam" pos="0 -1 1" resolution="10 10"/>
    </frame>
    <frame scale="3" massscale="2" pos="0 4 0">
      <frame scale=".5" scaling="geometry" pos="1 0 0">
        <body name="b3"><joint name="h3" axis="0 1 0"/><joint name="sl3" type="slide"/><geom name="g3" size=".1"/><site name="s3" pos=".1 0 .1"/></body>
      </frame>
    </frame>
    <body name="b4" pos="3 0 1"><joint name="h4" axis="0 1 0"/><joint name="sl4" type="slide"/><geom name="g4" size=".1"/><site name="s4" pos=".1 0 .1"/></body>
  </worldbody>
  {rest}
</mujoco>
"""
FIRST = ['scale="2" massscale="5"', 'scale="2" massscale="5" scaling="geometry"', 'scale="1"']

SPRING = ('range=".1 .9" springlength=".1 .2" springyield=".1" margin=".1" stiffness="2 3 4" damping="2 3 4" armature=".1" '
          'frictionloss=".3" actuatorfrcrange="-1 2" solimplimit=".8 .9 .01 .4 3" solimpfriction=".8 .9 .01 .4 3"')
JOINTS = [('h1',), ('sl1',), ('h1', 'sl1'), ('sl1', 'sl3'), ('h1', 'h4'), ('h4', 'sl1'), ('sl3', 'sl4', 'h3')]
SITES = [('s1', 's2'), ('s1', 's3'), ('s4', 's3'), ('s1', 's4', 's2')]
TENDONS = [
    *(f'<fixed name="t" {SPRING}>' + ''.join(f'<joint joint="{j}" coef="1.5"/>' for j in joints) + '</fixed>' for joints in JOINTS),
    *(f'<spatial name="t" width=".01" {SPRING}>' + ''.join(f'<site site="{s}"/>' for s in sites) + '</spatial>' for sites in SITES),
    f'<spatial name="t" {SPRING}><site site="s1"/><geom geom="ball" sidesite="s4"/><site site="s2"/></spatial>',
]

SOLVER = 'solimp=".8 .9 .01 .4 3" solref=".03 .9"'
PAIRS = [('1', '2'), ('1', '3'), ('3', '1'), ('4', '1'), ('1', '4')]
EQUALITIES = [
    *(f'<connect body1="b{a}" body2="b{b}" anchor="1 2 3" {SOLVER}/>' for a, b in PAIRS), f'<connect body1="b2" anchor="1 2 3" {SOLVER}/>',
    *(f'<weld body1="b{a}" body2="b{b}" anchor="1 2 3" relpose="1 2 3 .5 .5 .5 .5" torquescale=".3" {SOLVER}/>' for a, b in PAIRS),
    f'<weld body1="b2" torquescale=".3" {SOLVER}/>', f'<weld body1="b2" body2="b3" anchor="1 2 3" {SOLVER}/>',
    *(f'<connect site1="s{a}" site2="s{b}" {SOLVER}/><weld site1="s{a}" site2="s{b}" torquescale=".3" {SOLVER}/>' for a, b in PAIRS),
    *(f'<joint joint1="{a}" joint2="{b}" polycoef="1 2 3 4 5" {SOLVER}/>' for a, b in
      [('h1', 'sl1'), ('sl1', 'h1'), ('sl1', 'sl3'), ('sl3', 'sl4'), ('sl4', 'sl1')]), f'<joint joint1="sl1" polycoef="1 2 3 4 5" {SOLVER}/>',
]

AFFINE = 'gaintype="affine" biastype="affine" gainprm="2 3 4" biasprm="5 6 -7"'
LIMITS = 'ctrlrange="-1 2" forcerange="-3 4" lengthrange="1 2"'
TARGETS = ['joint="h1"', 'joint="sl1"', 'joint="sl3"', 'joint="sl4"', 'joint="ball1"', 'jointinparent="ball1"', 'joint="fj"', 'site="s1"',
           'site="s1" refsite="s3"', 'site="s4" refsite="s1"', 'slidersite="s1" cranksite="s2" cranklength=".7"',
           'slidersite="s1" cranksite="s3" cranklength=".7"', 'slidersite="s4" cranksite="s1" cranklength=".7"']
SHORTCUTS = [
    '<general {} dyntype="integrator" gainprm="2 3" biasprm="5 6 7" biastype="affine" ctrlrange="-1 2" actrange="-4 5"/>',
    '<general {} gaintype="muscle" biastype="muscle" dyntype="muscle" gainprm=".7 1 10 200 .5 1.6 1.5 1.3 1.2" ctrlrange="0 2" lengthrange="1 2"/>',
    '<general {} gaintype="user" biastype="user" dyntype="user" actdim="1" gainprm="2 3 4" biasprm="5 6 7"/>',
    '<general {} damping="2 3 4" armature=".3"/>', '<motor {} ctrlrange="-1 2" forcerange="-3 4"/>',
    '<position {} kp="3" kv="2" ctrlrange="-1 2" forcerange="-3 4"/>', '<position {} kp="3" dampratio="2" timeconst=".2"/>',
    '<velocity {} kv="2" ctrlrange="-1 2"/>', '<intvelocity {} kp="3" kv="2" ctrlrange="-1 2" actrange="-3 4"/>',
    '<pid {} kp="3" kv="2" ki="4" imax="5" slewmax="6" posrange="-1 2" velrange="-3 4" ffrange="-5 6" input="pos vel ff"/>',
    '<pid {} kp="3" kv="2" velrange="-1 2" input="vel"/>', '<damper {} kv="2" ctrlrange="0 2" forcerange="-3 4"/>',
    '<cylinder {} timeconst=".2" area="3" bias="1 2 3" ctrlrange="0 2"/>', '<muscle {} force="300" lengthrange="1 2"/>',
    '<muscle {} scale="200" lengthrange="1 2"/>', '<dcmotor {} motorconst=".04" resistance="2" cogging=".1 4 .2" lugre="1 2 3 4 5"/>',
    '<dcmotor {} motorconst=".04" resistance="2" controller="1 2 3" input="pos" ctrlrange="-1 2"/>',
]
ACTUATORS = [
    *(f'<general {target} gear="2 3 4 5 6 7" {LIMITS} {AFFINE}/>' for target in TARGETS), '<adhesion body="b1" gain="3" ctrlrange="0 2"/>',
    *(shortcut.format(f'joint="{joint}"') for shortcut in SHORTCUTS for joint in ('h1', 'sl1', 'sl3')),
    '<orientation joint="ball1" kp="3" kv="2" forcerange="0 4"/>', '<orientation site="s1" refsite="s3" kp="3" kv="2" forcerange="0 4"/>',
]

NOISE = 'cutoff="2" noise="3"'
SENSORS = [
    f'<framepos objtype="site" objname="s1" reftype="site" refname="s3" {NOISE}/>',
    f'<framepos objtype="site" objname="s4" reftype="site" refname="s3" {NOISE}/>', f'<subtreecom body="world" {NOISE}/>',
    *(f'<{kind} geom1="g{a}" geom2="g{b}" {NOISE}/>' for kind in ('distance', 'normal', 'fromto') for a, b in PAIRS),
    f'<distance body1="b1" geom2="g3" {NOISE}/>', f'<contact geom1="g1" geom2="g3" data="pos" {NOISE}/>', f'<rangefinder camera="cam" {NOISE}/>',
]
KEYS = [
    '<keyframe><key qpos=".1 .2 1 0 0 0 4 5 6 1 0 0 0 .3 .4 .5 .6" qvel="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" mpos="1 2 3" plastic=".1 .2"/></keyframe>',
    *(f'<actuator>{shortcut}</actuator><keyframe><key {values}/></keyframe>' for shortcut, values in [
        ('<position joint="sl1"/>', 'ctrl="2"'), ('<motor joint="sl1"/>', 'ctrl="2"'), ('<position joint="sl1" timeconst=".1"/>', 'ctrl="2" act="3"'),
        ('<intvelocity joint="sl3"/>', 'ctrl="2" act="3"'), ('<pid joint="sl1" kp="1" ki="2" imax="3" input="pos vel ff"/>', 'ctrl="2 3 4" act="3"'),
        ('<cylinder joint="sl1"/>', 'ctrl="2" act="3"')]),
]
CONTACTS = [f'<pair geom1="g{a}" geom2="g{b}" friction=".5 .6 .01 .02 .03" margin=".2" gap=".1" adhesion="3" {SOLVER}/>' for a, b in PAIRS]

CASES = {
    'contact': [f'<contact>{pair}</contact>' for pair in CONTACTS],
    'tendon': [f'<tendon>{tendon}</tendon><actuator><position tendon="t" kp="2" ctrlrange="-1 2"/></actuator><sensor><tendonpos tendon="t" {NOISE}/>'
               f'<tendonlimitfrc tendon="t" {NOISE}/></sensor>' for tendon in TENDONS],
    'equality': [f'<equality>{equality}</equality>' for equality in EQUALITIES],
    'actuator': [f'<actuator>{actuator}</actuator>' for actuator in ACTUATORS],
    'sensor': [f'<sensor>{sensor}</sensor>' for sensor in SENSORS],
    'keyframe': KEYS,
}


@pytest.mark.parametrize('first', FIRST)
@pytest.mark.parametrize('section', CASES)
def test_scale(section, first):
    wrong, compared = [], 0
    for case in CASES[section]:
        xml = HOST.format(first=first, rest=case)
        try:
            reference = mujoco.MjModel.from_xml_string(xml)
        except ValueError:
            with pytest.raises(ValueError):
                lockstep.MjModel.from_xml_string(xml)
            continue
        compared += 1
        result = parity.compare(lockstep.MjModel.from_xml_string(xml), reference)
        if result.deviations:
            wrong.append(f'{case[:110]}: {result}')
    print(f'{section}: {compared} of {len(CASES[section])} cases compared')
    assert compared and not wrong, '\n'.join(wrong)


def exponents(text):
    """One {letter: power} per component of a dimension, in our notation or in that of MuJoCo's manual."""
    result = []
    for component in text.replace('\\,', '').split(','):
        powers, sign = {}, 1
        for slash, letter, power in re.findall(r'(/)|([A-Z])(?:\^\{?(-?\d))?', component):
            if slash:
                sign = -1
            else:
                powers[letter] = powers.get(letter, 0) + sign * int(power or 1)
        result.append({letter: power for letter, power in powers.items() if power})
    return [result[0]] if all(entry == result[0] for entry in result) else result


def test_dimensions_are_those_of_the_manual():
    manual = (pathlib.Path(mujoco.__file__).parent / 'doc' / 'XMLunits.rst').read_text()
    theirs = dict(re.findall(r'\* - :ref:`([^<]*)<[^`]*`\n\s+- :math:`(.*)`', manual))
    compared, wrong = 0, []
    for element in lockstep.schema():
        for row in element['attributes']:
            path = f'{element["path"]}/{row["name"]}'
            if path not in theirs or row['dimension'] in ('', 'C'):  # C depends on the actuator
                continue
            own = exponents(row['dimension'])
            if path.startswith(('body/geom', 'contact/pair', 'actuator/adhesion')):  # no coordinate: a plain force
                own = [{'M': 1, 'L': 1, 'T': -2} if powers == {'F': 1} else powers for powers in own]
            compared += 1
            if own != exponents(theirs[path]):
                wrong.append(f'{path}: {row["dimension"]} instead of {theirs[path]}')
    print(f'{compared} dimensions compared')
    assert compared > 100 and not wrong, '\n'.join(wrong)
