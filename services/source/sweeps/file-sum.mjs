/**
 * The checksum of an exported file, in a file beside it, as `sha256sum` writes and checks them: most formats have no place for one within.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeWhole } from './whole-file.mjs'

/** An exported file is not the one that was written. */
export class DamagedFile extends Error {}

/** @param {string} path */
export const sumFileOf = (path) => `${path}.sha256`

/** @param {string} path @returns {Promise<string>} SHA-256 */
export async function sumOfFile(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** @param {string} path of the file @param {string} sum */
export const writeSum = (path, sum) =>
  writeWhole(sumFileOf(path), (partial) => writeFile(partial, `${sum}  ${basename(path)}\n`))

/**
 * @param {string} path of a file that was exported
 * @throws {DamagedFile} if it is not the file that was written, or nobody can tell
 */
export async function checkExport(path) {
  const line = await readFile(sumFileOf(path), 'utf8').catch(() => undefined)
  if (line === undefined)
    throw new DamagedFile(
      `${path}: has no checksum (${sumFileOf(path)}): it was exported before there were any, or moved without it; export it again`,
    )
  const [, sum, name] = /^([0-9a-f]{64}) [ *](.*)\n$/.exec(line) ?? []
  if (sum === undefined || name !== basename(path))
    throw new DamagedFile(`${sumFileOf(path)}: is no checksum of ${path}; export it again`)
  const found = await sumOfFile(path)
  if (found === sum) return
  throw new DamagedFile(
    `${path}: is damaged or was changed: its SHA-256 is ${found}, that of what was exported ${sum}; export it again`,
  )
}
