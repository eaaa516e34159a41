import { scenes } from '../../scenarios/index.mjs'
import { App } from './app.mjs'
import { Message } from './message.mjs'

const app = start()

/** What a test or a curious person in the console can take hold of. */
const demo = {
  /** The names of all scenes. */
  get scenes() {
    return scenes.map(({ name }) => name)
  },
  get world() {
    return app.simulation?.world
  },
  get scene() {
    return app.simulation?.scene
  },
  get isPlaying() {
    return app.isPlaying
  },
  /** How the scene's checks stand. */
  get checks() {
    return app.simulation?.readChecks()
  },
  /** Pauses and takes steps. */
  step: (count = 1) => app.step(count),
  /** Starts a scene anew, by default the present one; resolves when it stands. */
  reset: (name = app.simulation?.scene.name ?? '') => app.load(name),
  play: () => app.setPlaying(true),
  pause: () => app.setPlaying(false),
}
Object.assign(window, { moreauDemo: demo })

// Who asked for less motion, or for `paused` in the address, starts the scene by hand
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
const isPaused = new URLSearchParams(location.search).has('paused')
await app.loadAddress()
app.setPlaying(!isCalm && !isPaused)

/** @returns {App} */
function start() {
  try {
    return new App()
  } catch (error) {
    new Message().fail(`The scenes cannot be drawn: they need WebGL 2. (${error})`)
    throw error
  }
}
