// What a prop or a call maps to where it has no equal is said once on the console.

/** What was said. @type {Set<string>} */
const said = new Set()

/**
 * @param {string} code what it is about, as it is written in the table of the docs
 * @param {string} message
 */
export function warnOnce(code, message) {
  if (said.has(code)) return
  said.add(code)
  globalThis.console?.warn(`moreau: ${message} (${code}; docs/react.md)`)
}

/** Says everything again, for tests. */
export function forgetWarnings() {
  said.clear()
}
