import { pino } from 'pino'
import { serializeError } from './error-text.mjs'

/** @typedef {import('pino').Logger} Logger */

/**
 * A structured log: a line of JSON per event, to stderr, because stdout is for what a program was asked for.
 *
 * @param {string} name of the process, in every line
 * @param {{ level?: string, stream?: import('pino').DestinationStream }} [options] `level` is by default that of LOG_LEVEL, or `info`
 * @returns {Logger}
 */
export function makeLog(name, { level = process.env.LOG_LEVEL ?? 'info', stream } = {}) {
  const serializers = { err: serializeError }
  return pino({ name, level, serializers }, stream ?? pino.destination({ dest: 2, sync: true }))
}
