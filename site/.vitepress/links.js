import fs from 'node:fs'
import path from 'node:path'
import { pageOf, ROOT } from './pages.js'

const pom = fs.readFileSync(path.join(ROOT, 'pom.xml'), 'utf8')

/** The project's home, by default that of the build. */
export const HOME = (process.env.LOCKKEEPER_HOME_URL || /<lockkeeper\.home>(.*?)</.exec(pom)[1]).replace(/\/$/, '')

/** Makes links of the repository links of the site: to a page, or to a file or folder at the project's home. */
export function repositoryLinks(md) {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const source = env.realPath ?? env.path
    for (const token of tokens.flatMap((block) => block.children ?? [])) {
      if (token.type === 'link_open') {
        token.attrSet('href', siteLink(source, token.attrGet('href')))
      }
    }
  })
}

function siteLink(source, href) {
  if (/^([a-z]+:|#)/.test(href)) {
    return href
  }
  const [, target, anchor] = /^([^#]*)(.*)$/.exec(href)
  const absolute = path.resolve(path.dirname(source), decodeURI(target))
  const file = path.relative(ROOT, absolute)
  if (file.startsWith('..') || !fs.existsSync(absolute)) {
    throw new Error(`${path.relative(ROOT, source)} links to ${href}, which does not exist`)
  }
  const page = pageOf(file)
  if (page) {
    return '/' + page + anchor
  }
  return `${HOME}/${fs.statSync(absolute).isDirectory() ? 'tree' : 'blob'}/main/${file}${anchor}`
}

/** Returns the anchor of a heading, as Git hosts make it. */
export function anchorOf(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/** Throws unless every link, picture and anchor of the finished pages exists. */
export function checkPages({ outDir, pages, rewrites, site }) {
  const html = new Map()
  for (const page of pages) {
    const file = (rewrites.map[page] ?? page).replace(/\.md$/, '.html')
    html.set(file, fs.readFileSync(path.join(outDir, file), 'utf8'))
  }
  const dead = new Set()
  for (const [file, text] of html) {
    for (const [, link] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const url = new URL(link.replaceAll('&amp;', '&'), 'site:' + site.base + file)
      if (url.protocol === 'site:' && !exists(url)) {
        dead.add(`${file} -> ${link}`)
      }
    }
  }
  if (dead.size > 0) {
    throw new Error('dead links:\n' + [...dead].join('\n'))
  }

  function exists(url) {
    const at = decodeURI(url.pathname)
    const name = at.slice(site.base.length).replace(/(^|\/)$/, '$1index.html')
    const text = html.get(name)
    const anchor = decodeURIComponent(url.hash.slice(1))
    return at.startsWith(site.base)
      && (text === undefined ? fs.existsSync(path.join(outDir, name)) : !anchor || text.includes(` id="${anchor}"`))
  }
}
