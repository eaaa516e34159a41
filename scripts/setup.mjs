// Installs what building and testing need. Node's built-ins only: on a fresh clone nothing else is there yet.
//
//   node scripts/setup.mjs        everything that `npm test` needs
//
// `npm start` and `npm test` call it by themselves. It touches the system only as root on Debian or Ubuntu; elsewhere it says what
// to install. An emcc on PATH (of an emsdk, say) is used as it is.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { Failure, findChromium, isMain, isStale, onPath, run, runMain } from './tools.mjs'

/**
 * @typedef {object} Tool
 * @property {() => unknown} found
 * @property {string[]} apt packages of Debian and Ubuntu
 * @property {string[]} brew arguments of `brew install` (macOS; written from its documentation and not tested)
 */

/** @type {Record<string, Tool>} */
const tools = {
  certificates: {
    found: () => process.platform !== 'linux' || existsSync('/etc/ssl/certs/ca-certificates.crt'),
    apt: ['ca-certificates'],
    brew: [],
  },
  cmake: { found: () => onPath('cmake'), apt: ['cmake'], brew: ['cmake'] },
  ninja: { found: () => onPath('ninja'), apt: ['ninja-build'], brew: ['ninja'] },
  emscripten: { found: () => onPath('emcc'), apt: ['emscripten'], brew: ['emscripten'] },
  // On macOS the compiler and the C library come with Xcode's command line tools.
  compiler: {
    found: () =>
      onPath('cc') && (process.platform !== 'linux' || existsSync('/usr/include/stdlib.h')),
    apt: ['gcc', 'libc6-dev'],
    brew: [],
  },
  cmocka: {
    found: () =>
      ['/usr/include', '/usr/local/include', '/opt/homebrew/include'].some((folder) =>
        existsSync(join(folder, 'cmocka.h')),
      ),
    apt: ['libcmocka-dev'],
    brew: ['cmocka'],
  },
  chromium: { found: findChromium, apt: ['chromium'], brew: ['chromium'] },
  clangFormat: {
    found: () => onPath('clang-format'),
    apt: ['clang-format'],
    brew: ['clang-format'],
  },
  // The package has the runtimes of the other sanitizers too. On macOS Apple's clang has no libFuzzer.
  libFuzzer: {
    found: () => findLibFuzzer(),
    apt: ['clang', 'libclang-rt-14-dev'],
    brew: ['llvm'],
  },
  // Debian's names; Homebrew has neither.
  crossCompiler: {
    found: () =>
      onPath('aarch64-linux-gnu-gcc') && existsSync('/usr/aarch64-linux-gnu/include/stdlib.h'),
    apt: ['gcc-aarch64-linux-gnu', 'libc6-dev-arm64-cross'],
    brew: [],
  },
  emulator: { found: () => onPath('qemu-aarch64'), apt: ['qemu-user'], brew: [] },
  clangTidy: { found: () => onPath('clang-tidy'), apt: ['clang-tidy'], brew: ['llvm'] },
  redis: { found: () => onPath('redis-server'), apt: ['redis-server'], brew: ['redis'] },
}

/** The runtime of libFuzzer of the clang on PATH. */
function findLibFuzzer() {
  const clang = onPath('clang')
  if (!clang) return undefined
  const folder = execFileSync(clang, ['-print-runtime-dir'], { encoding: 'utf8' }).trim()
  return existsSync(folder) && readdirSync(folder).find((name) => /clang_rt\.fuzzer/.test(name))
}

/** What the wasm module and the package need. */
export const buildTools = ['certificates', 'cmake', 'ninja', 'emscripten', 'compiler']
/** What scripts/fuzz.mjs needs besides. */
export const fuzzTools = ['cmocka', 'libFuzzer']
/** What scripts/deep.mjs needs. */
export const deepTools = [...buildTools, ...fuzzTools, 'crossCompiler', 'emulator']
/** What the tests and style checks need. */
export const testTools = [...buildTools, 'cmocka', 'chromium', 'clangFormat', 'clangTidy']

function checkNode() {
  const required = [20, 19]
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < required[0] || (major === required[0] && minor < required[1])) {
    throw new Failure(
      `Moreau needs Node ${required.join('.')} or newer; this is ${process.versions.node}.`,
    )
  }
}

/** @param {string[]} names keys of `tools` */
async function installTools(names) {
  const missing = names.map((name) => tools[name]).filter((tool) => !tool.found())
  if (missing.length === 0) return

  if (process.platform === 'darwin') {
    const packages = missing.flatMap((tool) => tool.brew)
    throw new Failure(
      `Missing tools. Install them and run this again:\n\n  xcode-select --install; brew install ${packages.join(' ')}\n`,
    )
  }
  const packages = missing.flatMap((tool) => tool.apt)
  const install = ['install', '--yes', '--no-install-recommends', ...packages]
  if (!onPath('apt-get'))
    throw new Failure(`Missing tools. Install what Debian calls: ${packages.join(' ')}`)
  if (process.getuid?.() !== 0) {
    throw new Failure(
      `Missing tools. Install them and run this again:\n\n  sudo apt-get update && sudo apt-get ${install.join(' ')}\n`,
    )
  }
  console.error(`Installing with apt-get: ${packages.join(' ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env, quiet: true })
  await run('apt-get', install, { env, quiet: true })
}

async function installModules() {
  if (!isStale(['node_modules/.package-lock.json'], ['package-lock.json'])) return
  console.error('Installing the development dependencies of package-lock.json: npm ci')
  // No package needs its install script: esbuild's only saves a few milliseconds per start.
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/**
 * Makes sure that tools and modules are there.
 * @param {string[]} [names] the tools that the command at hand needs
 */
export async function setup(names = testTools) {
  checkNode()
  await installTools(names)
  await installModules()
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    readCommandLine(import.meta.url)
    await setup()
    console.error('Everything is in place.')
  })
}
