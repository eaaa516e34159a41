#!/usr/bin/env node
/**
 * The command line: runs scenes headless. Bundled into dist/cli.mjs.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { World } from '../bindings/index.mjs'
import { fileScene, runScene, sceneByName, scenes } from '../scenarios/index.mjs'
import { parseCommand, UsageError } from './arguments.mjs'
import { helpText } from './help.mjs'
import { startProgress } from './progress.mjs'
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
async function run({ scene: name, seconds, timeStep, worldOptions, json }) {
  const scene = name.endsWith('.json') ? sceneOfFile(name) : sceneOrUsageError(name)
  const progress = startProgress(scene.name)
  let report
  try {
    report = await runScene(World, scene, {
      ...(seconds === undefined ? {} : { seconds }),
      ...(timeStep === undefined ? {} : { timeStep }),
      worldOptions,
      onStep: (running, steps) => progress.update(running.stepIndex, steps),
    })
  } finally {
    progress.stop()
  }
  print(json ? reportJson(report) : reportText(scene, report))
  return report.passed ? EXIT.ok : EXIT.checkFailed
}

/** @param {string} path of a file that holds a scene */
function sceneOfFile(path) {
  try {
    return fileScene(basename(path, '.json'), JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new UsageError(`${path}: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {string} name */
function sceneOrUsageError(name) {
  try {
    return sceneByName(name)
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
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
  const problem = /** @type {Error & { code?: string }} */ (error)
  if (
    error instanceof UsageError ||
    problem.code === 'invalid-argument' ||
    problem.code === 'not-supported'
  ) {
    process.stderr.write(`moreau: ${problem.message}\nTry 'moreau --help'.\n`)
    return EXIT.usage
  }
  process.stderr.write(`moreau: ${problem?.stack ?? error}\n`)
  return EXIT.failed
}
