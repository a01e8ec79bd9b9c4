import fs from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

const adr = 'docs/adr/'
const decisions = fs.readdirSync(path.join(ROOT, adr)).filter((name) => /^\d.*\.md$/.test(name))

/** The pages in the order of the sidebar. A page that is missing here makes the build fail. */
const groups = [
  ['Start', 'README', 'docs/guide/README', 'docs/guide/getting-started', 'examples/README',
    'docs/guide/comparison', 'docs/guide/migrating', 'docs/guide/spring-integration', 'CHANGELOG', 'docs/README'],
  ['Guide', 'docs/guide/locks', 'docs/guide/synchronizers', 'docs/guide/leases-and-tokens', 'docs/guide/fenced-writes',
    'docs/guide/events-and-losses', 'docs/guide/options', 'docs/guide/spring-boot', 'docs/guide/micronaut', 'docs/guide/quarkus',
    'docs/guide/transactions-and-locks',
    'docs/guide/reactive-and-coroutines', 'docs/guide/scheduled-jobs', 'docs/guide/cache', 'docs/guide/testing'],
  ['Stores', 'docs/stores', 'docs/guide/stores-and-urls', 'docs/stores-sql', 'docs/stores-dynamodb', 'docs/stores-etcd',
    'docs/stores-zookeeper', 'docs/STORAGE'],
  ['Operations', 'docs/guide/production', 'docs/guide/operations', 'docs/guide/metrics', 'docs/guide/logging',
    'docs/guide/troubleshooting', 'docs/cli', 'docs/compatibility', 'SECURITY'],
  ['Promises', 'docs/guide/promises', 'docs/SPEC', 'docs/faults', 'docs/glossary'],
  ['Inside', 'ARCHITECTURE', 'docs/CONCURRENCY', 'docs/guide/add-a-store', 'CONTRIBUTING', 'docs/releasing',
    [adr + 'README', ...decisions.map((name) => adr + name.replace(/\.md$/, ''))]],
  ['Benchmarks', 'docs/benchmarks-services', 'docs/benchmarks', 'docs/benchmarks-postgresql', 'docs/benchmarks-mariadb',
    'docs/benchmarks-etcd', 'docs/benchmarks-zookeeper', 'docs/scale', 'docs/guide/lab',
    'docs/scenes', 'docs/soak']
]

const known = groups.flat(2)

/** Returns the file of the site that a Markdown file of the repository becomes, or undefined. */
export function pageOf(file) {
  if (!known.includes(file.replace(/\.md$/, ''))) {
    return undefined
  }
  return file === 'docs/README.md'
    ? 'documents.md'
    : file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

/** Returns the same, and throws for a file that is in no group. */
export function requiredPageOf(file) {
  const page = pageOf(file)
  if (!page) {
    throw new Error(`${file} is in no group of site/.vitepress/pages.js`)
  }
  return page
}

function titleOf(file) {
  const heading = /^# (.*)$/m.exec(fs.readFileSync(path.join(ROOT, file), 'utf8'))
  if (!heading) {
    throw new Error(`${file} has no heading`)
  }
  return heading[1].replaceAll('`', '')
}

function entry(name) {
  const file = name + '.md'
  return { text: titleOf(file), link: '/' + requiredPageOf(file).replace(/index\.md$/, '').replace(/\.md$/, '') }
}

export const sidebar = groups.map(([text, ...pages]) => ({
  text,
  collapsed: false,
  items: pages.map((page) =>
    Array.isArray(page) ? { ...entry(page[0]), collapsed: true, items: page.slice(1).map(entry) } : entry(page))
}))
