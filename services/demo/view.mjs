import * as THREE from 'three'

/** @import { RoomClient } from '../source/client/index.mjs' */

/** Colours of balls, by player. */
export const COLOURS = [
  0x4da3ff, 0xff9f43, 0x5fd38d, 0xff6b81, 0xc58bff, 0xffd93d, 0x4dd0e1, 0xf48fb1,
]
const WOOD = [0xc9a777, 0xb98d5f, 0xd8bd91, 0xa97f55]
/** m: from the ball to the camera, and above it */
const [BACK, UP] = [9, 6.5]
/** Part of the way from the middle of the yard to the own ball at which the camera looks: the ball stays in the picture, and so do the stacks. */
const TOWARDS = 0.55
/** Pixels */
const PANEL = 260
/** ms in which the camera goes half of its way, however few pictures a machine draws */
const FOLLOW = 140

/** Draws a room: boxes, balls, the yard. */
export class View {
  #renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
  #scene = new THREE.Scene()
  #camera = new THREE.PerspectiveCamera(50, 1, 0.1, 200)
  /** By id of the body. @type {Map<number, THREE.Mesh>} */
  #meshes = new Map()
  #mark = makeMark()
  #drawn = performance.now()
  /** Part of the camera's way in this picture. */
  #ease = 0
  #target = new THREE.Vector3()

  constructor() {
    document.body.prepend(this.#renderer.domElement)
    this.#renderer.shadowMap.enabled = true
    this.#scene.background = new THREE.Color(0x10151c)
    this.#scene.fog = new THREE.Fog(0x10151c, 30, 80)
    this.#scene.add(new THREE.HemisphereLight(0xcfe3ff, 0x3a3128, 1.3), makeSun())
    this.#scene.add(makeGround(), this.#mark)
    this.#camera.position.set(0, 12, 18)
    addEventListener('resize', () => this.#resize())
    this.#resize()
  }

  #resize() {
    this.#renderer.setSize(innerWidth, innerHeight)
    this.#camera.aspect = innerWidth / innerHeight
    // The middle of the picture is right of the panel.
    this.#camera.setViewOffset(innerWidth, innerHeight, -PANEL / 2, 0, innerWidth, innerHeight)
    this.#camera.updateProjectionMatrix()
  }

  /** @param {RoomClient} client */
  draw(client) {
    const now = performance.now()
    this.#ease = 1 - 0.5 ** ((now - this.#drawn) / FOLLOW)
    this.#drawn = now
    const { world, smoothing } = client
    const { members } = client.session.simulation
    const players = new Map([...members].map(([player, { body }]) => [body, player]))
    const seen = new Set()
    for (const body of world.bodies) {
      seen.add(body.id)
      const mesh = this.#meshOf(body, players.get(body.id))
      if (!mesh) continue
      const pose = smoothing.pose(body)
      mesh.position.fromArray(pose)
      mesh.quaternion.fromArray(pose, 3)
      const player = players.get(body.id)
      if (player === client.session.player) this.#follow(mesh.position)
    }
    this.#forget(seen)
    this.#renderer.render(this.#scene, this.#camera)
  }

  /** @param {import('moreau').Body} body @param {number | undefined} player @returns {THREE.Mesh | undefined} */
  #meshOf(body, player) {
    const known = this.#meshes.get(body.id)
    if (known || body.index === 0) return known
    const mesh = makeMesh(body, player)
    this.#meshes.set(body.id, mesh)
    this.#scene.add(mesh)
    return mesh
  }

  /** @param {Set<number>} seen */
  #forget(seen) {
    for (const [id, mesh] of this.#meshes) {
      if (seen.has(id)) continue
      this.#scene.remove(mesh)
      this.#meshes.delete(id)
    }
  }

  /** @param {THREE.Vector3} ball */
  #follow(ball) {
    this.#mark.position.set(ball.x, ball.y + 1.1, ball.z)
    const [x, z] = [ball.x * TOWARDS, ball.z * TOWARDS]
    this.#target.lerp(new THREE.Vector3(x, 0.5, z), this.#ease)
    const wanted = new THREE.Vector3(x, UP, z + BACK)
    this.#camera.position.lerp(wanted, this.#ease)
    this.#camera.lookAt(this.#target)
  }
}

function makeSun() {
  const sun = new THREE.DirectionalLight(0xffffff, 2.2)
  sun.position.set(8, 16, 6)
  sun.castShadow = true
  sun.shadow.mapSize.set(1024, 1024)
  Object.assign(sun.shadow.camera, { left: -16, right: 16, top: 16, bottom: -16 })
  return sun
}

function makeGround() {
  const ground = new THREE.Group()
  const plane = new THREE.Mesh(
    new THREE.PlaneGeometry(200, 200),
    new THREE.MeshStandardMaterial({ color: 0x445061, roughness: 0.95 }),
  )
  plane.rotateX(-Math.PI / 2)
  plane.receiveShadow = true
  // Lines beyond would be less than a pixel apart.
  const grid = new THREE.GridHelper(48, 24, 0x66778f, 0x56657a)
  grid.position.y = 0.002
  ground.add(plane, grid)
  return ground
}

/** An arrow over the own ball. */
function makeMark() {
  const mark = new THREE.Mesh(
    new THREE.ConeGeometry(0.22, 0.45, 4),
    new THREE.MeshBasicMaterial({ color: 0xffffff }),
  )
  mark.rotateX(Math.PI)
  return mark
}

/** @param {import('moreau').Body} body @param {number | undefined} player */
function makeMesh(body, player) {
  const { halfExtents = [1, 1, 1], radius } = body.shapes[0]
  const [x, y, z] = halfExtents
  const isWall = body.type === 'static'
  const geometry =
    player === undefined
      ? new THREE.BoxGeometry(2 * x, 2 * y, 2 * z)
      : new THREE.SphereGeometry(radius, 32, 20)
  const colour =
    player === undefined ? WOOD[body.index % WOOD.length] : COLOURS[player % COLOURS.length]
  const look = isWall
    ? { color: 0x6b7f99, transparent: true, opacity: 0.12 }
    : { color: colour, roughness: 0.6 }
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial(look))
  mesh.castShadow = mesh.receiveShadow = !isWall
  if (player !== undefined) mesh.add(makeStripe(Number(radius)))
  return mesh
}

/** A band around a ball, so that one sees it roll. @param {number} radius */
function makeStripe(radius) {
  const material = new THREE.MeshStandardMaterial({ color: 0xf4f6f8 })
  return new THREE.Mesh(new THREE.TorusGeometry(radius, 0.04, 8, 48), material)
}
