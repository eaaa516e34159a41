import { World, init } from 'moreau'
import { writeFileSync } from 'node:fs'
import { Judge } from './judge.mjs'
import { caseText } from '../../golden/cases.mjs'
await init()
const run = JSON.parse(process.argv[2])
const made = []
const create = World.prototype.createBody
let defs = []
World.prototype.createBody = function (d) { defs.push([this, d]); return create.call(this, d) }
new Judge().judge(run)
World.prototype.createBody = create
const last = defs.at(-1)[0]
const mine = defs.filter(([w]) => w === last).map(([, d]) => { const { userData, ...r } = d; return r })
writeFileSync(process.argv[3], await caseText(World, { scene: { timeStep: 1 / 60, setup(world) { for (const d of mine) world.createBody(d) } }, options: { solver: run.solver, allowSleep: false }, steps: [17] }))
