/**
 * Real processes with rooms, and players in them, for tests.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../redis-server.mjs'
import { RoomClient } from '../../source/client/index.mjs'
import { Eyes } from './eyes.mjs'
import { inputOf, stacks } from '../../source/scenes/stacks.mjs'

/** A limit of `busy` for processes that take rooms however busy the machine is: what others do on it is not what tests are about. */
export const ANY_LOAD = 1000
/** ms that anything may take: long enough for the slowest machine, as a test that waits in vain is rare */
const PATIENCE = 240_000
/** Limits for an address from which all players of a test come, on a machine where a player may need long for anything. */
export const PATIENT_LIMITS = Object.freeze({
  ...{ busy: ANY_LOAD, requestsPerAddress: 100_000, socketsPerAddress: 4096 },
  ...{ handshakeTime: PATIENCE, requestTime: PATIENCE, idleTime: PATIENCE },
})
/** ms: on a busy machine players need longer to come back than rooms wait otherwise, and a process longer to renew a lease: it would lose its room before the test takes it */
export const PATIENT_TIMES = Object.freeze({ grace: 20_000, lease: 2000 })

const PROGRAM = fileURLToPath(new URL('room-process.mjs', import.meta.url))

/** A process with rooms. */
export class RoomProcess {
  /** @param {import('node:child_process').ChildProcess} child @param {number} port @param {number} operations port of `/healthz` and `/metrics` */
  constructor(child, port, operations) {
    this.child = child
    this.port = port
    this.endpoint = `http://127.0.0.1:${port}`
    this.operations = `http://127.0.0.1:${operations}`
    child.stderr?.on('data', (text) => (this.log += text))
  }

  /** What it has logged, where it was given a `logLevel`. */
  log = ''

  /** @param {string} redis URL @param {object} [options] of the server, as far as JSON has them, `demo` and `logLevel` @param {number} [port] */
  static async start(redis, options = {}, port) {
    port ??= await freePort()
    const limits = { ...PATIENT_LIMITS, ...Object(options).limits }
    const isLogKept = Object(options).logLevel !== undefined
    const args = [String(port), redis, JSON.stringify({ ...options, limits })]
    const child = fork(PROGRAM, args, {
      stdio: ['inherit', 'inherit', isLogKept ? 'pipe' : 'inherit', 'ipc'],
    })
    const [{ operations }] = await once(child, 'message')
    return new RoomProcess(child, port, operations)
  }

  /** @param {string} room @returns {Promise<any>} what it says of a room */
  async ask(room) {
    this.child.send({ room })
    return (await once(this.child, 'message'))[0]
  }

  /** @param {string} path of what is told to who runs it @returns {Promise<string>} */
  async page(path) {
    return (await fetch(this.operations + path)).text()
  }

  /** @param {string} reason @returns {Promise<number>} how often that was refused */
  async refused(reason) {
    const line = (await this.page('/metrics')).match(
      new RegExp(`refused_total{reason="${reason}"} (\\d+)`),
    )
    return Number(line?.[1] ?? 0)
  }

  /** It stands still, until `resume`. */
  pause = () => void this.child.kill('SIGSTOP')

  resume = () => void this.child.kill('SIGCONT')

  /** @param {NodeJS.Signals} signal */
  async end(signal = 'SIGTERM') {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }
}

/** A player in this process who rolls about. */
export class Bot {
  #timer
  #random
  #isIdle = false
  #drawn = performance.now()
  /** @type {import('../../source/netcode/events.mjs').RoomEvent[]} */
  events = []

  /** @param {RoomClient} client @param {() => number} random @param {number} changes per second */
  constructor(client, random, changes) {
    this.client = client
    this.eyes = new Eyes(client)
    /** The state with which it began. */
    this.start = client.session.simulation.state()
    this.#random = random
    client.session.onEvent = (event) => this.events.push(event)
    this.#timer = setInterval(() => this.#update(changes / 60), 1000 / 60)
  }

  /** @param {number} chance */
  #update(chance) {
    const random = this.#random
    if (!this.#isIdle && random() < chance) {
      this.client.setInput(inputOf(2 * random() - 1, 2 * random() - 1, random() < 0.2 ? 1 : 0))
    }
    this.#draw(this.client.update())
  }

  /** @param {number} made frames */
  #draw(made) {
    const elapsed = performance.now() - this.#drawn
    this.#drawn += elapsed
    this.client.smoothing.advance(elapsed)
    this.eyes.look(elapsed, made)
  }

  rest() {
    this.#isIdle = true
  }

  async leave() {
    clearInterval(this.#timer)
    await this.client.leave()
  }
}

/**
 * @param {readonly RoomProcess[]} processes
 * @param {() => number} random
 * @param {{ roomId?: string, isNew?: boolean, options?: object, changes?: number, mode?: 'lockstep' | 'authoritative' }} [options]
 */
export async function joinBot(
  processes,
  random,
  { options, changes = 3, mode, ...connection } = {},
) {
  const endpoints = processes.map(({ endpoint }) => endpoint)
  const wish = { options }
  const client = await RoomClient.join({ scene: stacks, endpoints, wish, mode, ...connection })
  return new Bot(client, random, changes)
}

/** Waits until something is so. @param {() => boolean | Promise<boolean>} condition @returns {Promise<number>} ms it took */
export async function until(condition) {
  const start = performance.now()
  while (!(await condition())) {
    if (performance.now() - start > PATIENCE)
      throw new Error(`not within ${PATIENCE} ms: ${condition}`)
    await delay(10)
  }
  return performance.now() - start
}
