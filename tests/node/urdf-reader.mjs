/**
 * A second reading of URDF, apart from that of moreau/import: a scanner of its own, 3 by 3 matrices, plain recursion. For robots
 * whose elements have no text.
 */

/** @typedef {{ name: string, attributes: Record<string, string>, children: Tag[] }} Tag */
/** @typedef {number[][]} Rows */
/** @typedef {{ r: Rows, p: number[] }} Pose */

/**
 * @param {string} text
 * @returns {Tag}
 */
export function scan(text) {
  /** @type {Tag[]} */
  const open = [{ name: '', attributes: {}, children: [] }]
  const clean = text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
  for (const [, close, name, inside, single] of clean.matchAll(
    /<(\/?)([\w:.-]+)((?:"[^"]*"|'[^']*'|[^>"'])*?)(\/?)>/g,
  )) {
    if (close) {
      open.pop()
      continue
    }
    const pairs = [...inside.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
    const attributes = Object.fromEntries(pairs.map(([, key, a, b]) => [key, a ?? b]))
    const tag = { name, attributes, children: [] }
    open[open.length - 1].children.push(tag)
    if (!single) open.push(tag)
  }
  return open[0].children[0]
}

/** @param {string | undefined} text @returns {number[]} */
const triple = (text) => (text ?? '0 0 0').trim().split(/\s+/).map(Number)
/** @param {Tag | undefined} tag @param {string} name */
const child = (tag, name) => tag?.children.find((one) => one.name === name)
/** @param {Rows} a @param {Rows} b */
const times = (a, b) =>
  a.map((row) => [0, 1, 2].map((j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)))
/** @param {Rows} a @param {number[]} v */
export const turn = (a, v) => a.map((row) => row.reduce((sum, x, k) => sum + x * v[k], 0))
/** @param {Rows} a */
const flip = (a) => [0, 1, 2].map((i) => [0, 1, 2].map((j) => a[j][i]))

/** @param {number[]} angles */
function rpy([a, b, c]) {
  const x = [
    [1, 0, 0],
    [0, Math.cos(a), -Math.sin(a)],
    [0, Math.sin(a), Math.cos(a)],
  ]
  const y = [
    [Math.cos(b), 0, Math.sin(b)],
    [0, 1, 0],
    [-Math.sin(b), 0, Math.cos(b)],
  ]
  const z = [
    [Math.cos(c), -Math.sin(c), 0],
    [Math.sin(c), Math.cos(c), 0],
    [0, 0, 1],
  ]
  return times(z, times(y, x))
}

/** @param {Tag | undefined} tag with an origin @returns {Pose} */
function originOf(tag) {
  const { xyz, rpy: angles } = child(tag, 'origin')?.attributes ?? {}
  return { r: rpy(triple(angles)), p: triple(xyz) }
}

/** Rodrigues' formula. @param {number[]} axis @param {number} angle */
function about(axis, angle) {
  const size = Math.hypot(...axis)
  const [x, y, z] = axis.map((part) => part / size)
  const k = [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ]
  const square = times(k, k)
  return [0, 1, 2].map((i) =>
    [0, 1, 2].map(
      (j) => Number(i === j) + Math.sin(angle) * k[i][j] + (1 - Math.cos(angle)) * square[i][j],
    ),
  )
}

/** @param {Pose} a @param {Pose} b @returns {Pose} */
const after = (a, b) => ({ r: times(a.r, b.r), p: turn(a.r, b.p).map((x, i) => x + a.p[i]) })

/**
 * Where the links of a robot are, and their masses and inertia in the axes of the link.
 * @param {Tag} robot
 * @param {Record<string, number>} angles of joints
 * @returns {Map<string, Pose & { mass: number, center: number[], inertia: number[] }>}
 */
export function readLinks(robot, angles) {
  const joints = robot.children.filter(({ name }) => name === 'joint')
  const links = robot.children.filter(({ name }) => name === 'link')
  const poses = new Map()
  const childLink = (/** @type {Tag} */ joint) => child(joint, 'child')?.attributes.link
  const root = links.find(
    ({ attributes }) => !joints.some((joint) => childLink(joint) === attributes.name),
  )
  /** @type {(name: string | undefined, pose: Pose) => void} */
  const visit = (name, pose) => {
    const link = links.find(({ attributes }) => attributes.name === name)
    if (link === undefined) return
    poses.set(name, { ...pose, ...inertialOf(link) })
    for (const joint of joints.filter((one) => child(one, 'parent')?.attributes.link === name)) {
      const axis = triple(child(joint, 'axis')?.attributes.xyz ?? '1 0 0')
      const angle = angles[joint.attributes.name] ?? 0
      const moved = after(originOf(joint), {
        r: angle === 0 ? rpy([0, 0, 0]) : about(axis, angle),
        p: [0, 0, 0],
      })
      visit(childLink(joint), after(pose, moved))
    }
  }
  visit(root?.attributes.name, { r: rpy([0, 0, 0]), p: [0, 0, 0] })
  return poses
}

/** @param {Tag | undefined} link */
function inertialOf(link) {
  const inertial = child(link, 'inertial')
  const number = (/** @type {string} */ name, /** @type {string} */ key) =>
    Number(child(inertial, name)?.attributes[key] ?? 0)
  const [xy, xz, yz] = ['ixy', 'ixz', 'iyz'].map((key) => number('inertia', key))
  const [xx, yy, zz] = ['ixx', 'iyy', 'izz'].map((key) => number('inertia', key))
  const { r, p } = originOf(inertial)
  const inertia = times(
    r,
    times(
      [
        [xx, xy, xz],
        [xy, yy, yz],
        [xz, yz, zz],
      ],
      flip(r),
    ),
  )
  return { mass: number('mass', 'value'), center: p, inertia: inertia.flat() }
}
