import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = ['README.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
/** Paths are named from the root of the project, or of its source. */
const FROM = ['', 'src', 'src/features']
const FOLDERS =
  'src|test|docs|bench|scripts|migrations|samples|lib|demo|packages|features|records|geography|platform|imports|catalogue|bookings'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, one]) => one ?? '')
const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
const commands = found(read('src/cli/program.ts'), /^ {2}\['(\w+)',/gm)

describe.each(DOCUMENTS)('%s', (file) => {
  const text = read(file)
  it('has only valid links', () => {
    const linked = found(text, /\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)
    expect(linked.filter((path) => !existsSync(join(ROOT, dirname(file), path)))).toEqual([])
  })
  it('names files that are there', () => {
    const named = found(text, new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g'))
    expect(named.filter((path) => !FROM.some((from) => existsSync(join(ROOT, from, path))))).toEqual([])
  })
  it('names only existing commands', () => {
    expect(found(text, /npm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([])
    expect(found(text, /(?:npx |`| {4})backdesk ([a-z]+)/g).filter((name) => !commands.includes(name))).toEqual([])
  })
})

it('the README has every command', () => {
  const rows = found(read('README.md'), /^\| (`.*?) \|/gm).join(' ')
  expect(commands.filter((name) => !new RegExp(`\`${name}\\b`).test(rows))).toEqual([])
})
