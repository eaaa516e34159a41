/**
 * The files that put the services on machines. Nothing here runs them: what is checked is that they can be read, that what they name is there,
 * and that the command line knows the options that they give.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { roomHelp } from '../../source/command-line/room-help.mjs'
import { sweepCommands } from '../../source/command-line/sweep-commands.mjs'
import { sweepHelp } from '../../source/command-line/sweep-help.mjs'

const pathOf = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (/** @type {string} */ name) => readFileSync(pathOf(`deploy/${name}`), 'utf8')

/** @param {string} name @returns {any[]} */
function documentsOf(name) {
  const documents = parseAllDocuments(read(name), { merge: true })
  for (const { errors, warnings } of /** @type {any[]} */ (documents)) {
    assert.deepEqual([...errors, ...warnings], [], name)
  }
  return documents.map((document) => /** @type {any} */ (document).toJS())
}

/** @param {readonly string[]} words of a container of ours */
function checkWords([command, ...words]) {
  assert.ok(command === 'rooms' || command in sweepCommands, command)
  const help = command === 'rooms' ? roomHelp : sweepHelp
  for (const word of words.filter((option) => option.startsWith('--'))) {
    assert.match(help, new RegExp(`${word} `), `${command} ${word}`)
  }
  const scene = words.find((word) => word.startsWith('/scenes/'))
  if (scene) assert.ok(existsSync(pathOf(scene.slice(1))), scene)
}

for (const name of ['Dockerfile', 'compose.yaml', 'kubernetes.yaml']) {
  test(`${name} says that it was not run`, () => assert.match(read(name), /^# Not run: /))
}

test('compose.yaml: services that there are, images or files to build them, and options that there are', () => {
  const [{ services, volumes }] = documentsOf('compose.yaml')
  for (const service of Object.values(services)) {
    assert.ok(service.image ?? existsSync(pathOf(`../${service.build.dockerfile}`)))
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in services, other)
    if (service.build) checkWords(service.command)
  }
  assert.ok('redis' in volumes)
})

describe('kubernetes.yaml', () => {
  const documents = documentsOf('kubernetes.yaml')
  const podOf = (/** @type {any} */ { spec }) => spec.template?.spec

  test('every document has a kind, a version and a name of its own', () => {
    const names = documents.map(
      ({ kind, apiVersion, metadata }) => `${apiVersion} ${kind} ${metadata.name}`,
    )
    assert.equal(new Set(names).size, documents.length)
    assert.ok(names.every((name) => !name.includes('undefined')))
  })

  test('selectors find their pods, volumes and ports are there', () => {
    for (const document of documents.filter(podOf)) {
      const { containers, volumes = [] } = podOf(document)
      const { selector, template, volumeClaimTemplates = [] } = document.spec
      if (selector) assert.deepEqual(selector.matchLabels, template.metadata.labels)
      const known = [
        ...volumes,
        ...volumeClaimTemplates.map((/** @type {any} */ claim) => claim.metadata),
      ]
      for (const { volumeMounts = [], ports = [], readinessProbe } of containers) {
        for (const { name } of volumeMounts)
          assert.ok(
            known.some((volume) => volume.name === name),
            name,
          )
        const probed = readinessProbe?.httpGet?.port
        if (probed)
          assert.ok(
            ports.some((/** @type {any} */ port) => port.name === probed),
            probed,
          )
      }
    }
  })

  test('our containers have words that the command line knows, and those that serve are asked at /healthz', () => {
    const ours = documents
      .flatMap((document) => podOf(document)?.containers ?? [])
      .filter(({ image }) => image === 'moreau-services')
    assert.equal(ours.length, 3)
    for (const { args } of ours) checkWords(args)
    const probed = ours.filter(({ args }) => args[0] !== 'sweep')
    assert.ok(probed.every(({ readinessProbe }) => readinessProbe.httpGet.path === '/healthz'))
  })
})

test('what is run is in production, and publishes the port of players alone', () => {
  const [lines] = [read('Dockerfile').split('\n')]
  assert.ok(lines.includes('ENV NODE_ENV=production'))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('EXPOSE')),
    ['EXPOSE 2567'],
  )
  const [{ services }] = documentsOf('compose.yaml')
  assert.deepEqual(services.rooms.ports, ['2567:2567'])
  for (const { healthcheck, command } of [services.rooms, services.worker]) {
    const port = /127\.0\.0\.1:(\d+)\/healthz/.exec(healthcheck.test.join(' '))?.[1]
    const option = command[0] === 'rooms' ? '--operations-port' : '--port'
    assert.equal(port, command[command.indexOf(option) + 1])
  }
  for (const { kind, spec } of documentsOf('kubernetes.yaml')) {
    if (kind !== 'Service') continue
    for (const { port } of spec.ports) assert.ok([2567, 6379].includes(port), String(port))
  }
})

test('Dockerfile: instructions that there are, of files that there are', () => {
  const text = read('Dockerfile').replaceAll(/\\\n/g, ' ')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const stages = lines.flatMap((line) => /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? [])
  for (const line of lines) {
    const [instruction, ...words] = line.split(' ')
    assert.match(instruction, /^(FROM|WORKDIR|COPY|RUN|USER|ENV|EXPOSE|ENTRYPOINT|CMD)$/, line)
    if (instruction === 'ENTRYPOINT' || instruction === 'CMD')
      assert.ok(Array.isArray(JSON.parse(words.join(' '))))
    if (instruction !== 'COPY') continue
    const stage = /^--from=(.*)$/.exec(words[0])?.[1]
    if (stage) assert.ok(stages.includes(stage), line)
    else
      for (const source of words.slice(0, -1)) assert.ok(existsSync(pathOf(`../${source}`)), source)
  }
})
