import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { blocks } from './blocks.js'
import { anchorOf, checkPages, HOME, repositoryLinks } from './links.js'
import { requiredPageOf, ROOT, sidebar } from './pages.js'

/** The Javadoc of all modules, if a build has made it. */
const javadoc = ['target/reports/apidocs', 'target/site/apidocs']
  .map((folder) => path.join(ROOT, folder))
  .find((folder) => fs.existsSync(path.join(folder, 'index.html')))

/** Finds Vue in this folder for the pages, which are outside it. */
const vueFromHere = {
  name: 'vue-from-here',
  enforce: 'pre',
  resolveId(id, importer, options) {
    return /^vue($|\/)/.test(id) && importer?.endsWith('.md')
      ? this.resolve(id, import.meta.filename, { ...options, skipSelf: true })
      : null
  }
}

export default defineConfig({
  title: 'Lockkeeper',
  description: 'Distributed locks for Java',
  base: process.env.LOCKKEEPER_SITE_BASE || '/',
  srcDir: '..',
  srcExclude: ['**/target/**', '{core,stores,integrations,tools,testing,workshop}/**', 'site/**'],
  rewrites: requiredPageOf,
  outDir: 'target/dist',
  cacheDir: 'target/cache',
  buildConcurrency: 2,
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { kts: 'kotlin' },
    config: (md) => md.use(repositoryLinks).use(blocks)
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/' },
      { text: 'Stores', link: '/stores' },
      { text: 'Promises', link: '/SPEC' },
      ...(javadoc ? [{ text: 'Javadoc', link: '/javadoc/index.html', target: '_self' }] : []),
      { text: 'Source', link: HOME }
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: { pattern: HOME + '/blob/main/:path', text: 'Source of this page' }
  },
  vite: {
    plugins: [vueFromHere],
    build: { chunkSizeWarningLimit: 1000 }
  },
  buildEnd(site) {
    if (javadoc) {
      fs.cpSync(javadoc, path.join(site.outDir, 'javadoc'), { recursive: true })
    }
    checkPages(site)
  }
})
