// Writes what is made of the description of the module's boundary (bindings/schema):
//
//   bindings/generated/abi.h              C of the module: readers, writers, and checks of enums and layouts
//   bindings/generated/*.mjs              JavaScript: enums, records, options and settings of a world, types
//   bindings/generated/places/*.mjs       where the fields of records are
//   include/moreau.h                      the members of mo_world_def
//   src/world/settings.c                  their defaults and limits
//   src/world/state_fields.c              those that motions depend on
//   docs/api.md                           the table of options
//
// The first three are products of the build, as the WebAssembly is, and not in the repository. The others are,
// between two marks: a C compiler alone builds the library, and people read them. A test sees to it that they are
// up to date.
//
//   node scripts/generate-bindings.mjs

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { abiHeader, settingsFields, worldDefMembers, worldOptionRows } from './generate/c.mjs'
import { enumsModule, placesModules, recordsModule } from './generate/javascript.mjs'
import {
  optionsModule,
  optionTable,
  settingPlaces,
  settingsModule,
  typesModule,
} from './generate/options.mjs'
import { Failure, isMain, root, runMain } from './tools.mjs'

/** Whole files, which the repository does not have. @type {Readonly<Record<string, () => string>>} */
const PRODUCTS = {
  'bindings/generated/abi.h': abiHeader,
  'bindings/generated/enums.mjs': enumsModule,
  'bindings/generated/records.mjs': recordsModule,
  'bindings/generated/types.mjs': typesModule,
  'bindings/generated/world-options.mjs': optionsModule,
  'bindings/generated/places/settings.mjs': settingPlaces,
  'bindings/generated/world-settings.mjs': settingsModule,
  'bindings/generated/version.mjs': versionModule,
}

/** The version of the package, for files that tell who wrote them. */
function versionModule() {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return [
    '// Made by scripts/generate-bindings.mjs from package.json.',
    '',
    '/** @type {string} */',
    `export const GENERATOR = '${name} ${version}'`,
    '',
  ].join('\n')
}

/** Parts of files of the repository, between two lines that hold these marks. @type {Readonly<Record<string, () => string>>} */
const REGIONS = {
  'include/moreau.h': worldDefMembers,
  'src/world/settings.c': worldOptionRows,
  'src/world/state_fields.c': settingsFields,
  'docs/api.md': optionTable,
}
const BEGIN = 'Made from bindings/schema'
const END = 'End of what is made'

/**
 * Files of the repository as they should be.
 * @returns {Record<string, string>} text by path
 */
export function filesOfRepository() {
  return Object.fromEntries(
    Object.entries(REGIONS).map(([path, region]) => [path, withRegion(path, region())]),
  )
}

/**
 * @param {string} path
 * @param {string} region
 */
function withRegion(path, region) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const begin = lines.findIndex((line) => line.includes(BEGIN))
  const end = lines.findIndex((line) => line.includes(END))
  if (begin < 0 || end < begin)
    throw new Failure(`${path}: the marks '${BEGIN}', '${END}' are gone`)
  return [...lines.slice(0, begin + 1), region, ...lines.slice(end)].join('\n')
}

/**
 * Leaves a file that has the text already as it is, and its time too. Renamed into place, so that nobody ever reads
 * half of it.
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, text)
  renameSync(partial, file)
  console.error(path)
}

/** Writes everything that is not up to date. */
export function generateBindings() {
  for (const [path, make] of Object.entries(PRODUCTS)) write(path, make())
  for (const [name, text] of Object.entries(placesModules())) {
    write(`bindings/generated/places/${name}`, text)
  }
  for (const [path, text] of Object.entries(filesOfRepository())) write(path, text)
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    readCommandLine(import.meta.url)
    generateBindings()
  })
}
