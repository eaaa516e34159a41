import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Colyseus enters a process into the list of those with rooms before it listens, and at a port that is taken it neither ends nor throws.
 *
 * @param {number} port @throws {Error} with a sentence, where nobody may listen there
 */
export async function checkPort(port) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`port must be a whole number from 0 to 65535, is ${port}`)
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const reason = code === 'EADDRINUSE' ? 'another program listens there' : message
    throw new Error(`port ${port}: ${reason}`, { cause: error })
  }
  await new Promise((resolve) => server.close(resolve))
}
