/**
 * The correcting mechanisms of soft-step, each with the change of the code that switches it off and the tests that notice. The table of
 * docs/soft-step.md has the law that each restores (`npm run test:deep -- mutants`).
 */

/**
 * @typedef {object} Mutant
 * @property {string} name as the table has it
 * @property {string} file
 * @property {string} code occurs once in the file
 * @property {string} without what stands in its place without the mechanism
 * @property {string[]} tests files of which at least one must fail
 */

const NODE = 'tests/node/'

/** @type {Mutant[]} */
export const MUTANTS = [
  {
    name: 'contact-impacts',
    file: 'src/solvers/soft_step/contacts/contact_impacts.c',
    code: 'mo_f32x4 zero = mo_f32x4_zero(), last = zero, earlier = zero;',
    without: 'mo_f32x4 zero = mo_f32x4_zero(), last = zero, earlier = zero;\n  if (group) return;',
    tests: [`${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'impacts-of-cores',
    file: 'src/step/continuous.c',
    code: 'stopped.linear_velocity = mo_sub(stopped.linear_velocity, found->into);',
    without: '',
    tests: [`${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'contact-parting',
    file: 'src/solvers/soft_step/contacts/contact_parting.c',
    code: 'if (!solve->groups[i]->starts_open) {',
    without: 'if (!solve->groups[i]) {',
    tests: [`${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'friction-of-rebounds',
    file: 'src/solvers/soft_step/contacts/contact_rebound.c',
    code: 'mo_vec3x4 friction = rub_rebound(solve, group, &f, changes);',
    without:
      'mo_vec3x4 friction = solve ? (mo_vec3x4){zero, zero, zero} : rub_rebound(solve, group, &f, changes);',
    tests: [`${NODE}friction-of-rebounds.test.mjs`],
  },
  {
    name: 'impact-ahead',
    file: 'src/step/soft_step/soft_contacts.c',
    code: 'mo_speculate_far(a, b, reach->dt, 2.0 * reach->near, ahead, pair->cache, manifold);',
    without: '(void)ahead;',
    tests: [`${NODE}fast-impacts.test.mjs`],
  },
  {
    name: 'one-surface',
    file: 'src/step/soft_step/void_contacts.c',
    code: 'if (count == 0) {',
    without: 'if (count < UINT32_MAX) {',
    tests: [`${NODE}seams.test.mjs`],
  },
  {
    name: 'edge-ahead',
    file: 'src/step/soft_step/soft_contacts.c',
    code: 'if (is_edge) {',
    without: 'if (false && is_edge) {',
    tests: [`${NODE}fast-spins.test.mjs`],
  },
  {
    name: 'lead-of-round-contacts',
    file: 'src/step/soft_step/look_ahead.c',
    code: 'return is_held && moves_far(world, pair, time) ? 0.0 : time;',
    without: 'return is_held && moves_far(world, pair, time) ? 0.0 : 0.0 * time;',
    tests: [`${NODE}rollers.test.mjs`, `${NODE}troughs.test.mjs`],
  },
  {
    name: 'pushed-bodies',
    file: 'src/step/soft_step/pushed_bodies.c',
    code: 'return of.work > 0.0 && of.change > 0.0 ?',
    without: 'return 0 && of.work > 0.0 && of.change > 0.0 ?',
    tests: [`${NODE}own-forces.test.mjs`],
  },
  {
    name: 'first-loads',
    file: 'src/solvers/soft_step/substep_joints.c',
    code: '  mo_first_loads_bear(joints, step);',
    without: '',
    tests: [`${NODE}joint-trees.test.mjs`, `${NODE}ragdoll.test.mjs`],
  },
  {
    name: 'joint-closing',
    file: 'src/solvers/soft_step/substep_solver.c',
    code: 'if (!pass->touched) {\n    return true;',
    without: 'if (pass) {\n    return true;',
    tests: [`${NODE}ragdoll.test.mjs`],
  },
  {
    name: 'energy-of-joints',
    file: 'src/step/soft_step/joint_energy.c',
    code: 'if (!s->soft->step.joints) {',
    without: 'if (s) {',
    tests: [`${NODE}joint-trees.test.mjs`, `${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'energy-tank',
    file: 'src/step/soft_step/joint_energy.c',
    code: 'double tank = of->has_contacts ? 0.0 :',
    without: 'double tank = 1 ? 0.0 :',
    tests: [`${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'momentum-of-spins',
    file: 'src/step/soft_step/solver_bodies.c',
    code: 'if (s->soft->masses[i].spin_rule == MO_SPIN_BY_GAIN || !mo_world_is_in_joints(world, slot)) {',
    without: 'if (i > 0) {',
    tests: [`${NODE}gyroscopes.test.mjs`, `${NODE}smooth-motion.test.mjs`],
  },
  {
    name: 'tumble',
    file: 'src/solvers/soft_step/substep_spin.c',
    code: 'if (tumble > MOST_TUMBLE) {',
    without: 'if (tumble > 1e30 * MOST_TUMBLE) {',
    tests: [`${NODE}joint-trees.test.mjs`],
  },
  {
    name: 'turn-of-spin-at-the-end',
    file: 'src/step/soft_step/solver_body_ends.c',
    code: 'if (is_turned && mo_body_turns_its_spin(s, of->slot)) {',
    without: 'if (0 && is_turned && mo_body_turns_its_spin(s, of->slot)) {',
    tests: [`${NODE}soft-step-energy.test.mjs`],
  },
  {
    name: 'learnt-loads',
    file: 'src/solvers/soft_step/assembly/joint_assembly_search.c',
    code: 'return learns ? MO_LEARNS_LOADS : MO_KEEPS_LOADS;',
    without: 'return learns ? MO_KEEPS_LOADS : MO_KEEPS_LOADS;',
    tests: [`${NODE}joint-trees.test.mjs`],
  },
  {
    name: 'limits-above-motors',
    file: 'src/constraints/drives.c',
    code: 'return now->dt > 0.0 ?',
    without: 'return now->dt > 1e30 ?',
    tests: [`${NODE}limits-and-motors.test.mjs`],
  },
  {
    name: 'energy-of-rebounds',
    file: 'src/solvers/soft_step/contacts/contact_rebound.c',
    code: 'return (root - along) * mo_inverse_or_zero(twice);',
    without: 'return root - root + one + 0.0f * mo_inverse_or_zero(twice);',
    tests: [`${NODE}energy-of-rebounds.test.mjs`],
  },
  {
    name: 'means-of-carriers',
    file: 'src/step/carriers.c',
    code: '? 2.0 / (n + 1.0) : 0.0;',
    without: '? 0.0 / (n + 1.0) : 0.0;',
    tests: [`${NODE}carriers.test.mjs`],
  },
  {
    name: 'bends-of-places',
    file: 'src/step/soft_step/soft_surfaces.c',
    code: 'bool is_bent = bends(s, c);',
    without: 'bool is_bent = 0 && bends(s, c);',
    tests: [`${NODE}carriers.test.mjs`],
  },
  {
    name: 'moving-arms',
    file: 'src/step/soft_step/moving_arms.c',
    code: 'return is_slow && mo_length(acceleration)',
    without: 'return 0 && is_slow && mo_length(acceleration)',
    tests: [`${NODE}rollers.test.mjs`],
  },
  {
    name: 'sweeps-of-what-is-carried',
    file: 'src/solvers/soft_step/substep_solver.c',
    code: '#define CARRIED_SWEEPS 7',
    without: '#define CARRIED_SWEEPS 0u',
    tests: [`${NODE}carriers.test.mjs`],
  },
  {
    name: 'taut-joints',
    file: 'src/solvers/soft_step/joint_stiffness.c',
    code: 'if (taut.count > 0) {',
    without: 'if (taut.count > step->body_count) {',
    tests: [`${NODE}joint-trees.test.mjs`],
  },
  {
    name: 'damping-of-impulses',
    file: 'src/step/soft_step/solver_bodies.c',
    code: '  scale(linear.mean, &mass->inverse_mass, 1);\n',
    without: '',
    tests: [`${NODE}damping.test.mjs`],
  },
  {
    name: 'loads',
    file: 'src/step/overload.c',
    code: 'lower->weight += part;',
    without: 'lower->weight += 0.0 * part;',
    tests: [`${NODE}solver-auto.test.mjs`],
  },
  {
    name: 'pushes-across-solvers',
    file: 'src/step/boundary.c',
    code: '*pushes = all;',
    without: '*pushes = NULL;',
    tests: [`${NODE}solver-auto.test.mjs`],
  },
  {
    name: 'loads-of-new-contacts',
    file: 'src/step/rows/row_contacts.c',
    code: 'if (s->choice->laid && !old) {',
    without: 'if (0 && s->choice->laid && !old) {',
    tests: [`${NODE}solver-auto.test.mjs`],
  },
]
