import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * What a process says of its health: `ok` is false while it should get no work, and the rest tells why and what it does.
 *
 * @typedef {{ ok: boolean } & Record<string, unknown>} Health
 */

/**
 * @typedef {object} OperationsOptions
 * @property {import('prom-client').Registry} registry
 * @property {() => Health | Promise<Health>} health
 * @property {import('pino').Logger} [log] gets what `health` or a metric throws
 */

/**
 * Answers `/healthz` (200, or 503 while `ok` is false) and `/metrics`, as a handler of Node's http server or of Express.
 *
 * @param {OperationsOptions} options
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<boolean>}
 *   whether the request was one of these
 */
export function operationsHandler({ registry, health, log }) {
  /** @type {Record<string, () => Promise<{ status: number, type: string, body: string }>>} */
  const pages = {
    '/healthz': async () => {
      const state = await health()
      const body = `${JSON.stringify(state)}\n`
      return { status: state.ok ? 200 : 503, type: 'application/json', body }
    },
    '/metrics': async () => {
      return { status: 200, type: registry.contentType, body: await registry.metrics() }
    },
  }
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0]
    if (!Object.hasOwn(pages, path)) return false
    try {
      const { status, type, body } = await pages[path]()
      response.writeHead(status, { 'content-type': type }).end(body)
    } catch (error) {
      log?.error({ err: error, path }, 'operations page failed')
      response.writeHead(500).end()
    }
    return true
  }
}

/**
 * Serves `/healthz` and `/metrics` of a process that has no web server of its own.
 *
 * @param {OperationsOptions & { port: number, host?: string }} options port 0: any that is free
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 */
export async function serveOperations({ port, host = '0.0.0.0', ...options }) {
  const handle = operationsHandler(options)
  const server = createServer(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(404).end()
  })
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const reason = code === 'EADDRINUSE' ? 'another program listens there' : message
    throw new Error(`port ${port}: ${reason}`, { cause: error })
  }
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: address.port, close }
}
