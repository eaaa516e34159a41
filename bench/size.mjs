/**
 * What a bundle consists of: by how much it is smaller, gzipped, without what comes from a file or a folder of the sources. Parts share
 * what they have in common, and so their sum is less than the whole.
 *
 *   npm run bench:size [-- --file slim.mjs --most 20]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { decode } from '@jridgewell/sourcemap-codec'
import { parseSync, Visitor } from 'rolldown/utils'
import { readCommandLine } from '../scripts/command-line.mjs'
import { root } from '../scripts/tools.mjs'
import { formatTable } from './table.mjs'

/** @typedef {{ source: string, text: string }} Piece of a bundle */

const { values } = readCommandLine(import.meta.url, {
  options: {
    file: { type: 'string', default: 'slim.mjs' },
    most: { type: 'string', default: '20' },
  },
})

const path = join(root, 'dist', values.file)
const code = readFileSync(path, 'utf8')

/** @returns {Piece[]} of the bundle, in order */
function readPieces() {
  const lines = code.split('\n')
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  return decode(map.mappings).flatMap((segments, i) =>
    segments.map(([column, source], k) => ({
      source: source === undefined ? '' : map.sources[source].replace(/^(\.\.\/)+/, ''),
      text: lines[i].slice(column, segments[k + 1]?.[0]),
    })),
  )
}

/** @param {Piece[]} pieces */
const sizeOf = (pieces) =>
  gzipSync(pieces.map(({ text }) => text).join(''), { level: 9 }).length / 1024

const pieces = readPieces()
const whole = sizeOf(pieces)
/** @param {(piece: Piece) => boolean} isOf */
const weightOf = (isOf) => whole - sizeOf(pieces.filter((piece) => !isOf(piece)))

/**
 * @param {string} title
 * @param {(source: string) => string} partOf
 */
function printWeights(title, partOf) {
  const names = [...new Set(pieces.map(({ source }) => partOf(source)))].filter(Boolean)
  const rows = names
    .map((name) => ({ name, weight: weightOf(({ source }) => partOf(source) === name) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, Number(values.most))
    .map(({ name, weight }) => [name, weight.toFixed(1)])
  console.log(`\n${formatTable([title, 'KB'], rows)}`)
}

console.log(`${values.file} without line breaks: ${whole.toFixed(1)} KB gzipped`)
printWeights('folder', (source) => source.split('/').slice(0, -1).join('/'))
printWeights('file', (source) => source)
console.log(`\ntexts: ${(sizeOf([{ source: '', text: code }]) - sizeOf(silent())).toFixed(1)} KB`)

/** The bundle without texts that have a space, as those of errors and advice have, and names have not. */
function silent() {
  /** @type {{ start: number, end: number }[]} */
  const texts = []
  new Visitor({
    Literal: (node) => void (/ /.test(node.raw ?? '') && texts.push(node)),
    TemplateElement: (node) => void (/ /.test(node.value.raw) && texts.push(node)),
  }).visit(parseSync(values.file, code).program)
  const ends = [0, ...texts.map(({ end }) => end)]
  return ends.map((end, i) => ({ source: '', text: code.slice(end, texts[i]?.start) }))
}
