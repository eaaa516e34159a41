/**
 * @param {Record<string, unknown>} known by their names
 * @param {Record<string, unknown>} parameters
 * @throws {RangeError} that names one that is not known
 */
export async function checkNames(known, parameters) {
  const strange = Object.keys(parameters).find((name) => !Object.hasOwn(known, name))
  if (strange === undefined) return
  const names = Object.keys(known)
  throw new RangeError(
    `the scene has no parameter '${strange}'; it has ${names.length > 0 ? names.join(', ') : 'none'}`,
  )
}
