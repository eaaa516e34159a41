import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const cli = fileURLToPath(new URL('dist/cli.mjs', root))

/**
 * Runs the built command line.
 *
 * @param {...string} words
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
const moreau = (...words) =>
  new Promise((resolve) => {
    execFile(process.execPath, [cli, ...words], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })

describe('moreau run', () => {
  test('prints a report and passes', async () => {
    const { code, stdout, stderr } = await moreau('run', 'resting-cube')
    assert.equal(code, 0, stdout)
    for (const word of [
      'energy',
      'momentum',
      'residual',
      'penetration',
      'step time',
      'state hash',
    ]) {
      assert.ok(stdout.includes(word), `${word} in ${stdout}`)
    }
    assert.match(stdout, /ok {4}floor-carries-the-weight/)
    assert.equal(stderr, '', 'no progress bar where there is no terminal')
  })

  test('--json prints one object and nothing else; the same run has the same hash', async () => {
    const words = ['run', 'tipping-box', '--seconds', '1', '--json']
    const [first, second] = await Promise.all([moreau(...words), moreau(...words)])
    assert.equal(first.code, 0)
    assert.equal(first.stderr, '')
    const report = JSON.parse(first.stdout)
    assert.equal(report.scene, 'tipping-box')
    assert.equal(report.steps, 63)
    assert.equal(report.hash, JSON.parse(second.stdout).hash)
    assert.ok(report.checks.some((/** @type {any} */ check) => check.passed === null))
  })

  test('takes a time step and settings of the solver', async () => {
    const { code, stdout } = await moreau(
      ...['run', 'resting-cube', '--seconds=1', '--dt', '0.01', '--solver', 'block-pgs'],
      ...['--iterations', '50', '--tolerance', '1e-6', '--stabilization', 'none', '--json'],
    )
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).steps, 100)
  })

  test('takes a tolerance of 0: all sweeps are made', async () => {
    const { code } = await moreau('run', 'resting-cube', '--seconds', '0.1', '--tolerance', '0')
    assert.equal(code, 0)
  })

  test('exits with 1 when a check fails', async () => {
    // One sweep does not hold up a stack that starts cold.
    const { code, stdout } = await moreau(
      ...['run', 'stack-of-10', '--solver', 'block-pgs', '--iterations', '1'],
    )
    assert.equal(code, 1)
    assert.match(stdout, /FAIL/)
  })
})

describe('moreau run scene.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moreau-scene-'))
  after(() => rmSync(folder, { recursive: true }))

  /** @param {string} text @returns {string} the path of a file that holds it */
  function fileWith(text) {
    const path = join(folder, 'drop.json')
    writeFileSync(path, text)
    return path
  }

  const ball = { shape: { type: 'sphere', radius: 0.5 }, position: [0, 5, 0] }
  const bodies = [{ type: 'static', shape: { type: 'plane' } }, ball]

  test('runs the world of the file', async () => {
    const path = fileWith(JSON.stringify({ version: 1, bodies, settings: { solver: 'exact' } }))
    const { code, stdout } = await moreau('run', path, '--seconds', '2', '--json')
    assert.equal(code, 0)
    const report = JSON.parse(stdout)
    assert.equal(report.scene, 'drop')
    assert.equal(report.bodies, 2)
    assert.equal(report.steps, 120)
    // m g of the height of its centre: 4/3 pi 0.5^3 1000 kg, at rest on the floor
    assert.ok(Math.abs(report.energy.end / ((4 / 3) * Math.PI * 125 * 9.81 * 0.5) - 1) < 1e-3)
    // Options stand above the settings of the file.
    const other = await moreau('run', path, '--seconds', '2', '--json', '--solver', 'block-pgs')
    assert.equal(other.code, 0)
    assert.notEqual(JSON.parse(other.stdout).hash, report.hash)
  })

  test('takes a solver where the file has no settings', async () => {
    const path = fileWith(JSON.stringify({ version: 1, bodies }))
    const { code, stderr } = await moreau('run', path, '--solver', 'exakt')
    assert.equal(code, 2)
    assert.match(stderr, /^moreau: --solver must be one of .*did you mean 'exact'\?$/m)
  })

  test('says what is wrong with it, with its name and line, and exits with 2', async () => {
    const wrong = { ...ball, shape: { type: 'sphere', radius: -1 } }
    const lines = (/** @type {unknown} */ value) => JSON.stringify(value, null, 1)
    for (const [text, says] of [
      [
        lines({ version: 1, generator: 'a "[{', bodies: [ball, wrong] }),
        'drop.json, line 19: bodies[1].shape.radius must be a finite number above 0, got -1',
      ],
      [
        lines({ version: 1, bodies: [{ ...ball, postion: [0, 1, 0] }] }),
        "drop.json, line 14: bodies[0]: unknown option 'postion'; did you mean 'position'?",
      ],
      [
        '{\n "version": 1, "settings": {\n "solver": "exakt" } }',
        'drop.json, line 3: settings.solver must be one of ',
      ],
      [
        lines({ version: 1, bodies, joints: [{ bodyA: 0, bodyB: 9 }] }),
        'drop.json, line 25: joints[0].',
      ],
      ['{ "version": 1\n', 'drop.json, line 1: this is no JSON: Expected '],
      ['{\n "version": 1,\n // none\n "bodies": []\n}', 'drop.json, line 3: this is no JSON: '],
      ['', 'drop.json, line 1: this is no JSON: Unexpected end'],
      ['null', 'drop.json: scene must be an object, got null'],
      ['{}', 'drop.json: version must be 1, got undefined'],
    ]) {
      const { code, stderr } = await moreau('run', fileWith(text))
      assert.equal(code, 2, stderr)
      assert.ok(stderr.startsWith('moreau: ') && stderr.includes(says), stderr)
      assert.ok(stderr.indexOf('drop.json') <= join(folder, 'moreau: ').length, stderr)
    }
  })

  test('says what is no scene and no file', async () => {
    for (const [name, says] of [
      ['none.json', /none\.json: there is no such file$/m],
      ['.', /: run takes the name of a scene .* or a file that ends in \.json$/m],
      ['arm.urdf', /arm\.urdf: a program reads this by 'moreau\/import'/],
      ['notes.txt', /notes\.txt: run takes the name of a scene/],
    ]) {
      const { code, stderr } = await moreau('run', join(folder, String(name)))
      assert.equal(code, 2)
      assert.match(stderr, /** @type {RegExp} */ (says))
      assert.ok(stderr.startsWith(`moreau: ${join(folder, String(name))}: `), stderr)
    }
  })

  test('names the file where a run fails, and exits with 3', async () => {
    const fast = { ...ball, linearVelocity: [1e308, 0, 0] }
    const path = fileWith(JSON.stringify({ version: 1, bodies: [fast], settings: {} }))
    const { code, stderr } = await moreau('run', path, '--dt', '10')
    assert.equal(code, 3, stderr)
    assert.ok(stderr.includes(`moreau: ${path}: step: `), stderr)
    assert.doesNotMatch(stderr, /^\s+at /m, 'no stack trace')
  })
})

describe('moreau list, --help, --version', () => {
  test('list names every scene', async () => {
    const { code, stdout } = await moreau('list')
    assert.equal(code, 0)
    assert.match(stdout, /^pour +Pour$/m)
    const listed = JSON.parse((await moreau('list', '--json')).stdout)
    assert.equal(listed.length, stdout.trim().split('\n').length)
  })

  test('help', async () => {
    for (const words of [['--help'], ['-h'], ['help'], ['run', '--help'], []]) {
      const { code, stdout } = await moreau(...words)
      assert.equal(code, 0)
      assert.match(stdout, /moreau run <scene>/)
    }
  })

  test('version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    assert.equal((await moreau('--version')).stdout.trim(), version)
  })
})

describe('usage errors name the argument, its value and what is allowed', () => {
  /** @type {[string[], RegExp][]} */
  const cases = [
    [['run'], /needs the name of a scene/],
    [['run', 'poor'], /no scene 'poor'; did you mean 'pour'\?/],
    [['run', 'pour', 'pour'], /'pour' is one too many/],
    [['run', 'zzz'], /no scene 'zzz'; 'moreau list' shows all of them$/m],
    [['walk', 'pour'], /no command 'walk'; there are run and list/],
    [['runn', 'pour'], /no command 'runn'; did you mean 'run'\?/],
    [['pour'], /no command 'pour'; there are run and list: 'moreau run pour' runs/],
    [['run', 'pour', '--seconds', '-1'], /--seconds is '-1', but it must be a number above zero/],
    [['run', 'pour', '--second', '1'], /'--second'; did you mean '--seconds'\?/],
    [['run', 'pour', '--seconds', '--json'], /--seconds needs a value behind it/],
    [['list', '--dt', '1'], /list takes no --dt, which is an option of run/],
    [['run', 'pour', '--seconds', 'ten'], /--seconds is 'ten', but it must be a number above zero/],
    [['run', 'pour', '--dt', '0'], /--dt is '0', but it must be a number above zero/],
    [
      ['run', 'pour', '--tolerance=-1'],
      /--tolerance is '-1', but it must be a number zero or more/,
    ],
    [['run', 'pour', '--dt', '1e-12'], /more than 100000000 steps/],
    [['run', 'pour', '--iterations', '2.5'], /--iterations must be .*2\.5/],
    [
      ['run', 'pour', '--solver', 'magic'],
      /--solver must be one of 'block-pgs', 'exact'.*got 'magic'/,
    ],
    [
      ['run', 'pour', '--stabilization', 'magic'],
      /--stabilization must be one of 'split'.*got 'magic'/,
    ],
    [['run', 'pour', '--fast'], /--fast.*options are --seconds/],
    [['run', 'pour', '--seconds'], /--seconds needs a value behind it/],
    [['list', 'pour'], /'pour' is one too many/],
  ]
  for (const [words, message] of cases) {
    test(`moreau ${words.join(' ')}`, async () => {
      const { code, stdout, stderr } = await moreau(...words)
      assert.equal(code, 2)
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /^\s+at /m, 'no stack trace')
      assert.equal(stdout, '')
    })
  }
})
