import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** @param {string} path from the root of the repository */
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The built package where there is one: that is what a user gets. Before the first build, the sources. */
const engine = existsSync(fromRoot('dist/index.mjs')) ? 'dist/index.mjs' : 'bindings/index.mjs'

export default defineConfig({
  root: fromRoot('web'),
  base: './',
  resolve: { alias: [{ find: /^moreau$/, replacement: fromRoot(engine) }] },
  build: {
    outDir: fromRoot('dist-web'),
    emptyOutDir: true,
    target: 'es2022',
    // three.js alone is more than the default 500 kB
    chunkSizeWarningLimit: 1500,
  },
  server: { fs: { allow: [fromRoot('.')] } },
})
