import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { BUILT_IN_ROLES, type Demand, POLICIES, type Policies } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { entities } from '../../src/registry.ts'
import type { TestCell } from './cell.ts'
import { exampleOf } from './examples.ts'
import { fanOutEvents } from './fan-out.ts'
import { fillIn } from './fill-in.ts'
import { type FullAgency, makeFullAgency } from './full-agency.ts'
import { tableOfPath } from './id-kinds.ts'
import { routes } from './routes.ts'
import { saveRoleOf } from './settings.ts'
import { ask } from './sql.ts'
import { fieldsOf, fieldsOfSchema } from './visible-fields.ts'
import { makeWholeRecords } from './whole-records.ts'

/** What roles read by a GET, under the name that the table has for it. */
type Reading = {
  readonly name: string
  readonly path: string
  readonly fields: ReadonlySet<string>
  readonly policy: Demand
}
/** An agency with a value in every field of every record, its readings, and a key of each role. */
export type MaskedAgency = FullAgency & {
  readonly readings: readonly Reading[]
  readonly keys: ReadonlyMap<string, string>
}

/** The built-in roles, and for each thing that a role may see, one that sees all but that. */
export const ROLES: ReadonlyMap<string, Policies> = new Map([
  ...Object.entries(BUILT_IN_ROLES),
  ...POLICIES.filter((policy) => policy.startsWith('view_')).map(
    (lacking) => [`no_${lacking}`, new Set(POLICIES.filter((policy) => policy !== lacking))] as const,
  ),
])

/** Reports have their own columns, which reports-masking.test.ts covers; files have none in the document. */
const isElsewhere = (path: string) => /^\/(saved_)?reports\/:id$|\.(csv|xlsx)$/.test(path)
const RECORDS = '/imports/:entity/records'
const SOME = 2

export async function makeMaskedAgency(cell: TestCell): Promise<MaskedAgency> {
  const full = await makeFullAgency(cell, 'Zümrüt')
  const { agency } = full
  await ask(cell, 'delete from restricted_tags') // who is behind one is hidden by other rules, and tests
  const keys = new Map<string, string>()
  for (const [name, policies] of ROLES) {
    if (!Object.hasOwn(BUILT_IN_ROLES, name)) await saveRoleOf(cell, agency.number, name, [...policies])
    keys.set(name, (await agency.makeKey({ role: name })).key)
  }
  const reads = routes.filter(({ method, path }) => method === 'GET' && !isElsewhere(path))
  /** For each resource with nested records, the parameters of one that has some. */
  const inside: Record<string, Readonly<Record<string, string>>> = {}
  for (const route of reads.filter(({ path }) => (path.match(/:/g)?.length ?? 0) > 1 && !path.startsWith(RECORDS)))
    inside[route.path.split('/')[1] ?? ''] = (await exampleOf(route, cell, agency)).params ?? {}
  await subscribeRoles(cell, agency.number)
  await makeWholeRecords(cell, agency)
  await fanOutEvents(cell)
  await fillIn(cell, agency)
  const ids = { ...full.ids, webhooks: [inside.webhooks?.id ?? ''] } // examples leave but one
  const readings = reads.flatMap((route) => readingsOf(route, { ...full, ids }, inside))
  return { ...full, ids, readings, keys }
}

/** Later events are delivered to a subscription of each role. */
async function subscribeRoles(cell: TestCell, account: number): Promise<void> {
  const key = cell.deps.signingKeys.seal(signingKeyOf('whsec_test'))
  for (const role of ROLES.keys())
    await ask(
      cell,
      `insert into webhooks (account_id, url, events, entities, role, active, signing_key)
       values ($1, 'https://receiver.example/', '{record.created}', '{}', $2, true, $3)`,
      [account, role, key],
    )
}

function readingsOf(
  { path, policy, answers }: Route,
  { agency, ids }: FullAgency,
  inside: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Reading[] {
  if (path === RECORDS)
    return entities.map(({ entity: { key, model } }) => ({
      name: `records of ${key}`,
      path: `/imports/${key}/records?limit=100`,
      fields: fieldsOfSchema(`${model}Record`),
      policy,
    }))
  if (path.startsWith(RECORDS)) return [] // one of those
  const fields = new Set([...fieldsOf('GET', path, answers.status)].filter((field) => !field.startsWith('page.')))
  const name = path.replace(/\/:\w+/g, '')
  return pathsOf().map((path) => ({ name, path, fields, policy }))

  /** The addresses of some of the records that the path can name. */
  function pathsOf(): string[] {
    const [resource = ''] = path.split('/').filter(Boolean)
    const params = path.match(/:\w+/g) ?? []
    if (path === '/performance') return [path, `${path}?advisor_id=${agency.advisor}`]
    if (params.length === 0) return [path]
    if (params.length > 1) return [path.replace(/:(\w+)/g, (_, name: string) => inside[resource]?.[name] ?? 'none')]
    if (path.startsWith('/imports/entities')) return ['hotel_stays', 'tickets'].map((key) => path.replace(':key', key))
    const table = tableOfPath(path, 'id')
    const own = ids[table] ?? []
    if (own.length === 0) throw new Error(`${path}: the agency of test/harness/full-agency.ts has no row of ${table}.`)
    return [...new Set([...own.slice(0, SOME), ...own.slice(-SOME)])].map((id) => path.replace(/:\w+/, id))
  }
}
