/**
 * Siconos' solvers and the settings that we try of each; per problem the best setting counts. All work on W symmetrised.
 */

/**
 * @typedef {object} Setting
 * @property {string} label
 * @property {string} note what it is, with every option that is not Siconos' default
 * @property {string[]} words for solve_problem.c: solver and options, by Friction_cst.h
 */

/** @typedef {{ name: string, settings: Setting[] }} Method */

/** Asked of Siconos' own relative error measure, one after the other, until our certificate is met. */
export const TOLERANCES = [1e-8, 1e-10, 1e-12, 1e-14]

const SWEEPS = 'i0=1000000'
const NEWTON = 'i0=2000'

/** @type {Method[]} */
export const METHODS = [
  {
    name: 'NSGS',
    settings: [
      {
        label: 'hybrid',
        note: 'SICONOS_FRICTION_3D_NSGS, 3x3 blocks, 1e6 sweeps, single contacts by NSN_GP_HYBRID',
        words: ['500', SWEEPS],
      },
      {
        label: 'projection',
        note: 'the same, single contacts by ProjectionOnConeWithLocalIteration',
        words: ['500', SWEEPS, 'local=553'],
      },
      {
        label: 'newton',
        note: 'the same, single contacts by ONECONTACT_NSN',
        words: ['500', SWEEPS, 'local=550'],
      },
    ],
  },
  {
    name: 'ADMM',
    settings: [
      {
        label: 'local',
        note: 'SICONOS_FRICTION_3D_ADMM, sparse W, 1e6 iterations, penalty by residual balancing',
        words: ['523', SWEEPS, 'i9=2'],
      },
      {
        label: 'global',
        note: 'SICONOS_GLOBAL_FRICTION_3D_ADMM on M and H, 1e6 iterations, residual balancing',
        words: ['613', SWEEPS, 'i9=2'],
      },
    ],
  },
  {
    name: 'IPM',
    settings: [
      {
        label: 'nt',
        note: 'SICONOS_GLOBAL_FRICTION_3D_IPM on M and H, Nesterov-Todd scaling; repeated with s = mu |u_T| until s stands still (200 times)',
        words: ['615', NEWTON, 'i11=1'],
      },
      {
        label: 'plain',
        note: 'the same without Nesterov-Todd scaling',
        words: ['615', NEWTON, 'i11=0'],
      },
    ],
  },
  {
    name: 'Newton',
    settings: [
      {
        label: 'AC',
        note: 'SICONOS_FRICTION_3D_NSN_AC, sparse W, MUMPS, 2000 iterations, Goldstein-Price line search',
        words: ['504', NEWTON, 'i13=1'],
      },
      {
        label: 'JM',
        note: 'the same with the Jean-Moreau formulation',
        words: ['504', NEWTON, 'i13=1', 'i10=1'],
      },
      {
        label: 'AC-full',
        note: 'NSN_AC without line search',
        words: ['504', NEWTON, 'i13=1', 'i11=-1'],
      },
      {
        label: 'FB',
        note: 'SICONOS_FRICTION_3D_NSN_FB, sparse W, 2000 iterations',
        words: ['513', NEWTON],
      },
      {
        label: 'AC-test',
        note: 'SICONOS_FRICTION_3D_NSN_AC_TEST, sparse W, 2000 iterations',
        words: ['521', NEWTON],
      },
    ],
  },
]
