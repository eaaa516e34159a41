/**
 * Learns to balance a pole on a cart by the cross-entropy method (Rubinstein and Kroese 2004): policies are drawn from a normal distribution,
 * each is tried for an episode in an environment of its own, all of them at once, and the distribution moves to the best ones.
 *
 *     npm install && npm start
 */
import { pathToFileURL } from 'node:url'
import { makeVec, Random } from 'moreau/gym'

/** @import { VectorEnvironment } from 'moreau/gym' */

/**
 * @typedef {object} Generation
 * @property {number} generation
 * @property {number} mean reward of an episode, of all policies
 * @property {number} elite the same of the best ones
 * @property {number} best
 */

/**
 * @typedef {object} TrainOptions
 * @property {number} [population] policies of a generation, which are as many environments
 * @property {number} [elites] of them that the next generation is drawn from
 * @property {number} [generations] at most
 * @property {number} [goal] mean reward of the elite that ends the training; an episode has 1000 at most
 * @property {number} [seed]
 * @property {(generation: Generation) => void} [onGeneration]
 */

/** A policy: an action is the product of these with the observation. At first they are drawn around 0 with this deviation. */
const FIRST_DEVIATION = 5
/** The deviation stays above this, or a distribution that has become narrow too early would learn no more. */
const LEAST_DEVIATION = 0.05

/**
 * Trains a policy.
 *
 * @param {TrainOptions} [options]
 * @returns {Promise<{ policy: Float64Array, curve: Generation[], test: number }>} `test`: mean reward of the policy in episodes that it was not
 *   trained with
 */
export async function train(options = {}) {
  const { population = 64, elites = 8, generations = 40, goal = 999, seed = 1 } = options
  const environments = await makeVec('InvertedPendulum', {
    ...{ numEnvs: population, seed, autoresetMode: 'disabled' },
  })
  const size = environments.singleObservationSpace.low.length
  const random = new Random(seed)
  const policies = Array.from({ length: population }, () => new Float64Array(size))
  const mean = new Float64Array(size)
  const deviation = new Float64Array(size).fill(FIRST_DEVIATION)
  /** @type {Generation[]} */
  const curve = []
  for (let generation = 1; generation <= generations; generation++) {
    for (const policy of policies) draw(policy, mean, deviation, random)
    const rewards = tryAll(environments, policies)
    const order = rewards.map((_, i) => i).sort((a, b) => rewards[b] - rewards[a] || a - b)
    const chosen = order.slice(0, elites)
    fit(
      mean,
      deviation,
      chosen.map((i) => policies[i]),
    )
    const elite = average(chosen.map((i) => rewards[i]))
    const result = { generation, mean: average(rewards), elite, best: rewards[order[0]] }
    curve.push(result)
    options.onGeneration?.(result)
    if (elite >= goal) break
  }
  environments.reset({ seed: seed + 1000 })
  const test = average(
    tryAll(
      environments,
      policies.map(() => mean),
    ),
  )
  environments.close()
  return { policy: mean, curve, test }
}

/**
 * Tries each policy for an episode in its environment.
 *
 * @param {VectorEnvironment} environments
 * @param {readonly Float64Array[]} policies
 * @returns {number[]} rewards
 */
function tryAll(environments, policies) {
  let { observations } = environments.reset()
  const totals = policies.map(() => 0)
  const isOver = policies.map(() => false)
  const actions = new Float64Array(policies.length)
  while (isOver.includes(false)) {
    policies.forEach((policy, i) => {
      const at = i * policy.length
      actions[i] = policy.reduce((sum, weight, k) => sum + weight * observations[at + k], 0)
    })
    const result = environments.step(actions)
    observations = result.observations
    policies.forEach((_, i) => {
      if (isOver[i]) return
      totals[i] += result.rewards[i]
      isOver[i] = result.terminations[i] === 1 || result.truncations[i] === 1
    })
  }
  return totals
}

/**
 * @param {Float64Array} policy is overwritten
 * @param {Float64Array} mean
 * @param {Float64Array} deviation
 * @param {Random} random
 */
function draw(policy, mean, deviation, random) {
  for (let k = 0; k < policy.length; k++) policy[k] = mean[k] + deviation[k] * random.normal()
}

/**
 * Mean and deviation of each weight among policies.
 *
 * @param {Float64Array} mean is overwritten
 * @param {Float64Array} deviation is overwritten
 * @param {readonly Float64Array[]} policies
 */
function fit(mean, deviation, policies) {
  for (let k = 0; k < mean.length; k++) {
    mean[k] = average(policies.map((policy) => policy[k]))
    const variance = average(policies.map((policy) => (policy[k] - mean[k]) ** 2))
    deviation[k] = Math.max(Math.sqrt(variance), LEAST_DEVIATION)
  }
}

/** @param {readonly number[]} numbers */
const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** @param {Generation} generation a line of the curve */
function print({ generation, mean, elite, best }) {
  const bar = '#'.repeat(Math.round(mean / 20))
  const numbers = [mean, elite, best].map((number) => number.toFixed(0).padStart(5)).join(' ')
  console.log(`${String(generation).padStart(4)} ${numbers}  ${bar}`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(' gen  mean elite  best')
  const began = performance.now()
  const { policy, test } = await train({ onGeneration: print })
  const weights = Array.from(policy, (weight) => weight.toFixed(2)).join(' ')
  console.log(`policy ${weights}: mean reward ${test.toFixed(0)} of 1000 in new episodes`)
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
}
