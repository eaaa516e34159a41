/**
 * What goes wrong with rooms and their Redis, with real processes: the short runs of `bench failures`.
 */
import { test } from 'node:test'
import { CASES, runCase } from '../../scripts/rooms/failures.mjs'

for (const [name, { work, short }] of Object.entries(CASES)) {
  test(name, async (context) => {
    const figure = await runCase(work, short)
    if (figure === undefined) return context.skip('this machine allows no mount')
    context.diagnostic(figure)
  })
}
