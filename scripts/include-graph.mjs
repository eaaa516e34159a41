// Which folder of src/ knows which: prints for each folder what it includes and how often, and fails where an arrow does not point down.
// With a build it does the same for calls: one through the public header climbs unseen by the includes.
//
//   node scripts/include-graph.mjs
//   node scripts/include-graph.mjs --calls build/native-debug

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { Failure, filesBelow, isMain, root, runMain } from './tools.mjs'

/**
 * The layers, lowest first. A folder knows what is to its left. Folders in a comma list stand beside each other and do not know each
 * other. In parentheses are the layers inside a folder: its folders, files that have a place of their own (`by_island` is by_island.h
 * and by_island.c), and the dot, which stands for all its other files.
 */
const LAYERS = `
  math
  <- memory, parallel
  <- geometry
  <- collision (broad, convex <- narrow), dynamics
  <- constraints
  <- solvers (linear <- . <- cone <- exact, block_pgs, soft_step (
      substep_contact, substep_spin, factor_lanes <- substep, body_links <- body_lanes, substep_move, substep_hertz
      <- contacts, joints <- assembly <- .) <- problem <- by_island)
  <- world
  <- step (. <- rows <- soft_step <- certificate, contact_events <- step)
  <- report
  <- control, batch`

/** Calls that climb although they should not: the file and the name that it uses. @type {{ file: string, name: string }[]} */
const EXCEPTIONS = []

/**
 * A folder, or a file with a place of its own, and the folders around it, the outermost first, each with its level among its siblings.
 * @typedef {{ name: string, level: number }[]} Place
 */

/**
 * One file uses a name that another one has: a header's, or a symbol's.
 * @typedef {{ file: string, line: number, name: string, owner: string }} Arrow
 */

/**
 * The place of each folder.
 * @param {string} layers written as LAYERS is
 */
export function parseLayers(layers) {
  const words = layers.match(/<-|[(),]|[.\w]+/g) ?? []
  /** @type {Map<string, Place>} */
  const places = new Map()
  /** @param {string} parent @param {Place} around */
  const readGroup = (parent, around) => {
    let level = 0
    for (let word = words.shift(); word && word !== ')'; word = words.shift()) {
      if (word === '<-') level++
      if (!/^(\w+|\.)$/.test(word)) continue
      const folder = posix.join(parent, word)
      const place = [...around, { name: word, level }]
      if (words[0] === '(') readGroup(folder, place)
      else places.set(folder, place)
    }
  }
  readGroup('', [])
  return places
}

/**
 * Whether one folder may know the other: where their paths part, the other is at a lower level.
 * @param {Place} from
 * @param {Place} to
 */
function pointsDown(from, to) {
  const fork = from.findIndex(({ name }, depth) => to[depth]?.name !== name)
  return fork < 0 || (to[fork]?.level ?? Infinity) < from[fork].level
}

/**
 * Where a file belongs: itself without its ending if it has a place of its own, else its folder.
 * @param {string} file src/folder/file
 * @param {Map<string, Place>} places
 */
function homeOf(file, places) {
  const path = posix.relative('src', file.replace(/\.[ch]$/, ''))
  return places.has(path) ? path : posix.dirname(path)
}

/**
 * What is wrong with the arrows, one line each. As levels only fall along good arrows, good arrows make no circle.
 * @param {Arrow[]} arrows
 * @param {Map<string, Place>} places
 */
export function findFaults(arrows, places) {
  return arrows.flatMap(({ file, line, name, owner }) => {
    const [from, to] = [homeOf(file, places), homeOf(owner, places)]
    const [source, target] = [places.get(from), places.get(to)]
    if (!source || !target || pointsDown(source, target)) return []
    if (EXCEPTIONS.some((known) => known.file === file && known.name === name)) return []
    return [`${file}:${line}: ${name} of ${to}, which is not below ${from}`]
  })
}

/**
 * The includes of files by each other.
 * @param {string} tree the folder that holds src/
 * @param {string[]} files
 * @returns {Arrow[]}
 */
export function readIncludes(tree, files) {
  const known = new Set(files)
  return files.flatMap((file) => {
    const lines = readFileSync(join(tree, file), 'utf8').split('\n')
    return lines.flatMap((text, index) => {
      const name = /^\s*#\s*include\s*["<]([^">]+)[">]/.exec(text)?.[1]
      if (name === undefined) return []
      const beside = posix.join(posix.dirname(file), name)
      const owner = [beside, `src/${name}`, `include/${name}`].find((path) => known.has(path))
      return owner === undefined ? [] : [{ file, line: index + 1, name, owner }]
    })
  })
}

/**
 * The symbols of object files: what each one defines and what it needs.
 * @param {string} build a folder of CMake
 * @param {string[]} sources
 */
function readSymbols(build, sources) {
  const objects = sources.map((file) => join(build, 'CMakeFiles/moreau.dir', `${file}.o`))
  const missing = objects.find((path) => !existsSync(path))
  if (missing !== undefined) throw new Failure(`${missing} is not there: build first`)
  return sources.map((file, index) => {
    const text = execFileSync('nm', ['-P', '-g', objects[index]], { encoding: 'utf8' })
    const symbols = text.split('\n').map((line) => line.split(' '))
    const isNeeded = (/** @type {string} */ type) => type === 'U'
    return {
      file,
      defined: symbols.filter(([, type]) => type && !isNeeded(type)).map(([name]) => name),
      needed: symbols.filter(([, type]) => type && isNeeded(type)).map(([name]) => name),
    }
  })
}

/**
 * The line of a file that has a word, or 1 if it is in a header that the file includes.
 * @param {string} path
 * @param {string} word
 */
function lineOf(path, word) {
  const lines = readFileSync(path, 'utf8').split('\n')
  return Math.max(lines.findIndex((line) => new RegExp(`\\b${word}\\b`).test(line)) + 1, 1)
}

/**
 * The calls of functions, and uses of constants, of other files.
 * @param {string} tree the folder that holds src/
 * @param {string} build a folder of CMake
 * @param {string[]} files
 * @returns {Arrow[]}
 */
export function readCalls(tree, build, files) {
  const objects = readSymbols(
    build,
    files.filter((file) => file.endsWith('.c')),
  )
  const owners = new Map(
    objects.flatMap(({ file, defined }) => defined.map((name) => [name, file])),
  )
  return objects.flatMap(({ file, needed }) =>
    needed.flatMap((name) => {
      const owner = owners.get(name)
      if (owner === undefined) return []
      return [{ file, line: lineOf(join(tree, file), name), name, owner }]
    }),
  )
}

/**
 * A line for each folder: what it uses of which others, and how often.
 * @param {Arrow[]} arrows
 * @param {Map<string, Place>} places
 * @param {string[]} homes in the order to print
 */
function formatGraph(arrows, places, homes) {
  const width = Math.max(...homes.map((home) => home.length))
  return homes.map((home) => {
    const used = arrows
      .filter(({ file }) => homeOf(file, places) === home)
      .map(({ owner }) => homeOf(owner, places))
    const counts = homes
      .filter((other) => other !== home && used.includes(other))
      .map((other) => `${other} ${used.filter((name) => name === other).length}`)
    return `${home.padEnd(width)} -> ${counts.join(', ')}`
  })
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const text = /** @type {const} */ ({ type: 'string' })
    const options = { tree: text, calls: text }
    const { tree = root, calls } = readCommandLine(import.meta.url, { options }).values
    const files = filesBelow('src', /\.[ch]$/, tree)
    if (files.length === 0) throw new Failure(`${tree}: no src/ with files of C`)
    const graphs = { includes: readIncludes(tree, files) }
    if (calls !== undefined) {
      Object.assign(graphs, { calls: readCalls(tree, resolve(root, calls), files) })
    }
    const used = Object.values(graphs).flat()
    const needless = EXCEPTIONS.filter(
      (known) =>
        calls !== undefined &&
        files.includes(known.file) &&
        !used.some(({ file, name }) => file === known.file && name === known.name),
    )
    const places = parseLayers(LAYERS)
    const found = new Set(files.map((file) => homeOf(file, places)))
    const homes = [...places.keys()].filter((home) => found.has(home))
    const faults = [...found]
      .filter((home) => !places.has(home))
      .map((home) => `src/${home}: has no place in LAYERS of scripts/include-graph.mjs`)
    faults.push(...needless.map(({ file, name }) => `${file}: ${name} needs no exception any more`))
    for (const [title, arrows] of Object.entries(graphs)) {
      console.log([`# ${title}`, ...formatGraph(arrows, places, homes), ''].join('\n'))
      faults.push(...findFaults(arrows, places))
    }
    if (faults.length > 0) throw new Failure(faults.join('\n'))
  })
}
