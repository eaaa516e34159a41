import js from '@eslint/js'
import globals from 'globals'

/** What the same inputs must not depend on. */
const nondeterministic = [
  {
    object: 'Math',
    property: 'random',
    message: 'Same inputs, same bits: use a seeded generator.',
  },
  { object: 'Date', property: 'now', message: 'Same inputs, same bits: no clock.' },
]

export default [
  {
    ignores: [
      'build/',
      'dist/',
      'dist-web/',
      'environments/build/',
      '**/generated/',
      'tests/browser/output/',
    ],
  },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      eqeqeq: 'error',
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: [
      '*.mjs',
      'bench/**',
      'bin/**',
      'environments/**',
      'examples/**',
      'scripts/**',
      'services/**',
      'site/.vitepress/*.mjs',
      'tests/**',
    ],
    languageOptions: { globals: globals.node },
  },
  {
    // Browser tests hand functions to the page.
    files: [
      'web/**',
      'site/.vitepress/theme/**',
      'tests/browser/**',
      'tests/site/**',
      'scripts/pictures.mjs',
      'examples/**',
      'environments/lib/page.mjs',
      'services/demo/**',
      'services/tests/rooms/**',
    ],
    languageOptions: { globals: globals.browser },
  },
  {
    // The same files run in Node, browsers and workers.
    files: ['bindings/**', 'scenarios/**'],
    languageOptions: { globals: globals['shared-node-browser'] },
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'Runs in browsers too.' }] },
      ],
      'no-restricted-properties': ['error', ...nondeterministic],
    },
  },
  {
    // Browsers and their workers have it; Node's is another one.
    files: ['bindings/threads/**'],
    languageOptions: { globals: { Worker: 'readonly' } },
  },
]
