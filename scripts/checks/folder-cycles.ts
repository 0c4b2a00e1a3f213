// Cycles of imports between folders, found in what dependency-cruiser read. Its own rule for folders takes a folder and
// those inside it as strangers, and folders that a cycle can be reached from as part of it: 591 findings, three cycles.
import { dirname } from 'node:path'

type Module = { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] }

/** Imports between folders that close a cycle, with the reason why they stay. The list only gets shorter. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src -> demo': 'the command `demo` and the first `serve` make the demo agency',
}

const ROOTS = /^(src|demo|packages)\//
const TEST = /\.test\.ts$/

/**
 * Problems of the folders: each cycle between neighbours (folders in the same folder, with all their files), and each
 * unneeded exception. Files next to folders are not included.
 */
export function folderCycles(modules: readonly Module[]): string[] {
  const imports = new Map<string, Map<string, string>>()
  for (const { source, dependencies } of modules)
    if (ROOTS.test(source) && !TEST.test(source))
      for (const { resolved } of dependencies) {
        const [from, to] = ROOTS.test(resolved) ? neighbours(source, resolved) : []
        if (from === undefined || to === undefined) continue
        imports.set(from, (imports.get(from) ?? new Map()).set(to, `${source} imports ${resolved}`))
      }
  const closes = (from: string, to: string, without: (name: string) => boolean): boolean => {
    const seen = new Set<string>()
    const reaches = (folder: string): boolean => {
      if (folder === from) return true
      if (seen.has(folder)) return false
      seen.add(folder)
      return [...(imports.get(folder)?.keys() ?? [])].some((next) => !without(nameOf(folder, next)) && reaches(next))
    }
    return reaches(to)
  }
  const problems: string[] = []
  for (const [from, edges] of imports)
    for (const [to, example] of edges)
      if (!(nameOf(from, to) in EXCEPTIONS) && closes(from, to, (name) => name in EXCEPTIONS))
        problems.push(`${nameOf(from, to)} is part of a cycle of folders: ${example}`)
  for (const name of Object.keys(EXCEPTIONS)) {
    const [from = '', to = ''] = name.split(' -> ')
    const isNeeded = imports.get(from)?.has(to) && closes(from, to, (other) => other !== name && other in EXCEPTIONS)
    if (!isNeeded) problems.push(`${name} closes no cycle of folders any more: remove it from EXCEPTIONS`)
  }
  return problems
}

const nameOf = (from: string, to: string): string => `${from} -> ${to}`

/** The folders in which the paths of two files part; none if one of the files is directly there. */
function neighbours(a: string, b: string): [string, string] | [] {
  const [from, to] = [dirname(a).split('/'), dirname(b).split('/')]
  const at = from.findIndex((name, index) => name !== to[index])
  return at < 0 || at >= to.length ? [] : [from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')]
}
