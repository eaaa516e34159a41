import { collectDefaultMetrics, Registry } from 'prom-client'

/**
 * A registry of its own, with what prom-client knows of every Node process: memory, processor time, delay of the event loop.
 *
 * @returns {Registry}
 */
export function makeRegistry() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
