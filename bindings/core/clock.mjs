import { engine } from './engine.mjs'

/**
 * The engine's clock where it has one: writes the seconds to an address.
 * @param {number} address
 */
export function tellTime(address) {
  engine().f64[address / 8] = performance.now() / 1000
}
