/**
 * Where the sweeps of a command line are: in a folder, or in Redis.
 */
import { existsSync } from 'node:fs'
import { openRedis } from '../operations/index.mjs'
import { redisStore, sweepsInRedis } from '../sweeps/redis-store.mjs'
import { folderStore, sweepsIn } from '../sweeps/store.mjs'
import { readFolder } from './arguments.mjs'

/**
 * @typedef {object} SweepPlace
 * @property {string | undefined} url of Redis
 * @property {(id: string) => import('../sweeps/store.mjs').SweepStore} storeOf
 * @property {() => Promise<string[]>} list
 * @property {() => void} close
 */

/**
 * @param {{ redis?: string, folder: string }} options
 * @returns {Promise<SweepPlace>}
 */
export async function openPlace({ redis: url, folder }) {
  if (url === undefined) {
    if (existsSync(folder)) readFolder('--folder', folder)
    const storeOf = (/** @type {string} */ id) => folderStore(folder, id)
    return { url, storeOf, list: () => sweepsIn(folder), close() {} }
  }
  const connection = await openRedis(url)
  return {
    url,
    storeOf: (id) => redisStore(connection, id),
    list: () => sweepsInRedis(connection),
    close: () => connection.disconnect(),
  }
}
