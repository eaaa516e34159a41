// Builds what is missing, then runs a JavaScript file of the project: node scripts/run.mjs <file> [arguments]
// What the build has to say goes to stderr, so that stdout is that of the file alone (`--json`).

import { build } from './build.mjs'
import { buildTools, setup } from './setup.mjs'
import { Failure, runMain, runNode } from './tools.mjs'

await runMain(async () => {
  const [file, ...options] = process.argv.slice(2)
  if (!file) throw new Failure('usage: node scripts/run.mjs <file> [arguments]')
  await setup(buildTools)
  await build({ web: false })
  await runNode(file, options)
})
