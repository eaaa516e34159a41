/**
 * A copy in which those of the properties that are there are changed.
 * @param {any} of
 * @param {Record<string, (value: any) => any>} changes
 * @returns {any}
 */
export const withChanged = (of, changes) =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [name, changes[name]?.(value) ?? value]),
  )
