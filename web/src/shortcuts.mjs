/**
 * Keys that work wherever the focus is, unless it is in something that takes the key itself.
 */

/**
 * @param {Record<string, () => void>} actions by `KeyboardEvent.key`, in lower case
 */
export function listenToShortcuts(actions) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const action = actions[event.key.toLowerCase()]
    if (!action || takesKey(event.target, event.key)) return
    event.preventDefault()
    action()
  })
}

/**
 * Whether a control with the focus means something by this key: text fields by all, buttons by the space bar.
 *
 * @param {EventTarget | null} target
 * @param {string} key
 */
function takesKey(target, key) {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input:not([type=range], [type=checkbox]), select, textarea')) return true
  return key === ' ' && target.matches('button, input:not([type=range]), summary, a')
}
