import cliProgress from 'cli-progress'

/**
 * A progress bar on stderr if that is a terminal, nothing otherwise.
 *
 * @returns {{ update(title: string, done: number, total: number): void, stop(): void }}
 */
export function startProgress() {
  if (!process.stderr.isTTY) return { update() {}, stop() {} }
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '[{bar}] {value} of {total}  {eta_formatted} to go  {title}',
    barCompleteChar: '#',
    barIncompleteChar: '.',
    clearOnComplete: true,
    gracefulExit: false,
  })
  let started = false
  return {
    update(title, done, total) {
      if (!started) bar.start(total, 0, { title })
      started = true
      bar.update(done, { title })
    },
    stop() {
      if (started) bar.stop()
    },
  }
}
