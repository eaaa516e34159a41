// Builds what is missing, then runs a JavaScript file of the project: node scripts/run.mjs <file> [arguments]
// What the build has to say goes to stderr, so that stdout is that of the file alone (`--json`). For `--help` alone nothing is built.

import { join } from 'node:path'
import { build } from './build.mjs'
import { asksForHelp, usageOf } from './command-line.mjs'
import { buildTools, setup } from './setup.mjs'
import { Failure, root, runMain, runNode } from './tools.mjs'

await runMain(async () => {
  const [file, ...options] = process.argv.slice(2)
  if (!file) throw new Failure('usage: node scripts/run.mjs <file> [arguments]')
  // The command line of the package has more to say than the comment at its head.
  if (asksForHelp(options) && file !== 'bin/moreau.mjs') {
    return console.log(usageOf(join(root, file)))
  }
  await setup(buildTools)
  await build({ web: false })
  await runNode(file, options)
})
