/**
 * @param {Record<string, unknown>} known by their names
 * @param {Record<string, unknown>} parameters
 * @throws {RangeError} that names one that is not known, or is a text where the scene has a number
 */
export async function checkNames(known, parameters) {
  const strange = Object.keys(parameters).find((name) => !Object.hasOwn(known, name))
  if (strange !== undefined) {
    const names = Object.keys(known)
    throw new RangeError(
      `the scene has no parameter '${strange}'; it has ${names.length > 0 ? names.join(', ') : 'none'}`,
    )
  }
  const wrong = Object.keys(parameters).find((name) => isTextForNumber(known, parameters, name))
  if (wrong !== undefined)
    throw new RangeError(
      `parameter ${wrong} of the scene is a number, as its default ${known[wrong]}; '${parameters[wrong]}' is none`,
    )
}

/** @param {Record<string, unknown>} known @param {Record<string, unknown>} parameters @param {string} name */
const isTextForNumber = (known, parameters, name) =>
  typeof known[name] === 'number' && typeof parameters[name] === 'string'
