/**
 * The scene of the front page: a wall of boxes and balls under a hanging chain, into which visitors throw balls.
 */
import { createShape, World } from 'moreau'
import {
  BoxGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Mesh,
  Quaternion,
  Raycaster,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'

/** @typedef {import('moreau').Body} Body */

/** m */
const HALF = 0.25
/** m */
const RADIUS = 0.25
const LINKS = 8
const MOST_THROWN = 12
/** m/s */
const SPEED = 14
const COLORS = ['#d9622b', '#e9a15b', '#3f7f93', '#7fb2bf', '#8a6d9e']

/** Bodies of one geometry, drawn in one call. */
class Kind {
  /** @type {Body[]} */
  bodies = []

  /**
   * @param {Scene} scene
   * @param {import('three').BufferGeometry} geometry
   * @param {number} most bodies
   */
  constructor(scene, geometry, most) {
    this.mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ roughness: 0.65 }), most)
    this.mesh.castShadow = this.mesh.receiveShadow = true
    this.mesh.frustumCulled = false
    this.mesh.count = 0
    scene.add(this.mesh)
  }

  /** @param {Body} body @param {string} color */
  add(body, color) {
    this.mesh.setColorAt(this.bodies.length, new Color(color))
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true
    this.bodies.push(body)
    this.mesh.count = this.bodies.length
  }

  /** @param {Float32Array} poses of the world's bodies, x y z 0 qx qy qz qw each */
  draw(poses) {
    const [matrix, place, turn] = [new Matrix4(), new Vector3(), new Quaternion()]
    const one = new Vector3(1, 1, 1)
    this.bodies.forEach((body, i) => {
      const at = 8 * body.index
      place.fromArray(poses, at)
      turn.fromArray(poses, at + 4)
      this.mesh.setMatrixAt(i, matrix.compose(place, turn, one))
    })
    this.mesh.instanceMatrix.needsUpdate = true
  }
}

/** @param {number} i */
const colorOf = (i) => COLORS[i % COLORS.length]

/** @param {World} world @param {Kind} boxes @param {Kind} balls */
function buildWall(world, boxes, balls) {
  const box = createShape({ type: 'box', halfExtents: [HALF, HALF, HALF] })
  const ball = createShape({ type: 'sphere', radius: RADIUS })
  for (let row = 0; row < 6; row++) {
    for (let i = 0; i < 10; i++) {
      const position = [0.52 * (i - 4.5) + (row % 2 ? 0.13 : -0.13), HALF + 0.5 * row, 0]
      boxes.add(world.createBody({ shape: box, position }), colorOf(i + row))
    }
  }
  for (let i = 0; i < 16; i++) {
    const position = [0.6 * (i % 8) - 2.1, 4.5 + 0.6 * Math.floor(i / 8), 0.05 * (i % 3)]
    balls.add(world.createBody({ shape: ball, position, restitution: 0.4 }), colorOf(i))
  }
  return ball
}

/**
 * A chain whose ball joints are at the ends of its links, with a heavy ball below.
 * @param {World} world
 * @param {Kind} links
 * @param {Kind} balls
 */
function hangChain(world, links, balls) {
  const shape = createShape({ type: 'box', halfExtents: [0.06, 0.18, 0.06] })
  const top = /** @type {const} */ ([3.6, 5.2, 0.9])
  /** @type {Body | null} */
  let above = null
  for (let i = 0; i < LINKS; i++) {
    const y = top[1] - 0.4 * i
    const body = world.createBody({ shape, position: [top[0], y - 0.2, top[2]] })
    world.createJoint({ type: 'ball', bodyA: above, bodyB: body, anchor: [top[0], y, top[2]] })
    links.add(body, colorOf(2))
    above = body
  }
  const end = top[1] - 0.4 * LINKS
  const shapeOfEnd = createShape({ type: 'sphere', radius: RADIUS })
  const weight = world.createBody({
    ...{ shape: shapeOfEnd, mass: 400, position: [top[0], end - RADIUS, top[2]] },
    linearVelocity: [-4, 0, -2],
  })
  world.createJoint({ type: 'ball', bodyA: above, bodyB: weight, anchor: [top[0], end, top[2]] })
  balls.add(weight, '#30363d')
}

/** @param {Scene} scene */
function addLights(scene) {
  const sun = new DirectionalLight('#fff4e2', 2.4)
  sun.position.set(4, 9, 6)
  sun.castShadow = true
  sun.shadow.mapSize.set(1024, 1024)
  Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -6, far: 30 })
  sun.shadow.radius = 4
  scene.add(sun, new HemisphereLight('#eef5fa', '#a39685', 2.2))
  const floor = new Mesh(new PlaneGeometry(60, 60), new ShadowMaterial({ opacity: 0.22 }))
  floor.rotation.x = -Math.PI / 2
  floor.receiveShadow = true
  scene.add(floor)
}

/**
 * A renderer and a camera that follow the size of their canvas.
 * @param {HTMLCanvasElement} canvas
 */
function makeView(canvas) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true })
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
  const camera = new PerspectiveCamera(38, 1, 0.1, 100)
  camera.position.set(0.6, 3.4, 11)
  camera.lookAt(0.3, 1.9, 0)
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = canvas
    renderer.setSize(width, height, false)
    camera.aspect = width / height
    // A narrow picture sees the width of the wall too.
    camera.fov = camera.aspect < 1.7 ? 38 * (1.7 / camera.aspect) ** 0.8 : 38
    camera.updateProjectionMatrix()
  }
  const sizes = new ResizeObserver(fit)
  sizes.observe(canvas)
  fit()
  return { renderer, camera, sizes }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {(text: string) => void} tell what the scene does now
 */
export async function startHeap(canvas, tell) {
  const world = await World.create()
  const scene = new Scene()
  const { renderer, camera, sizes } = makeView(canvas)
  const boxes = new Kind(scene, new BoxGeometry(2 * HALF, 2 * HALF, 2 * HALF), 60)
  const links = new Kind(scene, new BoxGeometry(0.12, 0.36, 0.12), LINKS)
  const balls = new Kind(scene, new SphereGeometry(RADIUS, 32, 20), 17 + MOST_THROWN)
  addLights(scene)
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const ball = buildWall(world, boxes, balls)
  hangChain(world, links, balls)

  const ray = new Raycaster()
  /** @type {Body[]} */
  const thrown = []
  /** @param {number} x @param {number} y from -1 to 1 across the picture */
  const throwAt = (x, y) => {
    ray.setFromCamera(new Vector2(x, y), camera)
    const { ray: line } = ray
    const position = line.at(1.5, new Vector3()).toArray()
    const linearVelocity = line.direction.clone().multiplyScalar(SPEED).toArray()
    if (thrown.length < MOST_THROWN) {
      const body = world.createBody({ shape: ball, mass: 200, position, linearVelocity })
      balls.add(body, '#f4f1ea')
      thrown.push(body)
      return
    }
    const first = thrown.splice(0, 1)
    for (const body of first)
      Object.assign(body, { position, linearVelocity, angularVelocity: [0, 0, 0] })
    thrown.push(...first)
  }
  /** @param {PointerEvent} event */
  const press = (event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    throwAt(2 * ((event.clientX - left) / width) - 1, 1 - 2 * ((event.clientY - top) / height))
  }
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    throwAt(0.4 * Math.sin(world.time * 7), -0.15)
  }
  canvas.addEventListener('pointerdown', press)
  canvas.addEventListener('keydown', key)

  let poses = new Float32Array(0)
  let [last, told, spent, steps] = [0, 0, 0, 0]
  renderer.setAnimationLoop((now) => {
    const seconds = last && Math.min((now - last) / 1000, 0.1)
    last = now
    const start = performance.now()
    steps += world.advance(seconds, { interpolate: true })
    spent += performance.now() - start
    if (poses.length !== world.transforms.length) poses = new Float32Array(world.transforms.length)
    world.interpolate(poses)
    for (const kind of [boxes, links, balls]) kind.draw(poses)
    renderer.render(scene, camera)
    if (now - told > 500 && steps > 0) {
      const each = (spent / steps).toFixed(2)
      const count = boxes.bodies.length + links.bodies.length + balls.bodies.length
      tell(`Press to throw a ball. ${count} bodies; a step of 1/60 s takes ${each} ms here.`)
      ;[told, spent, steps] = [now, 0, 0]
    }
  })
  return {
    stop() {
      renderer.setAnimationLoop(null)
      sizes.disconnect()
      renderer.dispose()
      world.free()
    },
  }
}
