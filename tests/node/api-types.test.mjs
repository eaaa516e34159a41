// What editors and compilers of users see of the types: completion, literals, misuse (docs/api.md#vectors).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import ts from '@typescript/typescript6'
import { root } from '../../scripts/tools.mjs'

const FILE = join(root, 'tests/node/probe.ts')
const HEAD = `
import { createShape, World } from 'moreau'
import type { Body, BodyDefinition, ShapeDefinition } from 'moreau'
declare const world: World
declare const body: Body
declare class Vector3 { x: number; y: number; z: number
  copy(v: { x: number, y: number, z: number }): void; fromArray(list: ArrayLike<number>): void }
`
const state = { text: HEAD, version: 0 }

const service = ts.createLanguageService({
  getScriptFileNames: () => [FILE],
  getScriptVersion: (file) => (file === FILE ? String(state.version) : '0'),
  getScriptSnapshot(file) {
    const text = file === FILE ? state.text : ts.sys.readFile(file)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => ({
    ...{ strict: true, skipLibCheck: true, types: [], lib: ['lib.es2022.d.ts'] },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ target: ts.ScriptTarget.ES2022, paths: { moreau: [join(root, 'dist/index.d.ts')] } },
  }),
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (file) => file === FILE || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
})

/** What an editor offers where `|` stands. @param {string} code */
function offered(code) {
  const at = HEAD.length + code.indexOf('|')
  state.text = HEAD + code.replace('|', '')
  state.version++
  const names = service.getCompletionsAtPosition(FILE, at, {})?.entries.map(({ name }) => name)
  return (names ?? []).sort()
}

/** @param {string} code @returns {string[]} messages of the compiler */
function errorsOf(code) {
  state.text = HEAD + code
  state.version++
  const found = service.getSemanticDiagnostics(FILE)
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const PLACEMENT = [
  ...['density', 'filter', 'friction', 'frictionCombine', 'orientation', 'position', 'restitution'],
  ...['restitutionCombine', 'sensor'],
]
/** What each shape has beside `type`. */
const MEASURES = {
  sphere: ['radius'],
  box: ['halfExtents', 'radius'],
  capsule: ['halfHeight', 'radius', 'radiusBottom', 'radiusTop'],
  cylinder: ['halfHeight', 'radius', 'radiusBottom', 'radiusTop', 'rounding'],
  cone: ['halfHeight', 'radius', 'rounding'],
  hull: ['hull', 'points', 'radius'],
  plane: ['normal', 'offset'],
  mesh: ['indices', 'oneSided', 'vertices'],
  heightfield: ['columns', 'heights', 'oneSided', 'rows', 'scale'],
  compound: ['shapes'],
}

describe('completion', () => {
  for (const [type, measures] of Object.entries(MEASURES)) {
    test(`after type: '${type}' offers what it has, and nothing else`, () => {
      const expected = [...measures, ...PLACEMENT].sort()
      assert.deepEqual(offered(`world.createBody({ shape: { type: '${type}', | } })`), expected)
    })
  }

  test('is the same wherever a shape is given', () => {
    const expected = [...MEASURES.box, ...PLACEMENT].sort()
    for (const code of [
      "world.createBody({ shapes: [{ type: 'box', | }] })",
      "world.createCharacter({ shape: { type: 'box', | } })",
      "createShape({ type: 'box', | })",
    ]) {
      assert.deepEqual(offered(code), expected, code)
    }
  })

  test('of joints and potentials offers what their types have', () => {
    const hinge = offered("world.createJoint({ type: 'hinge', | })")
    const fixed = offered("world.createJoint({ type: 'fixed', | })")
    const gravity = offered("world.createPotential({ type: 'gravity', | })")
    for (const name of ['limits', 'motor', 'axis']) assert.ok(hinge.includes(name), name)
    for (const name of ['limits', 'motor', 'axis', 'ratio']) assert.ok(!fixed.includes(name), name)
    assert.deepEqual(gravity, ['bodies', 'gravity', 'region', 'userData'])
  })
})

describe('the compiler', () => {
  test('takes definitions as the documentation shows them', () => {
    const literals = `
      const box = { type: 'box', halfExtents: [1, 1, 1] } as const
      const ball = { type: 'sphere', radius: 1 } satisfies ShapeDefinition
      const crate: BodyDefinition = { shape: box, position: [0, 1, 0] }
      const brick = createShape({ type: 'box', halfExtents: [0.1, 0.05, 0.05] })
      for (const shape of [box, ball, brick]) world.createBody({ shape })
      world.createBody(crate)
      world.createBody({ shapes: [box, ball, brick] })`
    assert.deepEqual(errorsOf(literals), [])
  })

  test('takes vectors as they are: lists of numbers, typed arrays, objects', () => {
    const vectors = `
      const list = [1, 2, 3]
      const typed = new Float32Array(3)
      const object = { x: 1, y: 2, z: 3 }
      for (const position of [list, typed, object]) world.createBody({ shape: { type: 'box', halfExtents: position }, position })
      body.position = list
      body.applyForce(object, typed)
      body.position = body.position
      new Vector3().fromArray(body.position)
      body.readPosition(new Vector3())`
    assert.deepEqual(errorsOf(vectors), [])
  })

  test('refuses what would be silent: copy of a getter, misspelt members and measures', () => {
    for (const [code, message] of /** @type {const} */ ([
      ['new Vector3().copy(body.position)', /not assignable/],
      ['body.position.y', /'y'/],
      ['body.positon', /Did you mean 'position'/],
      ["createShape({ type: 'box', halfExtent: [1, 1, 1] })", /halfExtent/],
      ["createShape({ type: 'box', halfExtents: [1, 1, 1], rows: 3 })", /rows/],
      ["createShape({ type: 'bxo', halfExtents: [1, 1, 1] })", /bxo/],
    ])) {
      const [first, ...others] = errorsOf(code)
      assert.match(first ?? 'nothing', message, code)
      assert.deepEqual(others, [], code)
    }
  })
})
