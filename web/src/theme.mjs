/**
 * The colours of style.css for everything that is not made of HTML. CSS is the one place that names them.
 */

/**
 * The value of a CSS custom property.
 *
 * @param {string} name with its dashes
 * @returns {string}
 */
export function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

/**
 * Calls back whenever the reader's system changes between light and dark.
 *
 * @param {() => void} listener
 */
export function onThemeChange(listener) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener)
}

/** Colours of moving bodies, dealt out in turn: muted neighbours that stay apart in light and in dark. */
export const BODY_COLORS = [
  '#e0a44a',
  '#cf6a4d',
  '#4b958c',
  '#5582b8',
  '#9468a0',
  '#8ba65f',
  '#d98b94',
  '#6f7fa0',
]
