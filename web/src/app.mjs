/**
 * The page as a whole: which scene runs, whether it runs, and what has to be drawn when.
 *
 * A frame is asked for only when something changed or time runs: a paused or hidden page does nothing.
 */
import { fileScene, scenes } from '../../scenarios/index.mjs'
import { readAddress, writeAddress } from './address.mjs'
import { BodyField } from './body-field.mjs'
import { CheckList } from './check-list.mjs'
import { ContactField } from './contact-field.mjs'
import { byId, setText } from './dom.mjs'
import { listenToDrops } from './drops.mjs'
import { Inspector } from './inspector.mjs'
import { Message } from './message.mjs'
import { Puller } from './puller.mjs'
import { ReadOuts } from './read-outs.mjs'
import { SceneList } from './scene-list.mjs'
import { parseSettings, settingsFor, SettingsForm } from './settings.mjs'
import { listenToShortcuts } from './shortcuts.mjs'
import { Simulation } from './simulation.mjs'
import { Stage } from './stage.mjs'
import { onThemeChange } from './theme.mjs'
import { Transport } from './transport.mjs'
import { WheelField } from './wheel-field.mjs'

/** ms between two updates of the panels: faster, nobody reads. */
const PANEL_INTERVAL = 120
/** Scenes with more bodies show their contacts only when asked to: one would not see the bodies for them. */
const FEW_BODIES = 40

/** @typedef {import('../../scenarios/scene.mjs').SolverName} SolverName */

export class App {
  /** @type {Simulation | null} */
  simulation = null
  isPlaying = false

  /** Settings that somebody chose, which follow into the next scene. @type {ReturnType<typeof parseSettings>} */
  #chosen = {}
  /** That of them which the present scene does not take. @type {SolverName | undefined} */
  #refused
  #speed = 1
  /** Counts loads: only the last one asked for may finish. */
  #loads = 0
  #frame = 0
  #lastFrame = 0
  #lastPanels = 0
  /** Whether what is shown lags behind the world. */
  #isContactsStale = true
  #isPanelsStale = true
  #sceneName = ''
  /** What was dropped on the page last. @type {import('../../scenarios/index.mjs').Scene | null} */
  #file = null

  #canvas = byId('canvas', HTMLCanvasElement)
  #message = new Message()
  #stage = new Stage(this.#canvas, () => this.invalidate())
  #bodies = new BodyField()
  #wheels = new WheelField(this.#bodies)
  #contacts = new ContactField()
  #checks = new CheckList()
  #readOuts = new ReadOuts()
  #inspector = new Inspector(() => this.#puller.select(null))
  #puller = new Puller(this.#canvas, this.#stage, this.#bodies, {
    onSelect: (body) => this.#inspector.show(body),
    onPull: () => this.simulation?.disturb(),
  })
  #list = new SceneList(scenes, (name) => this.load(name))
  #settings = new SettingsForm((words) => this.load(this.#sceneName, words))
  #transport = new Transport({
    toggle: () => this.toggle(),
    step: () => this.stepOnce(),
    stepBack: () => this.stepBack(),
    seek: (frame) => this.seek(frame),
    reset: () => this.load(this.#sceneName),
    setSpeed: (speed) => {
      this.#speed = speed
      if (this.simulation) this.simulation.speed = speed
    },
    show: (shown) => {
      this.#contacts.show(shown)
      this.#isContactsStale = true
      this.#isPanelsStale = true
      this.invalidate()
    },
  })

  constructor() {
    this.#stage.scene.add(this.#bodies.group, this.#wheels.group)
    this.#stage.scene.add(this.#contacts.group, this.#puller.group)
    this.#applyTheme()
    onThemeChange(() => this.#applyTheme())
    listenToShortcuts({
      ' ': () => this.toggle(),
      s: () => this.stepOnce(),
      b: () => this.stepBack(),
      r: () => this.load(this.#sceneName),
    })
    // No link to #canvas: the address names the scene.
    byId('skip', HTMLElement).addEventListener('click', () => byId('canvas', HTMLElement).focus())
    listenToDrops((name, text) => this.openFile(name, text))
    addEventListener('hashchange', () => this.loadAddress())
    document.addEventListener('visibilitychange', () => {
      this.#lastFrame = 0
      this.invalidate()
    })
  }

  /** Loads what the address asks for: the first scene if it asks for none that exists. */
  loadAddress() {
    const { scene, settings } = readAddress()
    return this.load(scene ?? '', settings)
  }

  /**
   * Starts a world from a file (docs/scene-format.md).
   *
   * @param {string} name of the file
   * @param {string} text JSON
   */
  openFile(name, text) {
    try {
      this.#file = fileScene(name, JSON.parse(text))
    } catch (error) {
      return this.#fail(error, name)
    }
    // Settings of another scene are not those of the file.
    return this.load(name, {})
  }

  /**
   * Starts a scene from its beginning.
   *
   * @param {string} name
   * @param {Record<string, string>} [words] settings as in the address, chosen for this scene; without, those there are
   *   follow into it, but for a solver that its checks are not made for
   */
  async load(name, words) {
    const load = ++this.#loads
    const file = this.#file?.name === name ? this.#file : null
    const known = file ?? scenes.find((each) => each.name === name)
    const scene = known ?? scenes[0]
    const isSameScene = scene.name === this.#sceneName
    const chosen = words === undefined ? this.#chosen : parseSettings(words)
    const isForThis = words !== undefined || (isSameScene && this.#refused === undefined)
    const { settings, refused } = isForThis
      ? { settings: chosen, refused: undefined }
      : settingsFor(scene, chosen)
    const { stepsPerSecond, ...options } = settings
    let simulation
    try {
      simulation = await Simulation.create(
        scene,
        options,
        stepsPerSecond === undefined ? {} : { timeStep: 1 / Number(stepsPerSecond) },
      )
    } catch (error) {
      if (load === this.#loads) this.#fail(error, file?.name)
      return
    }
    if (load !== this.#loads) return simulation.free()

    this.simulation?.free()
    this.simulation = simulation
    this.#sceneName = scene.name
    this.#chosen = chosen
    this.#refused = refused
    simulation.speed = this.#speed
    if (file === null) writeAddress(scene.name, settings)

    document.title = `${scene.title} · Moreau`
    setText(byId('scene-title', HTMLElement), scene.title)
    // Where the picture is small, it stands beneath.
    for (const id of ['scene-description', 'scene-about']) {
      setText(byId(id, HTMLElement), scene.description)
    }
    this.#message.hide()
    if (!known && name !== '') this.#message.noScene(name, scene, scenes)
    this.#list.setCurrent(scene.name)
    this.#settings.show(settings, simulation.world, simulation.timeStep)
    this.#checks.show(simulation, refused)
    if (!isSameScene) this.#stage.lookAt(scene.camera, simulation.world.gravity)
    this.#transport.suggestContacts(simulation.world.bodies.length <= FEW_BODIES)
    this.#bodies.show(simulation)
    this.#wheels.show(simulation)
    this.#contacts.reset()
    this.#puller.show(simulation)
    this.#readOuts.show(simulation)
    this.#isContactsStale = true
    this.#isPanelsStale = true
    this.invalidate()
  }

  toggle() {
    this.setPlaying(!this.isPlaying)
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.isPlaying = playing
    this.#lastFrame = 0
    this.#transport.setPlaying(playing)
    this.invalidate()
  }

  /** Pauses and takes one step. */
  stepOnce() {
    this.step(1)
  }

  /**
   * Pauses and takes steps at once.
   *
   * @param {number} count
   */
  step(count) {
    const { simulation } = this
    if (!simulation) return
    this.setPlaying(false)
    try {
      for (let i = 0; i < count; ++i) simulation.step()
    } catch (error) {
      this.#fail(error)
    }
    simulation.settle()
    this.#onSteps()
  }

  /** Pauses and goes back by one step. */
  stepBack() {
    if (this.simulation) this.seek(this.simulation.timeLine.present - 1)
  }

  /**
   * Pauses and shows the state after a step that was made. To play is to go on from there.
   *
   * @param {number} frame the first one that there is, if it is earlier
   */
  seek(frame) {
    const { simulation } = this
    if (!simulation) return
    this.setPlaying(false)
    try {
      simulation.seek(Math.max(frame, simulation.timeLine.first))
    } catch (error) {
      this.#fail(error)
    }
    this.#readOuts.goTo(simulation.world.time)
    this.#isContactsStale = true
    this.#isPanelsStale = true
    this.invalidate()
  }

  /** Asks for a new picture. */
  invalidate() {
    if (this.#frame === 0 && !document.hidden) {
      this.#frame = requestAnimationFrame((now) => this.#draw(now))
    }
  }

  /** @param {number} now ms */
  #draw(now) {
    this.#frame = 0
    const { simulation } = this
    if (!simulation) return
    if (this.isPlaying) {
      const elapsed = this.#lastFrame === 0 ? simulation.timeStep : (now - this.#lastFrame) / 1000
      this.#lastFrame = now
      this.#advance(simulation, elapsed)
    }
    this.#bodies.update()
    this.#wheels.update()
    if (simulation.leader !== null) this.#stage.follow(simulation.placeOf(simulation.leader))
    this.#puller.update()
    if (this.#contacts.isShown) {
      if (this.#isContactsStale) this.#contacts.read(simulation.world, simulation.timeStep)
      this.#isContactsStale = false
      this.#contacts.update(this.#stage.distance, this.#bodies.typicalRadius)
    }
    this.#stage.render(this.#bodies.bounds)
    this.#transport.setTime(simulation)
    if (this.#isPanelsStale && (!this.isPlaying || now - this.#lastPanels >= PANEL_INTERVAL)) {
      this.#isPanelsStale = false
      this.#lastPanels = now
      this.#checks.update()
      this.#inspector.update()
      this.#readOuts.draw(this.#contacts.isForcesShown ? this.#contacts.largestForce : 0)
    }
    if (this.isPlaying) this.invalidate()
  }

  /**
   * @param {Simulation} simulation
   * @param {number} seconds of real time
   */
  #advance(simulation, seconds) {
    try {
      const steps = simulation.advance(seconds)
      this.#readOuts.countFrame(seconds, steps * simulation.timeStep)
      if (steps > 0) this.#onSteps()
    } catch (error) {
      this.#fail(error)
    }
  }

  #onSteps() {
    this.#isContactsStale = true
    this.#isPanelsStale = true
    this.#readOuts.sample()
    this.invalidate()
  }

  /**
   * @param {unknown} error
   * @param {string} [file] that it is of
   */
  #fail(error, file) {
    this.setPlaying(false)
    this.#message.fail(error, file)
  }

  #applyTheme() {
    this.#stage.applyTheme()
    this.#bodies.applyTheme()
    this.#wheels.applyTheme()
    this.#contacts.applyTheme()
    this.#puller.applyTheme()
    this.#readOuts.applyTheme()
    this.invalidate()
  }
}
