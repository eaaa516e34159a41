/**
 * The page of a room: joins the one that its address names, or any, and plays.
 */
import { RoomClient } from '../source/client/index.mjs'
import { inputOf, stacks, BUTTON } from '../source/scenes/stacks.mjs'
import { View } from './view.mjs'

/** ms: pages in the background are not drawn, but stay in the room */
const BACKGROUND = 250
/** ms between two looks at the figures */
const FACTS_EVERY = 500

const KEYS = new Map([
  ['ArrowLeft', [-1, 0]],
  ['KeyA', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['KeyD', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['KeyW', [0, -1]],
  ['ArrowDown', [0, 1]],
  ['KeyS', [0, 1]],
])

const parameters = new URL(location.href).searchParams
const message = /** @type {HTMLElement} */ (document.getElementById('message'))

/** @param {string} text */
const say = (text) => (message.textContent = text)

/** @param {Set<string>} held keys */
function inputOfKeys(held) {
  const directions = [...held].map((key) => KEYS.get(key) ?? [0, 0])
  const [x, z] = [0, 1].map((axis) =>
    Math.sign(directions.reduce((sum, one) => sum + one[axis], 0)),
  )
  return inputOf(x, z, held.has('Space') ? BUTTON.jump : 0)
}

/** @param {RoomClient} client */
function listen(client) {
  const held = new Set()
  const change = () => client.setInput(inputOfKeys(held))
  addEventListener('keydown', ({ code }) => {
    held.add(code)
    change()
  })
  addEventListener('keyup', ({ code }) => {
    held.delete(code)
    change()
  })
  addEventListener('blur', () => {
    held.clear()
    change()
  })
}

/** @param {RoomClient} client @param {number} traffic bytes in the last interval */
function showFacts(client, traffic) {
  const { session, connection } = client
  const { matches, mismatches, rollbacks } = session.statistics
  const facts = {
    room: client.roomId,
    player: `${session.player + 1} of ${session.simulation.members.size}`,
    frame: session.frame,
    'there and back': `${session.roundTrip.toFixed(0)} ms`,
    traffic: `${((traffic * 8) / FACTS_EVERY).toFixed(1)} kbit/s`,
    'hashes equal': `${matches} of ${matches + mismatches}`,
    rollbacks,
    reconnections: connection.reconnections,
  }
  const list = /** @type {HTMLElement} */ (document.getElementById('facts'))
  list.replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) => [
      element('dt', name),
      element('dd', String(value)),
    ]),
  )
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

async function play() {
  const roomId = parameters.get('room') ?? undefined
  const options = {
    stacks: Number(parameters.get('stacks') ?? 10),
    height: Number(parameters.get('height') ?? 5),
  }
  const endpoints = parameters.get('endpoints')?.split(',') ?? [location.origin]
  const client = await RoomClient.join({ scene: stacks, endpoints, roomId, wish: { options } })
  parameters.set('room', client.roomId)
  history.replaceState(null, '', `?${parameters}`)
  client.connection.onEnd = (code, reason) => say(`The room has ended: ${reason || code}`)
  say('')
  listen(client)
  run(client, parameters.get('draw') === '0' ? undefined : new View())
  return client
}

/** @param {RoomClient} client @param {View | undefined} view nothing is drawn without */
function run(client, view) {
  let [last, traffic] = [performance.now(), 0]
  const draw = (/** @type {number} */ time) => {
    client.update()
    client.smoothing.advance(Math.max(0, time - last))
    last = time
    view?.draw(client)
    requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw)
  setInterval(() => client.update(), BACKGROUND)
  setInterval(() => {
    const all = client.connection.received + client.connection.sent
    showFacts(client, all - traffic)
    traffic = all
    if (!client.connection.isOpen) say('connecting again…')
    else if (message.textContent?.startsWith('connecting')) say('')
  }, FACTS_EVERY)
}

// For tests, which look at it from outside.
Object.assign(globalThis, {
  client: await play().catch((error) => void say(error.message)),
  inputOf,
})
