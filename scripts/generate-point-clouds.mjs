/**
 * Writes scenarios/generated/point-clouds.mjs: the vertices of real geometry of three.js, as they are, with all their
 * repeated and interior points. three is a development dependency; the package carries the points only.
 *
 *     node scripts/generate-point-clouds.mjs
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  DodecahedronGeometry,
  IcosahedronGeometry,
  OctahedronGeometry,
  REVISION,
  TetrahedronGeometry,
  TorusKnotGeometry,
} from 'three'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'
import { readCommandLine } from './command-line.mjs'

readCommandLine(import.meta.url)

const target = fileURLToPath(new URL('../scenarios/generated/point-clouds.mjs', import.meta.url))

/**
 * What is poured, in metres: pieces of 0.3 to 0.5 m.
 *
 * @type {Record<string, import('three').BufferGeometry>}
 */
const geometries = {
  teapot: new TeapotGeometry(0.12, 5),
  trefoil: new TorusKnotGeometry(0.14, 0.045, 48, 6, 2, 3),
  cinquefoil: new TorusKnotGeometry(0.14, 0.04, 64, 6, 2, 5),
  knot34: new TorusKnotGeometry(0.13, 0.04, 64, 6, 3, 4),
  tetrahedron: new TetrahedronGeometry(0.26),
  octahedron: new OctahedronGeometry(0.22),
  dodecahedron: new DodecahedronGeometry(0.22),
  icosahedron: new IcosahedronGeometry(0.22),
}

const entries = Object.entries(geometries).map(([name, geometry]) => {
  const { array, count } = geometry.getAttribute('position')
  const floats = Float32Array.from(array)
  const base64 = Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64')
  return `  // ${count} points\n  ${name}: '${base64}',`
})

const text = `// Made by scripts/generate-point-clouds.mjs from the geometries of three.js r${REVISION}. Not to be edited.

/** Vertices as little-endian float32 x y z, in base64. */
export const pointClouds = {
${entries.join('\n')}
}
`

await mkdir(dirname(target), { recursive: true })
// Renamed into place, so that nobody ever reads half of it.
const partial = `${target}.${process.pid}`
await writeFile(partial, text)
await rename(partial, target)
console.error(
  `${relative(process.cwd(), target)}: ${entries.length} clouds, ${(text.length / 1024).toFixed(0)} KiB`,
)

// So that a change of sizes is seen at once.
for (const [name, geometry] of Object.entries(geometries)) {
  geometry.computeBoundingBox()
  const { min, max } = /** @type {import('three').Box3} */ (geometry.boundingBox)
  const size = max
    .sub(min)
    .toArray()
    .map((length) => length.toFixed(2))
  console.error(
    `  ${name.padEnd(14)} ${geometry.getAttribute('position').count} points, ${size.join(' x ')} m`,
  )
}
