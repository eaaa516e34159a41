/**
 * The settings of the world. An empty field leaves the choice to the scene; what is filled in stands in the address.
 */
import { isMadeFor, SOLVER_CHOICES } from '../../scenarios/solver-choices.mjs'
import { byId, make } from './dom.mjs'
import { formatLimit } from './format.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('../../scenarios/scene.mjs').SolverName} SolverName */

/**
 * @typedef {object} Setting
 * @property {string} name of the World's option, or `stepsPerSecond`
 * @property {string} label
 * @property {string} [unit]
 * @property {readonly string[]} [choices] otherwise it is a number
 * @property {number} [least]
 * @property {number} [most]
 */

/** @type {Setting[]} */
const SETTINGS = [
  { name: 'solver', label: 'Solver', choices: SOLVER_CHOICES },
  { name: 'stepsPerSecond', label: 'Steps', unit: '1/s', least: 10, most: 2000 },
  { name: 'substeps', label: 'Substeps', least: 1, most: 64 },
  { name: 'iterations', label: 'Iterations', least: 1, most: 100000 },
  { name: 'tolerance', label: 'Tolerance', unit: 'm/s', least: 0 },
  { name: 'stabilization', label: 'Stabilization', choices: ['split', 'baumgarte', 'none'] },
  { name: 'errorReduction', label: 'Error reduction', least: 0, most: 1 },
  { name: 'linearSlop', label: 'Slop', unit: 'm', least: 0 },
  { name: 'maxCorrectionSpeed', label: 'Correction speed', unit: 'm/s', least: 0 },
  { name: 'impactLaw', label: 'Impacts', choices: ['newton', 'generalized-reflections'] },
  { name: 'restitutionThreshold', label: 'Bounce threshold', unit: 'm/s', least: 0 },
]

/**
 * What of an address is a setting, as an option of the World would have it.
 *
 * @param {Record<string, string>} words by name
 * @returns {Record<string, string | number>} only those that are known and in range
 */
export function parseSettings(words) {
  /** @type {Record<string, string | number>} */
  const settings = {}
  for (const { name, choices, least = -Infinity, most = Infinity } of SETTINGS) {
    const word = words[name]
    if (word === undefined || word === '') continue
    if (choices) {
      if (choices.includes(word)) settings[name] = word
    } else {
      const number = Number(word)
      if (number >= least && number <= most) settings[name] = number
    }
  }
  return settings
}

/**
 * What a scene takes over of settings that were chosen for another one: all but a solver that its checks are not made for.
 *
 * @param {import('../../scenarios/scene.mjs').Scene} scene
 * @param {Record<string, string | number>} chosen
 * @returns {{ settings: Record<string, string | number>, refused?: SolverName }}
 */
export function settingsFor(scene, chosen) {
  const { solver, ...others } = chosen
  const name = SOLVER_CHOICES.find((choice) => choice === solver)
  if (name === undefined || isMadeFor(scene, name)) return { settings: chosen }
  return { settings: others, refused: name }
}

export class SettingsForm {
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  #fields = new Map()

  /** @param {(words: Record<string, string>) => void} onChange */
  constructor(onChange) {
    const form = byId('settings', HTMLFormElement)
    for (const setting of SETTINGS) {
      const field = setting.choices ? choiceField(setting.choices) : numberField(setting)
      field.name = setting.name
      const name = make('span', { text: setting.label })
      if (setting.unit) name.append(make('span', { className: 'unit', text: ` ${setting.unit}` }))
      form.append(make('label', {}, name, field))
      this.#fields.set(setting.name, field)
    }
    const clear = make('button', { text: "Back to the scene's own" })
    clear.type = 'button'
    form.append(clear)
    form.append(
      make('p', {
        className: 'hint',
        text: 'A change starts the scene anew. The address keeps it.',
      }),
    )

    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('change', () => {
      if (form.reportValidity()) onChange(this.#words())
    })
    clear.addEventListener('click', () => onChange({}))
  }

  /**
   * Shows what is in force.
   *
   * @param {Record<string, string | number>} settings those that were chosen
   * @param {World} world
   * @param {number} timeStep s
   */
  show(settings, world, timeStep) {
    /** @type {Record<string, any>} */
    const inForce = { stepsPerSecond: 1 / timeStep }
    for (const [name, field] of this.#fields) {
      const value = inForce[name] ?? /** @type {any} */ (world)[name]
      const text = typeof value === 'number' ? formatLimit(value) : String(value)
      const chosen = settings[name]
      field.value = chosen === undefined ? '' : String(chosen)
      field.classList.toggle('changed', chosen !== undefined)
      if (field instanceof HTMLInputElement) field.placeholder = text
      else field.options[0].text = chosen === undefined ? text : 'as the scene has it'
    }
  }

  #words() {
    /** @type {Record<string, string>} */
    const words = {}
    for (const [name, field] of this.#fields) if (field.value !== '') words[name] = field.value
    return words
  }
}

/** @param {readonly string[]} choices */
function choiceField(choices) {
  const field = make('select')
  field.append(new Option('', ''), ...choices.map((choice) => new Option(choice, choice)))
  return field
}

/** @param {Setting} setting */
function numberField({ least, most }) {
  const field = make('input')
  field.type = 'number'
  field.step = 'any'
  field.inputMode = 'decimal'
  if (least !== undefined) field.min = String(least)
  if (most !== undefined) field.max = String(most)
  return field
}
