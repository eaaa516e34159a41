// A reporter of Node's test runner: the tests that failed and nothing else, a paragraph each. A long run says them again at its end, where they are looked for.

/** Why a test fails that is a describe, or has tests of its own: those are told of themselves. */
const OF_OTHERS = 'subtestsFailed'

/**
 * @param {AsyncIterable<any>} events of the runner
 * @returns {AsyncGenerator<string>}
 */
export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    const { error } = data.details
    if (error.failureType === OF_OTHERS) continue
    yield `${data.file}:${data.line}: ${data.name}\n  ${(error.cause?.message ?? error.message).replaceAll('\n', '\n  ')}\n`
  }
}
