/**
 * What was kept of a sweep or exported, and then changed by nobody's will: it is refused by name, and never goes into a table.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import {
  checkExport,
  connectRedis,
  DamagedChunk,
  exportTable,
  EXPORT_FORMATS,
  openTable,
  redisStore,
  runLocally,
} from '../../source/sweeps/index.mjs'
import { decodeRows, encodeRows, rowsOf } from '../../source/sweeps/rows.mjs'
import { unsealRows } from '../../source/sweeps/sealed-chunk.mjs'
import { runCommand } from './command.mjs'
import { DEADLINE, hashOf, inFolder, scenes, specOf, undisturbed } from './support.mjs'

const spec = specOf('die.mjs', ['grid friction=0.1:0.9:4', 'random speed=0.1:1'], {
  ...{ runs: 12, chunk: 5 },
})

/** @param {Uint8Array} bytes @param {number} bit @returns {Buffer} */
function flipped(bytes, bit) {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] ^= 1 << (bit & 7)
  return copy
}

/** @param {string} folder @param {number} index */
const fileOf = (folder, index) => join(folder, 'undisturbed', spec.id, `${index}.chunk`)

/** What a table says that has a chunk in it. @param {number} index @param {RegExp} [why] */
const refusal =
  (index, why = /./) =>
  (/** @type {unknown} */ error) => {
    assert.ok(error instanceof DamagedChunk, String(error))
    assert.equal(error.index, index)
    assert.match(error.message, new RegExp(`^sweep ${spec.id}: chunk ${index} is damaged: `))
    assert.match(error.message, why)
    assert.match(error.message, /Take it away \(.*\); `resume` makes it again$/)
    return true
  }

describe('a chunk', () => {
  test('of which any one bit is flipped is refused by name', () =>
    inFolder(async (folder) => {
      const store = await undisturbed(spec, folder)
      const sound = await readFile(fileOf(folder, 1))
      // One bit of each byte, and each bit of the first bytes, of which the seal is.
      const bits = [...Array(sound.length).keys()].map((byte) => 8 * byte + (byte % 8))
      for (const bit of new Set([...Array(8 * 24).keys(), ...bits])) {
        await writeFile(fileOf(folder, 1), flipped(sound, bit))
        await assert.rejects(openTable(store, spec), refusal(1), `bit ${bit}`)
      }
    }))

  test('that is cut, longer, empty, or another chunk is refused by name', () =>
    inFolder(async (folder) => {
      const store = await undisturbed(spec, folder)
      const sound = await readFile(fileOf(folder, 1))
      for (const bytes of [
        ...[0, 3, 7, 20, 24, 30, sound.length - 1].map((length) => sound.subarray(0, length)),
        ...[Buffer.concat([sound, Buffer.alloc(1)]), await readFile(fileOf(folder, 0))],
      ]) {
        await writeFile(fileOf(folder, 1), bytes)
        await assert.rejects(openTable(store, spec), refusal(1), `${bytes.length} bytes`)
      }
    }))

  test('that is damaged is made again once it is gone, and replaced by who makes it meanwhile', () =>
    inFolder(async (folder) => {
      const store = await undisturbed(spec, folder)
      const hash = await hashOf(store, spec)
      const sound = await readFile(fileOf(folder, 1))
      const { rows } = unsealRows(spec.id, 1, sound)
      await writeFile(fileOf(folder, 1), flipped(sound, 999))
      assert.equal(await store.put(1, rows), true)
      assert.equal(await store.put(1, rows), false)
      assert.equal(await hashOf(store, spec), hash)
      await rm(fileOf(folder, 1))
      await runLocally({ store, spec, scenes, workers: 1, deadline: DEADLINE })
      assert.equal(await hashOf(store, spec), hash)
      await assert.rejects(
        store.put(1, encodeRows(rowsOf(5, [{ x: 1 }]))),
        /chunk 1.*not deterministic/,
      )
    }))

  test('in Redis likewise, with the command that takes it away', async () => {
    const redis = await startRedis()
    const connection = connectRedis(redis.url)
    try {
      await inFolder(async (folder) => {
        const sound = await undisturbed(spec, folder)
        const store = redisStore(connection, spec.id)
        await store.create(spec, scenes)
        for (const index of [0, 1, 2])
          await store.put(index, unsealRows(spec.id, index, await sound.get(index)).rows)
        const hash = await hashOf(store, spec)
        const chunks = `moreau:sweep:${spec.id}:chunks`
        await connection.hset(chunks, '2', flipped(await store.get(2), 1001))
        const advice = new RegExp(`redis-cli HDEL ${chunks} 2`)
        await assert.rejects(openTable(store, spec), refusal(2, advice))
        assert.equal(await store.put(2, unsealRows(spec.id, 2, await sound.get(2)).rows), true)
        assert.equal(await hashOf(store, spec), hash)
      })
    } finally {
      connection.disconnect()
      await redis.stop()
    }
  })

  test('from before there were checksums is read, and told of', () =>
    inFolder(async (folder) => {
      const store = await undisturbed(spec, folder)
      const hash = await hashOf(store, spec)
      assert.equal((await openTable(store, spec)).unchecked, 0)
      for (const index of [0, 2]) {
        const { rows } = unsealRows(spec.id, index, await store.get(index))
        await writeFile(fileOf(folder, index), rows)
      }
      assert.equal((await openTable(store, spec)).unchecked, 2)
      assert.equal(await hashOf(store, spec), hash)
      const words = [
        'export',
        spec.id,
        '--folder',
        join(folder, 'undisturbed'),
        '--csv',
        'rows.csv',
      ]
      const { status, stderr } = runCommand(words, folder)
      assert.equal(status, 0, stderr)
      assert.match(
        stderr,
        /2 of 3 chunks have no checksum, as they were written by an older version/,
      )
    }))
})

test('rows that were cut at any place are no rows', () => {
  const bytes = encodeRows(rowsOf(3, [{ x: 1, said: 'ä' }, new Error('no'), { x: 2 }]))
  assert.equal(decodeRows(bytes).count, 3)
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => decodeRows(bytes.subarray(0, length)), `${length} bytes`)
  assert.throws(() => decodeRows(Buffer.concat([bytes, bytes])))
})

test('a sweep whose description was changed is refused: its name is its checksum', () =>
  inFolder(async (folder) => {
    const store = await undisturbed(spec, folder)
    const file = join(folder, 'undisturbed', spec.id, 'sweep.json')
    const text = await readFile(file, 'utf8')
    for (const other of [text.replace('"runs":12', '"runs":11'), text.slice(0, -5), '{}']) {
      await writeFile(file, other)
      await assert.rejects(store.read(), new RegExp(`sweep ${spec.id}: .*sweep.json is damaged: `))
    }
  }))

describe('an exported file', () => {
  test('of any format has its checksum beside it, and one flipped bit of either is told', () =>
    inFolder(async (folder) => {
      const table = await openTable(await undisturbed(spec, folder), spec)
      for (const format of EXPORT_FORMATS) {
        const path = join(folder, `rows.${format}`)
        await exportTable(table, format, path)
        await checkExport(path)
        const [sound, sum] = [await readFile(path), await readFile(`${path}.sha256`)]
        for (const part of [0, 0.3, 0.7, 1]) {
          const bit = Math.floor(part * (8 * sound.length - 1))
          await writeFile(path, flipped(sound, bit))
          await assert.rejects(checkExport(path), /is damaged or was changed: .*export it again/)
        }
        await writeFile(path, sound)
        for (let bit = 0; bit < 8 * sum.length; bit += 5) {
          await writeFile(`${path}.sha256`, flipped(sum, bit))
          await assert.rejects(checkExport(path), /export it again/, `bit ${bit} of the checksum`)
        }
      }
    }))

  test('is checked by a command, which tells of those that have no checksum', () =>
    inFolder(async (folder) => {
      const table = await openTable(await undisturbed(spec, folder), spec)
      const path = join(folder, 'rows.csv')
      await exportTable(table, 'csv', path)
      assert.equal(runCommand(['check', path], folder).stdout, `${path}: is as it was exported\n`)
      await copyFile(path, join(folder, 'moved.csv'))
      const { status, stderr } = runCommand(['check', path, 'moved.csv'], folder)
      assert.equal(status, 1)
      assert.match(stderr, /moved.csv: has no checksum/)
      assert.equal(runCommand(['check'], folder).status, 2)
      assert.ok(existsSync(`${path}.sha256`))
    }))
})
