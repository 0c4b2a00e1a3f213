import { beforeAll, describe, expect, it } from 'vitest'
import { saveRole } from '../../src/features/accounts/commands/save-role.ts'
import { BUILT_IN_ROLES, POLICIES, type Policies } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { entities, routesOf } from '../../src/registry.ts'
import { OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { exampleOf } from '../harness/examples.ts'
import { type FullAgency, makeFullAgency } from '../harness/full-agency.ts'
import { ask } from '../harness/sql.ts'
import { fieldsOf, fieldsOfSchema, visibleIn } from '../harness/visible-fields.ts'
import { MASKED_FIELDS } from './masked-fields.ts'

/** What roles read by a GET, under the name that the table has for it. */
type Reading = {
  readonly name: string
  readonly path: string
  readonly fields: ReadonlySet<string>
  readonly policy: string | null
}

const routes = routesOf({ importLimits: { maxRows: 500, syncRows: 100 } }).filter(({ method }) => method === 'GET')
/** Reports have columns of their own, which reports-masking.test.ts knows; files have none in the document. */
const isElsewhere = (path: string) => /^\/(saved_)?reports\/:id$|\.(csv|xlsx)$/.test(path)
const RECORDS = '/imports/:entity/records'

/** Words of the table that are no policies. */
const NEEDED: Readonly<Record<string, readonly string[] | null>> = { nothing: [], untold: null }
const TABLES: Readonly<Record<string, string>> = { ticket_imports: 'ticket_captures', imports: 'import_batches' }
const SOME = 2

let cell: TestCell
let own: FullAgency
const MASKING = POLICIES.filter((policy) =>
  /^view_(money|costs|personal_data|restricted_customers|message_content)$/.test(policy),
)
const roles = new Map<string, Policies>(Object.entries(BUILT_IN_ROLES))
for (const lacking of MASKING) roles.set(`no_${lacking}`, new Set(POLICIES.filter((policy) => policy !== lacking)))
const readings: Reading[] = []
/** Of each resource with records inside a record, the parameters of one that has some. */
const whole: Record<string, Readonly<Record<string, string>>> = {}

beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  own = await makeFullAgency(cell, 'Zümrüt')
  await ask(cell, 'delete from restricted_tags') // who is behind one is hidden by other rules, and tests
  await cell.deps.db.asSystem('a test makes roles', async (tx) => {
    for (const [name, policies] of roles)
      if (name.startsWith('no_')) await saveRole(tx, own.agency.number, name, [...policies], OPERATOR)
  })
  for (const route of routes.filter(({ path }) => (path.match(/:/g)?.length ?? 0) > 1 && !path.startsWith(RECORDS)))
    whole[route.path.split('/')[1] ?? ''] = (await exampleOf(route, cell, own.agency)).params ?? {}
  own = { ...own, ids: { ...own.ids, webhooks: [whole.webhooks?.id ?? ''] } } // there is but one at a time
  for (const route of routes.filter(({ path }) => !isElsewhere(path))) readings.push(...(await readingsOf(route)))
})

async function readingsOf({ path, policy, answers }: Route): Promise<Reading[]> {
  if (path === RECORDS)
    return entities.map(({ entity: { key, model } }) => ({
      name: `records of ${key}`,
      path: `/imports/${key}/records`,
      fields: fieldsOfSchema(`${model}Record`),
      policy,
    }))
  if (path.startsWith(RECORDS)) return [] // one of those
  const fields = fieldsOf('GET', path, answers.status)
  const name = path.replace(/\/:\w+/g, '')
  return (await pathsOf(path)).map((path) => ({ name, path, fields, policy }))
}

/** The addresses of some of the records that a path can name. */
async function pathsOf(path: string): Promise<string[]> {
  const [resource = ''] = path.split('/').filter(Boolean)
  const params = path.match(/:\w+/g) ?? []
  if (params.length === 0) return [path]
  if (params.length > 1) return [path.replace(/:(\w+)/g, (_, name: string) => whole[resource]?.[name] ?? 'none')]
  if (path.startsWith('/imports/entities')) return [path.replace(':key', 'hotel_stays')]
  const ids = own.ids[TABLES[resource] ?? resource] ?? []
  return [...new Set([...ids.slice(0, SOME), ...ids.slice(-SOME)])].map((id) => path.replace(/:\w+/, id))
}

/** What a role sees of everything that is read, by the name of the reading; null where it may not read it at all. */
async function seenBy(role: string, policies: Policies): Promise<Map<string, Set<string>>> {
  const { key } = await own.agency.makeKey({ role })
  const seen = new Map<string, Set<string>>()
  for (const { name, path, fields, policy } of readings) {
    const answer = await cell.call('GET', path, { key })
    const mayRead = policy === null || policies.has(policy as 'view_money')
    expect([role, path, answer.status]).toEqual([role, path, mayRead ? 200 : 403])
    if (mayRead) seen.set(name, (seen.get(name) ?? new Set()).union(visibleIn(answer.body, fields)))
  }
  return seen
}

/** The table, as the policies that each field of a reading needs; null where no record of the test has the field. */
const needs = (name: string): ReadonlyMap<string, readonly string[] | null> =>
  new Map(
    Object.entries(MASKED_FIELDS[name] ?? {}).flatMap(([needed, fields]) =>
      fields
        .trim()
        .split(/\s+/)
        .map((field) => [field, NEEDED[needed] ?? needed.split(' ')] as const),
    ),
  )

describe('the table of masked fields', () => {
  it('names every field of every answer that is read, and no other', () => {
    for (const [name, same] of Map.groupBy(readings, (reading) => reading.name)) {
      const fields = same.flatMap((reading) => [...reading.fields])
      expect([name, [...needs(name).keys()].toSorted()]).toEqual([name, [...new Set(fields)].toSorted()])
    }
    expect(Object.keys(MASKED_FIELDS).toSorted()).toEqual([...new Set(readings.map(({ name }) => name))].toSorted())
  })

  it('says of every role what it sees and what it does not', { timeout: 60_000 }, async () => {
    for (const [role, policies] of roles)
      for (const [name, seen] of await seenBy(role, policies)) {
        const shown = [...needs(name)].flatMap(([field, needed]) =>
          needed?.every((policy) => policies.has(policy as 'view_money')) ? field : [],
        )
        expect([role, name, [...seen].toSorted()]).toEqual([role, name, shown.toSorted()])
      }
  })
})
