import { hasBody, HTTP_LIMITS, LimitedServer } from './http-server.mjs'
import { refusals } from './refusal.mjs'

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

/** By default who runs the process sees its operations, and nobody else. */
export const OPERATIONS_HOST = '127.0.0.1'

/**
 * Answers `/healthz` (200, or 503 while `ok` is false) and `/metrics`.
 *
 * @param {OperationsOptions} options
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>}
 */
function operationsHandler({ registry, health, log }) {
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
    if (hasBody(request)) throw refusals.oversized('there must be no body')
    const path = (request.url ?? '').split('?')[0]
    if (!Object.hasOwn(pages, path)) return void response.writeHead(404).end()
    try {
      const { status, type, body } = await pages[path]()
      response.writeHead(status, { 'content-type': type }).end(body)
    } catch (error) {
      log?.error({ err: error, path }, 'operations page failed')
      response.writeHead(500).end()
    }
  }
}

/**
 * Serves `/healthz` and `/metrics` of a process, on a port that is for nothing else.
 *
 * @param {OperationsOptions & { port?: number, host?: string }} options `port` 0, as by default: any that is free; `host`: by default the loopback, `0.0.0.0` for all addresses of the machine
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 */
export async function serveOperations({ port = 0, host = OPERATIONS_HOST, ...options }) {
  const { log } = options
  const server = new LimitedServer(HTTP_LIMITS, { answer: operationsHandler(options), log })
  const actual = await server.listen(port, host)
  return { port: actual, close: async () => server.close() }
}
