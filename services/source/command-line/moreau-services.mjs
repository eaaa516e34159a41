#!/usr/bin/env node
/**
 * The command line of the services.
 */
import { createRequire } from 'node:module'
import { engineVersion } from '../sweeps/spec.mjs'
import { printedAddress, stackOf } from '../operations/index.mjs'
import { UsageError } from './arguments.mjs'
import { roomHelp } from './room-help.mjs'
import { sweepCommands } from './sweep-commands.mjs'
import { sweepHelp } from './sweep-help.mjs'

/** Exit codes beyond that of a command: the command line is wrong; something failed. */
const EXIT = { ok: 0, failed: 1, usage: 2 }

/** Each gets the words after its name and gives an exit code. @type {Record<string, (words: string[]) => Promise<number>>} */
const commands = {
  ...sweepCommands,
  // Colyseus takes a quarter of a second to load, which no other command shall wait for.
  rooms: async (words) => (await import('./room-commands.mjs')).rooms(words),
}

const HELP = ['--help', '-h']
const helpText = `moreau-services: sweeps and rooms of Moreau over machines

${sweepHelp}${roomHelp}`

/** @returns {string} of package.json */
const ownVersion = () => createRequire(import.meta.url)('../../package.json').version

/**
 * An address may have a password in it, also one at a wrong place of the command line, which an error then names.
 * @param {string} text @param {string[]} words of the command line
 */
function withoutSecrets(text, words) {
  const values = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  const secrets = values.filter((value) => value.includes('@') && value.includes(':'))
  // The longest first, as one may be a part of another.
  secrets.sort((one, other) => other.length - one.length)
  return secrets.reduce((told, secret) => told.replaceAll(secret, printedAddress(secret)), text)
}

/** @param {string[]} words @returns {Promise<number>} exit code */
async function main([name = 'help', ...words]) {
  if (name === 'help' || [name, ...words].some((word) => HELP.includes(word))) {
    console.log(helpText)
    return EXIT.ok
  }
  if (name === '--version' || name === 'version') {
    console.log(`moreau-services ${ownVersion()}, moreau ${engineVersion()}`)
    return EXIT.ok
  }
  try {
    if (!Object.hasOwn(commands, name)) {
      throw new UsageError(
        `there is no command '${name}'; there are ${Object.keys(commands).join(', ')}`,
      )
    }
    return await commands[name](words)
  } catch (error) {
    // Sweeps and rooms throw RangeErrors at what the user gave.
    const isUsage = error instanceof UsageError || error instanceof RangeError
    const { message } = /** @type {Error} */ (error)
    const text = process.env.DEBUG ? stackOf(error) : `moreau-services: ${message}`
    console.error(withoutSecrets(text, [name, ...words]))
    return isUsage ? EXIT.usage : EXIT.failed
  }
}

process.exitCode = await main(process.argv.slice(2))
