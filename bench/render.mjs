/**
 * Writes the tables of the comparison into docs/performance.md, between the two comments that name this file:
 *
 *     node bench/render.mjs [bench/results/peers.json [bench/results/peers-quality.json]]
 *
 * The first file is of `npm run bench -- --json <file>`; the second, which may be missing, of the same with `--quality`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { markdown } from './comparison/markdown.mjs'

const PAGE = new URL('../docs/performance.md', import.meta.url)
const BEGIN = '<!-- written by bench/render.mjs: begin -->'
const END = '<!-- written by bench/render.mjs: end -->'

const [times = 'bench/results/peers.json', quality = 'bench/results/peers-quality.json'] =
  process.argv.slice(2)

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

const tables = markdown(read(times), existsSync(quality) ? read(quality) : null)
const page = readFileSync(PAGE, 'utf8')
const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
if (begin < 0 || end < begin) throw new Error(`docs/performance.md lacks ${BEGIN} or ${END}`)
writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${tables}\n\n${page.slice(end)}`)
