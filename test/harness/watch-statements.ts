import { type Composed, composed, type Statement, statements } from '../../src/platform/db/statement.ts'

/** Where statements were made, as `file:line`. */
export const made = new Map<Statement, string>()
export const families = new Map<Composed, string>()
/** Files that only make statements for others. */
export const MECHANISM =
  /^src\/(platform\/db\/(statement|by-policies|listing)|platform\/jobs\/(leased-rows|due-rows)|records\/(customer|seat)-move)\.ts$/
function site(): string {
  const lines = (new Error().stack ?? '')
    .split('\n')
    .map((line) => /\/((?:src|demo)\/.+\.ts)(?:\?[^:]*)?:(\d+):/.exec(line))
  const found = lines.find((line) => line && !MECHANISM.test(line[1] as string))
  return `${found?.[1]}:${found?.[2]}`
}
/** Records everything that is added to a list of the program. */
function watch<T>(list: T[], sites: Map<T, string>): void {
  const push = list.push.bind(list)
  list.push = (...added) => {
    for (const one of added) sites.set(one, site())
    return push(...added)
  }
}
watch(statements, made)
watch(composed, families)
