/**
 * What there is to know about the body that was picked.
 */
import { byId, Facts, make } from './dom.mjs'
import { formatNumber, formatVector } from './format.mjs'
import { shapesOf } from './geometry.mjs'

/** @typedef {import('./simulation.mjs').MadeBody} MadeBody */

export class Inspector {
  #panel = byId('inspector', HTMLElement)
  /** @type {MadeBody | null} */
  #made = null
  /** @type {Facts | null} */
  #facts = null
  #close

  /** @param {() => void} close unselects */
  constructor(close) {
    this.#close = close
  }

  /** @param {MadeBody | null} made */
  show(made) {
    this.#made = made
    this.#panel.hidden = made === null
    if (!made) return
    const close = make('button', { text: '×' })
    close.type = 'button'
    close.ariaLabel = 'Close'
    close.addEventListener('click', this.#close)
    const { type = 'dynamic' } = made.definition
    const shapes = shapesOf(made.definition).map((shape) => shape.type)
    const title = make('h3', { text: `Body ${made.body.index}` })
    title.append(make('small', { text: `${type} ${[...new Set(shapes)].join(', ')}` }), close)
    const list = make('dl', { className: 'facts' })
    this.#facts = new Facts(list)
    this.#panel.replaceChildren(title, list)
    this.update()
  }

  update() {
    if (!this.#made || !this.#facts) return
    const { body, definition } = this.#made
    const facts = this.#facts
    facts.set('id', String(body.id))
    if (definition.type !== 'static') facts.set('mass', `${formatNumber(body.mass)} kg`)
    facts.set('position', `${formatVector(body.position)} m`)
    if (definition.type !== 'static') {
      facts.set('velocity', `${formatVector(body.linearVelocity)} m/s`)
      facts.set('turning', `${formatVector(body.angularVelocity)} rad/s`)
      facts.set('kinetic energy', `${formatNumber(body.kineticEnergy)} J`)
    }
    facts.set('friction', formatNumber(body.friction))
    const contacts = body.contacts()
    const points = contacts.reduce((sum, contact) => sum + contact.points.length, 0)
    const others = contacts.slice(0, 6).map(({ other }) => other.index)
    const more = contacts.length > others.length ? ', …' : ''
    facts.set('touches', contacts.length ? `body ${others.join(', ')}${more}` : 'nothing')
    facts.set('contact points', String(points))
  }
}
