import cliProgress from 'cli-progress'

/** ms between two lines where there is no terminal to draw in */
const LINE_INTERVAL = 10_000

/**
 * A progress bar on stderr, with rate and time left; without a terminal, a line now and then.
 *
 * @param {string} title
 * @param {number} total
 * @returns {{ update: (done: number) => void, stop: () => void }}
 */
export function startProgress(title, total) {
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: `${title} [{bar}] {percentage} %  {value} of {total} runs  {rate} runs/s  {eta_formatted} to go`,
    ...{ barCompleteChar: '#', barIncompleteChar: '.', hideCursor: true },
    ...{ noTTYOutput: true, notTTYSchedule: LINE_INTERVAL },
    // Ctrl-C is the command's business.
    gracefulExit: false,
  })
  /** @type {{ done: number, at: number } | undefined} */
  let began
  return {
    update(done) {
      if (!began) {
        // What was there before is not counted into the rate.
        began = { done, at: performance.now() }
        bar.start(total, done, { rate: 0 })
        return
      }
      const seconds = (performance.now() - began.at) / 1000
      bar.update(done, { rate: Math.round((done - began.done) / Math.max(seconds, 1e-3)) })
    },
    stop() {
      if (began) bar.stop()
    },
  }
}
