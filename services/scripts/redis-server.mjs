/**
 * A Redis of one's own for tests, the demo and measurements: a real redis-server on a free port in a temporary folder.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** ms: how long a server may take until it accepts connections, on the slowest machine */
const START_DEADLINE = 120_000
/** ms between two attempts to connect */
const RETRY = 20

/** @returns {Promise<number>} a port that nobody listens on */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** @param {number} port @returns {Promise<boolean>} whether somebody answers there */
async function accepts(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.write('PING\r\n')
    const [answer] = await once(socket, 'data')
    // While it loads its file it answers with an error.
    return String(answer).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A running redis-server, or one that was stopped and can be started again in its folder. */
export class RedisServer {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process
  #arguments
  #folder
  /** what libraries connect to */
  url
  port

  /** @param {{ port: number, folder: string, appendOnly: boolean, isCluster: boolean }} options */
  constructor({ port, folder, appendOnly, isCluster }) {
    this.port = port
    this.url = `redis://127.0.0.1:${port}`
    this.#folder = folder
    this.#arguments = [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
      ...['--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'everysec'],
      // BullMQ and Colyseus lose work where Redis may drop keys.
      ...['--maxmemory-policy', 'noeviction', '--daemonize', 'no', '--loglevel', 'warning'],
      ...(isCluster ? ['--cluster-enabled', 'yes'] : []),
    ]
  }

  /** Starts it, and waits until it answers. */
  async start() {
    const child = spawn('redis-server', this.#arguments, { stdio: 'ignore' })
    this.#process = child
    let failure = ''
    child.once('error', (error) => (failure = error.message))
    child.once('exit', (code) => (failure ||= `exit code ${code}`))
    const end = performance.now() + START_DEADLINE
    while (!(await accepts(this.port))) {
      if (failure) throw new Error(`redis-server: ${failure}`)
      if (performance.now() > end) throw new Error('redis-server does not answer')
      await delay(RETRY)
    }
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** SIGTERM: it writes what it has, and ends. Its folder stays. */
  halt = () => this.#end('SIGTERM')

  /** SIGKILL, as if the machine had failed. Its folder stays. */
  kill = () => this.#end('SIGKILL')

  /** It answers nobody, until `resume`. */
  pause = () => void this.#process?.kill('SIGSTOP')

  resume = () => void this.#process?.kill('SIGCONT')

  /** Ends it, as `halt` or `kill`, and starts it again on the same port and folder. @param {'halt' | 'kill'} [how] */
  async restart(how = 'halt') {
    await this[how]()
    await this.start()
  }

  /** Ends it and deletes its folder. */
  async stop() {
    await this.#end('SIGTERM')
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Starts a Redis.
 * @param {{ appendOnly?: boolean, isCluster?: boolean, disk?: string }} [options] `appendOnly`: it keeps what it has in a file, so that a restart brings it back; `isCluster`: it is a node of a cluster; `disk`: folder in which it has its own
 */
export async function startRedis({ appendOnly = false, isCluster = false, disk = tmpdir() } = {}) {
  const folder = await mkdtemp(join(disk, 'moreau-redis-'))
  const server = new RedisServer({ port: await freePort(), folder, appendOnly, isCluster })
  try {
    await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}
