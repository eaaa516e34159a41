import { SOLVER_CHOICES } from '../scenarios/solver-choices.mjs'

/** @returns {string} */
export const helpText = () => `Moreau: rigid-body physics that proves its step.

Usage
  moreau run <scene> [options]   run a scene headless, print a report, evaluate its checks
  moreau run <file>.json         the same of a world that world.toJSON() wrote; 10 s
  moreau list [--json]           show the scenes
  moreau --help | --version

Options of run
  --seconds <s>          time to simulate; default: the duration of the scene
  --dt <s>               time step; default: that of the scene, mostly 1/60
  --solver <name>        ${SOLVER_CHOICES.join(', ')}, ...; default: that of the scene
  --iterations <n>       sweeps of the solver per step; default 20
  --tolerance <m/s>      a sweep that changes less ends the solve; default 1e-8
  --stabilization <name> split, baumgarte or none; default split
  --json                 one JSON object on stdout and nothing else; "NaN" is a string there

Checks hold for the settings of the scene. Exit code: 0 all checks passed, 1 a check failed,
2 the command line is wrong, 3 the run failed.

Example
  moreau run pour --seconds 10 --json`
