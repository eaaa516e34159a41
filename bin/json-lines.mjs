/**
 * In which line of a file of JSON something stands.
 */

/** Strings, marks, and numbers or words. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
/** Characters that V8 shows before and behind the place from which on a text is no JSON. */
const SHOWN = 10

/**
 * @param {string} text
 * @param {number} offset
 */
const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

/**
 * The line of a value, or of the innermost thing around it that is there.
 *
 * @param {string} text good JSON
 * @param {string} path "bodies[0].shape.radius"
 * @returns {number | undefined} undefined: nothing of it is there
 */
export function lineOfPath(text, path) {
  const tokens = text.matchAll(TOKEN)
  let token = tokens.next().value
  /** @type {number | undefined} */
  let found
  read('')
  return found === undefined ? undefined : lineAt(text, found)

  /** Goes on by a token and gives the last one. */
  function take() {
    const [word] = token ?? ['']
    token = tokens.next().value
    return word
  }

  /** @param {string} here the path of the value that comes next */
  function read(here) {
    if (!leadsTo(here, path)) return skip()
    if (here !== '') found = token?.index
    const opening = take()
    if (opening === '[') readItems((i) => read(`${here}[${i}]`))
    if (opening === '{') readItems(() => readMember(here))
  }

  /** @param {(index: number) => void} readItem reads what is between commas */
  function readItems(readItem) {
    for (let i = 0; token !== undefined && !/[\]}]/.test(token[0][0]); i++) {
      readItem(i)
      if (token?.[0] === ',') take()
    }
    take()
  }

  /** @param {string} object its path */
  function readMember(object) {
    const name = JSON.parse(take())
    take()
    read(object === '' ? name : `${object}.${name}`)
  }

  /** Over the value that comes next, however deep it is. */
  function skip() {
    let depth = 0
    do {
      const word = take()
      depth += Number(word === '{' || word === '[') - Number(word === '}' || word === ']')
    } while (depth > 0)
  }
}

/**
 * @param {string} here
 * @param {string} path
 */
function leadsTo(here, path) {
  if (!path.startsWith(here)) return false
  return here === '' || here === path || ['.', '['].includes(path[here.length])
}

/**
 * The line from which on a text is no JSON, as far as the host's error tells it.
 *
 * @param {string} text
 * @param {string} message of the error of JSON.parse
 * @returns {number | undefined}
 */
export function lineOfMistake(text, message) {
  const { length } = text.trimEnd()
  const [, offset] = /at position (\d+)/.exec(message) ?? []
  if (offset !== undefined) return lineAt(text, Math.min(Number(offset), length))
  if (message.includes('end of JSON')) return lineAt(text, length)
  if (!text.trimEnd().includes('\n')) return 1
  // Some versions show the text around the mistake in place of its position.
  const [, before, shown, behind] = /, (\.\.\.)?"(.*)"(\.\.\.)? is not valid/s.exec(message) ?? []
  const at = shown === undefined ? -1 : text.indexOf(shown)
  if (at < 0 || text.includes(shown, at + 1)) return undefined
  if (before === undefined && behind === undefined) return undefined
  return lineAt(text, before ? at + SHOWN : at + shown.length - SHOWN)
}
