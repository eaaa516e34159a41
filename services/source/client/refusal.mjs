import { ErrorCode } from '@colyseus/sdk'

/**
 * A room server did not take a room or a player (docs/rooms.md, "What is refused").
 */
export class RoomRefused extends Error {
  name = 'RoomRefused'

  /** @param {{ reason: string, message: string } & Record<string, unknown>} refusal @param {ErrorOptions} options */
  constructor({ reason, message, ...numbers }, options) {
    super(message, options)
    /** `busy`, `full`, `rules`, `forged-token`, `unknown-room` */
    this.reason = reason
    /** What the server says besides: of `busy` how many rooms it has and takes, how busy it is and may be, and after how many seconds to ask again. @type {Readonly<Record<string, unknown>>} */
    this.numbers = Object.freeze(numbers)
  }
}

/**
 * @param {unknown} error as the library of Colyseus throws it
 * @param {string} endpoint that was asked
 * @returns {unknown} a `RoomRefused`, where it is one
 */
export function readRefusal(error, endpoint) {
  const { message, code, name } = Object(error)
  const options = { cause: error }
  try {
    const refusal = JSON.parse(message)
    if (typeof refusal.reason === 'string') return new RoomRefused(refusal, options)
  } catch {
    // Somebody else's error.
  }
  if (code === ErrorCode.MATCHMAKE_INVALID_ROOM_ID)
    return new RoomRefused({ reason: 'unknown-room', message }, options)
  // Of a server that answers there is a code.
  if (name === 'MatchMakeError' && typeof code !== 'number')
    return new Error(`no room server answers at ${endpoint}: ${message}`, options)
  return error
}
