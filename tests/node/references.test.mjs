/**
 * What comments and documents refer to exists: files, names of the engine, links and the headings that they lead to.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../scripts/tools.mjs'

const list = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const names = new Set(files.map((file) => basename(file)))
const documents = files.filter((file) => file.endsWith('.md'))

/** Made by the build, or of others: Qhull's, Siconos's. */
const FOREIGN = /generated\/|^dist\/|^(slim\.mjs|groups\.h|Friction_cst\.h)$|_r\.c$/
/** Words in capitals that are neither names in the code nor documents. */
const WORDS = [
  'ASCII',
  'CODATA',
  'DWARF',
  'MORASSET',
  'MORSTATE',
  'NOLINTBEGIN',
  'NOLINTEND',
  'POSIX',
]

/** @param {string} file */
const textOf = (file) => readFileSync(join(root, file), 'utf8')

/**
 * The lines of a source, each with what of it is a comment.
 *
 * @param {string} text
 */
function linesOf(text) {
  let isInside = false
  return text.split('\n').map((line) => {
    const isWhole = isInside || /^\s*(\/\/|\/\*|#\s)/.test(line)
    const at = isWhole ? 0 : line.search(/\s\/\/[/<]?\s|\s\/\*\*?\s/)
    const comment = at < 0 ? '' : line.slice(at)
    if (comment.includes('/*')) isInside = true
    if (line.includes('*/')) isInside = false
    return { comment, code: at < 0 ? line : line.slice(0, at) }
  })
}

const sources = files
  .filter((file) => /\.(c|h|mjs|cmake)$/.test(file))
  .map((file) => ({ file, lines: linesOf(textOf(file)) }))
const inCode = new Set(
  sources.flatMap(({ lines }) => lines.flatMap(({ code }) => code.match(/\w+/g) ?? [])),
)

/**
 * @param {RegExp} pattern of what a comment refers to
 * @param {(word: string) => boolean} exists
 * @returns {string[]} where one refers to what does not exist
 */
const deadReferences = (pattern, exists) =>
  sources.flatMap(({ file, lines }) =>
    lines.flatMap(({ comment }, index) =>
      (comment.match(pattern) ?? [])
        .filter((word) => !exists(word))
        .map((word) => `${file}:${index + 1} ${word}`),
    ),
  )

/** @param {string} word a file, as a comment names it */
function isFile(word) {
  const path = word.replace(/^(\.\.?\/)+/, '')
  if (FOREIGN.test(path)) return true
  return path.includes('/')
    ? files.some((file) => `/${file}`.endsWith(`/${path}`))
    : names.has(path)
}

describe('comments name', () => {
  test('files that exist', () => {
    // A name that begins with its ending (*.test.mjs) is a kind of files.
    const pattern = /(?<![\w*.])[\w.-]*\w[\w/.-]*\.(?:c|h|mjs|md|cmake)\b/g
    assert.deepEqual(deadReferences(pattern, isFile), [])
  })

  test('functions, types and constants of the engine that exist', () => {
    const pattern = /\bmo_\w*[a-z0-9]\b|\bMO_\w*[A-Z0-9]\b/g
    const starts = (/** @type {string} */ word) =>
      word.endsWith('_') && [...inCode].some((name) => name.startsWith(word))
    assert.deepEqual(
      deadReferences(pattern, (word) => inCode.has(word) || starts(word)),
      [],
    )
  })

  test('documents that exist', () => {
    const isKnown = (/** @type {string} */ word) =>
      inCode.has(word) || names.has(`${word}.md`) || WORDS.includes(word)
    assert.deepEqual(deadReferences(/\b[A-Z]{5,}\b/g, isKnown), [])
  })

  test('what follows them: no comment of the C interface stands before another one', () => {
    assert.doesNotMatch(textOf('include/moreau.h'), /\*\/\n\/\*\*/)
  })
})

describe('documents', () => {
  /** @param {string} document @returns {Set<string>} the anchors of its headings, as they are made of them */
  const anchorsOf = (document) =>
    new Set(
      [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )

  for (const document of documents) {
    test(`${document} links to files and headings that exist`, () => {
      for (const [, link] of textOf(document).matchAll(/\]\(([^)\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(link)) continue
        const [path, anchor] = link.split('#')
        const target = path === '' ? document : join(dirname(document), path)
        assert.ok(existsSync(join(root, target)), `there is no ${target}`)
        if (anchor === undefined) continue
        assert.ok(anchorsOf(target).has(anchor), `${target} has no heading #${anchor}`)
      }
    })
  }

  test('docs/proofs.md names files of tests that exist', () => {
    const cells = [...textOf('docs/proofs.md').matchAll(/^\|.*\|(.*)\|$/gm)].slice(2)
    assert.ok(cells.length > 40, `${cells.length} rows`)
    for (const [, cell] of cells) {
      let folder = ''
      const found = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
      assert.ok(found.length > 0, `'${cell}' names nothing`)
      for (const name of found) {
        if (/^(npm|node|ctest) /.test(name)) continue
        if (name.includes('/')) folder = dirname(name)
        if (name.includes('*') || name === 'tests/unit') continue
        const file = name.includes('/') ? name : `${folder}/${name}`
        const isThere = [file, `${file}.test.mjs`].some((path) => existsSync(join(root, path)))
        assert.ok(isThere, `there is no ${file}`)
      }
    }
  })
})
