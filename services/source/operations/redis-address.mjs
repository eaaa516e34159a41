/**
 * Addresses of Redis: read once, by the rules of URLs. What is printed of one is built from what was read, and where it cannot be read next to
 * nothing is printed: whatever characters a password has, none of it comes into a terminal or a log.
 */

/** What stands for a name or a password. */
const HIDDEN = '***'
const SCHEMES = ['redis:', 'rediss:']

/** What is at the address is not one Redis. */
export class RedisClusterError extends Error {
  name = 'RedisClusterError'

  /** @param {string} url */
  constructor(url) {
    super(
      `Redis ${printedAddress(url)}: this is a Redis Cluster, which the services do not take: it would put the keys of one sweep or room on several nodes, ` +
        'and what has to happen at once could not. Give the address of a single Redis (cluster-enabled no); for more than one can do, ' +
        'give each group of sweeps or rooms a Redis of its own',
    )
  }
}

/**
 * @param {string} text
 * @returns {URL | undefined} undefined: it is none, or one in which it is not sure where the password ends
 */
function parse(text) {
  // The reader of URLs drops these, wherever they are.
  if (/[\t\n\r]/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const { protocol, hostname, pathname, search, hash } = url
  // What follows the host is the rest of a password that has / or ? or # in it.
  const isCut = [pathname, search, hash].some((part) => part.includes('@')) || hash !== ''
  return SCHEMES.includes(protocol) && hostname !== '' && !isCut ? url : undefined
}

/** @param {unknown} address @returns {string} without a name, a password, and options that could have one */
export function printedAddress(address) {
  const text = String(address).trim()
  const url = parse(text)
  if (url) {
    const { protocol, username, password, host, pathname } = url
    const secret = `${username && HIDDEN}${password && `:${HIDDEN}`}`
    return `${protocol}//${secret && `${secret}@`}${host}${pathname}`
  }
  if (!/[@?#]/.test(text)) return text
  const scheme = SCHEMES.find((name) => text.startsWith(`${name}//`))
  return scheme ? `${scheme}//${HIDDEN}` : HIDDEN
}

/** @param {string} text @returns {string} as it was before it was percent-encoded, if it was */
function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @typedef {{ url: string, printed: string, database: number }} RedisAddress `url` as libraries of Redis read it */

/**
 * The library takes anything for an address, a password with a `%` for a broken one, and a database that it cannot read for the first one.
 *
 * @param {unknown} address
 * @returns {RedisAddress}
 * @throws {RangeError | RedisClusterError}
 */
export function readRedisAddress(address) {
  const text = String(address).trim()
  const url = parse(text)
  // The library takes a list of nodes for a cluster, and would take this one for a name.
  if (isList(url?.hostname ?? text)) throw new RedisClusterError(text)
  const database = /^(?:\/(\d*))?$/.exec(url?.pathname ?? 'none')
  if (!url || !database)
    throw new RangeError(
      `Redis ${printedAddress(text)}: must be redis://host:port, with a password redis://:password@host:port, with a database redis://host:port/1; ` +
        'characters of a password that mean something in an address, as / ? # %, are written as encodeURIComponent does',
    )
  url.username = encodeURIComponent(decode(url.username))
  url.password = encodeURIComponent(decode(url.password))
  return { url: url.href, printed: printedAddress(text), database: Number(database[1] ?? 0) }
}

/** @param {string} text a host, or what is no address @returns {boolean} whether it names several nodes; a password may have a comma */
const isList = (text) => text.slice(text.lastIndexOf('@') + 1).includes(',')
