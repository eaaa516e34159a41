/**
 * `moreau/decompose`: concave meshes to hulls, how well they fit, and bodies of them.
 */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, test } from 'node:test'
import { createShape, MoreauError, World } from 'moreau'
import { decompose } from 'moreau/decompose'
import { measureDifference } from '../../bindings/decompose/volume-error.mjs'
import { addSlab, g, near, nearVector } from './support.mjs'

/** @typedef {{ vertices: number[], indices: number[] }} Mesh */

/** An L in the plane, 1 m thick along z: 5 m³. @type {Mesh} */
const corner = extrude([0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3], [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5])

/**
 * @param {number[]} outline x y of corners, counter-clockwise
 * @param {number[]} triangles of them, counter-clockwise
 * @returns {Mesh} from z = 0 to 1
 */
function extrude(outline, triangles) {
  const count = outline.length / 2
  const at = (/** @type {number} */ z) =>
    Array.from({ length: count }, (_, i) => [outline[2 * i], outline[2 * i + 1], z]).flat()
  const sides = Array.from({ length: count }, (_, i) => {
    const next = (i + 1) % count
    return [i, next, next + count, i, next + count, i + count]
  })
  const top = triangles.map((i) => i + count)
  return {
    vertices: [...at(0), ...at(1)],
    indices: [...triangles.toReversed(), ...top, ...sides.flat()],
  }
}

/**
 * What a closed outline becomes that turns about z.
 * @param {[number, number][]} outline radius and height, counter-clockwise where z is up and the radius to the right
 * @param {number} segments
 * @returns {Mesh}
 */
function revolve(outline, segments) {
  const count = outline.length
  const vertices = Array.from({ length: segments }, (_, s) => {
    const angle = (2 * Math.PI * s) / segments
    return outline.map(([r, z]) => [r * Math.cos(angle), r * Math.sin(angle), z])
  })
  const indices = Array.from({ length: segments }, (_, s) =>
    outline.map((__, i) => {
      const at = (/** @type {number} */ turn, /** @type {number} */ place) =>
        ((s + turn) % segments) * count + ((i + place) % count)
      return [at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)]
    }),
  )
  return { vertices: vertices.flat(2), indices: indices.flat(2) }
}

/** A torus about z of radii 1 and 0.3. */
const ring = revolve(
  Array.from({ length: 12 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 12
    return [1 + 0.3 * Math.cos(angle), 0.3 * Math.sin(angle)]
  }),
  24,
)

/** A bowl of radius 1 with a wall of 0.3, open upwards; its bottom has a hole of 2 mm, as a lathe leaves it. */
const bowl = revolve([...arc(1, -1, 8), ...arc(0.7, 1, 8)], 24)

/**
 * The quarter of a circle below the horizon.
 * @param {number} radius
 * @param {number} direction 1: downwards, -1: upwards
 * @param {number} count
 * @returns {[number, number][]}
 */
function arc(radius, direction, count) {
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const angle = (Math.PI / 2) * (i / count)
    return /** @type {[number, number]} */ ([
      Math.max(radius * Math.cos(angle), 0.001),
      -radius * Math.sin(angle),
    ])
  })
  return direction > 0 ? points : points.reverse()
}

/**
 * @param {Mesh} mesh
 * @param {[number, number, number]} by
 * @returns {Mesh}
 */
const moved = ({ vertices, indices }, by) => ({
  vertices: vertices.map((x, i) => x + by[i % 3]),
  indices,
})

/** @param {Mesh} mesh */
const volumeOf = ({ vertices, indices }) => createShape({ type: 'mesh', vertices, indices }).volume

const square = [0, 1, 2, 0, 2, 3]
const unitCube = extrude([0, 0, 1, 0, 1, 1, 0, 1], square)

describe('the measure of volumes', () => {
  const cases = /** @type {const} */ ({ corner, ring, bowl, unitCube })
  for (const [name, mesh] of Object.entries(cases)) {
    test(`${name}: by lines as by the divergence theorem, to 1e-4`, async () => {
      const world = await World.create()
      const { volume, differing } = measureDifference(mesh, [])
      assert.ok(Math.abs(volume / volumeOf(mesh) - 1) < 1e-4, `${volume}`)
      assert.equal(differing, volume, 'nothing covers it')
      world.free()
    })
  }

  test('two cubes, apart by parts of their sides', () => {
    for (const [x, y, z] of [
      [0, 0, 0.25],
      [0.25, 0, 0],
      [0, 0.25, 0],
      [0.3, 0.2, 0.1],
    ]) {
      const { differing } = measureDifference(unitCube, [moved(unitCube, [x, y, z])])
      const exact = 2 * (1 - (1 - x) * (1 - y) * (1 - z))
      near(differing, exact, 3e-4, `${[x, y, z]}`)
    }
  })

  test('what hulls share does not count twice', () => {
    const halves = [0, 0.5, 0.25].map((x) => extrude([x, 0, x + 0.5, 0, x + 0.5, 1, x, 1], square))
    near(measureDifference(unitCube, halves).differing, 0, 1e-12)
  })

  test('a line that meets edges and corners passes through the surface once', () => {
    // All lines lie within the cube. Its caps are fans about a corner, whose edges some of the lines meet.
    const { volume, differing } = measureDifference(unitCube, [unitCube])
    near(volume, 1, 1e-12)
    assert.equal(differing, 0)
  })
})

describe('decompose', () => {
  test('an L becomes a body of hulls with the mass of the mesh', async () => {
    const { body, volume, volumeError } = await decompose(corner.vertices, corner.indices, {
      ...{ maxHulls: 8, voxels: 10_000, density: 500 },
    })
    near(volume, 5, 1e-12)
    assert.ok(volumeError < 0.03, `${volumeError}`)
    assert.ok(body.shapes.length >= 2 && body.shapes.length <= 8)
    const world = await World.create({ gravity: [0, 0, 0] })
    const made = world.createBody(body)
    near(made.mass, 2500, 1e-9)
    // Of the parts: 3 x 1 about (1.5, 0.5) and 1 x 2 about (0.5, 2).
    nearVector(made.worldCenterOfMass, [1.1, 1.1, 0.5], 1e-12)
    for (const [point, isInside] of /** @type {const} */ ([
      [[0.5, 2.5, 0.5], true],
      [[2.5, 0.5, 0.5], true],
      [[1.5, 1.5, 0.5], false],
    ])) {
      assert.equal(world.contains(point), isInside, `${point}`)
    }
    world.free()
  })

  test('a single hull of the L is off by the two square metres that it fills', async () => {
    const options = { maxHulls: 1, voxels: 10_000 }
    const { volumeError } = await decompose(corner.vertices, corner.indices, {
      ...{ ...options, maxVolumeError: 0.5 },
    })
    near(volumeError, 0.4, 0.01)
    await assert.rejects(decompose(corner.vertices, corner.indices, options), {
      code: 'volume-error',
      message: /1 hulls? .* 0\.4\d* of the volume, maxVolumeError allows 0\.2; .* 1 maxHulls/,
    })
  })

  test('a ring falls over a peg', async () => {
    const { body, volumeError } = await decompose(ring.vertices, ring.indices, {
      ...{ maxHulls: 32, voxels: 10_000 },
    })
    assert.ok(volumeError < 0.15, `${volumeError}`)
    const world = await World.create({ gravity: [0, 0, -g] })
    addSlab(world)
    const peg = { type: /** @type {const} */ ('box'), halfExtents: [0.2, 0.2, 1] }
    world.createBody({ type: 'static', shape: peg, position: [0, 0, 1] })
    const made = world.createBody({ ...body, position: [0.1, 0, 2.6] })
    for (let step = 0; step < 300; step++) world.step(1 / 60)
    assert.ok(Math.abs(made.position[2] - 0.3) < 0.05, `${made.position}`)
    world.free()
  })

  test('a bowl that can move holds a ball', async () => {
    const { body, volumeError } = await decompose(bowl.vertices, bowl.indices, {
      ...{ maxHulls: 64, voxels: 10_000 },
    })
    assert.ok(volumeError < 0.2, `${volumeError}`)
    const world = await World.create({ gravity: [0, 0, -g] })
    addSlab(world)
    const made = world.createBody({ ...body, position: [0, 0, 1.05] })
    const ball = world.createBody({
      ...{ shape: { type: 'sphere', radius: 0.25 }, position: [0.2, 0, 2] },
      density: 100,
    })
    for (let step = 0; step < 600; step++) world.step(1 / 60)
    const [above, across] = [
      ball.position[2] - made.position[2],
      Math.hypot(ball.position[0] - made.position[0], ball.position[1] - made.position[1]),
    ]
    assert.ok(above < 0 && above > -0.5 && across < 0.3, `${[above, across]}`)
    world.free()
  })

  test('small meshes far away come out alike, and the same input gives the same hulls', async () => {
    const options = { maxHulls: 8, voxels: 3000 }
    const one = await decompose(corner.vertices, corner.indices, options)
    assert.deepEqual(await decompose(corner.vertices, corner.indices, options), one)
    const small = moved({ ...corner, vertices: corner.vertices.map((x) => x / 1024) }, [8, -16, 4])
    const other = await decompose(small.vertices, small.indices, options)
    near(other.volumeError, one.volumeError, 1e-3)
    near(other.volume, 5 / 1024 ** 3, 1e-12)
  })

  test('takes vectors and buffer attributes', async () => {
    const { vertices } = unitCube
    const vectors = Array.from({ length: 8 }, (_, i) => vertices.slice(3 * i, 3 * i + 3))
    const position = { itemSize: 3, count: 8, array: new Float32Array(vertices) }
    const index = { itemSize: 1, array: new Uint16Array(unitCube.indices) }
    const options = { voxels: 1000 }
    const one = await decompose(vectors, unitCube.indices, options)
    assert.deepEqual(await decompose(position, index, options), one)
    assert.ok(one.volumeError < 1e-3, `${one.volumeError}`)
  })
})

describe('decompose refuses', () => {
  const { vertices, indices } = corner
  const bad = /** @type {[string, any[], string, RegExp][]} */ ([
    ['no vertices', [undefined, indices], 'invalid-argument', /decompose: vertices .*undefined/],
    ['half a vertex', [[1, 2], indices], 'invalid-argument', /decompose: vertices .*2 numbers/],
    [
      'a number that is not finite',
      [[NaN, ...vertices.slice(1)], indices],
      'not-finite',
      /decompose: vertices: the x of vertex 0 is NaN/,
    ],
    ['an index too far', [vertices, [0, 1, 12]], 'invalid-argument', /indices\[2\] .*got 12/],
    ['no triangles', [vertices, []], 'invalid-argument', /decompose: indices .*0 numbers/],
    ['an open mesh', [vertices, indices.slice(3)], 'mesh-open', /indices: .*edge between/],
    [
      'a mesh with a triangle turned over',
      [vertices, [indices[1], indices[0], ...indices.slice(2)]],
      'mesh-orientation',
      /indices: .*edge between vertices/,
    ],
    ['a mesh inside out', [vertices, indices.toReversed()], 'mesh-inside-out', /turn its/],
    ['an unknown option', [vertices, indices, { hulls: 3 }], 'invalid-argument', /'hulls'/],
    ['no options', [vertices, indices, null], 'invalid-argument', /decompose: options/],
    ['no hulls', [vertices, indices, { maxHulls: 0 }], 'invalid-argument', /maxHulls .*got 0/],
    ['flat hulls', [vertices, indices, { maxVertices: 3 }], 'invalid-argument', /maxVertices/],
    ['half a voxel', [vertices, indices, { voxels: 1e4 + 0.5 }], 'invalid-argument', /voxels/],
    ['no error', [vertices, indices, { maxVolumeError: 0 }], 'invalid-argument', /maxVolumeError/],
    ['no density', [vertices, indices, { density: NaN }], 'invalid-argument', /density .*NaN/],
  ])
  for (const [name, args, code, message] of bad) {
    test(name, async () => {
      const call = /** @type {(...args: any[]) => Promise<unknown>} */ (decompose)
      await assert.rejects(call(...args), (error) => {
        assert.ok(error instanceof MoreauError)
        assert.equal(error.code, code)
        assert.match(error.message, message)
        return true
      })
    })
  }

  test('to work without its peer, and says how to install it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moreau-decompose-'))
    try {
      const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
      for (const file of ['index.mjs', 'decompose.mjs'])
        await cp(join(dist, file), join(folder, file))
      const alone = await import(`${pathToFileURL(join(folder, 'decompose.mjs'))}`)
      const engine = await import(`${pathToFileURL(join(folder, 'index.mjs'))}`)
      await assert.rejects(alone.decompose(vertices, indices), (/** @type {any} */ error) => {
        assert.ok(error instanceof engine.MoreauError)
        assert.equal(error.code, 'peer-missing')
        assert.match(error.message, /npm install vhacd-js/)
        return true
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the entry', () => {
  test('can be required, and throws the errors of `moreau`', async () => {
    const require = createRequire(import.meta.url)
    const required = require('moreau/decompose')
    const options = { voxels: 1000 }
    const { body } = await required.decompose(unitCube.vertices, unitCube.indices, options)
    assert.equal(body.shapes[0].type, 'hull')
    await assert.rejects(required.decompose([], []), (error) => {
      return error instanceof require('moreau').MoreauError
    })
  })

  test('has types, and its bundle has neither the engine nor the peer in it', async () => {
    const dist = new URL('../../dist/', import.meta.url)
    for (const types of ['decompose.d.ts', 'decompose.d.cts']) {
      assert.match(await readFile(new URL(types, dist), 'utf8'), /maxVolumeError\?: number/)
    }
    const text = await readFile(new URL('decompose.mjs', dist), 'utf8')
    assert.ok(text.length < 30_000, `${text.length} bytes`)
    assert.match(text, /from"\.\/index\.mjs"/)
  })
})
