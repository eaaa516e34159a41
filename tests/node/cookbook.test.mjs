/**
 * Every recipe of docs/cookbook.md does what it is for.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../scripts/tools.mjs'
import { blocksOf, compile, run } from './document-blocks.mjs'

const page = 'docs/cookbook.md'
const [start, ...recipes] = blocksOf(page)
const dt = 1 / 60

/** @param {import('moreau').World} world @param {number} seconds */
function wait(world, seconds) {
  for (let i = 0; i < 60 * seconds; i++) world.step(dt)
}

/** What the reader has besides, by the heading. @type {Record<string, string>} */
const GIVEN = {
  'Drag with the mouse': `import { WebGLRenderer } from 'three'
const renderer = Object.assign(Object.create(WebGLRenderer.prototype), { domElement: new EventTarget() })`,
}

/**
 * What shows that a recipe works, by its heading.
 * @type {Record<string, (recipe: any, start: any) => void>}
 */
const CHECKS = {
  'Fixed steps, smooth pictures'({ frame }, { world, crate }) {
    for (let i = 0; i <= 100; i++) frame(10 * i)
    assert.ok(Math.abs(world.time - 1) < 2 * dt, `${world.time}`)
    assert.ok(Math.abs(crate.position[1] - 0.5) < 0.01)
  },
  'Slow motion and pause'({ frame }, { world, crate }) {
    for (let i = 0; i < 60; i++) frame(dt)
    assert.equal(world.stepCount, 15)
    assert.ok(Math.abs(crate.linearVelocity[0] - 0.1 * 0.25) < 1e-6, 'a force in every step')
  },
  'What fell out of the world'(_, { world, crate }) {
    assert.equal(crate.isAlive, false)
    assert.equal(world.bodies.length, 1)
  },
  'A room on a server'({ timer }) {
    clearInterval(timer)
    process.removeAllListeners('SIGTERM')
  },
  'A mesh that follows its body'({ mesh, draw }, { world, crate }) {
    wait(world, 1)
    draw()
    assert.deepEqual(mesh.position.toArray(), [...crate.position])
    assert.deepEqual(mesh.quaternion.toArray(), [...crate.orientation])
  },
  'A camera that follows'({ camera, follow }, { world, crate }) {
    wait(world, 1)
    for (let i = 0; i < 300; i++) follow(dt)
    const [x, y, z] = crate.position
    camera.position.toArray().forEach((/** @type {number} */ at, /** @type {number} */ i) => {
      assert.ok(Math.abs(at - [x, y + 3, z + 8][i]) < 1e-6)
    })
  },
  'What is under the mouse'({ hit, pick }, { crate }) {
    assert.equal(hit.body, crate)
    assert.equal(pick(0, 0.9), null)
  },
  'Drag with the mouse'({ grabber }) {
    assert.equal(grabber.isGrabbing, false)
    grabber.dispose()
  },
  'A sound when things hit'({ played, playHits }, { world, box }) {
    const frames = (/** @type {number} */ count) =>
      Array.from({ length: count }, () => {
        world.step(dt)
        const before = played.length
        playHits()
        return played.length - before
      })
    frames(120)
    assert.ok(played.length > 0, 'it fell')
    const [{ volume, position }] = played
    assert.ok(volume > 0.5 && volume <= 1 && position.length === 3, `${volume}`)
    const blows = played.length
    frames(60)
    assert.equal(played.length, blows, 'what rests is silent')

    let hits = 0
    world.on('contact', (/** @type {any} */ { type }) => (hits += Number(type === 'hit')))
    for (let i = 0; i < 200; i++) {
      const [x, z] = [(i % 5) - 2 + 0.05 * (i % 7), (Math.floor(i / 5) % 5) - 2 + 0.03 * (i % 11)]
      world.createBody({ shape: box, position: [1.1 * x, 5 + 0.06 * i, 1.1 * z] })
    }
    const counts = frames(180)
    assert.ok(hits > 300, `${hits} hits`)
    assert.ok(Math.max(...counts) <= 2, `${counts}`)
    const all = played.length - blows
    assert.ok(all > 10 && all < hits / 4 && all < 150, `${all} sounds of ${hits} hits`)
  },
  'A trigger zone'({ inside }, { world, crate }) {
    assert.equal(inside, 0)
    wait(world, 1)
    assert.equal(crate.userData, 'was here')
  },
  'An explosion'(_, { crate }) {
    assert.ok(crate.linearVelocity[0] > 1, `${crate.linearVelocity}`)
  },
  'Who collides with whom'({ ghost, player }, { world }) {
    wait(world, 1)
    for (const { position } of [ghost, player]) assert.ok(Math.abs(position[1] - 0.5) < 0.01)
    assert.ok(Math.abs(player.position[0] - ghost.position[0] - 0.2) < 0.01, 'they overlap')
  },
  'A level from glTF'({ level }, { world, crate }) {
    wait(world, 2)
    assert.equal(level.type, 'static')
    assert.ok(Math.abs(crate.position[1] - 1.5) < 0.01, 'it lies on the rock')
  },
  'Hills from a function'({ hills }, { world }) {
    const { body, position } = world.rayCast([-31, 10, 0], [0, -1, 0])
    assert.equal(body, hills)
    assert.ok(Math.abs(position[1] - Math.sin(32 / 5) * Math.cos(1 / 5)) < 1e-6)
  },
  'A one-way platform'({ platform }, { world, crate }) {
    crate.teleport({ position: [0, 1, 0] })
    crate.linearVelocity = [0, 8, 0]
    wait(world, 3)
    const top = platform.position[1] + 0.1
    assert.ok(Math.abs(crate.position[1] - top - 0.5) < 0.02, `${crate.position}`)
  },
  'A lift'({ lift }, { world, crate }) {
    wait(world, 4)
    assert.ok(Math.abs(lift.position[1] - 4) < 1e-9)
    assert.ok(Math.abs(crate.position[1] - 4.6) < 0.02, `${crate.position}`)
  },
  'A conveyor belt'(_, { world, crate }) {
    wait(world, 3)
    assert.ok(Math.abs(crate.linearVelocity[0] - 1) < 0.01, `${crate.linearVelocity}`)
  },
  'A door'({ hinge }, { world }) {
    let widest = 0
    for (let i = 0; i < 300; i++) {
      world.step(dt)
      widest = Math.max(widest, Math.abs(hinge.angle))
    }
    assert.ok(widest > 0.2 && widest < Math.PI / 2 + 0.05, `${widest}`)
    assert.ok(Math.abs(hinge.angle) < 0.02, 'it is closed again')
  },
  'A character'({ hero, keys, frame }) {
    for (let i = 0; i < 60; i++) frame(dt)
    assert.ok(hero.grounded)
    assert.ok(hero.position[0] > 8, `${hero.position}`)
    Object.assign(keys, { x: 0, jump: true })
    frame(dt)
    keys.jump = false
    for (let i = 0; i < 20; i++) frame(dt)
    assert.ok(hero.position[1] > 1.5, `it jumps: ${hero.position}`)
  },
  'A car'({ car, frame }) {
    for (let i = 0; i < 120; i++) frame(dt)
    assert.ok(car.speed > 5, `${car.speed}`)
    assert.ok(car.wheels.every((/** @type {any} */ wheel) => wheel.isInContact))
  },
  'A ragdoll'({ ragdoll }, { world }) {
    wait(world, 5)
    for (const [name, bone] of Object.entries(ragdoll.bones)) {
      assert.ok(bone.position[1] > 0 && bone.position[1] < 2.5, `${name} ${bone.position}`)
    }
    assert.ok(ragdoll.pose().head.orientation.length === 4)
  },
  'A bullet'({ bullet }, { world, crate }) {
    wait(world, 0.2)
    assert.ok(crate.linearVelocity[2] < 0, 'it was hit')
    assert.ok(bullet.position[2] > 0, `${bullet.position}`)
  },
  'Dice and other small things'({ table, dice, side }) {
    wait(table, 5)
    const lost = 9.5 * side - dice[9].position[1]
    assert.ok(lost > 0 && lost < 0.04 * side, `${lost} m of a tower of ten`)
  },
  'Save and load'({ copy }, { world, crate }) {
    assert.equal(world.stepCount, 0)
    assert.deepEqual(copy.bodies[1].position, crate.position)
  },
  Rewind({ history }, { world }) {
    assert.equal(world.stepCount, 60)
    assert.equal(history.frames.last, 120)
  },
  'Multiplayer with rollback'({ frame, receive, session }, { world }) {
    for (let i = 0; i < 5; i++) assert.ok(frame(1))
    for (let i = 0; i < 5; i++) receive({ player: 1, frame: i, input: 0 })
    assert.ok(frame(1))
    assert.equal(session.frame, 6)
    assert.ok(world.bodies[1].linearVelocity[0] > 0)
  },
}

describe(page, () => {
  test('has every recipe in the table at its top, and each heading once', () => {
    const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\(#([^)]+)\)/g)
    const anchor = (/** @type {string} */ title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-')
    const titles = recipes.map(({ title }) => anchor(title))
    assert.deepEqual([...links].map(([, link]) => link).sort(), titles.toSorted())
  })

  for (const { title, code } of recipes) {
    test(title, async () => {
      const { all, ...recipe } = await run([start.code, code], GIVEN[title])
      assert.ok(CHECKS[title], 'has a check')
      CHECKS[title](recipe, all)
      all.world.free()
    })
  }

  test('all of it compiles with tsc --strict', () => assert.equal(compile(), ''))
})
