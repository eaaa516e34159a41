// moreau/import: robots and scenes from files into a world, and a world into a file.

export { importURDF } from './urdf/urdf.mjs'
export { importGLTF } from './gltf/gltf.mjs'
export { exportGLTF } from './gltf/write.mjs'
export { importMJCF } from './mjcf/mjcf.mjs'
export { Model } from './mechanism/model.mjs'

/** @typedef {import('./options.mjs').ImportOptions} ImportOptions */
/** @typedef {import('./urdf/urdf.mjs').UrdfOptions} UrdfOptions */
/** @typedef {import('./meshes.mjs').Loader} Loader */
/** @typedef {import('./meshes.mjs').LoadedMesh} LoadedMesh */
/** @typedef {import('./xml/reader.mjs').ImportWarning} ImportWarning */
/** @typedef {import('./mechanism/model.mjs').ModelFrame} ModelFrame */
/** @typedef {import('./mechanism/model.mjs').ModelLink} ModelLink */
/** @typedef {import('./mechanism/mechanism.mjs').JointData} JointData */
/** @typedef {import('./mjcf/mjcf.mjs').MjcfOptions} MjcfOptions */
/** @typedef {import('./mjcf/relations.mjs').Actuator} Actuator */
/** @typedef {import('./gltf/gltf.mjs').GltfOptions} GltfOptions */
/** @typedef {import('./gltf/gltf.mjs').ImportedScene} ImportedScene */
/** @typedef {import('./gltf/write.mjs').GltfWriting} GltfWriting */
/** @typedef {import('./gltf/write.mjs').ExportedScene} ExportedScene */
