/**
 * The page's address says which scene runs with which settings, so that a link shows what its sender saw:
 * `#scene=pyramid-210&iterations=50`. The same after a `?` is read, too, and so is a bare `#pyramid-210`.
 */

/**
 * @typedef {object} Address
 * @property {string | null} scene
 * @property {Record<string, string>} settings the other words, as they are
 */

/**
 * @param {Location} [location]
 * @returns {Address}
 */
export function readAddress(location = window.location) {
  const hash = location.hash.slice(1)
  const words = new URLSearchParams(location.search)
  const named = hash && !hash.includes('=') ? `scene=${hash}` : hash
  for (const [name, value] of new URLSearchParams(named)) words.set(name, value)
  const { scene = null, ...settings } = Object.fromEntries(words)
  return { scene, settings }
}

/**
 * @param {string} scene
 * @param {Record<string, string | number>} [settings]
 * @returns {string} for a link on this page
 */
export function addressOf(scene, settings = {}) {
  const words = Object.entries(settings).map(([name, value]) => [name, String(value)])
  return `#${new URLSearchParams([['scene', scene], ...words])}`
}

/**
 * Makes the address say this, without a new entry in the history.
 *
 * @param {string} scene
 * @param {Record<string, string | number>} settings
 */
export function writeAddress(scene, settings) {
  history.replaceState(null, '', `${location.pathname}${addressOf(scene, settings)}`)
}
