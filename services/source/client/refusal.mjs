/**
 * A room server did not take a room or a player (docs/rooms.md, "What is refused").
 */
export class RoomRefused extends Error {
  name = 'RoomRefused'

  /** @param {{ reason: string, message: string } & Record<string, unknown>} refusal @param {ErrorOptions} options */
  constructor({ reason, message, ...numbers }, options) {
    super(message, options)
    /** `busy`, `full`, `rules`, `forged-token` */
    this.reason = reason
    /** What the server says besides: of `busy` how many rooms it has and takes, how busy it is and may be, and after how many seconds to ask again. @type {Readonly<Record<string, unknown>>} */
    this.numbers = Object.freeze(numbers)
  }
}

/** @param {unknown} error as the library of Colyseus throws it @returns {unknown} a `RoomRefused`, where it is one */
export function readRefusal(error) {
  try {
    const refusal = JSON.parse(Object(error).message)
    if (typeof refusal.reason === 'string') return new RoomRefused(refusal, { cause: error })
  } catch {
    // Somebody else's error.
  }
  return error
}
