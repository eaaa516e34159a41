/** s that a thread may take to begin: to start, and to load engine and scene. A machine that is overloaded needs many. */
const BEGIN_DEADLINE = 120

/**
 * Aborts what takes longer than its deadline, which counts from when its thread says that it has begun: how long a thread needs to start is
 * not the fault of a run.
 */
export class LateSignal {
  /** The thread stores 1 here, and notifies. */
  began = new Int32Array(new SharedArrayBuffer(4))
  message = `its thread did not begin within ${BEGIN_DEADLINE} s`
  #controller = new AbortController()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {number} deadline s */
  constructor(deadline) {
    const abort = () => this.#controller.abort()
    this.#timer = setTimeout(abort, BEGIN_DEADLINE * 1000)
    const { async: waits, value } = Atomics.waitAsync(this.began, 0, 0)
    if (!waits) throw new Error('nobody knows of it yet')
    value.then(() => {
      if (this.#timer === undefined) return
      clearTimeout(this.#timer)
      this.message = `took longer than the deadline of ${deadline} s`
      this.#timer = setTimeout(abort, deadline * 1000)
    })
  }

  get signal() {
    return this.#controller.signal
  }

  /** It is in time. */
  clear() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Nothing waits for a thread that never began.
    Atomics.notify(this.began, 0)
  }
}

/** What the thread calls. @param {Int32Array} began */
export function begin(began) {
  Atomics.store(began, 0, 1)
  Atomics.notify(began, 0)
}
