import cliProgress from 'cli-progress'

/**
 * A progress bar on stderr if that is a terminal, nothing otherwise.
 *
 * @param {string} title
 * @returns {{ update(done: number, total: number): void, stop(): void }}
 */
export function startProgress(title) {
  if (!process.stderr.isTTY) return { update() {}, stop() {} }
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: `${title} [{bar}] {percentage} %  step {value} of {total}  {eta_formatted} to go`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    clearOnComplete: true,
    // Its handler of Ctrl+C could not run before the steps are done.
    gracefulExit: false,
  })
  let started = false
  return {
    update(done, total) {
      if (!started) bar.start(total, 0)
      started = true
      bar.update(done)
    },
    stop() {
      if (started) bar.stop()
    },
  }
}
