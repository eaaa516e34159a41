import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findFaults, parseLayers } from '../../scripts/include-graph.mjs'

const script = fileURLToPath(new URL('../../scripts/include-graph.mjs', import.meta.url))

/**
 * A tree of sources that is gone after the test.
 * @param {import('node:test').TestContext} context
 * @param {Record<string, string>} files path below the tree to contents
 */
function plant(context, files) {
  const tree = mkdtempSync(join(tmpdir(), 'include-graph-'))
  context.after(() => rmSync(tree, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  return tree
}

/**
 * @param {string} tree
 * @param {...string} words
 */
const run = (tree, ...words) =>
  spawnSync(process.execPath, [script, '--tree', tree, ...words], { encoding: 'utf8' })

/** What every tree here has. */
const good = {
  'src/math/vec3.h': '#include <math.h>\nint vec3;\n',
  'src/world/world.h': '#include "math/vec3.h"\nint world;\n',
  'src/world/world.c': '#include "world/world.h"\n\n#include "math/vec3.h"\n',
}

describe('the graph of includes', () => {
  test('of a tree whose arrows point down is printed, with counts', (context) => {
    const { status, stdout } = run(plant(context, good))
    assert.equal(status, 0)
    assert.match(stdout, /^math +-> $/m)
    assert.match(stdout, /^world +-> math 2$/m)
  })

  test('with an arrow up fails and names its file and line', (context) => {
    const tree = plant(context, {
      ...good,
      'src/math/quat.c': '// A quaternion.\n#  include <world/world.h>\n',
    })
    const { status, stderr } = run(tree)
    assert.equal(status, 1)
    assert.match(stderr, /src\/math\/quat\.c:2: world\/world\.h of world, .* not below math/)
  })

  test('sees a header that is named as a neighbour', (context) => {
    const tree = plant(context, { ...good, 'src/math/quat.c': '#include "../world/world.h"\n' })
    assert.match(run(tree).stderr, /quat\.c:1/)
  })

  test('with an arrow between folders beside each other fails', (context) => {
    const tree = plant(context, {
      ...good,
      'src/memory/array.h': 'int array;\n',
      'src/parallel/pool.c': '#include "memory/array.h"\n',
    })
    assert.match(run(tree).stderr, /src\/parallel\/pool\.c:1: memory\/array\.h of memory/)
  })

  test('with a folder that has no place fails', (context) => {
    const tree = plant(context, { ...good, 'src/attic/old.c': '\n' })
    const { status, stderr } = run(tree)
    assert.equal(status, 1)
    assert.match(stderr, /src\/attic: has no place/)
  })

  test('of no sources fails', (context) => {
    assert.equal(run(plant(context, { 'src/read.me': '' })).status, 1)
  })
})

test('layers inside a folder have their order, and the place of their folder towards others', () => {
  const places = parseLayers('math <- solvers (. , linear <- cone <- last), batch (run) <- world')
  /** @param {string} from @param {string} to */
  const isFault = (from, to) => {
    const arrow = { file: `src/${from}.c`, owner: `src/${to}.h`, line: 1, name: '' }
    return findFaults([arrow], places).length > 0
  }
  assert.deepEqual(
    [...places.keys()],
    ['math', 'solvers', 'solvers/linear', 'solvers/cone', 'solvers/last', 'batch/run', 'world'],
  )
  assert.ok(!isFault('solvers/cone/a', 'solvers/b'))
  assert.ok(!isFault('solvers/cone/a', 'solvers/cone/b'))
  assert.ok(!isFault('solvers/linear/a', 'math/b'))
  assert.ok(!isFault('world/a', 'solvers/cone/b'))
  assert.ok(isFault('solvers/a', 'solvers/cone/b'))
  assert.ok(isFault('solvers/linear/a', 'solvers/b'))
  assert.ok(isFault('math/a', 'solvers/linear/b'))
  assert.ok(isFault('solvers/cone/a', 'batch/run/b'))
  assert.ok(isFault('batch/run/a', 'solvers/b'))
  // A file with a place of its own.
  assert.ok(!isFault('solvers/last', 'solvers/cone/b'))
  assert.ok(isFault('solvers/cone/a', 'solvers/last'))
})

describe('the graph of calls', () => {
  /** @param {string} tree */
  const compile = (tree) => {
    for (const file of ['src/math/quat.c', 'src/world/world.c']) {
      const object = join(tree, 'build/CMakeFiles/moreau.dir', `${file}.o`)
      mkdirSync(dirname(object), { recursive: true })
      execFileSync('cc', ['-c', '-I', join(tree, 'src'), join(tree, file), '-o', object])
    }
    return join(tree, 'build')
  }

  test('sees an arrow up that no include shows', (context) => {
    const tree = plant(context, {
      ...good,
      'src/world/world.c': 'int world_step(void) { return 1; }\n',
      'src/math/quat.c': 'int world_step(void);\nint quat(void) { return world_step(); }\n',
    })
    const { status, stderr } = run(tree, '--calls', compile(tree))
    assert.equal(status, 1)
    assert.match(stderr, /src\/math\/quat\.c:1: world_step of world, .* not below math/)
  })

  test('of a tree whose arrows point down is printed', (context) => {
    const tree = plant(context, {
      ...good,
      'src/world/world.c': 'int quat(void);\nint world_step(void) { return quat(); }\n',
      'src/math/quat.c': 'int quat(void) { return 1; }\n',
    })
    const { status, stdout } = run(tree, '--calls', compile(tree))
    assert.equal(status, 0)
    assert.match(stdout.split('# calls')[1], /^world +-> math 1$/m)
  })

  test('without a build fails', (context) => {
    const { status, stderr } = run(plant(context, good), '--calls', 'build/nowhere')
    assert.equal(status, 1)
    assert.match(stderr, /build first/)
  })
})
