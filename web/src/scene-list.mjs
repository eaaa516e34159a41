/**
 * The scenes to choose from: links beside the stage, a select where there is no room for them.
 */
import { addressOf } from './address.mjs'
import { byId, make } from './dom.mjs'

/** @typedef {import('../../scenarios/scene.mjs').Scene} Scene */

export class SceneList {
  /** @type {Map<string, HTMLAnchorElement>} */
  #links = new Map()
  #select = byId('scene-select', HTMLSelectElement)

  /**
   * @param {Iterable<Scene>} scenes
   * @param {(name: string) => void} choose
   */
  constructor(scenes, choose) {
    const list = byId('scene-list', HTMLOListElement)
    for (const { name, title } of scenes) {
      const link = make('a', { text: title })
      link.href = addressOf(name)
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        choose(name)
      })
      this.#links.set(name, link)
      list.append(make('li', {}, link))
      this.#select.append(new Option(title, name))
    }
    this.#select.addEventListener('change', () => choose(this.#select.value))
  }

  /** @param {string} name the scene that runs */
  setCurrent(name) {
    for (const [each, link] of this.#links) {
      if (each !== name) link.removeAttribute('aria-current')
      else {
        link.setAttribute('aria-current', 'page')
        link.scrollIntoView({ block: 'nearest' })
      }
    }
    this.#select.value = name
  }
}
