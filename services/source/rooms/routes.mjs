import { createAuthContext, matchMaker, ServerError } from '@colyseus/core'
import express from 'express'
import { hasBody, readBody } from '../operations/http-server.mjs'
import { refusals } from '../operations/refusal.mjs'
import { REFUSAL, RoomRefusal } from './host.mjs'
import { readWish } from './wish.mjs'

/** @import { Application } from 'express' */
/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Host } from './host.mjs' */

/** Name of the rooms in Colyseus. */
export const ROOM_NAME = 'moreau'

/** How a room can be asked for: the first ones by the name of the rooms, the last by a room's own. */
const BY_NAME = ['joinOrCreate', 'create', 'join']
const BY_ID = 'joinById'
/** What a room's id can be. */
const ROOM_ID = /^[\w-]{1,64}$/
/** What nobody foresaw, with Colyseus' code for it. */
const UNFORESEEN = { code: 520, message: 'the server could not do that' }

/** @typedef {(request: IncomingMessage, response: ServerResponse, words: string[]) => Promise<void>} Route */

/**
 * What players ask a process for by HTTP: a seat in a room, and which process has a room; and further pages of whoever runs it.
 *
 * @param {Host} host
 * @param {((app: any) => void) | undefined} pages
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>}
 */
export function playersRoutes(host, pages) {
  const app = pages && makeApp(pages)
  /** By method and first word of the path. @type {Map<string, Route>} */
  const routes = new Map([
    ['POST matchmake', matchmake(host)],
    ['GET rooms', findRoom(host)],
    ['OPTIONS matchmake', preflight],
    ['OPTIONS rooms', preflight],
  ])
  return async (request, response) => {
    const [, first, ...words] = String(request.url).split('?')[0].split('/')
    const route = routes.get(`${request.method} ${first}`)
    // What does not read its body has none.
    const { 'transfer-encoding': coding } = request.headers
    if (first !== 'matchmake' && coding !== undefined)
      throw refusals.oversized('a body must tell its length')
    if (route) return route(request, response, words)
    if (app) return askApp(app, request, response)
    response.writeHead(404).end()
  }
}

/** The application of Express is asked last, and what it throws is not printed by it. @param {(app: any) => void} pages @returns {Application} */
function makeApp(pages) {
  const app = express().disable('x-powered-by').set('env', 'production')
  pages(app)
  return app
}

/** @param {Application} app @param {IncomingMessage} request @param {ServerResponse} response @returns {Promise<void>} */
function askApp(app, request, response) {
  return new Promise((resolve, reject) => {
    response.once('close', resolve)
    const done = (/** @type {unknown} */ error) => {
      const { status } = Object(error)
      const isTheirs = status >= 400 && status < 500
      if (error) return reject(isTheirs ? refusals.malformed('no page can read this') : error)
      response.writeHead(404).end()
    }
    Object(app)(request, response, done)
  })
}

/** @param {IncomingMessage} request */
const corsHeaders = ({ headers }) => ({
  ...matchMaker.controller.DEFAULT_CORS_HEADERS,
  ...matchMaker.controller.getCorsHeaders(new Headers({ origin: headers.origin ?? '' })),
})

/** @type {Route} */
const preflight = async (request, response) => {
  if (hasBody(request)) throw refusals.oversized('there must be no body')
  response.writeHead(204, corsHeaders(request)).end()
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {number} status @param {object} value */
function sendJson(request, response, status, value) {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  const headers = { 'content-type': 'application/json', 'content-length': length }
  response.writeHead(status, { ...corsHeaders(request), ...headers }).end(body)
}

/** By this clients find the process that has a room, after the one that had it is gone. @param {Host} host @returns {Route} */
const findRoom =
  (host) =>
  async (request, response, [id, ...more]) => {
    if (hasBody(request)) throw refusals.oversized('there must be no body')
    const isId = more.length === 0 && ROOM_ID.test(id ?? '')
    const isHere = isId && host.rooms.has(id)
    const listing = isId && !isHere ? await listingOf(id) : undefined
    const value = { isHere, address: listing?.publicAddress }
    sendJson(request, response, isHere || listing ? 200 : 404, value)
  }

/** @param {string} roomId */
const listingOf = (roomId) => matchMaker.driver.findOne({ roomId })

/** Gives a seat. Colyseus decides where; what it is given was read here, within our limits. @param {Host} host @returns {Route} */
const matchmake =
  (host) =>
  async (request, response, [method, name, ...more]) => {
    const isById = method === BY_ID && ROOM_ID.test(name ?? '')
    const isByName = BY_NAME.includes(method) && name === ROOM_NAME
    if (more.length > 0 || !(isById || isByName)) throw strange(method, name)
    const wish = readWish(await readBody(request, host.limits.bodyBytes))
    const headers = /** @type {any} */ (request.headers)
    const { remoteAddress } = request.socket
    const context = createAuthContext({ headers, remoteAddress })
    try {
      const ask = /** @type {any} */ (matchMaker)[method]
      sendJson(request, response, 200, await ask(name, wish, context))
    } catch (error) {
      const told = toldOf(error)
      if (!told) host.log.error({ err: error, method }, 'a wish for a room failed')
      const { code, message } = told ?? UNFORESEEN
      sendJson(request, response, code, { code, error: message })
    }
  }

/**
 * What an error has for who asks: Colyseus' own are for them, as are our refusals in them; others tell of the inside of this process.
 *
 * @param {unknown} error
 * @returns {{ code: number, message: string } | undefined}
 */
function toldOf(error) {
  const { code, reason, message, ...numbers } = Object(error)
  if (error instanceof ServerError) return Number.isInteger(code) ? { code, message } : undefined
  // Another process that was to make the room has refused, and counted that: Colyseus hands on what the message of the error has.
  if (error instanceof Error || !Object.hasOwn(REFUSAL, reason)) return undefined
  const refusal = new RoomRefusal(reason, String(message), numbers)
  return { code: refusal.status, message: refusal.message }
}

/** @param {string} method @param {string | undefined} name @returns {RoomRefusal} */
function strange(method, name) {
  if (method === BY_ID) return new RoomRefusal('unknown-room', 'there is no room of this name')
  const methods = [...BY_NAME, BY_ID].join(', ')
  return new RoomRefusal(
    'rules',
    name === ROOM_NAME
      ? `a room is asked for by one of ${methods}`
      : `rooms are called ${ROOM_NAME}`,
  )
}
