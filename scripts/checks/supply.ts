// The supply chain: exact versions with checksums, allowed licences, no unknown install scripts, and no advisories for
// runtime packages. If the registry does not respond, the missing advisories are reported and do not fail the check.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}
type Manifest = Readonly<
  Record<'dependencies' | 'devDependencies', Record<string, string>> & { allowScripts: Record<string, boolean> }
>

const LICENCES = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'])
/** Licences of tools, and of their data, that are not distributed with the program. */
const TOOL_LICENCES = new Set(['CC-BY-4.0', 'MPL-2.0', 'BlueOak-1.0.0', 'Python-2.0', 'Unlicense', 'Zlib'])
/** Tools whose lockfile entry states no licence; their own files state MIT or public domain. */
const LICENCE_NOT_STATED = new Set(['busboy', 'dicer', 'humanize-number', 'only', 'reserved', 'streamsearch'])
const AUDIT_MS = 20_000
/** Advisories that are accepted. */
const SMALL: readonly string[] = ['info', 'low']

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as T
const manifest = read<Manifest>('package.json')
const WORKSPACES = globSync('packages/*/package.json', { cwd: new URL('../..', import.meta.url) })
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json')
const faults = [...inexact(), ...Object.entries(packages).flatMap(([path, locked]) => faultsOf(path, locked))]
const audited = audit()
for (const fault of [...faults, ...audited.faults]) process.stdout.write(`${fault}\n`)
process.stdout.write(`${Object.keys(packages).length - 1} packages. ${audited.summary}\n`)
process.exitCode = faults.length + audited.faults.length === 0 ? 0 : 1

function inexact(): string[] {
  const manifests = [manifest, ...WORKSPACES.map((file) => read<Partial<Manifest>>(file))]
  const wanted = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  )
  return wanted.flatMap(([name, version]) =>
    /^\d[\w.+-]*$/.test(version) ? [] : [`${name} ${version} is not an exact version`],
  )
}

function faultsOf(path: string, { license, integrity, dev, link, hasInstallScript }: Locked): string[] {
  if (!path.includes('node_modules/') || link) return [] // the program itself and its own packages
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const isKnown =
    allows(license, dev === true) || (dev === true && license === undefined && LICENCE_NOT_STATED.has(name))
  return [
    ...(isKnown ? [] : [`${name} is licensed as ${license ?? 'unknown'}`]),
    ...(integrity === undefined ? [`${name} has no checksum`] : []),
    ...(hasInstallScript && !Object.hasOwn(manifest.allowScripts, name)
      ? [`${name} runs a script when it is installed`]
      : []),
  ]
}

/** `A OR B`, also in lower case, needs one allowed licence; `A AND B` needs both. */
function allows(licence: string | undefined, isTool: boolean): boolean {
  const holds = (one: string) => LICENCES.has(one) || (isTool && TOOL_LICENCES.has(one))
  const choices = (licence ?? '').replace(/^\(|\)$/g, '').split(/ or /i)
  return choices.some((choice) => choice.split(' AND ').every(holds))
}

function audit(): { summary: string; faults: string[] } {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    encoding: 'utf8',
    timeout: AUDIT_MS,
    shell: process.platform === 'win32', // npm is a script there
  })
  const advisories = advisoriesIn(stdout ?? '')
  if (advisories === null)
    return { summary: 'Advisories were not looked up: the registry does not answer.', faults: [] }
  const faults = Object.entries(advisories).flatMap(([name, { severity }]) =>
    SMALL.includes(severity) ? [] : [`${name} has an advisory: ${severity}`],
  )
  return { summary: 'The registry was asked for advisories.', faults }
}

function advisoriesIn(text: string): Record<string, { severity: string }> | null {
  try {
    return JSON.parse(text).vulnerabilities ?? null
  } catch {
    return null
  }
}
