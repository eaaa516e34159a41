/**
 * The three.js side that is the same for all scenes: renderer, camera, lights, fog.
 */
import {
  AmbientLight,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  NoToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { themeColor } from './theme.mjs'

/** Vertical field of view in degrees on a screen that is wider than `WIDE`. */
const FIELD_OF_VIEW = 42
/** Width by height below which the view is opened further, so that the sides of a scene stay in sight. */
const WIDE = 1.25
const WIDEST_FIELD_OF_VIEW = 70
/** The shadow covers this many times the radius of what moves, so that it must be refitted seldom. */
const SHADOW_MARGIN = 1.35

export class Stage {
  scene = new Scene()
  camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 1000)
  /** @type {OrbitControls} */
  controls
  /** Called when the picture is no longer what it should be. */
  onChange
  /** Up in the world, against gravity. */
  up = new Vector3(0, 1, 0)

  #renderer
  #canvas
  #background = new Color()
  #fog = new Fog(0)
  #sky = new HemisphereLight(0xffffff, 0xffffff, 1.7)
  #sun = new DirectionalLight(0xffffff, 1.9)
  #sunDirection = new Vector3()
  #covered = new Sphere(new Vector3(), -1)
  /** Where that was which the camera goes along with. @type {Vector3 | null} */
  #followed = null

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} onChange
   */
  constructor(canvas, onChange) {
    this.#canvas = canvas
    this.onChange = onChange
    this.#renderer = new WebGLRenderer({
      canvas,
      antialias: true,
      powerPreference: 'high-performance',
    })
    this.#renderer.toneMapping = NoToneMapping
    this.#renderer.shadowMap.enabled = true
    this.#renderer.shadowMap.type = PCFShadowMap
    this.scene.background = this.#background
    this.scene.fog = this.#fog
    this.scene.add(this.#sky, this.#sun, this.#sun.target, new AmbientLight(0xffffff, 0.25))
    this.#sun.castShadow = true
    this.#sun.shadow.mapSize.set(2048, 2048)
    this.#sun.shadow.intensity = 0.85
    this.controls = this.#newControls()
    this.applyTheme()
    new ResizeObserver(() => this.#resize()).observe(canvas)
    this.#resize()
  }

  applyTheme() {
    this.#background.set(themeColor('--stage-background'))
    this.#fog.color.copy(this.#background)
    this.#sky.color.set(themeColor('--stage-sky'))
    this.#sky.groundColor.set(themeColor('--stage-bounce'))
    this.onChange()
  }

  /**
   * Puts the camera where a scene wants it.
   *
   * @param {{ position: number[], target: number[] }} view
   * @param {ArrayLike<number>} gravity m/s^2: up is against it, +y where there is none
   */
  lookAt({ position, target }, gravity) {
    this.up.set(-gravity[0], -gravity[1], -gravity[2])
    if (this.up.lengthSq() === 0) this.up.set(0, 1, 0)
    this.up.normalize()
    this.controls.dispose()
    this.#followed = null
    this.camera.up.copy(this.up)
    this.camera.position.fromArray(position)
    this.controls = this.#newControls()
    this.controls.target.fromArray(target)
    this.controls.update()
    // The sun stands behind the camera's left shoulder
    const away = new Vector3().fromArray(position).sub(this.controls.target)
    away.addScaledVector(this.up, -away.dot(this.up)).normalize()
    const left = new Vector3().crossVectors(away, this.up)
    this.#sunDirection
      .copy(this.up)
      .multiplyScalar(1.6)
      .addScaledVector(away, 0.9)
      .addScaledVector(left, 0.8)
      .normalize()
    this.#covered.radius = -1
  }

  /**
   * Goes along with something, however somebody has turned the camera.
   *
   * @param {number[]} place m, where it is now
   */
  follow(place) {
    const now = new Vector3().fromArray(place)
    if (this.#followed !== null) {
      const way = now.clone().sub(this.#followed)
      this.camera.position.add(way)
      this.controls.target.add(way)
    }
    this.#followed = now
  }

  /** m between the camera and what it looks at. */
  get distance() {
    return this.camera.position.distanceTo(this.controls.target)
  }

  /**
   * Draws one frame.
   *
   * @param {Sphere} moving bounds of what moves: there must be shadow
   */
  render(moving) {
    this.controls.update()
    const distance = this.distance
    const reach = distance + moving.radius
    this.#fog.near = 1.2 * reach + 6
    this.#fog.far = 5 * reach + 30
    this.camera.near = Math.max(0.01, 0.02 * distance)
    this.camera.far = 2 * this.#fog.far
    this.camera.updateProjectionMatrix()
    this.#fitShadow(moving)
    this.#renderer.render(this.scene, this.camera)
  }

  /** @param {Sphere} moving */
  #fitShadow({ center, radius }) {
    const covered = this.#covered
    const wanted = Math.max(radius, 0.5)
    const fits =
      covered.radius > 0 &&
      covered.center.distanceTo(center) + wanted <= covered.radius &&
      covered.radius < 3 * SHADOW_MARGIN * wanted
    if (fits) return
    covered.center.copy(center)
    covered.radius = SHADOW_MARGIN * wanted
    const size = covered.radius
    const { shadow, target, position } = this.#sun
    target.position.copy(center)
    position.copy(center).addScaledVector(this.#sunDirection, 3 * size)
    const camera = shadow.camera
    camera.left = camera.bottom = -size
    camera.right = camera.top = size
    camera.near = 0.5 * size
    camera.far = 6 * size
    camera.updateProjectionMatrix()
    // One texel of the map, in metres, is what a surface may shadow itself by
    shadow.normalBias = (2.5 * size) / shadow.mapSize.width
    shadow.bias = -0.0004
  }

  #newControls() {
    const controls = new OrbitControls(this.camera, this.#canvas)
    controls.enableDamping = false
    controls.maxPolarAngle = 0.98 * Math.PI
    controls.addEventListener('change', () => this.onChange())
    return controls
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#canvas
    if (clientWidth === 0 || clientHeight === 0) return
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.#renderer.setSize(clientWidth, clientHeight, false)
    const aspect = clientWidth / clientHeight
    const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * Math.max(1, WIDE / aspect)
    this.camera.aspect = aspect
    this.camera.fov = Math.min(WIDEST_FIELD_OF_VIEW, (Math.atan(half) * 360) / Math.PI)
    this.camera.updateProjectionMatrix()
    this.onChange()
  }
}
