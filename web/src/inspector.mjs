/**
 * What there is to know about the body that was picked.
 */
import { byId, Facts, make } from './dom.mjs'
import { formatNumber, formatVector } from './format.mjs'

/** @typedef {import('moreau').Body} Body */

export class Inspector {
  #panel = byId('inspector', HTMLElement)
  /** @type {Body | null} */
  #body = null
  /** @type {Facts | null} */
  #facts = null
  #close

  /** @param {() => void} close unselects */
  constructor(close) {
    this.#close = close
  }

  /** @param {Body | null} body */
  show(body) {
    this.#body = body
    this.#panel.hidden = body === null
    if (!body) return
    const close = make('button', { text: '×' })
    close.type = 'button'
    close.ariaLabel = 'Close'
    close.addEventListener('click', this.#close)
    const shapes = new Set(body.shapes.map(({ type }) => type))
    const title = make('h3', { text: `Body ${body.index}` })
    title.append(make('small', { text: `${body.type} ${[...shapes].join(', ')}` }), close)
    const list = make('dl', { className: 'facts' })
    this.#facts = new Facts(list)
    this.#panel.replaceChildren(title, list)
    this.update()
  }

  update() {
    const body = this.#body
    const facts = this.#facts
    if (!body?.isAlive || !facts) return
    facts.set('id', String(body.id))
    if (body.type !== 'static') facts.set('mass', `${formatNumber(body.mass)} kg`)
    facts.set('position', `${formatVector(body.position)} m`)
    if (body.type !== 'static') {
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
