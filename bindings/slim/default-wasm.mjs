/** A file beside this one. Bundlers see this very expression, and put the file where it is found. */
export const defaultWasm = () => new URL('./moreau.wasm', import.meta.url)
