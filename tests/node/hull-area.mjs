/**
 * Area of the convex hull of points in the plane of x and y (Andrew's monotone chain).
 *
 * @param {number[][]} points
 */
export function hullArea(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  /** @param {number[][]} ordered */
  const chain = (ordered) => {
    /** @type {number[][]} */
    const kept = []
    for (const point of ordered) {
      while (kept.length > 1) {
        const [p, q] = kept.slice(-2)
        if ((q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0]) > 0) break
        kept.pop()
      }
      kept.push(point)
    }
    return kept.slice(0, -1)
  }
  const loop = [...chain(sorted), ...chain([...sorted].reverse())]
  let twice = 0
  for (const [index, [x, y]] of loop.entries()) {
    const [nextX, nextY] = loop[(index + 1) % loop.length]
    twice += x * nextY - y * nextX
  }
  return twice / 2
}
