// How names and texts of the schema (bindings/schema) are written in C and in JavaScript.

/** @param {string} name snake_case */
export const camelCase = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())

/** @param {string} name camelCase or kebab-case */
export const snakeCase = (name) =>
  name.replace(/-/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** @param {string} name snake_case */
export const pascalCase = (name) => {
  const camel = camelCase(name)
  return camel[0].toUpperCase() + camel.slice(1)
}

/** @param {string} name */
export const upperCase = (name) => snakeCase(name).toUpperCase()

/**
 * Breaks a text into lines.
 * @param {string} text
 * @param {number} width characters of a line at the most
 * @returns {string[]}
 */
export function wrap(text, width) {
  /** @type {string[]} */
  const lines = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line !== '') {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  lines.push(line)
  return lines
}

/**
 * A comment as C and JSDoc have it, in as many lines as it takes.
 * @param {readonly string[]} paragraphs
 * @param {string} indent
 * @param {number} [width] of the file
 */
export function comment(paragraphs, indent, width = 100) {
  const [first] = paragraphs
  if (paragraphs.length === 1 && `${indent}/** ${first} */`.length <= width) {
    return `${indent}/** ${first} */`
  }
  const lines = paragraphs.flatMap((text) => wrap(text, width - indent.length - 3))
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}
