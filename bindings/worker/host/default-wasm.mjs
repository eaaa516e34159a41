/** A worker is given the module. */
export const defaultWasm = () => undefined
