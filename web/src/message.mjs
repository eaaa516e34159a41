/**
 * What went wrong, over the stage, until the next scene starts or somebody closes it.
 */
import { similar } from '../../bindings/core/spelling.mjs'
import { addressOf } from './address.mjs'
import { byId, make } from './dom.mjs'

/** @typedef {import('../../scenarios/scene.mjs').Scene} Scene */

export class Message {
  #box = byId('message', HTMLElement)
  #text = byId('message-text', HTMLElement)

  constructor() {
    byId('message-close', HTMLButtonElement).addEventListener('click', () => this.hide())
  }

  /**
   * @param {unknown} error
   * @param {string} [file] that it is of
   */
  fail(error, file) {
    const text = error instanceof Error ? error.message : String(error)
    this.#show(file === undefined ? text : `${file}: ${text}`)
  }

  /**
   * The address asks for what does not exist.
   *
   * @param {string} name
   * @param {Scene} shown in its place
   * @param {readonly Scene[]} scenes that there are
   */
  noScene(name, shown, scenes) {
    const names = scenes.map((scene) => scene.name)
    const near = scenes.find((scene) => scene.name === similar(name, names)[0])
    const start = `There is no scene '${name}'`
    if (near === undefined || near === shown) return this.#show(`${start}; this is ${shown.title}.`)
    const link = make('a', { text: near.title })
    link.href = addressOf(near.name)
    this.#show(`${start}; did you mean `, link, `? This is ${shown.title}.`)
  }

  hide() {
    this.#box.hidden = true
  }

  /** @param {...(string | Node)} parts */
  #show(...parts) {
    this.#text.replaceChildren(...parts)
    this.#box.hidden = false
  }
}
