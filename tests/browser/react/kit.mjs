/**
 * What the demos of @react-three/rapier take from drei and from files: meshes of plain geometries, a model, and random
 * numbers, here the same in each run.
 */
import { createElement, useState } from 'react'
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js'

export const h = /** @type {(...args: any[]) => any} */ (createElement)

/**
 * @param {string} geometry
 * @returns {(props: any) => any}
 */
const meshOf =
  (geometry) =>
  ({ args, color = 'orange', children, ...props }) =>
    h(
      'mesh',
      { castShadow: true, receiveShadow: true, ...props },
      h(geometry, { args }),
      children ?? h('meshStandardMaterial', { color }),
    )

export const Box = meshOf('boxGeometry')
export const Sphere = meshOf('sphereGeometry')
export const Torus = meshOf('torusGeometry')
export const Cylinder = meshOf('cylinderGeometry')
export const Cone = meshOf('coneGeometry')
export const Capsule = meshOf('capsuleGeometry')

/** Concave, with a handle and a spout, as the head of a monkey is in the demos. */
export const model = new TeapotGeometry(1, 6)

/** @param {any} props */
export const Model = ({ color = 'tan', ...props }) =>
  h(
    'mesh',
    { castShadow: true, receiveShadow: true, geometry: model, ...props },
    h('meshStandardMaterial', { color }),
  )

let seed = 1
/** 0 to 1. */
export const random = () => (seed = (16807 * seed) % 2147483647) / 2147483647

const COLORS = ['crimson', 'seagreen', 'royalblue', 'gold', 'darkorange', 'purple']
export const randomColor = () => COLORS[Math.floor(random() * COLORS.length)]
/** @returns {string} of a component, while it is mounted */
export const useRandomColor = () => useState(randomColor)[0]

/** @param {number} length @param {(index: number) => any} make */
export const times = (length, make) => Array.from({ length }, (_, i) => make(i))

/** What a demo shows the test. @type {Record<string, any>} */
export const seen = {}
Object.assign(globalThis, { seen })
