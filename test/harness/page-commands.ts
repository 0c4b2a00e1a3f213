import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Programs that pages call. Each is replaced by one that records how it was called; the others run. */
const RECORDED = [
  'backdesk',
  'backdesk-client',
  'npx',
  'npm',
  'curl',
  'docker',
  'psql',
  'cp',
  'systemctl',
  'journalctl',
  'launchctl',
]
/** Variables that a command may be given in front of it. */
const VARIABLES = ['DATA_DIR', 'EXPORT_PASSPHRASE']
const RECORDER = `#!/bin/sh
{ printf '%s\\037' "$(basename "$0")" "$@"; printf '\\035'; ${VARIABLES.map((name) => `printf '%s\\037' "${name}=$${name}"`).join('; ')}; printf '\\036'; } >> "$RECORD"
`

export type PageCommand = {
  readonly page: string
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** The pages that people read, by their paths. */
export const PAGES = ['README.md', 'SECURITY.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()]
export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** The commands of a page's fenced `sh` blocks, as the shell reads them. `fill` replaces the placeholders. */
export function commandsOf(page: string, folder: string, fill: (text: string) => string): PageCommand[] {
  const blocks = [...pageText(page).matchAll(/^( *)```sh\n(.*?)\n\1```$/gms)]
  const script = blocks.map(([, indent = '', text = '']) => text.replaceAll(`\n${indent}`, '\n').trim()).join('\n')
  const [record, programs] = [join(folder, 'record'), join(folder, 'programs')]
  mkdirSync(programs, { recursive: true })
  for (const name of RECORDED) {
    writeFileSync(join(programs, name), RECORDER)
    chmodSync(join(programs, name), 0o755)
  }
  writeFileSync(record, '')
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, RECORD: record }
  const { status, stderr } = spawnSync('sh', ['-eu', '-c', fill(script)], { cwd: ROOT, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${page}: ${stderr}`)
  return readFileSync(record, 'utf8')
    .split('\x1e')
    .filter(Boolean)
    .map((text) => {
      const [argv, variables] = text.split('\x1d').map((part) => part.split('\x1f').slice(0, -1)) as [
        string[],
        string[],
      ]
      const pairs = variables.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])
      return { page, argv, environment: Object.fromEntries(pairs.filter(([, value]) => value !== '')) }
    })
}
