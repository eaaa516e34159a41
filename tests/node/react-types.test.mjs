/** Programs in TypeScript that use @react-three/rapier compile with the import alone another one. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'build/react-types')

const PROGRAM = `
import { useEffect, useRef } from 'react'
import { BallCollider, CuboidCollider, InstancedRigidBodies, Physics, RigidBody } from 'moreau/react'
import { interactionGroups, useRapier, useRevoluteJoint, vec3 } from 'moreau/react'
import type { CollisionEnterHandler, InstancedRigidBodyProps, RapierCollider } from 'moreau/react'
import type { RapierRigidBody, RapierWorld, RigidBodyProps, Vector3Tuple } from 'moreau/react'
import { RapierPhysics } from 'moreau/three'

// One class, whichever entry it comes from.
export const worldOfThree = async (): Promise<RapierWorld> => (await RapierPhysics()).world

const enter: CollisionEnterHandler = ({ manifold, other, target }) => {
  const { x }: { x: number } = manifold.solverContactPoint(0)
  console.log(x, other.rigidBodyObject?.name, target.rigidBody?.translation().y)
}

export function App(props: RigidBodyProps) {
  const a = useRef<RapierRigidBody>(null)
  const b = useRef<RapierRigidBody>(null)
  const collider = useRef<RapierCollider>(null)
  const many = useRef<RapierRigidBody[]>(null)
  const joint = useRevoluteJoint(a, b, [[0, 0, 0], [0, 1, 0], [1, 0, 0], [-1, 1]])
  const { world, rapier, filterContactPairHooks } = useRapier()
  // @ts-expect-error a hook is in a ref
  filterContactPairHooks.add(() => null)
  useEffect(() => {
    a.current?.applyImpulse({ x: 0, y: 1, z: 0 }, true)
    joint.current?.configureMotorVelocity(1, 2)
    const ray = new rapier.Ray(vec3(a.current?.translation()), { x: 0, y: 1, z: 0 })
    const time: number | undefined = world.castRay(ray, 1, true)?.timeOfImpact
    console.log(time, a.current?.raw.kineticEnergy)
  }, [])
  const position: Vector3Tuple = [0, 1, 2]
  const instances: InstancedRigidBodyProps[] = [{ key: 1, position, rotation: [0, 1, 0] }]
  return (
    <Physics gravity={[0, -1, 0]} timeStep="vary" debug>
      <RigidBody ref={a} {...props} type="kinematicPosition" position={position} name="x"
        onCollisionEnter={enter} collisionGroups={interactionGroups(1)}
        enabledRotations={[true, false, true]}>
        <mesh />
      </RigidBody>
      <RigidBody ref={b} colliders={false} onSleep={() => {}}>
        <CuboidCollider ref={collider} args={[1, 1, 1]} sensor
          onIntersectionEnter={({ other }) => console.log(other.collider.handle)} />
      </RigidBody>
      <InstancedRigidBodies ref={many} instances={instances} colliders="ball"
        colliderNodes={[<BallCollider args={[0.5]} />]}>
        <instancedMesh args={[undefined, undefined, 3]} />
      </InstancedRigidBodies>
      {/* @ts-expect-error a ball has one number */}
      <BallCollider args={[1, 2]} />
      {/* @ts-expect-error there is no such type */}
      <RigidBody type="static" />
    </Physics>
  )
}
`

const CONFIG = {
  compilerOptions: {
    ...{ jsx: 'react-jsx', strict: true, noEmit: true, skipLibCheck: false },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: ['react', '@react-three/fiber'] },
    paths: {
      'moreau/react': ['../../dist/react.d.ts'],
      'moreau/three': ['../../dist/three.d.ts'],
    },
  },
  files: ['program.tsx'],
}

test('a program in TypeScript compiles, and what is wrong in it does not', () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'program.tsx'), PROGRAM)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    assert.equal(stdout, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
