/**
 * Writes the tables of the comparison into docs/performance.md, between the comments that name this file:
 *
 *     node bench/render.mjs [bench/results/peers.json [bench/results/peers-quality.json [bench/results/physics.json
 *                           [bench/results/frontier.json]]]]
 *
 * The first file is of `npm run bench -- --json <file>`; the others, which may be missing, of the same with `--quality`, with
 * `--physics` and with `--frontier`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readCommandLine } from '../scripts/command-line.mjs'
import { markdown } from './comparison/markdown.mjs'
import { frontierMarkdown } from './frontier/report.mjs'
import { physicsMarkdown } from './physics/report.mjs'

const PAGE = new URL('../docs/performance.md', import.meta.url)

const [
  times = 'bench/results/peers.json',
  quality = 'bench/results/peers-quality.json',
  physics = 'bench/results/physics.json',
  frontier = 'bench/results/frontier.json',
] = readCommandLine(import.meta.url, { allowPositionals: true }).positionals

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * @param {string} page
 * @param {string} name of the part, in the comments around it
 * @param {string} tables
 */
function replacePart(page, name, tables) {
  const [before, after] = ['begin', 'end'].map(
    (edge) => `<!-- written by bench/render.mjs: ${name}${edge} -->`,
  )
  const [begin, end] = [page.indexOf(before), page.indexOf(after)]
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md lacks ${before} or ${after}`)
  return `${page.slice(0, begin + before.length)}\n\n${tables}\n\n${page.slice(end)}`
}

let text = readFileSync(PAGE, 'utf8')
text = replacePart(text, '', markdown(read(times), existsSync(quality) ? read(quality) : null))
if (existsSync(physics)) text = replacePart(text, 'physics ', physicsMarkdown(read(physics)))
if (existsSync(frontier)) text = replacePart(text, 'frontier ', frontierMarkdown(read(frontier)))
writeFileSync(PAGE, text)
