import { useFrame } from '@react-three/fiber'
import { createElement, useEffect, useState } from 'react'
import { MoreauHelper } from '../../three/index.mjs'
import { useRapier } from './context.mjs'

/** Lines of the shapes, contacts and joints of the world, in each frame. */
export function Debug() {
  const { world } = useRapier()
  const [helper] = useState(() => new MoreauHelper(world.raw))
  useEffect(() => () => helper.dispose(), [helper])
  useFrame(() => {
    // React may have mounted everything twice, with a world each time.
    helper.world = world.raw
    helper.update()
    placeInWorld(helper)
  })
  return createElement('primitive', { object: helper })
}

/** The lines are of the world, whatever `Physics` is within. @param {MoreauHelper} helper */
function placeInWorld(helper) {
  helper.matrixAutoUpdate = false
  helper.parent?.updateWorldMatrix(true, false)
  if (helper.parent) helper.matrix.copy(helper.parent.matrixWorld).invert()
}
