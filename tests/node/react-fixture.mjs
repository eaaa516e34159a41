/**
 * Scenes of @react-three/fiber without a browser: its own root, with a canvas and a renderer that draw nothing, and
 * frames that a test asks for.
 */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { act, createRoot, extend } from '@react-three/fiber'
import { init } from 'moreau'
import { CuboidCollider, Physics, useRapier } from 'moreau/react'
import { createElement, createRef, StrictMode, Suspense } from 'react'
import * as THREE from 'three'

extend(/** @type {any} */ (THREE))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const DT = 1 / 60

export const h = /** @type {(...args: any[]) => any} */ (createElement)

/** @type {any} What `useRapier` last gave a `Probe`. */
export let context
export const Probe = () => {
  context = useRapier()
  return null
}

/** @returns {any} */
export const ref = () => createRef()
/** @param {any} props @param {any[]} children */
export const physics = (props, ...children) => h(Physics, props, h(Probe), ...children)
export const weightless = { gravity: [0, 0, 0] }
export const floor = h(CuboidCollider, { args: [5, 0.5, 5], position: [0, -0.5, 0] })
export const box = h('mesh', null, h('boxGeometry'))

/** @returns {string[]} what is said on the console while the tests of a file run */
export function listenToWarnings() {
  /** @type {string[]} */
  const warnings = []
  const { warn } = console
  before(() => {
    console.warn = (text) => warnings.push(String(text))
  })
  after(() => {
    console.warn = warn
  })
  return warnings
}

/** @returns {any} what fiber asks of a canvas */
const canvas = () => ({
  ...{ width: 640, height: 400, style: {}, parentElement: null },
  ...{ addEventListener() {}, removeEventListener() {}, getContext: () => null },
  getBoundingClientRect: () => ({ left: 0, top: 0, width: 640, height: 400 }),
})

/** @returns {any} what fiber asks of a renderer */
const renderer = (/** @type {any} */ { canvas: domElement }) => ({
  ...{ domElement, shadowMap: {}, xr: { addEventListener() {}, removeEventListener() {} } },
  ...{ render() {}, setPixelRatio() {}, setSize() {}, dispose() {}, forceContextLoss() {} },
  ...{ renderLists: { dispose() {} }, outputColorSpace: '', toneMapping: 0 },
})

/** A mounted scene. */
export class Stage {
  #root
  #time = 0
  /** @type {any} */
  state

  constructor() {
    this.#root = createRoot(canvas())
  }

  /**
   * @param {import('react').ReactNode} element
   * @param {{ strict?: boolean }} [options]
   */
  static async mount(element, options) {
    const stage = new Stage()
    const size = { width: 640, height: 400, top: 0, left: 0 }
    await stage.#root.configure({ frameloop: 'never', gl: renderer, size })
    // React mounts twice what comes into a strict tree, and not what comes with it.
    if (options?.strict) await stage.render(null, options)
    await stage.render(element, options)
    return stage
  }

  /**
   * @param {import('react').ReactNode} element
   * @param {{ strict?: boolean }} [options]
   */
  async render(element, { strict = false } = {}) {
    const tree = createElement(Suspense, { fallback: null }, element)
    await act(async () => {
      const store = this.#root.render(strict ? createElement(StrictMode, null, tree) : tree)
      this.state = () => store.getState()
      // What suspends until the engine is there goes on within.
      await init()
    })
  }

  /** @param {number} [count] frames of 1/60 s @param {number} [seconds] of each */
  async frames(count = 1, seconds = DT) {
    await act(async () => {
      for (let i = 0; i < count; i++) {
        this.#time += seconds
        this.state().advance(this.#time)
      }
    })
  }

  /** @returns {import('three').Scene} */
  get scene() {
    return this.state().scene
  }

  async unmount() {
    await act(async () => this.#root.unmount())
  }
}

/**
 * @param {ArrayLike<number> | { x: number, y: number, z: number }} actual
 * @param {readonly number[]} expected
 * @param {number} [tolerance]
 */
export function near(actual, expected, tolerance = 1e-6) {
  const numbers = 'x' in actual ? [actual.x, actual.y, actual.z] : Array.from(actual)
  assert.equal(numbers.length, expected.length)
  const message = `${numbers}, expected ${expected}`
  expected.forEach((x, i) => assert.ok(Math.abs(numbers[i] - x) <= tolerance, message))
}
