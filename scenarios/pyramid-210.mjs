import { addFloor, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */

const ROWS = 20
const SPACING = 1.1

export default defineScene({
  name: 'pyramid-210',
  title: 'Pyramid of 210',
  description:
    'A wall in the form of a pyramid: 20 rows, 210 cubes of 1 m and 1 kg, each on two of the row below. It stands.',
  solvers: ['soft-step', 'block-pgs'],
  duration: 10,
  camera: { position: [10, 14, 34], target: [0, 9, 0] },
  setup(world) {
    const floor = addFloor(world)
    const shape = unitCube()
    /** @type {Body[]} row by row from the lowest */
    const cubes = []
    /** @type {import('./vector.mjs').Vector[]} */
    const places = []
    for (let row = 0; row < ROWS; row++) {
      const count = ROWS - row
      for (let column = 0; column < count; column++) {
        /** @type {import('./vector.mjs').Vector} */
        const place = [(column - (count - 1) / 2) * SPACING, row + 0.5, 0]
        places.push(place)
        cubes.push(world.createBody({ shape, position: place, mass: 1 }))
      }
    }
    return { floor, cubes, places }
  },
  checks: [
    {
      name: 'stands-sideways',
      description: 'No cube moves sideways by more than 1 cm',
      unit: 'm',
      tolerance: 0.01,
      error({ things }) {
        let worst = 0
        for (const [index, cube] of things.cubes.entries()) {
          const [x, , z] = cube.position
          const place = things.places[index]
          worst = Math.max(worst, Math.abs(x - place[0]), Math.abs(z - place[2]))
        }
        return worst
      },
    },
    {
      name: 'keeps-its-height',
      description: 'The top sinks by less than 5 cm: 20 interfaces, each with its slop',
      unit: 'm',
      tolerance: 0.05,
      error({ things }) {
        const top = things.cubes.length - 1
        return Math.abs(things.cubes[top].position[1] - things.places[top][1])
      },
    },
    {
      name: 'comes-to-rest',
      description: 'The fastest cube slows down',
      unit: 'm/s',
      tolerance: 0.01,
      from: 5,
      error: ({ things }) => Math.max(...things.cubes.map((cube) => cube.speed)),
    },
  ],
})
