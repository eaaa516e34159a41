/**
 * Reports, for people and for programs.
 */

/** @typedef {import('../scenarios/index.mjs').Scene} Scene */
/** @typedef {import('../scenarios/runner.mjs').SceneReport} SceneReport */
/** @typedef {import('../scenarios/runner.mjs').CheckReport} CheckReport */

/**
 * @param {Scene[]} scenes
 * @returns {string}
 */
export function listText(scenes) {
  const width = Math.max(...scenes.map(({ name }) => name.length))
  return scenes.map(({ name, title }) => `${name.padEnd(width)}  ${title}`).join('\n')
}

/**
 * @param {Scene} scene
 * @param {SceneReport} report
 * @returns {string}
 */
export function reportText(scene, report) {
  const { energy, momentum, penetration, stepTime } = report
  const lines = [
    `${scene.title}: ${scene.description}`,
    '',
    `  simulated    ${short(report.seconds)} s in ${report.steps} steps of ${short(report.timeStep * 1000)} ms, ${report.bodies} bodies`,
    `  energy       ${short(energy.start)} J at the start, ${short(energy.end)} J at the end (kinetic ${short(energy.kinetic)}, potential ${short(energy.potential)})`,
    `  momentum     linear ${vector(momentum.linear)} kg m/s, angular ${vector(momentum.angular)} kg m²/s`,
    `  residual     worst ${short(report.worstResidual)} m/s`,
    `  penetration  worst ${short(penetration.worst * 1000)} mm, at the end ${short(penetration.end * 1000)} mm`,
    `  step time    mean ${milliseconds(stepTime.mean)}, median ${milliseconds(stepTime.median)}, p95 ${milliseconds(stepTime.p95)}, max ${milliseconds(stepTime.max)} ms`,
    `  state hash   ${report.hash}`,
    '',
    'Checks',
    ...report.checks.map(checkLine),
  ]
  const failed = report.checks.filter(({ passed }) => passed === false).length
  const skipped = report.checks.filter(({ passed }) => passed === null).length
  lines.push(
    '',
    `${report.checks.length - failed - skipped} passed, ${failed} failed${skipped ? `, ${skipped} not reached` : ''}`,
  )
  return lines.join('\n')
}

/**
 * The report on one line. JSON has no word for numbers that are not finite, which would become null as if a check had not
 * been reached: they are the strings "NaN", "Infinity" and "-Infinity".
 *
 * @param {SceneReport} report
 * @returns {string}
 */
export const reportJson = (report) =>
  JSON.stringify(report, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  )

/** @param {CheckReport} check */
function checkLine({ name, description, unit, tolerance, worst, at, passed }) {
  if (passed === null) return `  skip  ${name}: the run ended before it began`
  const verdict = passed ? 'ok  ' : 'FAIL'
  const numbers = `${short(worst)} ${unit} at ${short(at)} s, at most ${short(tolerance)} ${unit}`
  return `  ${verdict}  ${name}: ${numbers}${passed ? '' : `\n        ${description}`}`
}

/** @param {number | null} number */
const short = (number) => String(Number(Number(number).toPrecision(6)))

/** @param {number} number */
const milliseconds = (number) => number.toFixed(3)

/** @param {number[]} v */
const vector = (v) => `(${v.map((component) => short(component)).join(', ')})`
