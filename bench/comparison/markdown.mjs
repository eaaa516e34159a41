/**
 * The comparison as Markdown for docs/performance.md: scenes as rows, engines as columns.
 */
import { bestPeers, keyOf } from './summary.mjs'

/** @typedef {import('./report.mjs').Result} Result */
/** @typedef {import('./summary.mjs').Row} Row */

const GROWTH = /^growth-(\d+)$/

/**
 * @param {Result} times
 * @param {Result | null} quality of a run with --quality; default: the quality at the end of the timed steps
 * @returns {string}
 */
export function markdown(times, quality) {
  const { machine, node, date, rounds, world } = times
  const options = Object.keys(world).length > 0 ? `; Moreau with \`${JSON.stringify(world)}\`` : ''
  return [
    `${date.slice(0, 10)}, ${machine}, Node ${node}, ${rounds} rounds${options}. ${versions(times)}.`,
    ...[false, true].flatMap((sleep) => timeTable(times, sleep)),
    ...ratioTable(times),
    ...growthTable(times),
    ...qualityTables(quality ?? times),
  ].join('\n\n')
}

/** @param {Result} result */
function versions({ rows }) {
  const found = new Map(rows.map(({ engine, version }) => [engine, version]))
  return [...found].map(([engine, version]) => `${engine} ${version}`).join(', ')
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
export const markdownTable = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * A table of engines, with a word where an engine gave nothing.
 *
 * @param {Result} result
 * @param {{ first: string, scenes: string[], sleep: boolean, nameOf?: (scene: string) => string, cell: (row: Row) => string }} what
 */
function matrix({ rows, failed }, { first, scenes, sleep, nameOf = (scene) => scene, cell }) {
  const all = [...rows, ...failed].filter((each) => each.sleep === sleep)
  const engines = [...new Set(all.map(({ engine }) => engine))]
  const lines = scenes.map((scene) => [
    nameOf(scene),
    ...engines.map((engine) => {
      const isMine = (/** @type {{ scene: string, engine: string, sleep: boolean }} */ each) =>
        each.scene === scene && each.engine === engine && each.sleep === sleep
      const row = rows.find(isMine)
      if (row) return cell(row)
      const failure = failed.find(isMine)?.failure ?? ''
      return /^(not supported|timed out|crashed)/.exec(failure)?.[0] ?? (failure ? 'failed' : '')
    }),
  ])
  return markdownTable([first, ...engines], lines)
}

/**
 * @param {Result} result
 * @param {boolean} sleep
 * @param {(scene: string) => boolean} choose
 */
function scenesOf({ rows, failed }, sleep, choose) {
  const named = [...rows, ...failed].filter((each) => each.sleep === sleep && choose(each.scene))
  return [...new Set(named.map(({ scene }) => scene))]
}

/** @param {number} ms */
const digits = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(ms < 0.1 ? 2 : 3))

/**
 * @param {Result} result
 * @param {boolean} sleep
 */
function timeTable(result, sleep) {
  const scenes = scenesOf(result, sleep, (scene) => !GROWTH.test(scene))
  if (scenes.length === 0) return []
  const cell = (/** @type {Row} */ { times }) => (times ? digits(times.cpu) : '')
  return [
    `CPU ms per step, sleep ${sleep ? 'on' : 'off'} (rays: per 10,000 of them):`,
    matrix(result, { first: 'scene', scenes, sleep, cell }),
  ]
}

/** @param {Result} result */
function ratioTable({ rows }) {
  const best = bestPeers(rows)
  if (best.length === 0) return []
  const lines = best.map(({ scene, sleep, moreau, peer, peerCpu, ratio }) => [
    keyOf({ scene, sleep }),
    digits(moreau),
    `${digits(peerCpu)} (${peer})`,
    ratio.toFixed(2),
  ])
  return [
    'Moreau beside the fastest of the others, CPU ms per step:',
    markdownTable(['scene', 'Moreau', 'fastest other', 'ratio'], lines),
  ]
}

/** @param {Result} result */
function growthTable(result) {
  const scenes = scenesOf(result, false, (scene) => GROWTH.test(scene))
  if (scenes.length === 0) return []
  const cell = (/** @type {Row} */ { times, bodies }) =>
    times ? digits((1000 * times.cpu) / bodies) : ''
  const nameOf = (/** @type {string} */ scene) => GROWTH.exec(scene)?.[1] ?? scene
  return [
    'CPU microseconds per body and step as a pile of boxes grows, sleep off:',
    matrix(result, { first: 'boxes', scenes, sleep: false, nameOf, cell }),
  ]
}

/** @param {number | null} meters */
const mm = (meters) => (meters === null ? '' : digits(1000 * meters))

/** @type {{ title: string, cell: (row: Row) => string }[]} */
const QUALITIES = [
  {
    title: 'Penetration, mean / deepest, mm (and bodies that escaped):',
    cell: ({ verdict: { touching, meanPenetration, maxPenetration, escaped } }) =>
      touching === 0 && escaped === 0
        ? ''
        : `${mm(meanPenetration)} / ${mm(maxPenetration)}${escaped ? `, ${escaped} escaped` : ''}`,
  },
  {
    title: 'Drift of what should stand, mm:',
    cell: ({ verdict }) => mm(verdict.drift),
  },
  {
    title: 'Joint error at the end, mean / worst, mm:',
    cell: ({ verdict: { meanJointError, maxJointError } }) =>
      meanJointError === null ? '' : `${mm(meanJointError)} / ${mm(maxJointError)}`,
  },
]

/** @param {Result} result */
function qualityTables(result) {
  const { rows } = result
  return QUALITIES.flatMap(({ title, cell }) => {
    const scenes = scenesOf(
      result,
      false,
      (scene) =>
        !GROWTH.test(scene) &&
        rows.some((row) => row.scene === scene && !row.sleep && cell(row) !== ''),
    )
    if (scenes.length === 0) return []
    return [title, matrix(result, { first: 'scene', scenes, sleep: false, cell })]
  })
}
