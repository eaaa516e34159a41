import { pointClouds } from './generated/point-clouds.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

/**
 * The names of the point clouds that there are.
 *
 * @returns {string[]}
 */
export const pointCloudNames = () => Object.keys(pointClouds)

/**
 * A point cloud: the vertices of a mesh as they are, with repeated and interior points.
 *
 * @param {string} name
 * @returns {Vector[]} m
 */
export function pointCloud(name) {
  const base64 = /** @type {Record<string, string>} */ (pointClouds)[name]
  if (base64 === undefined) {
    throw new RangeError(
      `there is no point cloud '${name}'; there are ${pointCloudNames().join(', ')}`,
    )
  }
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  /** @type {Vector[]} */
  const points = []
  for (let at = 0; at < bytes.length; at += 12) {
    points.push([
      view.getFloat32(at, true),
      view.getFloat32(at + 4, true),
      view.getFloat32(at + 8, true),
    ])
  }
  return points
}
