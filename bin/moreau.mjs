#!/usr/bin/env node
/**
 * The command line: runs scenes headless. Bundled into dist/cli.mjs.
 */
import { readFileSync } from 'node:fs'
import { MoreauError, World } from '../bindings/index.mjs'
import { runScene, sceneByName, scenes } from '../scenarios/index.mjs'
import { parseCommand, RunError, UsageError } from './arguments.mjs'
import { helpText } from './help.mjs'
import { startProgress } from './progress.mjs'
import { isFileName, SceneFile } from './scene-file.mjs'
import { listText, reportJson, reportText } from './text.mjs'

const EXIT = { ok: 0, checkFailed: 1, usage: 2, failed: 3 }

process.stdout.on('error', (error) => {
  // Whoever reads our output has seen enough, as in `moreau list | head -1`.
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit(EXIT.ok)
  throw error
})

process.exitCode = await main(process.argv.slice(2))

/**
 * @param {string[]} words after the program's name
 * @returns {Promise<number>} exit code
 */
async function main(words) {
  try {
    const command = parseCommand(words)
    if (command.name === 'help') return print(helpText())
    if (command.name === 'version') return print(version())
    if (command.name === 'list') return print(command.json ? listJson() : listText(scenes))
    return await run(command)
  } catch (error) {
    return explain(error)
  }
}

/**
 * @param {import('./arguments.mjs').RunCommand} command
 * @returns {Promise<number>}
 */
async function run(command) {
  const known = scenes.some(({ name }) => name === command.scene)
  const file = !known && isFileName(command.scene) ? new SceneFile(command.scene) : undefined
  const scene = file ? file.scene : sceneOrUsageError(command.scene)
  let report
  try {
    report = await runWithProgress(scene, command)
  } catch (error) {
    throw placedError(error, file, command.worldOptions)
  }
  print(command.json ? reportJson(report) : reportText(scene, report))
  return report.passed ? EXIT.ok : EXIT.checkFailed
}

/**
 * @param {import('../scenarios/index.mjs').Scene} scene
 * @param {import('./arguments.mjs').RunCommand} command
 */
async function runWithProgress(scene, { seconds, timeStep, worldOptions }) {
  const progress = startProgress(scene.name)
  try {
    return await runScene(World, scene, {
      ...(seconds === undefined ? {} : { seconds }),
      ...(timeStep === undefined ? {} : { timeStep }),
      worldOptions,
      onStep: (running, steps) => progress.update(running.stepIndex, steps),
    })
  } finally {
    progress.stop()
  }
}

/**
 * An error of the engine, with the word of the command line or the place in the file that it is about.
 *
 * @param {unknown} error
 * @param {SceneFile | undefined} file
 * @param {object} worldOptions those of the command line
 */
function placedError(error, file, worldOptions) {
  if (!(error instanceof MoreauError)) return error
  const { message, code } = error
  const Kind = code === 'invalid-argument' || code === 'not-supported' ? UsageError : RunError
  const [start, option] = /^(?:World: |settings\.)(\w+)(?= must )/.exec(message) ?? []
  if (start !== undefined && Object.hasOwn(worldOptions, option)) {
    return new Kind(`--${option}${message.slice(start.length)}`)
  }
  return new Kind(file ? file.explain(message) : message)
}

/** @param {string} name */
function sceneOrUsageError(name) {
  try {
    return sceneByName(name)
  } catch (error) {
    // The names of all of them fill a terminal.
    const { message } = /** @type {Error} */ (error)
    throw new UsageError(message.replace(/; there are .*/, "; 'moreau list' shows all of them"))
  }
}

function listJson() {
  return JSON.stringify(
    scenes.map(({ name, title, description, duration, timeStep }) => {
      return { name, title, description, duration, timeStep }
    }),
  )
}

/** The version of the package that this file belongs to; it lies one folder below package.json, in bin/ as in dist/. */
function version() {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
  return EXIT.ok
}

/**
 * Says what went wrong, on stderr.
 *
 * @param {unknown} error
 * @returns {number} exit code
 */
function explain(error) {
  if (error instanceof UsageError) {
    process.stderr.write(`moreau: ${error.message}\nTry 'moreau --help'.\n`)
    return EXIT.usage
  }
  const { message, stack = error } = /** @type {Error} */ (error)
  process.stderr.write(`moreau: ${error instanceof RunError ? message : stack}\n`)
  return EXIT.failed
}
