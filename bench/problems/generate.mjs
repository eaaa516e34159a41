/**
 * Writes the project's own set of contact problems beside this file:
 *
 *     node bench/problems/generate.mjs
 */
import { writeFileSync } from 'node:fs'
import { ownProblems } from '../own-problems.mjs'

for (const problem of ownProblems) {
  const file = new URL(`${problem.name}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(problem)}\n`)
}
