/**
 * Files of worlds that somebody has damaged or made up: parts are missing, doubled, of another kind, or no plain data at all. What must
 * hold: a world that steps, or an error of Moreau; no NaN, no leak.
 */
import fc from 'fast-check'
import { checkError, Finding, flush } from './check.mjs'

/** Steps of a world that was read. */
const STEPS = 3
/** Times that a file is damaged at the most. */
const MOST_DAMAGE = 6

/** @type {(() => unknown)[]} what a part of a file becomes */
const RUBBISH = [
  () => undefined,
  () => null,
  () => NaN,
  () => -1,
  () => 0,
  () => 1e308,
  () => 5e-324,
  () => 2 ** 32,
  () => 1.5,
  () => true,
  () => '',
  () => 'sphere',
  () => 'AAAA',
  () => 'AAAAAAAA8D8=',
  () => 'not base64 !',
  () => 'A'.repeat(1e5),
  () => '=',
  () => '\u0000\uD800',
  () => '__proto__',
  () => [],
  () => ({}),
  () => new Array(9),
  // eslint-disable-next-line no-sparse-arrays
  () => [1, , 3],
  () => Object.assign([], { 1e9: 1, length: 3 }),
  () => Array(1e4).fill(0),
  () => new Float64Array([1, 2, 3]),
  () => new Uint8Array(64),
  () => new Proxy([1, 2, 3], {}),
  () => new Proxy({}, { get: () => 1, has: () => true }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  () =>
    Object.defineProperty({}, 'type', {
      enumerable: true,
      get() {
        throw new Error('a getter that throws')
      },
    }),
  () => Symbol('strange'),
  () => 10n,
  () => () => 1,
  () => {
    const ring = /** @type {any} */ ({ type: 'box' })
    ring.ring = ring
    return ring
  },
  () => {
    let deep = /** @type {any} */ ([])
    for (let i = 0; i < 1e5; i++) deep = [deep]
    return deep
  },
  () => JSON.parse('{"__proto__": {"type": "sphere"}, "constructor": 1}'),
]

/** @typedef {{ holder: any, key: string }} Place */

/**
 * @param {any} value
 * @param {Place[]} places
 * @returns {Place[]} of every value within
 */
function placesIn(value, places = []) {
  for (const key of Object.keys(value)) {
    places.push({ holder: value, key })
    if (Array.isArray(value[key]) || value[key]?.constructor === Object)
      placesIn(value[key], places)
  }
  return places
}

/**
 * @typedef {object} Damage
 * @property {'spoil' | 'remove' | 'swap' | 'repeat' | 'scale' | 'cut'} kind
 * @property {number} at which value of the file
 * @property {number} with which other value, or what it becomes
 */

/** @type {Record<Damage['kind'], (place: Place, other: Place, number: number) => void>} */
const DAMAGES = {
  spoil({ holder, key }, other, number) {
    holder[key] = RUBBISH[number % RUBBISH.length]()
  },
  remove({ holder, key }) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  swap({ holder, key }, other) {
    const value = holder[key]
    holder[key] = other.holder[other.key]
    other.holder[other.key] = value
  },
  repeat({ holder, key }, other) {
    holder[key] = other.holder[other.key]
  },
  scale({ holder, key }, other, number) {
    if (typeof holder[key] === 'number') holder[key] *= [-1, 1e-9, 1e9, 1e150, 0.5][number % 5]
  },
  cut({ holder, key }, other, number) {
    const value = holder[key]
    if (typeof value === 'string' || Array.isArray(value)) {
      holder[key] = value.slice(0, number % (value.length + 1))
    }
  },
}

const damage = fc.record({
  kind: fc.constantFrom(.../** @type {Damage['kind'][]} */ (Object.keys(DAMAGES))),
  at: fc.nat(),
  with: fc.nat(),
})

/** What is done to which file. */
export const damagedFile = fc.record({
  file: fc.nat(),
  damages: fc.array(damage, { minLength: 1, maxLength: MOST_DAMAGE }),
})

/**
 * @param {any} file that is changed
 * @param {readonly Damage[]} damages
 */
function spoil(file, damages) {
  const places = placesIn(file)
  for (const one of damages) {
    const [place, other] = [one.at, one.with].map((i) => places[i % places.length])
    DAMAGES[one.kind](place, other, one.with)
  }
}

/**
 * Reads a damaged file, and steps the world if there is one.
 * @param {readonly string[]} files JSON
 * @param {{ file: number, damages: readonly Damage[] }} damaged
 * @param {any} moreau
 * @throws {Finding}
 */
export function checkSceneFile(files, { file, damages }, moreau) {
  const object = JSON.parse(files[file % files.length])
  spoil(object, damages)
  const keeper = new moreau.World()
  const before = keeper.memory().bytes
  let world
  try {
    world = moreau.World.fromJSON(object)
    for (let i = 0; i < STEPS; i++) world.step(1 / 60)
  } catch (error) {
    checkError(error, 'World.fromJSON and some steps', moreau)
  }
  if (world?.transforms64.some(Number.isNaN)) throw new Finding('NaN', 'in a pose')
  world?.free()
  flush(keeper, moreau)
  const after = keeper.memory().bytes
  keeper.free()
  if (after !== before) throw new Finding('leak', `${after - before} bytes`)
}
