/**
 * The files that a command of sweeps was asked for.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EXPORT_FORMATS, exportTable } from '../sweeps/export.mjs'
import { UsageError } from './arguments.mjs'

/** @typedef {import('../sweeps/table.mjs').Table} Table */

/**
 * Finds what is wrong with the names of files before the hours of a sweep, not after them.
 *
 * @param {Record<string, any>} values of options
 * @returns {number} of files
 * @throws {UsageError}
 */
export function checkFiles(values) {
  const asked = EXPORT_FORMATS.filter((format) => values[format] !== undefined)
  /** @type {Map<string, string>} */
  const paths = new Map()
  for (const format of asked) {
    const option = `--${format} ${values[format]}`
    checkPlace(option, values[format])
    const path = resolve(values[format])
    const other = paths.get(path)
    if (other) throw new UsageError(`${option}: --${other} goes to the same file`)
    paths.set(path, format)
  }
  return asked.length
}

/** @param {string} option @param {string} path @throws {UsageError} */
function checkPlace(option, path) {
  if (path === '') throw new UsageError(`${option}: needs the name of a file`)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new UsageError(`${option}: is a folder`)
  const folder = dirname(path)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option}: there is no folder ${folder}`)
  try {
    // A file comes whole, from beside its place; what is no file, as a pipe, is written to itself.
    accessSync(found && !found.isFile() ? path : folder, constants.W_OK)
  } catch {
    throw new UsageError(`${option}: may not be written by this user`)
  }
}

/** @param {Table} table @param {Record<string, any>} values of options */
export async function writeFiles(table, values) {
  for (const format of EXPORT_FORMATS) {
    if (values[format] === undefined) continue
    await exportTable(table, format, values[format])
    console.error(`${format}: ${values[format]}`)
  }
}
