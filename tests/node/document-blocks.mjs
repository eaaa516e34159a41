/**
 * The JavaScript of documents, run as a reader would: copied into a module.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/tools.mjs'

/** Within the package, whose entries are imported by their names. */
const folder = join(root, 'build/documents')
let count = 0

/**
 * @param {string} document
 * @param {string} [language] of the blocks
 * @returns {{ title: string, code: string }[]} its blocks, with the heading that each is below
 */
export function blocksOf(document, language = 'js') {
  const pattern = new RegExp(`^#+ ([^\\n]+)$|^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const text = readFileSync(join(root, document), 'utf8')
  let title = ''
  const blocks = []
  for (const [, heading, code] of text.matchAll(pattern)) {
    if (heading !== undefined) title = heading
    else blocks.push({ title, code })
  }
  return blocks
}

/**
 * Runs blocks one after the other.
 * @param {string[]} blocks each in a scope of its own but for the first, whose names all know
 * @param {string} [given] what the reader has besides, after the first block: code
 * @returns {Promise<Record<string, any>>} all that the last block declares at its top, and `all`: what the first and `given` do
 */
export async function run(blocks, given = '') {
  note(blocks, given)
  const codes = [given, ...blocks]
  const imports = [...new Set(codes.flatMap((code) => namesImported(code)))]
  const [own, first, ...others] = codes.map((code) => code.replaceAll(IMPORT, ''))
  const all = `{ ${declared(`${own}\n${first}`).join(', ')} }`
  const last = `{ ${declared(others.at(-1) ?? '').join(', ')} }`
  const scopes = others.map((code, i) => {
    const end = i === others.length - 1 ? `\nResult.names = ${last}` : ''
    return `{\n${code}${end}\n}`
  })
  const text = [...imports, first, own, 'const Result = {}', ...scopes, `Result.all = ${all}`]
  return load([...text, 'export default { ...Result.names, all: Result.all }\n'].join('\n'))
}

/** What is to be compiled, as a reader who writes TypeScript would have it. @type {{ text: string, ending: string }[]} */
const toCompile = []

/**
 * Has blocks compiled that are not run.
 * @param {string[]} blocks as of `run`
 * @param {string} [given]
 * @param {'ts' | 'tsx'} [ending]
 */
export function note(blocks, given = '', ending = 'ts') {
  toCompile.push({ text: typedText(blocks, given), ending })
}

/** @param {string[]} blocks @param {string} given */
function typedText(blocks, given) {
  const imports = [...new Set([given, ...blocks].flatMap((code) => namesImported(code)))]
  const [own, first, ...others] = [given, ...blocks].map((code) => code.replaceAll(IMPORT, ''))
  return [...imports, 'export {}', first, own, ...others.map((code) => `{\n${code}}\n`)].join('\n')
}

/** Gives all that was run to `tsc --strict`, at once. @returns {string} its complaints */
export function compile() {
  const sources = join(folder, `types-${process.pid}`)
  mkdirSync(sources, { recursive: true })
  toCompile.forEach(({ text, ending }, i) => writeFileSync(join(sources, `${i}.${ending}`), text))
  const compilerOptions = {
    jsx: 'react-jsx',
    ...{ strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', module: 'esnext' },
    ...{
      moduleResolution: 'bundler',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      types: ['node'],
    },
  }
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', sources, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  if (stdout === '') rmSync(sources, { recursive: true })
  return stdout
}

/** @param {string} text */
async function load(text) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${process.pid}-${count++}.mjs`)
  await writeFile(file, text)
  try {
    return (await import(pathToFileURL(file).href)).default
  } finally {
    await rm(file)
  }
}

const IMPORT = /^import \{([^}]*)\} from '([^']+)'\n/gm

/** @param {string} code */
const namesImported = (code) =>
  [...code.matchAll(IMPORT)].flatMap(([, names, from]) =>
    names.split(',').map((name) => `import { ${name.trim()} } from '${from}'`),
  )

/** @param {string} code @returns {string[]} what it declares at its top */
const declared = (code) =>
  [...code.matchAll(/^(?:const|let|async function|function) (\{[^}]*\}|\w+)/gm)].flatMap(
    ([, names]) => names.match(/\w+(?!\w*:)/g) ?? [],
  )
