import { useLayoutEffect, useRef } from 'react'
import { numbersOf } from '../../rapier/index.mjs'

/** Props by which @react-three/fiber puts an object somewhere, also as `position-x`. */
const PLACES = /^(position|rotation|quaternion|scale)(-|$)/

/**
 * Calls a function when the props put an object elsewhere, after they did. Vectors are compared by their numbers.
 * @param {Readonly<Record<string, any>>} props
 * @param {() => void} move
 */
export function useMoves(props, move) {
  const places = Object.keys(props).filter((name) => PLACES.test(name))
  const now = JSON.stringify(places.map((name) => [name, numbersOf(props[name])]))
  const before = useRef(now)
  useLayoutEffect(() => {
    if (before.current !== now) move()
    before.current = now
  }, [now])
}
