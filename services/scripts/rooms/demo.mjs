/**
 * The demo of the rooms: a web page whose tabs play in one room.
 */
import { build, stop } from 'esbuild'
import express from 'express'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startRoomServer } from '../../source/rooms/index.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'

/** @param {string} name */
const demo = (name) => fileURLToPath(new URL(`../../demo/${name}`, import.meta.url))

/** @returns {Promise<string>} the page's program in one file */
async function bundle() {
  const { outputFiles } = await build({
    ...{
      entryPoints: [demo('main.mjs')],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    },
    ...{ platform: 'browser', external: ['node:*'], logLevel: 'error' },
  })
  // Its helper would outlive this.
  await stop()
  return outputFiles[0].text
}

/** @returns {Promise<(app: import('express').Application) => void>} what serves the page */
export async function demoPages() {
  const [page, program] = await Promise.all([readFile(demo('index.html'), 'utf8'), bundle()])
  const pages = express.Router()
  pages.get('/', (_, response) => void response.type('html').send(page))
  pages.get('/main.js', (_, response) => void response.type('js').send(program))
  return (app) => void app.use(pages)
}

/**
 * @param {string} redis URL
 * @param {number} port
 * @param {Partial<import('../../source/rooms/server.mjs').RoomServerOptions>} [options]
 * @returns {Promise<{ address: string, drain: () => Promise<void> }>}
 */
export async function startRoomsDemo(redis, port, options) {
  const { drain } = await startRoomServer({
    port,
    redis,
    scenes: [stacks],
    pages: await demoPages(),
    ...options,
  })
  return { address: `http://127.0.0.1:${port}/`, drain }
}
