/**
 * The bad network as a process of its own: node proxy-process.mjs <port> <port of the rooms> <conditions as JSON>. Asked, it tells what went
 * through each connection.
 */
import { Proxy } from './proxy.mjs'
import { randomFrom } from './random.mjs'

const [port, target, conditions] = process.argv.slice(2)
const proxy = new Proxy(Number(target), JSON.parse(conditions), randomFrom(77))
await proxy.listen(Number(port))
process.on('message', () => process.send?.(proxy.traffic))
process.send?.('ready')
