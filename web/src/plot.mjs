/**
 * A small live plot over simulated time, with its key above: uPlot on arrays that are made once.
 */
import uPlot from 'uplot'
import { make, setText } from './dom.mjs'
import { formatNumber } from './format.mjs'
import { themeColor } from './theme.mjs'

/** Samples kept; when they are used up, the older half makes room. */
const CAPACITY = 2400
/** s of simulated time in sight. */
const WINDOW = 10
const HEIGHT = 104

/**
 * @typedef {object} PlotSeries
 * @property {string} label
 * @property {string} color a CSS custom property
 */

export class Plot {
  #series
  #plot
  #values
  /** Columns: time, then the series. @type {Float64Array[]} */
  #columns
  #count = 0
  /** s up to which samples are shown: the present. */
  #present = Infinity
  #axis
  #isLogarithmic
  #element

  /**
   * @param {HTMLElement} element
   * @param {PlotSeries[]} series
   * @param {{ title: string, isLogarithmic?: boolean }} options
   */
  constructor(element, series, { title, isLogarithmic = false }) {
    this.#element = element
    this.#series = series
    this.#isLogarithmic = isLogarithmic
    this.#columns = Array.from({ length: series.length + 1 }, () => new Float64Array(CAPACITY))
    this.#values = series.map(() => make('b', { text: '–' }))
    const key = make('p', { className: 'plot-key' })
    series.forEach(({ label, color }, index) => {
      const mark = make('i', { style: `background: var(${color})` })
      key.append(make('span', {}, mark, new Text(label), this.#values[index]))
    })
    const frame = make('div')
    frame.role = 'img'
    frame.ariaLabel = title
    element.append(key, frame)

    this.#axis = {
      stroke: () => themeColor('--muted'),
      grid: { stroke: () => themeColor('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    }
    this.#plot = new uPlot(this.#options(), this.#data(), frame)
    new ResizeObserver(() => this.#resize()).observe(element)
  }

  /** Takes the colours anew. */
  applyTheme() {
    this.#plot.redraw(false)
  }

  /** Forgets all samples. */
  clear() {
    this.#count = 0
    this.#present = Infinity
    this.draw()
  }

  /**
   * Shows the samples up to a time; the later ones go with the next that is added.
   *
   * @param {number} time s
   */
  goTo(time) {
    this.#present = time
  }

  /**
   * Adds a sample; it is seen after the next `draw`.
   *
   * @param {number} time s
   * @param {number} a of the first series; NaN where there is none
   * @param {number} [b]
   * @param {number} [c]
   */
  add(time, a, b = 0, c = 0) {
    // A scene may go back in time by itself, too.
    this.#present = Math.min(this.#present, time)
    this.#count = this.#shownCount
    this.#present = Infinity
    if (this.#count === CAPACITY) {
      const half = CAPACITY / 2
      for (const column of this.#columns) column.copyWithin(0, half)
      this.#count = half
    }
    const at = this.#count++
    this.#columns[0][at] = time
    this.#columns[1][at] = a
    if (this.#columns.length > 2) this.#columns[2][at] = b
    if (this.#columns.length > 3) this.#columns[3][at] = c
  }

  draw() {
    const last = this.#shownCount - 1
    this.#values.forEach((value, index) => {
      const number = last < 0 ? NaN : this.#columns[index + 1][last]
      setText(value, Number.isNaN(number) ? '–' : formatNumber(number))
    })
    this.#plot.setData(this.#data(), true)
  }

  get #shownCount() {
    let count = this.#count
    while (count > 0 && this.#columns[0][count - 1] > this.#present) count--
    return count
  }

  #data() {
    const count = this.#shownCount
    return /** @type {uPlot.AlignedData} */ (
      /** @type {unknown} */ (this.#columns.map((column) => column.subarray(0, count)))
    )
  }

  #resize() {
    const width = this.#element.clientWidth
    if (width > 0) this.#plot.setSize({ width, height: HEIGHT })
  }

  /** @returns {uPlot.Options} */
  #options() {
    const isLogarithmic = this.#isLogarithmic
    return {
      width: this.#element.clientWidth || 260,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 14, 0, 0],
      scales: {
        x: { time: false, range: (_, __, last) => timeRange(last) },
        y: this.#isLogarithmic
          ? { distr: 3, log: 10, range: (_, low, high) => logRange(low, high) }
          : { range: (_, low, high) => linearRange(low, high) },
      },
      axes: [
        {
          ...this.#axis,
          size: 22,
          space: 50,
          values: (_, ticks) => ticks.map((tick) => `${tick} s`),
        },
        {
          ...this.#axis,
          ...(this.#isLogarithmic ? { filter: fittingDecades } : {}),
          grid: { ...this.#axis.grid, ...(this.#isLogarithmic ? { filter: fittingDecades } : {}) },
          size: 46,
          space: 26,
          values: (_, ticks) =>
            ticks.map((tick) => (tick === null ? '' : tickText(tick, isLogarithmic))),
        },
      ],
      series: [
        {},
        ...this.#series.map(({ label, color }) => ({
          label,
          stroke: () => themeColor(color),
          width: 1.6,
          points: { show: false },
        })),
      ],
    }
  }
}

/**
 * @param {number | null} last s
 * @returns {[number, number]}
 */
function timeRange(last) {
  const end = Math.max(WINDOW, last ?? 0)
  return [end - WINDOW, end]
}

/**
 * @param {number | null} low
 * @param {number | null} high
 * @returns {[number, number]}
 */
function linearRange(low, high) {
  if (low === null || high === null) return [0, 1]
  // A still scene is a flat line, not its round-off magnified
  const spread = Math.max(high - low, 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-9)
  const middle = (low + high) / 2
  return [middle - 0.58 * spread, middle + 0.58 * spread]
}

/**
 * @param {number | null} low above 0
 * @param {number | null} high
 * @returns {[number, number]} powers of ten
 */
function logRange(low, high) {
  if (!low || !high) return [1e-12, 1]
  const bottom = Math.floor(Math.log10(low) - 0.2)
  const top = Math.ceil(Math.log10(high) + 0.2)
  return [10 ** bottom, 10 ** Math.max(top, bottom + 3)]
}

/**
 * @param {number} tick
 * @param {boolean} isLogarithmic
 */
function tickText(tick, isLogarithmic) {
  const size = Math.abs(tick)
  if (isLogarithmic || size >= 1e4 || (size > 0 && size < 1e-2))
    return tick.toExponential(0).replace('e+', 'e')
  return String(Math.round(tick * 1e3) / 1e3)
}

/**
 * Of a logarithmic axis, so many powers of ten as fit.
 *
 * @param {uPlot} plot
 * @param {number[]} ticks
 * @returns {(number | null)[]}
 */
function fittingDecades(plot, ticks) {
  const { min = 1, max = 1 } = plot.scales.y
  const every = Math.ceil(Math.log10(max / min) / 4)
  return ticks.map((tick) => {
    const exponent = Math.log10(tick)
    const decade = Math.round(exponent)
    return Math.abs(exponent - decade) < 1e-6 && decade % every === 0 ? tick : null
  })
}
