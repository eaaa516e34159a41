import { angularMomentumKept, linearMomentumKept } from './common-checks.mjs'
import { unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** How far both cubes overlap along y, m. */
const STRIP = 0.01
const RESTITUTION = 0.5
const MASS_A = 2
const MASS_B = 1

// One frictionless contact on the edge of A at (0.5, 0.5): seed 000, example 11.2. A real face touches a real face in a strip,
// of which only that edge stays in contact: the impulse turns both cubes so that the rest of the strip opens.
const armA = 0.5
const armB = 0.5 - STRIP
const inverseMass =
  1 / MASS_A + 1 / MASS_B + (armA * armA) / (MASS_A / 6) + (armB * armB) / (MASS_B / 6)
const impulse = (1 + RESTITUTION) / inverseMass
const expected = {
  velocityA: 1 - impulse / MASS_A,
  velocityB: impulse / MASS_B,
  spinA: (impulse * armA) / (MASS_A / 6),
  spinB: (impulse * armB) / (MASS_B / 6),
}
const energyLoss = (0.5 * (1 - RESTITUTION * RESTITUTION)) / inverseMass

export default defineScene({
  name: 'glancing-cubes',
  title: 'Glancing cubes',
  description:
    'A cube of 2 kg runs at 1 m/s into one of 1 kg that it touches in a strip of 1 cm only, without gravity and friction, with restitution 0.5. Both turn. (Example 11.2 of the seeds has B at the same height and a contact on an edge that real cubes would touch with the whole face; here B is shifted by 0.99 m, so both turn the same way. A goes on faster than B: they meet again after 0.9 s.)',
  solvers: ['block-pgs'],
  options: {
    gravity: [0, 0, 0],
    restitutionThreshold: 0,
    iterations: 2000,
    tolerance: 1e-13,
  },
  duration: 0.8,
  camera: { position: [1, 1, 7], target: [1, 0.5, 0] },
  setup(world) {
    const shape = unitCube()
    const common = { shape, friction: 0, restitution: RESTITUTION }
    const a = world.createBody({ ...common, mass: MASS_A, linearVelocity: [1, 0, 0] })
    const b = world.createBody({ ...common, mass: MASS_B, position: [1, 1 - STRIP, 0] })
    return { a, b }
  },
  checks: [
    linearMomentumKept(1e-10),
    angularMomentumKept(1e-10),
    {
      name: 'impulse-law',
      description: 'Velocities after the impact: (1 + e) v / (J M⁻¹ Jᵀ) at the edge of A',
      unit: 'm/s',
      tolerance: 1e-8,
      error: ({ things }) =>
        Math.max(
          Math.abs(things.a.linearVelocity[0] - expected.velocityA),
          Math.abs(things.b.linearVelocity[0] - expected.velocityB),
        ),
    },
    {
      name: 'spin',
      description: 'Angular velocities after the impact',
      unit: 'rad/s',
      tolerance: 1e-8,
      error: ({ things }) =>
        Math.max(
          Math.abs(things.a.angularVelocity[2] - expected.spinA),
          Math.abs(things.b.angularVelocity[2] - expected.spinB),
        ),
    },
    {
      name: 'energy-loss',
      description: 'The impact takes (1 - e²) v² / 2 (J M⁻¹ Jᵀ), and nothing else takes any',
      unit: 'J',
      tolerance: 1e-8,
      error: ({ world, start }) => Math.abs(start.energy.total - world.energy().total - energyLoss),
    },
  ],
})
