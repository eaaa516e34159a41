// What is read of each element of MJCF, so that all else can be said. What only pictures, or MuJoCo's own way of solving, are made
// of is known too: the engine has nothing like it.

import { describe } from '../../core/describe.mjs'
import { warnOfText } from '../xml/reader.mjs'
import { PLACE } from './frames.mjs'

/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

const LOOKS = ['rgba', 'material', 'user']
const ON_BODY = ['geom', 'site', 'body', 'frame', 'light', 'camera', 'joint', 'freejoint']
const ACTUATOR = [
  ...['name', 'class', 'joint', 'gear', 'ctrlrange', 'ctrllimited', 'forcerange', 'forcelimited'],
  ...['group', 'user'],
]
const SERVO = [...ACTUATOR, 'kp', 'kv']

/** What is read of an element. @typedef {{ attributes?: readonly string[], children?: readonly string[] }} Known */

/** @type {ReadonlyMap<string, Known>} */
const ELEMENTS = new Map(
  Object.entries({
    mujoco: {
      attributes: ['model'],
      children: [
        ...['compiler', 'option', 'default', 'asset', 'worldbody', 'equality', 'contact'],
        'actuator',
      ],
    },
    compiler: {
      attributes: [
        ...['angle', 'eulerseq', 'autolimits', 'inertiafromgeom', 'inertiagrouprange', 'meshdir'],
        ...['assetdir', 'coordinate', 'texturedir'],
      ],
    },
    option: { attributes: ['gravity'] },
    default: {
      attributes: ['class'],
      children: [
        ...['default', 'joint', 'geom', 'site', 'mesh', 'equality', 'motor', 'position'],
        'velocity',
      ],
    },
    asset: { children: ['mesh'] },
    mesh: {
      attributes: ['name', 'class', 'file', 'scale', 'vertex', 'face', 'texcoord', 'normal'],
    },
    worldbody: { children: ['geom', 'site', 'body', 'frame', 'light', 'camera'] },
    body: {
      attributes: ['name', 'childclass', 'mocap', 'gravcomp', 'user', ...PLACE],
      children: ['inertial', ...ON_BODY],
    },
    frame: { attributes: ['name', 'childclass', ...PLACE], children: ON_BODY },
    freejoint: { attributes: ['name', 'group'] },
    joint: {
      attributes: [
        ...['name', 'class', 'type', 'pos', 'axis', 'range', 'limited', 'stiffness', 'damping'],
        ...['springref', 'frictionloss', 'ref', 'armature', 'group', 'user'],
      ],
    },
    geom: {
      attributes: [
        ...['name', 'class', 'type', 'size', 'fromto', 'mesh', 'density', 'mass', 'friction'],
        ...['condim', 'contype', 'conaffinity', 'group', ...PLACE, ...LOOKS],
      ],
    },
    site: {
      attributes: ['name', 'class', 'type', 'size', 'fromto', 'group', ...PLACE, ...LOOKS],
    },
    inertial: { attributes: ['mass', 'diaginertia', 'fullinertia', ...PLACE] },
    equality: { children: ['connect', 'weld', 'joint'] },
    connect: {
      attributes: ['name', 'class', 'body1', 'body2', 'anchor', 'active', 'site1', 'site2'],
    },
    weld: {
      attributes: [
        ...['name', 'class', 'body1', 'body2', 'relpose', 'anchor', 'active', 'site1', 'site2'],
      ],
    },
    contact: { children: ['exclude'] },
    exclude: { attributes: ['name', 'body1', 'body2'] },
    actuator: { children: ['motor', 'position', 'velocity'] },
    motor: { attributes: ACTUATOR },
    position: { attributes: SERVO },
    velocity: { attributes: SERVO },
  }),
)
/** Where an element means something else than elsewhere: by the element that it is in. @type {ReadonlyMap<string, ReadonlyMap<string, Known>>} */
const INSIDE = new Map([
  [
    'equality',
    new Map([
      ['joint', { attributes: ['name', 'class', 'joint1', 'joint2', 'polycoef', 'active'] }],
    ]),
  ],
  ['default', new Map([['equality', { attributes: ['active'] }]])],
])

/** What only pictures are made of, or how much memory MuJoCo takes. */
const NO_PHYSICS = new Set([
  ...['visual', 'statistic', 'size', 'texture', 'material', 'light', 'camera', 'custom'],
])

/** Elements of which the first in a parent is read. */
const ONCE = new Set(['inertial'])

/**
 * The part of a model that is read, with a warning of everything else.
 * @param {Element} root
 * @param {Warnings} warnings
 * @returns {Element}
 */
export function knownPart(root, warnings) {
  /** @type {Element & { children: Element[] }} */
  const whole = { ...root, children: [] }
  /** What is to be looked at, the next one last. @type {{ element: Element, copy: Element & { children: Element[] }, inside: string }[]} */
  const open = [{ element: root, copy: whole, inside: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, copy, inside } = next
    const { attributes = [], children = [] } =
      INSIDE.get(inside)?.get(element.name) ?? ELEMENTS.get(element.name) ?? {}
    for (const [name, value] of Object.entries(element.attributes)) {
      if (attributes.includes(name)) continue
      warnings.add(element, `${name}=${describe(value)} is not taken over`, name)
    }
    warnOfText(element, warnings)
    /** @type {Set<string>} */
    const seen = new Set()
    /** @type {typeof open} */
    const inner = []
    for (const child of element.children) {
      if (NO_PHYSICS.has(child.name)) continue
      if (!children.includes(child.name) || (ONCE.has(child.name) && seen.has(child.name))) {
        warnings.add(child, `<${child.name}> is not taken over here`)
        continue
      }
      seen.add(child.name)
      const one = { ...child, children: [] }
      copy.children.push(one)
      inner.push({ element: child, copy: one, inside: element.name })
    }
    for (const one of inner.reverse()) open.push(one)
  }
  return whole
}
