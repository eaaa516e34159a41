/**
 * The command line of sweeps: Ctrl-C and resume, status, cancel, workers that drain.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import { UsageError } from '../../source/command-line/arguments.mjs'
import { sweepCommands } from '../../source/command-line/sweep-commands.mjs'
import { connectRedis, folderStore, redisStore } from '../../source/sweeps/index.mjs'
import { idOf } from '../../source/sweeps/spec.mjs'
import { Command, runCommand, until } from './command.mjs'
import { hashOf, inFolder, scenes, setPace, specOf, undisturbed } from './support.mjs'

const SIZE = { runs: 2000, chunk: 25 }
const WORDS = [
  ...['sweep', join(scenes, 'paced-die.mjs'), '--grid', 'friction=0.1:0.9:8'],
  ...['--runs', SIZE.runs, '--chunk', SIZE.chunk, '--workers', 2],
]
/** ms: at this pace the sweep would take 20 s in two processes, and the chunk under way half a second. */
const PACE = 20
/** ms: at this pace what is left of a sweep takes minutes, so that a command which ends it comes before its end however long it takes to start */
const SLOW = 150
const spec = specOf('paced-die.mjs', ['grid friction=0.1:0.9:8'], SIZE)

/** Waits until so many chunks are made, and slows the sweep down then. @param {string} folder @param {number} least @param {import('ioredis').Redis} [connection] where the sweep is in Redis */
async function slowDownAfter(least, folder, connection) {
  const store = connection
    ? redisStore(connection, spec.id)
    : folderStore(join(folder, 'moreau-sweeps'), spec.id)
  // It has no folder at first.
  const done = () => store.doneCount().catch(() => 0)
  await until(async () => (await done()) >= least, `${least} chunks`)
  await setPace(folder, SLOW)
}

describe('Ctrl-C', () => {
  for (const place of ['in a folder', 'in Redis']) {
    test(`${place}: leaves a sweep that resume finishes, with the hash of an undisturbed run`, () =>
      inFolder(async (folder) => {
        const redis = place === 'in Redis' ? await startRedis() : undefined
        const connection = redis && connectRedis(redis.url)
        const more = redis ? ['--redis', redis.url] : []
        const status = () => runCommand(['status', spec.id, ...more], folder).stdout
        try {
          await setPace(folder, PACE)
          const sweep = new Command([...WORDS, ...more], folder)
          await slowDownAfter(10, folder, connection)
          assert.ok(Number(/(\d+) of \d+ chunks/.exec(status())?.[1]) >= 10)
          sweep.kill('SIGINT')
          assert.equal(await sweep.end(), 130, sweep.errors)
          assert.match(sweep.errors, new RegExp(`moreau-services resume ${spec.id}`))
          assert.match(status(), /running {2}\d+ of 80 chunks/)
          await setPace(folder, 0)
          const { stdout, stderr, status: code } = runCommand(['resume', spec.id, ...more], folder)
          assert.equal(code, 0, stderr)
          const hash = await hashOf(await undisturbed(spec, folder), spec)
          assert.match(stdout, new RegExp(`2000 runs, 0 failed; table ${hash}`))
          assert.match(status(), /done {2}80 of 80 chunks/)
        } finally {
          connection?.disconnect()
          await redis?.stop()
        }
      }))
  }
})

test('cancel ends a sweep that another process makes, and resume takes it up again', () =>
  inFolder(async (folder) => {
    await setPace(folder, PACE)
    const sweep = new Command(WORDS, folder)
    await slowDownAfter(5, folder)
    assert.equal(runCommand(['cancel', spec.id], folder).status, 0)
    assert.equal(await sweep.end(), 3, sweep.errors)
    assert.match(runCommand(['status'], folder).stdout, /cancelled/)
    await setPace(folder, 0)
    assert.equal(runCommand(['resume', spec.id], folder).status, 0)
  }))

test('a worker that gets SIGTERM finishes its chunk, says so to /healthz and the log, and ends with 0', () =>
  inFolder(async (folder) => {
    const redis = await startRedis()
    try {
      const words = [
        'worker',
        '--scenes',
        scenes,
        '--workers',
        1,
        '--port',
        0,
        '--redis',
        redis.url,
      ]
      const worker = new Command(words, folder)
      const sweep = new Command([...WORDS, '--workers', 0, '--redis', redis.url], folder)
      await until(() => /"msg":"ready"/.test(worker.errors), 'the worker is ready')
      const { port } = JSON.parse(
        worker.errors.split('\n').find((line) => /"ready"/.test(line)) ?? '',
      )
      const get = (/** @type {string} */ path) => fetch(`http://127.0.0.1:${port}${path}`)
      const chunks = async () =>
        /^moreau_sweep_chunks_total (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]
      await until(async () => Number(await chunks()) > 2, 'three chunks')
      const health = await get('/healthz')
      assert.deepEqual(
        [health.status, await health.json()],
        [200, { ok: true, drains: false, workers: 1 }],
      )
      worker.kill('SIGTERM')
      assert.equal(await worker.end(), 0, worker.errors)
      assert.match(worker.errors, /"msg":"drained"/)
      const another = new Command(words, folder)
      assert.equal(await sweep.end(), 0, sweep.errors)
      another.kill('SIGTERM')
      assert.equal(await another.end(), 0)
    } finally {
      await redis.stop()
    }
  }))

test('files of all formats', () =>
  inFolder(async (folder) => {
    const files = [
      '--csv',
      'a.csv',
      '--ndjson',
      'a.ndjson',
      '--parquet',
      'a.parquet',
      '--plot',
      'a.svg',
      '--summary',
      'a.json',
    ]
    const { status, stderr } = runCommand([...WORDS, ...files], folder)
    assert.equal(status, 0, stderr)
    const lines = async (/** @type {string} */ name) =>
      (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').length
    assert.equal(await lines('a.csv'), 2001)
    assert.equal(await lines('a.ndjson'), 2000)
    assert.match(await readFile(join(folder, 'a.svg'), 'utf8'), /^<svg [^]*polyline[^]*<\/svg>\n$/)
    assert.equal(JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')).runs, 2000)
  }))

describe('mistakes end with code 2 and a sentence that names them', () => {
  const die = join(scenes, 'die.mjs')
  const mistakes = /** @type {const} */ ([
    [['sweep'], /sweep needs the name of a scene/],
    [['sweep', die, '--gird', 'a=1:2:3'], /Unknown option '--gird'.*--grid/],
    [['sweep', die, '--grid', 'friction=1:2'], /--grid friction=1:2: must be/],
    [['sweep', die, '--random', 'friction=2:1'], /--random friction=2:1: 2 is above 1/],
    [['sweep', die, '--random', 'friction=:'], /--random friction=:: must be name=lower:upper/],
    [['sweep', die, '--grid', 'friction=0.1,'], /--grid friction=0.1,: a value is empty/],
    [['sweep', die, '--grid', 'friction=1e400'], /1e400 is no finite number/],
    [['sweep', die, '--grid', 'friction=0.1,low'], /parameter friction .* is a number.*'low'/],
    [['sweep', die, '--seed', '-1'], /Option '--seed' argument is ambiguous; options are/],
    [['sweep', die, 'domino.mjs'], /sweep: what is 'domino.mjs'\?/],
    [['sweep', 'resting-cube', '--grid', 'timeStep=0'], /timeStep must be .* above 0, is 0/],
    [['sweep', 'resting-cube', '--grid', 'seconds=1,long'], /seconds must be .*, is long/],
    [['sweep', 'resting-cube', '--grid', 'weight=1'], /unknown option 'weight'/],
    [['sweep', die, '--csv', '/nowhere/rows.csv'], /--csv .*: there is no folder \/nowhere/],
    [['sweep', die, '--csv', scenes], /--csv .*: is a folder/],
    [['sweep', die, '--csv', ''], /--csv : needs the name of a file/],
    [['sweep', die, '--csv', 'rows', '--ndjson', './rows'], /--ndjson .*: --csv goes to the same/],
    [['sweep', die, '--folder', die], /--folder .*: there is no such folder/],
    [['status', '--redis', 'localhost'], /Redis localhost: must be redis:/],
    [
      ['status', '--redis', 'redis://:secret@localhost:x'],
      /^Redis redis:\/\/\*\*\*: must be redis:/,
    ],
    [['export', 'nothing'], /export needs a file: --parquet <path>/],
    [['worker', '--redis', 'redis://localhost', '--scenes', '/nowhere'], /no such folder/],
    [['worker', '--redis', 'redis://localhost', '--port', 65_536], /--port 65536: must be at most/],
    [
      ['sweep', die, '--grid', 'frction=1:2:3'],
      /no parameter 'frction'; it has friction, speed, spin/,
    ],
    [['sweep', die, '--grid', 'speed=1:2:3', '--random', 'speed=1:2'], /speed is given twice/],
    [
      ['sweep', die, '--grid', 'speed=1:2:30', '--runs', 20],
      /at least the 30 points of the grid, is 20/,
    ],
    [['sweep', die, '--runs', 0], /--runs 0: must be a whole number/],
    [['sweep', die, '--workers', 'two'], /--workers two/],
    [['sweep', die, '--seed', 2 ** 20], /seed must be a whole number from 0 to 1048575/],
    [['sweep', 'no-such-scene'], /no scene 'no-such-scene'/],
    [['sweep', 'no-such-file.mjs'], /no-such-file.mjs: there is no such file/],
    [['resume', 'nothing'], /there is no sweep nothing/],
    [['worker'], /worker needs --redis/],
  ])
  for (const [[name, ...words], message] of mistakes) {
    test([name, ...words].join(' ').replace(scenes, '.'), async () => {
      const command = sweepCommands[/** @type {keyof typeof sweepCommands} */ (name)]
      await assert.rejects(command(words.map(String)), (error) => {
        assert.ok(error instanceof UsageError || error instanceof RangeError)
        assert.match(error.message, message)
        return true
      })
    })
  }

  for (const [words, code, message] of /** @type {[string[], number, RegExp][]} */ ([
    [['swep'], 2, /^moreau-services: there is no command 'swep'; there are sweep/],
    [
      ['rooms', '--redis', 'redis://localhost', '--scenes', 'no.mjs'],
      2,
      /no.mjs: there is no such/,
    ],
    [['rooms', '--redis', 'redis://localhost', '--scenes', die], 2, /must have a name/],
    [['worker', '--redis', 'redis://127.0.0.1:1'], 1, /127.0.0.1:1: .*ECONNREFUSED/],
    [['rooms', '--redis', 'redis://127.0.0.1:1'], 1, /127.0.0.1:1: .*ECONNREFUSED/],
    [['status'], 0, /^there are no sweeps in moreau-sweeps/],
  ])) {
    test(`${words.join(' ').replace(scenes, '.')}: as a process, which ends with ${code}`, () =>
      inFolder(async (folder) => {
        const { status, stderr } = runCommand(words, folder)
        assert.match(stderr, message)
        assert.doesNotMatch(stderr, /\n {4}at /)
        assert.equal(status, code)
      }))
  }

  test('help and version', () =>
    inFolder(async (folder) => {
      for (const words of [['--help'], ['sweep', '--help'], ['rooms', '-h']])
        assert.match(runCommand(words, folder).stdout, /moreau-services sweep <scene>/)
      assert.match(runCommand(['--version'], folder).stdout, /^moreau-services \d.*moreau \d/)
    }))
})

describe('what a sweep is of', () => {
  test('a folder without the scene is not kept in place of the one that has it', () =>
    inFolder(async (folder) => {
      const words = ['sweep', join(scenes, 'die.mjs'), '--runs', 4, '--workers', 1]
      assert.equal(runCommand(words, folder).status, 0)
      const [id] = readdirSync(join(folder, 'moreau-sweeps'))
      const wrong = runCommand(['resume', id, '--scenes', folder], folder)
      assert.equal(wrong.status, 2)
      assert.match(wrong.stderr, /scene die.mjs: there is no such file in/)
      assert.equal(runCommand(['resume', id], folder).status, 0)
    }))

  test('rows of another engine are not put beside those of this one', () =>
    inFolder(async (folder) => {
      const words = ['sweep', join(scenes, 'die.mjs'), '--runs', 4, '--workers', 1]
      assert.equal(runCommand(words, folder).status, 0)
      const [id] = readdirSync(join(folder, 'moreau-sweeps'))
      const place = (/** @type {string} */ sweep) => join(folder, 'moreau-sweeps', sweep)
      const { spec: made, scenes: at } = JSON.parse(
        readFileSync(join(place(id), 'sweep.json'), 'utf8'),
      )
      const content = { ...made, id: undefined, moreau: '0.0.1' }
      const older = idOf(content)
      renameSync(place(id), place(older))
      const kept = { spec: { ...content, id: older }, scenes: at }
      writeFileSync(join(place(older), 'sweep.json'), JSON.stringify(kept))
      const { status, stderr } = runCommand(['resume', older], folder)
      assert.equal(status, 2)
      assert.match(stderr, /is of moreau 0\.0\.1, and here is moreau/)
    }))
})
