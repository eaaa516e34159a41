import { MoreauError } from '../core/errors.mjs'

// The library that decomposes: vhacd-js, which the user installs.

/** @import { ConvexMeshDecomposition, Mesh, Options } from 'vhacd-js/lib/vhacd.js' */

/** @typedef {typeof import('vhacd-js/lib/vhacd.js')} Peer */

/** @returns {Promise<Peer>} */
async function load() {
  try {
    // By its file, because its package.json has no entry that Node finds.
    return await import('vhacd-js/lib/vhacd.js')
  } catch (cause) {
    const message = 'decompose: needs vhacd-js, which cannot be loaded; npm install vhacd-js'
    throw new MoreauError('peer-missing', message, { cause })
  }
}

/**
 * Decomposes a mesh as vhacd-js does, without a promise about the result.
 * @param {Mesh} mesh
 * @param {Options} options
 * @returns {Promise<readonly Mesh[]>} hulls
 */
export async function decomposeByPeer(mesh, options) {
  const { ConvexMeshDecomposition } = await load()
  try {
    const decomposer = await ConvexMeshDecomposition.create()
    return decomposer.computeConvexHulls(mesh, options)
  } catch (cause) {
    throw new MoreauError('wasm-failed', `decompose: vhacd-js failed: ${cause}`, { cause })
  }
}
