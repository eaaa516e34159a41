/**
 * Why a request is not carried out. It is no fault of the process: it is answered and counted, not logged with a stack trace.
 */
export class HttpRefusal extends Error {
  name = 'HttpRefusal'

  /**
   * @param {string} reason one word, by which it is counted
   * @param {number} status code of HTTP
   * @param {string} message
   * @param {Record<string, number>} [numbers] by which a client can decide what to do
   */
  constructor(reason, status, message, numbers = {}) {
    // A text, as Colyseus hands on nothing else. The client library reads it.
    super(JSON.stringify({ reason, message, ...numbers }))
    this.reason = reason
    this.status = status
  }
}

/** What any server of ours may say to a request, whatever it asks for. */
export const refusals = Object.freeze({
  malformed: (/** @type {string} */ message) => new HttpRefusal('malformed', 400, message),
  slow: (/** @type {string} */ message) => new HttpRefusal('slow', 408, message),
  oversized: (/** @type {string} */ message, status = 413) =>
    new HttpRefusal('oversized', status, message),
  flood: (/** @type {string} */ message) =>
    new HttpRefusal('flood', 429, message, { retryAfter: 1 }),
})
