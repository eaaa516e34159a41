/**
 * Files that are changed at random: small ones that have every element which is read, and those of tests/node/import.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/tools.mjs'

/** @typedef {{ kind: 'urdf' | 'mjcf' | 'gltf', text: string }} Sample */

/** @param {string} name */
const file = (name) => readFileSync(join(root, 'tests/node/import', name), 'utf8')

const inertial =
  '<inertial><origin xyz="0.1 0 0" rpy="0 0.1 0"/><mass value="1.5"/><inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"/></inertial>'
const joint = (
  /** @type {string} */ name,
  /** @type {string} */ type,
  /** @type {string} */ parent,
  /** @type {string} */ child,
  rest = '',
) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 0.2" rpy="0 0 0.1"/><axis xyz="0 0 1"/>${rest}</joint>`
const limit = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'

const URDF = `<?xml version="1.0"?><robot name="r">
<link name="base">${inertial}<collision><origin xyz="0 0 0" rpy="0 0 0"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
<link name="a">${inertial}<collision name="c"><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision><visual/></link>
<link name="b">${inertial}<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="cross"/><link name="c">${inertial}<collision><geometry><mesh filename="c.stl" scale="1 1 -1"/></geometry></collision></link>
<link name="d">${inertial}<collision><geometry><capsule radius="0.05" length="0.2"/></geometry></collision></link>
<link name="tool"/><link name="ship">${inertial}</link><link name="ball">${inertial}</link>
${joint('j1', 'revolute', 'base', 'a', `${limit}<dynamics damping="0.1" friction="0.05"/><safety_controller soft_lower_limit="-1" soft_upper_limit="1" k_position="1" k_velocity="1"/>`)}
${joint('j2', 'prismatic', 'a', 'b', `${limit}<mimic joint="j1" multiplier="2" offset="0.1"/>`)}
${joint('j3', 'continuous', 'b', 'cross')}
${joint('j4', 'continuous', 'cross', 'c', '<mimic joint="j3"/>')}
${joint('j5', 'planar', 'base', 'd')}
${joint('j6', 'fixed', 'd', 'tool')}
${joint('j7', 'floating', 'base', 'ship')}
${joint('j8', 'spherical', 'ship', 'ball')}
<transmission name="t"/></robot>`

const MJCF = `<mujoco model="m"><compiler angle="degree" eulerseq="xyz" autolimits="true" meshdir="meshes" inertiagrouprange="0 5"/>
<option gravity="0 0 -9.81"/><default><geom density="500" friction="0.7 0.01 0.001"/><joint damping="0.1"/>
<default class="leg"><geom condim="4"/><joint armature="0.01"/></default></default>
<asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/><mesh name="f" file="f.stl"/></asset>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><site name="hip" pos="0 0 1"/>
<body name="hip" pos="0 0 1" childclass="leg" gravcomp="0.5"><freejoint name="root"/><geom type="box" size=".1 .2 .05" contype="2" conaffinity="1"/>
<site name="eye" xyaxes="0 1 0 -1 0 0"/>
<frame pos="0 0 -.1" euler="0 10 0"><body name="thigh" quat="1 0 0 0"><joint name="k1" axis="0 1 0" range="-45 45" stiffness="2" springref="5" frictionloss=".1"/>
<joint name="k2" axis="1 0 0" ref="10"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
<body name="shin" pos="0 0 -.3" axisangle="0 1 0 5"><joint name="k3" type="slide" axis="0 0 1" range="0 0"/><geom type="cylinder" size=".03 .1" group="1"/>
<body name="foot"><joint name="k4" type="ball"/><inertial pos="0 0 .01" mass="1" diaginertia=".1 .1 .1"/><geom type="ellipsoid" size=".1 .05 .03"/></body>
<body name="pad"><geom type="mesh" mesh="t"/><geom type="mesh" mesh="f" contype="0" conaffinity="0"/></body></body></body></frame></body>
<body name="rod" pos="2 0 1"><joint name="s1" axis="0 0 1"/><geom size=".1" pos=".3 0 0"/></body>
<body name="cam" pos="3 0 1"><joint name="s2" axis="0 0 1"/><geom size=".1" pos=".3 0 0"/></body>
<body name="hand" mocap="true"><geom size=".1" zaxis="1 0 0"/></body><include file="inner.xml"/></worldbody>
<equality><joint name="s1" joint1="s2" joint2="s1" polycoef=".1 2 0 0 0"/><connect name="pin" body1="foot" body2="rod" anchor="0 0 0" active="true"/>
<weld body1="pad" body2="hand" relpose="0 1 0 0 0 0 0"/></equality>
<contact><exclude body1="rod" body2="cam"/></contact>
<actuator><motor name="m1" joint="k1" gear="2" ctrlrange="-1 1"/><position name="p1" joint="s1" kp="10" kv="1" forcerange="-5 5"/><velocity joint="s2" kv="2"/></actuator></mujoco>`

const DATA =
  'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA'
const GLTF = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0, 1, 4] }],
  nodes: [
    {
      name: 'ground',
      extensions: {
        KHR_physics_rigid_bodies: {
          collider: { geometry: { mesh: 0 }, physicsMaterial: 0, collisionFilter: 0 },
        },
      },
    },
    {
      name: 'box',
      translation: [0, 0, 2],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
      children: [2, 3],
      extensions: {
        KHR_physics_rigid_bodies: {
          motion: {
            mass: 2,
            centerOfMass: [0, 0, 0],
            inertiaDiagonal: [1, 1, 1],
            inertiaOrientation: [0, 0, 0, 1],
            linearVelocity: [0, 0, 1],
            angularVelocity: [1, 0, 0],
            gravityFactor: 0.5,
          },
          collider: { geometry: { shape: 0 }, collisionFilter: 1 },
        },
      },
    },
    {
      name: 'part',
      translation: [0.5, 0, 0],
      extensions: {
        KHR_physics_rigid_bodies: { collider: { geometry: { node: 3, convexHull: true } } },
      },
    },
    { name: 'mesh', mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1] },
    {
      name: 'door',
      translation: [3, 0, 2],
      children: [5],
      extensions: { KHR_physics_rigid_bodies: { motion: {}, trigger: { geometry: { shape: 2 } } } },
    },
    {
      name: 'hinge',
      extensions: {
        KHR_physics_rigid_bodies: { joint: { connectedNode: 1, joint: 0, enableCollision: false } },
      },
    },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 4 }] }],
  accessors: [
    {
      bufferView: 0,
      componentType: 5126,
      count: 4,
      type: 'VEC3',
      sparse: {
        count: 1,
        indices: { bufferView: 1, componentType: 5123 },
        values: { bufferView: 0, byteOffset: 0 },
      },
    },
    { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
  ],
  bufferViews: [
    { buffer: 0, byteLength: 48 },
    { buffer: 0, byteOffset: 48, byteLength: 24 },
  ],
  buffers: [{ uri: DATA, byteLength: 72 }],
  extensions: {
    KHR_implicit_shapes: {
      shapes: [
        { type: 'box', box: { size: [1, 1, 1] } },
        { type: 'sphere', sphere: { radius: 0.5 } },
        { type: 'cylinder', cylinder: { height: 1, radiusTop: 0.2, radiusBottom: 0.3 } },
      ],
    },
    KHR_physics_rigid_bodies: {
      physicsMaterials: [
        { staticFriction: 0.5, dynamicFriction: 0.5, restitution: 0.2, frictionCombine: 'average' },
      ],
      collisionFilters: [
        { collisionSystems: ['a'], collideWithSystems: ['b'] },
        { collisionSystems: ['b'], notCollideWithSystems: ['c'] },
      ],
      physicsJoints: [
        {
          limits: [
            { linearAxes: [0, 1, 2], min: 0, max: 0 },
            { angularAxes: [0, 1], min: 0, max: 0 },
          ],
          drives: [
            {
              type: 'angular',
              mode: 'acceleration',
              axis: 2,
              maxForce: 10,
              stiffness: 5,
              damping: 1,
            },
          ],
        },
      ],
    },
  },
  extras: {
    moreau: {
      settings: { substeps: 4 },
      joints: [
        {
          type: 'ball',
          bodyA: 1,
          bodyB: 4,
          anchorA: [0, 0, 0],
          anchorB: [0, 0, 0],
        },
      ],
      assets: {},
    },
  },
}

/** @type {readonly Sample[]} */
export const SAMPLES = [
  { kind: 'urdf', text: URDF },
  { kind: 'mjcf', text: MJCF },
  { kind: 'gltf', text: JSON.stringify(GLTF) },
  { kind: 'urdf', text: file('arm2-A.urdf') },
  { kind: 'mjcf', text: file('probe-A.xml') },
  { kind: 'gltf', text: file('toys-A.gltf') },
]
