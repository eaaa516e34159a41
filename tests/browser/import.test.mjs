/**
 * `moreau/import` in a page: nothing else is fetched, and the worlds and errors are those of Node.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { World } from 'moreau'
import { exportGLTF, importGLTF, importMJCF, importURDF } from 'moreau/import'
import { openBrowser } from './browser.mjs'

/** What the page may fetch. */
const MODULES = ['index.mjs', 'import.mjs']
/** @type {string[]} */
const asked = []
/** @type {import('./browser.mjs').RequestListener} */
const answer = async (request, response) => {
  const name = (request.url ?? '/').slice(1)
  asked.push(name)
  if (name === '') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Import</title>')
  } else if (MODULES.includes(name)) {
    const text = await readFile(new URL(`../../dist/${name}`, import.meta.url))
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)
  } else response.writeHead(404).end()
}

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let served

before(async () => {
  served = await openBrowser(answer)
})

after(() => served?.close())

/**
 * Worlds of files, some steps on: runs here and, as text, in pages.
 * @param {any} moreau both modules
 * @param {Record<string, string>} texts
 * @returns {Promise<string[]>} hashes, and what is wrong with a text that is no XML
 */
async function hashesOf(moreau, texts) {
  const hashes = []
  for (const [name, text] of Object.entries(texts)) {
    const world = await moreau.World.create({ gravity: [0, 0, -9.81], solver: 'exact' })
    const read = name.endsWith('urdf')
      ? moreau.importURDF
      : name.endsWith('xml')
        ? moreau.importMJCF
        : moreau.importGLTF
    const robot = await read(text, { world })
    robot.setConfiguration?.({ [Object.keys(robot.joints)[0]]: 0.1 })
    for (let step = 0; step < 50; step++) world.step(0.005)
    const { gltf } = moreau.exportGLTF(world)
    hashes.push(world.hash(), `${JSON.stringify(gltf).length}`)
    const refused = await moreau
      .importURDF('<robot', { world })
      .catch((/** @type {Error} */ e) => e.message)
    hashes.push(refused)
  }
  return hashes
}

describe('moreau/import in a page', () => {
  test('reads files to the bits of Node, and refuses them in its words', async () => {
    const names = ['arm2-A.urdf', 'probe-A.xml', 'toys-A.gltf']
    const entries = names.map(async (name) => {
      const url = new URL(`../node/import/${name}`, import.meta.url)
      return [name, await readFile(url, 'utf8')]
    })
    const texts = Object.fromEntries(await Promise.all(entries))
    const expected = await hashesOf(
      { World, exportGLTF, importGLTF, importMJCF, importURDF },
      texts,
    )
    const page = await served.browser.newPage()
    await page.goto(`${served.origin}/`)
    const got = await page.evaluate(
      `(async () => {
        const moreau = { ...(await import('/index.mjs')), ...(await import('/import.mjs')) }
        return (${hashesOf})(moreau, ${JSON.stringify(texts)})
      })()`,
    )
    assert.deepEqual(got, expected)
    assert.equal(expected[2], 'importURDF: text is no XML (line 1): the tag <robot> has no end')
    assert.ok(!asked.some((name) => name.includes('xml')), asked.join(', '))
    await page.close()
  })
})
