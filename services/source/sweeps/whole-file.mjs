import { open, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'

/** A file could not be written. What was there before still is. */
export class ExportError extends Error {}

/** What the system calls the reasons that people meet. @type {Record<string, string>} */
const REASONS = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota of disk space is used up',
  EFBIG: 'the file would be larger than allowed',
  ENOENT: 'there is no such folder',
  EACCES: 'permission denied',
}

/** @param {string} path @returns {Promise<boolean>} whether it is there and no file, as a device or pipe */
export async function isDevice(path) {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isFile()
}

/** Writes what the system holds back to the disk, so that a disk that is full says so. @param {string} path */
async function flush(path) {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Writes a file wholly or not at all: beside its place first.
 *
 * @param {string} path
 * @param {(path: string) => Promise<void>} write
 */
export async function writeWhole(path, write) {
  const partial = (await isDevice(path)) ? path : `${path}.${randomUUID()}.partial`
  try {
    await write(partial)
    if (partial === path) return
    await flush(partial)
    await rename(partial, path)
  } catch (error) {
    if (partial !== path) await rm(partial, { force: true })
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
    const reason = REASONS[code] ?? message
    throw new ExportError(
      `${path}: ${reason}; nothing was changed there, and the sweep can be exported again`,
      { cause: error },
    )
  }
}
