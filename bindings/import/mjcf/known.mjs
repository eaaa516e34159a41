// What is read of each element of MJCF, so that all else can be said. What only pictures, or MuJoCo's own way of solving, are made
// of is known too: the engine has nothing like it.

import { PLACE } from './frames.mjs'

/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

const LOOKS = ['rgba', 'material', 'user']

/** Attributes by element. @type {Record<string, readonly string[]>} */
const ATTRIBUTES = {
  mujoco: ['model'],
  compiler: [
    'angle',
    'eulerseq',
    'autolimits',
    'inertiafromgeom',
    'inertiagrouprange',
    'meshdir',
    'assetdir',
    'coordinate',
    'texturedir',
  ],
  option: ['timestep', 'gravity'],
  default: ['class'],
  mesh: ['name', 'class', 'file', 'scale', 'vertex', 'face', 'texcoord', 'normal'],
  body: ['name', 'childclass', 'mocap', 'gravcomp', 'user', ...PLACE],
  frame: ['name', 'childclass', ...PLACE],
  freejoint: ['name', 'group'],
  joint: [
    ...[
      'name',
      'class',
      'type',
      'pos',
      'axis',
      'range',
      'limited',
      'stiffness',
      'damping',
      'springref',
    ],
    ...['frictionloss', 'ref', 'armature', 'group', 'user'],
  ],
  geom: [
    ...['name', 'class', 'type', 'size', 'fromto', 'mesh', 'density', 'mass', 'friction', 'condim'],
    ...['contype', 'conaffinity', 'group', ...PLACE, ...LOOKS],
  ],
  site: ['name', 'class', 'type', 'size', 'fromto', 'group', ...PLACE, ...LOOKS],
  inertial: ['pos', 'mass', 'diaginertia', 'fullinertia', ...PLACE],
  connect: ['name', 'class', 'body1', 'body2', 'anchor', 'active', 'site1', 'site2'],
  weld: ['name', 'class', 'body1', 'body2', 'relpose', 'anchor', 'active', 'site1', 'site2'],
  exclude: ['name', 'body1', 'body2'],
  motor: [
    'name',
    'class',
    'joint',
    'gear',
    'ctrlrange',
    'ctrllimited',
    'forcerange',
    'forcelimited',
    'group',
  ],
}
const SERVO = [...ATTRIBUTES.motor, 'kp', 'kv']

/** What only pictures are made of, or how much memory MuJoCo takes. */
const NO_PHYSICS = new Set([
  'visual',
  'statistic',
  'size',
  'texture',
  'material',
  'light',
  'camera',
  'custom',
])
/** Elements whose children are looked at. */
const SECTIONS = new Set([
  'mujoco',
  'default',
  'asset',
  'worldbody',
  'body',
  'frame',
  'equality',
  'contact',
  'actuator',
  'compiler',
  'option',
])
/** Of an equality of joints. */
const IN_EQUALITY = ['name', 'class', 'joint1', 'joint2', 'polycoef', 'active']

/**
 * Warns of everything in an element that is not read.
 * @param {Element} element
 * @param {string} section where it is
 * @param {Warnings} warnings
 */
export function warnOfUnknown(element, section, warnings) {
  const { name, path, attributes, children } = element
  if (NO_PHYSICS.has(name)) return
  const known = knownOf(element, section)
  if (known === null) {
    warnings.add(path, `<${name}> is not taken over`)
    return
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    if (known.includes(attribute)) continue
    warnings.add(`${path}/@${attribute}`, `${attribute}="${value}" is not taken over`)
  }
  for (const child of children) warnOfUnknown(child, name, warnings)
}

/**
 * @param {Element} element
 * @param {string} section
 * @returns {readonly string[] | null} attributes; null: the element is not known
 */
function knownOf({ name, attributes }, section) {
  if (section === 'equality' && name === 'joint') return IN_EQUALITY
  if (name === 'position' || name === 'velocity') return SERVO
  // Other actuators, and equalities, are told of as a whole where they are read.
  if ((section === 'actuator' && name !== 'motor') || section === 'equality')
    return ATTRIBUTES[name] ?? Object.keys(attributes)
  return ATTRIBUTES[name] ?? (SECTIONS.has(name) ? [] : null)
}
