/** Exit codes as shells give them: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 }

/**
 * @typedef {object} DrainOptions
 * @property {(signal: NodeJS.Signals) => Promise<void>} drain takes no more work and waits for what runs
 * @property {import('pino').Logger} [log]
 * @property {number} [deadline] s after which the process ends although `drain` has not; default 25, as Kubernetes kills after 30
 * @property {(code: number) => void} [exit] for tests
 */

/**
 * Ends the process gracefully at SIGTERM or Ctrl-C: once `drain` has settled with exit code 0, at the deadline with 1, and at a second signal
 * at once.
 *
 * @param {DrainOptions} options
 * @returns {() => void} takes the handlers away
 */
export function drainOnSignal({ drain, log, deadline = 25, exit = (code) => process.exit(code) }) {
  let drains = false
  /** @param {'SIGINT' | 'SIGTERM'} signal */
  const onSignal = async (signal) => {
    if (drains) return exit(EXIT_CODES[signal])
    drains = true
    log?.info({ signal, deadline }, 'draining')
    const timer = setTimeout(() => {
      log?.error({ deadline }, 'draining took too long')
      exit(1)
    }, deadline * 1000)
    try {
      await drain(signal)
      log?.info('drained')
      exit(0)
    } catch (error) {
      log?.error({ err: error }, 'draining failed')
      exit(1)
    } finally {
      clearTimeout(timer)
    }
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
}
