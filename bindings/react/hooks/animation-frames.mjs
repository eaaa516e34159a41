import { useEffect, useRef } from 'react'

/**
 * Calls a function in each frame of the browser, whether anything is drawn in it or not.
 * @param {(seconds: number) => void} callback with the time since the last frame
 */
export function useAnimationFrames(callback) {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    let last = performance.now()
    let frame = globalThis.requestAnimationFrame(function loop(now) {
      frame = globalThis.requestAnimationFrame(loop)
      // The first frame may have begun before this was mounted.
      latest.current(Math.max(0, now - last) / 1000)
      last = now
    })
    return () => globalThis.cancelAnimationFrame(frame)
  }, [])
}
