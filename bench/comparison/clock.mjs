/**
 * Processor time of this thread.
 */
import { openSync, readSync } from 'node:fs'

const NANOSECONDS_PER_MILLISECOND = 1e6

/** Of the thread that made it. Where there is no Linux it is the time of the whole process. */
export class CpuClock {
  #file = process.platform === 'linux' ? openSync('/proc/thread-self/schedstat', 'r') : undefined
  #bytes = Buffer.alloc(128)
  #word = new Int32Array(new SharedArrayBuffer(4))

  get name() {
    return this.#file === undefined ? 'process.cpuUsage' : 'schedstat'
  }

  /** @returns {number} ms */
  now() {
    if (this.#file === undefined) {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
    // The kernel books a thread's time when it is switched off, else only at its ticks, every few ms. So: a very short sleep.
    Atomics.wait(this.#word, 0, 0, 0.01)
    const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0)
    const [nanoseconds] = this.#bytes.toString('latin1', 0, length).split(' ')
    return Number(nanoseconds) / NANOSECONDS_PER_MILLISECOND
  }
}
