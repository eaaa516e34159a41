import { pino } from 'pino'

/** Redis repeats the words of a command that it does not know, as `auth` where that was renamed. */
const REPEATED = /,? with args beginning with:.*/g

/** @param {string | undefined} text */
const withoutWords = (text) => text?.replaceAll(REPEATED, '')

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === 'object' && value !== null

/**
 * An error as logs have it. Those of the Redis library have the command that failed with all its words: passwords, and whole checkpoints. Its
 * name is enough.
 *
 * @param {unknown} error
 * @returns {unknown}
 */
export function serializeError(error) {
  if (!(error instanceof Error)) return error
  return cleaned(pino.stdSerializers.err(error))
}

/** @param {unknown} value of an error, or an error that is serialized @returns {unknown} */
function cleaned(value) {
  if (value instanceof Error) return serializeError(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isObject(value)) return typeof value === 'string' ? withoutWords(value) : value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'command' && isObject(inner) ? inner.name : cleaned(inner),
  ])
  return Object.fromEntries(entries)
}

/** @param {unknown} error @returns {string} its message, without what somebody else's program repeats of our words */
export const messageOf = (error) =>
  withoutWords(error instanceof Error ? error.message : String(error)) ?? ''

/** @param {unknown} error @returns {string} where it came from, and its causes, without what errors have besides */
export function stackOf(error) {
  const { stack, cause } = Object(error)
  const own = withoutWords(stack) ?? messageOf(error)
  return cause === undefined ? own : `${own}\ncaused by ${stackOf(cause)}`
}
