// npm start: builds what is missing, runs the pour scene headless, then serves the demo page.
//
//   npm start                       serves until interrupted
//   npm start -- --no-serve         ends after the report
//   npm start -- --port 8080 --host anything else goes to vite preview

import { build } from './build.mjs'
import { helpIfAsked } from './command-line.mjs'
import { buildTools, setup } from './setup.mjs'
import { runMain, runNode, stage } from './tools.mjs'

await runMain(async () => {
  helpIfAsked(import.meta.url)
  const options = process.argv.slice(2)
  const serve = !options.includes('--no-serve')
  await setup(buildTools)
  await build({ web: serve })
  await stage('200 hulls poured into a pit, 10 s', () =>
    runNode('dist/cli.mjs', ['run', 'pour', '--seconds', '10']),
  )
  if (!serve) return
  console.log('\n== demo page (Ctrl+C ends)')
  await runNode('node_modules/vite/bin/vite.js', ['preview', 'web', ...options])
})
