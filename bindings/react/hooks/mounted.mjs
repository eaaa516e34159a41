import { useEffect, useLayoutEffect } from 'react'

/**
 * Has something be there while a component is mounted: from before anyone's effects run, so that a ref can be used in
 * all of them, to its unmounting. A tree that is hidden while something in it suspends keeps what it has: React takes
 * back its layout effects then, and not the others. In StrictMode, and when React shows a hidden tree again, both
 * functions run again.
 * @param {() => void} enter does nothing if it was done
 * @param {() => void} leave
 */
export function useMounted(enter, leave) {
  useLayoutEffect(enter, [])
  useEffect(() => {
    enter()
    return leave
  }, [])
}
