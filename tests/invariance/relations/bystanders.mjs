/**
 * What takes no part changes nothing: not a bit.
 */
import { hosts } from './hosts.mjs'
import { others } from './others.mjs'
import { states } from './states.mjs'
import { watchers } from './watchers.mjs'

/** @import { Relation } from './index.mjs' */

/** @type {Relation[]} */
export const bystanders = [...others, ...watchers, ...states, ...hosts].map((relation) => ({
  ...{ group: 'bystanders', isExact: true },
  ...relation,
}))
