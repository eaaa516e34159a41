// Functions of a user that throw (worker-misuse.test.mjs, which knows their lines).

export function broken() {
  throw new RangeError('of the filter')
}
