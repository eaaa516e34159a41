/** A scene of which a run takes as long as its parameter says, whatever the machine does. */

/** @type {import('../../../source/sweeps/scene.mjs').FreeModule} */
export default {
  parameters: { seconds: 0.3 },
  async run({ seconds }) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
    return { seconds }
  },
}
