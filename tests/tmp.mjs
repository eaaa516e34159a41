import { World, init } from 'moreau'
await init()
const S=(y,d)=>({"type":"sphere","radius":0.15,"position":[0,y,0],"density":d}), C={"type":"capsule","radius":0.045,"halfHeight":0.3}
const floor={"type":"static","shape":{"type":"box","halfExtents":[2,0.5,2]},"position":[400,-0.5,0]}
const others=[floor,{shape:{type:'sphere',radius:.3},position:[400,.3,0]}]
const mk=(shapes,opt={},o2={})=>({"version":1,"settings":{"allowSleep":false,"warnings":false,"solver":"auto",...o2},"bodies":[{"type":"static","friction":0.05,"restitution":opt.e0??0.1,"position":[0,-1,0],"orientation":[0,0,0,1],"shape":{"type":"box","halfExtents":[14,1,14]}},{"name":"body 0",...(shapes.length>1?{shape:{type:'compound',shapes}}:{shape:{...shapes[0],position:undefined}}),"friction":opt.mu??0.05,"restitution":0,"position":[0,0.25,0],"orientation":[0.7071067811865476,0,0,0.7071067811865476],"linearVelocity":[opt.vx??0.1,opt.v??-2.41,0],"angularVelocity":[0,0,0]}],"joints":[],"potentials":[]})
const run=(file,more)=>{const f=structuredClone(file); f.bodies.push(...structuredClone(more)); const w=World.fromJSON(f); const out=[]; for(let i=0;i<6;i++){w.step(1/60); const b=w.bodies.find(b=>b.userData==='body 0'); out.push([...b.position,...b.linearVelocity,...b.angularVelocity]);} return out}
const t=(n,f)=>{const a=run(f,[]),b=run(f,others); console.log(n.padEnd(24), b.map((o,i)=>Math.max(...o.map((x,j)=>Math.abs(x-a[i][j]))).toExponential(1)).join(' '), a[3].slice(3,6).map(x=>x.toFixed(4)).join(' '))}
t('all',mk([S(-.3,200),C,S(.3,1000)]))
t('two spheres',mk([S(-.3,200),S(.3,1000)]))
t('equal',mk([S(-.3,1000),S(.3,1000)]))
t('one sphere',mk([S(0,1000)]))
t('e=0',mk([S(-.3,200),C,S(.3,1000)],{e0:0}))
t('mu 0',mk([S(-.3,200),C,S(.3,1000)],{mu:0}))
t('vx 0',mk([S(-.3,200),C,S(.3,1000)],{vx:0}))
t('v -1',mk([S(-.3,200),C,S(.3,1000)],{v:-1}))
t('threshold',mk([S(-.3,200),C,S(.3,1000)],{},{restitutionThreshold:100}))
