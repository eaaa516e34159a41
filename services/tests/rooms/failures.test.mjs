/**
 * What goes wrong with rooms and their Redis, with real processes: the short runs of `bench failures`, one after the other with the same two
 * processes and players.
 */
import { after, before, test } from 'node:test'
import { CASES, runCase, Stage } from '../../scripts/rooms/failures.mjs'

/** @type {Stage} */
let stage

before(async () => {
  stage = await Stage.open()
  stage.isShared = true
})
after(() => stage.close())

for (const [name, { work, short }] of Object.entries(CASES)) {
  test(name, async (context) => {
    const figure = await runCase(work, short, stage)
    if (figure === undefined) return context.skip('this machine allows no mount')
    context.diagnostic(figure)
  })
}
