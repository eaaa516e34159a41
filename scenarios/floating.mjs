import { defineScene } from './scene.mjs'

const WATER = 1000
const HEAVE = 0.05

export default defineScene({
  name: 'floating',
  title: 'Floating bodies',
  description:
    'Boxes, a ball and a capsule in water. A box of 600 kg/m³ floats 60 % under, a ball of 300 kg/m³ with a radius of 50 cm 36.3 cm deep; a tall box turns over, because its metacentre is below its centre of mass.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 12,
  camera: { position: [0, 4, 9], target: [0, 0, 0] },
  setup(world) {
    world.createPotential({ type: 'buoyancy', density: WATER })
    world.createPotential({ type: 'drag', linear: 2000, angular: 100 })
    const box = world.createBody({
      shape: { type: 'box', halfExtents: [1, 0.5, 1] },
      density: 0.6 * WATER,
      position: [-3, HEAVE - 0.1, 0],
    })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: 0.5 },
      density: 0.3 * WATER,
      position: [0, HEAVE + 0.1367, 0],
    })
    const tall = world.createBody({
      shape: { type: 'box', halfExtents: [0.3, 0.6, 0.9] },
      density: 0.5 * WATER,
      position: [3, 0, 0],
      orientation: [0, 0, 0.01, Math.sqrt(1 - 1e-4)],
    })
    const capsule = world.createBody({
      shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
      density: 0.5 * WATER,
      position: [0, 1, 2.5],
      orientation: [0, 0, 0.3, Math.sqrt(1 - 0.09)],
    })
    return { box, ball, tall, capsule }
  },
  checks: [
    draught('draught-of-the-box', 'The box floats 60 cm deep', 'box', 0.5 - 0.6),
    draught('draught-of-the-ball', 'The ball floats 36.3 cm deep', 'ball', 0.5 - 0.3632574911),
    draught('draught-of-the-capsule', 'The capsule floats half under', 'capsule', 0),
    {
      name: 'turns-over',
      description: 'The tall box lies down: its edge of 60 cm is upright',
      unit: '1',
      tolerance: 0.01,
      from: 11.5,
      error({ things }) {
        const [x, y, z, w] = things.tall.orientation
        const up = 2 * (x * y + w * z) // of its x axis
        return 1 - Math.abs(up)
      },
    },
  ],
})

/**
 * @param {string} name
 * @param {string} description
 * @param {'box' | 'ball' | 'capsule'} body
 * @param {number} height m, of its centre above the water at rest
 * @returns {import('./scene.mjs').SceneCheck<Record<string, import('./scene.mjs').Body>>}
 */
function draught(name, description, body, height) {
  return {
    ...{ name, description, unit: 'm', tolerance: 0.002, from: 11.5 },
    error: ({ things }) => Math.abs(things[body].position[1] - height),
  }
}
