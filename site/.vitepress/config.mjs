import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'

/** @param {string} path from the root of the repository */
const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Where the files are that the site does not have: sources, tests, examples. */
const REPOSITORY = 'https://moreau.example/placeholder'

/** The site may stand under any path of a host: SITE_BASE=/moreau/ npm run site. */
const BASE = process.env.SITE_BASE ?? '/'

/** Folders whose Markdown is of the repository and not of the site. */
const NOT_PAGES = [
  ...['bench', 'bindings', 'build', 'cmake', 'dist', 'dist-web', 'environments', 'examples'],
  ...['scenarios', 'scripts', 'services', 'src', 'tests', 'web'],
].map((folder) => `${folder}/**`)

/** Reads one thing at a time, from the first world to how it is built. */
const SIDEBAR = [
  {
    text: 'Start',
    items: [
      { text: 'A tour in short pieces', link: '/docs/tour' },
      { text: 'Cookbook', link: '/docs/cookbook' },
      { text: 'What there is', link: '/docs/features' },
      { text: 'Where it runs', link: '/docs/environments' },
    ],
  },
  {
    text: 'With other libraries',
    items: [
      { text: 'three.js', link: '/docs/three' },
      { text: 'React', link: '/docs/react' },
      { text: 'Programs for Rapier', link: '/docs/rapier' },
      { text: 'URDF, MJCF and glTF', link: '/docs/import' },
      { text: 'Learning environments', link: '/docs/gym' },
    ],
  },
  {
    text: 'Beyond one page',
    items: [
      { text: 'A world in a worker', link: '/docs/worker' },
      { text: 'Rollback', link: '/docs/rollback' },
      { text: 'Many bodies', link: '/docs/scale' },
      { text: 'Services', link: '/docs/services' },
      { text: 'Rooms for players', link: '/docs/rooms' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Every name', link: '/docs/api' },
      { text: 'Scene format', link: '/docs/scene-format' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
  },
  {
    text: 'How right, how fast, how',
    items: [
      { text: 'Physics', link: '/docs/physics' },
      { text: 'Performance', link: '/docs/performance' },
      { text: 'Claims and their commands', link: '/docs/proofs' },
      { text: 'How it works', link: '/docs/how-it-works' },
      { text: 'The soft-step', link: '/docs/soft-step' },
      { text: 'Work on it', link: '/CONTRIBUTING' },
    ],
  },
]

/**
 * Pages link to files as they lie in the repository. Links to what is not a page lead there.
 * @param {import('markdown-it')} md
 */
function linkToRepository(md) {
  md.core.ruler.push('moreau-repository', (state) => {
    const folder = posix.dirname(state.env.relativePath ?? '')
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null || /^([a-z]+:|#|\/)/.test(href)) continue
      const path = posix.join(folder, href.replace(/#.*/, ''))
      const isPage = /^(docs\/[^/]+|CHANGELOG|CONTRIBUTING)\.md$/.test(path)
      if (!isPage) token.attrSet('href', `${REPOSITORY}/tree/main/${path}`)
    }
  })
}

/**
 * Pages lie outside of the folder that has the packages of the site. So the build of the server, which renders them, looks for Vue in vain: it is taken from there
 * when the pages are rendered.
 * @type {import('vite').Plugin}
 */
const renderWithOwnVue = {
  name: 'moreau-render-with-own-vue',
  enforce: 'pre',
  resolveId: (id, _importer, { ssr }) =>
    ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null,
}

export default defineConfig({
  title: 'Moreau',
  description: '3D physics for JavaScript: rigid bodies in browsers, Node and workers',
  lang: 'en',
  base: BASE,
  cleanUrls: true,
  srcDir: '..',
  srcExclude: [...NOT_PAGES, '**/node_modules/**', '.pending/**', 'README.md', 'THIRD_PARTY*.md'],
  rewrites: { 'site/index.md': 'index.md' },
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M16 30 4 6a24 24 0 0 1 24 0z' fill='%23d9622b'/%3E%3C/svg%3E",
      },
    ],
  ],
  // Links lead to the same headings here and where the repository shows its pages.
  markdown: { config: linkToRepository, anchor: { slugify: (text) => slug(text) } },
  themeConfig: {
    nav: [
      { text: 'Tour', link: '/docs/tour' },
      { text: 'Cookbook', link: '/docs/cookbook' },
      { text: 'API', link: '/docs/api' },
      { text: 'Scenes', link: `${BASE}demo/index.html`, target: '_self' },
    ],
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: {
    publicDir: fromRoot('build/site-public'),
    resolve: { alias: [{ find: /^moreau$/, replacement: fromRoot('dist/index.mjs') }] },
    plugins: [renderWithOwnVue],
    // The engine is one file with its WebAssembly in it.
    build: { chunkSizeWarningLimit: 1500 },
  },
})
