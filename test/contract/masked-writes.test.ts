import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { BUILT_IN_ROLES, POLICIES, type Policies, type Policy } from '../../src/platform/access/policies.ts'
import { importables } from '../../src/registry.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { byDepth } from '../harness/depth.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { needsOf } from '../harness/needs.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import {
  type Book,
  comparable,
  HIDDEN,
  type IsMasked,
  makeTwins,
  OPEN,
  other,
  pathOf,
  type Row,
  WRITTEN,
} from '../harness/twin-books.ts'
import { MASKED_FIELDS } from './masked-fields.ts'

/**
 * Writing must not reveal what reading hides: two books that differ only in masked values give the same responses,
 * whatever a role sends. The differences follow from the entities and the table of masked fields, so new fields and
 * entities are covered automatically.
 */
const HIDING = ['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'] as const
const all = (...without: string[]): Policies => new Set(POLICIES.filter((policy) => !without.includes(policy)))
const lackingOf = (policies: Policies) => HIDING.filter((policy) => !policies.has(policy))
const ROLES: readonly (readonly [role: string, policies: Policies])[] = [
  ...Object.entries(BUILT_IN_ROLES),
  ...HIDING.map((lacking) => [`no_${lacking}`, all(lacking)] as const),
  ['no_persons', all('view_personal_data', 'view_restricted_customers')] as const,
  ['blind', all(...HIDING)] as const,
].filter(([, policies]) => lackingOf(policies).length > 0)

const RUNS = byDepth(1, 20)
const SETTINGS = { numRuns: RUNS, endOnFailure: true } // the sent values stay in the books

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  const rates = ['EUR', 'USD'].map((currency) => ({
    currency,
    day: '2026-01-01',
    baseUnits: '47',
    currencyUnits: '1',
  }))
  await cell.deps.db.asSystem('a test needs rates', (tx) => saveRates(tx, { source: 'tcmb', base: 'TRY', rates }))
})

/** What is hidden without these policies; for a restricted customer, personal data as well. */
function maskedFor(lacking: readonly Policy[]): IsMasked {
  const hidden = new Set<string>(lacking)
  if (hidden.has('view_money')) hidden.add('view_costs')
  const ofSecret = new Set(hidden.has('view_restricted_customers') ? [...hidden, 'view_personal_data'] : hidden)
  return (reading, place, isSecret) => {
    const needed = needsOf(MASKED_FIELDS[reading]).get(place) ?? []
    const amounts = needed.filter((policy) => policy === 'view_money' || policy === 'view_costs')
    // Amounts shown with a person are also in the totals, which are not personal data.
    return (amounts.length > 0 ? amounts : needed).some((policy) => (isSecret ? ofSecret : hidden).has(policy))
  }
}

type Twins = { readonly books: readonly [Book, Book]; readonly keys: readonly string[] }
const made = new Map<string, readonly [Book, Book]>()
/** Two books that differ only in values masked for the role, with a key of the role for each. */
async function twinsOf(role: string, policies: Policies): Promise<Twins> {
  const lacking = lackingOf(policies)
  const books = made.get(lacking.join()) ?? (await makeTwins(cell, maskedFor(lacking)))
  made.set(lacking.join(), books)
  const keys: string[] = []
  for (const { agency } of books) {
    if (!Object.hasOwn(BUILT_IN_ROLES, role)) await saveRoleOf(cell, agency.number, role, [...policies])
    await ask(
      cell,
      `insert into webhooks (account_id, url, events, entities, role, active, signing_key)
       values ($1, 'https://receiver.example/', '{record.created,record.updated,record.deleted}', '{}', $2, true, $3)`,
      [agency.number, role, cell.deps.signingKeys.seal(signingKeyOf('whsec_test'))],
    )
    keys.push((await agency.makeKey({ role })).key)
  }
  return { books, keys }
}

type Ask = { readonly method: string; readonly path: string | ((book: Book) => string); readonly body?: unknown }
/** Sends a request to both books, expects equal responses, and returns the response. */
async function askBoth({ books, keys }: Twins, { method, path, body }: Ask): Promise<string> {
  const answers: string[] = []
  for (const [nth, book] of books.entries()) {
    const call = { key: keys[nth] as string, ...(body !== undefined && { body }) }
    const { status, text } = await cell.call(method, typeof path === 'string' ? path : path(book), call)
    answers.push(`${status} ${comparable(text)}`)
  }
  expect(answers[1]).toBe(answers[0])
  return answers[0] as string
}

/** The effects of the role's writes that are visible or stored. */
async function compareEffects({ books }: Twins, role: string): Promise<void> {
  await fanOutEvents(cell)
  const effects = []
  for (const { agency } of books) {
    const events = await ask<{ payload: string }>(
      cell,
      `select p.payload from webhook_payloads p join webhook_events e on e.account_id = p.account_id and e.id = p.event_id
       where p.account_id = $1 and p.role = $2`,
      [agency.number, role],
    )
    const audit = await ask(cell, 'select action from audit_log where account_id = $1 order by action', [agency.number])
    const { data } = {
      data: events.map(({ payload }) => (JSON.parse(cell.opened(agency.number, payload)) as { data: Row }).data),
    }
    const imported = data
      .filter(({ external_id }) => external_id !== null)
      .map((one) => comparable(JSON.stringify(one)))
    effects.push({ events: imported.toSorted(), audit })
  }
  expect(effects[1]).toEqual(effects[0])
}

/** Of both customers in either book, and unknown ones. */
const EMAILS = [
  'crm0@example.com',
  'other.crm0@example.com',
  'crm1@example.com',
  'other.crm1@example.com',
  'c@example.com',
]
const CUSTOMERS = fc.constantFrom(...EMAILS, HIDDEN, OPEN, 'nobody', null)
/** A cell as either book has it, as neither does, or empty. */
function cellsOf(fields: Fields, rows: readonly Row[]): Record<string, fc.Arbitrary<unknown>> {
  const cells = Object.entries(fields).map(([name, field]): [string, fc.Arbitrary<unknown>] => {
    const known = rows.map((row) => row[name] ?? null)
    const more = known.filter((value) => value !== null).slice(0, 1)
    return [name, fc.constantFrom(...known, ...more.map((value) => other(field, value)), null)]
  })
  const own = Object.fromEntries(cells.filter(([name]) => name !== 'external_id'))
  return 'customer_external_id' in own ? { ...own, customer_external_id: CUSTOMERS } : own
}
/** Up to three of the cells. */
const someOf = (cells: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Row> =>
  fc
    .subarray(Object.keys(cells), { minLength: 1, maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, cells[name] as fc.Arbitrary<unknown>]))))

/** Rows that change one to three cells of existing records, and rows of new records. */
function batchOf(role: string, fields: Fields, rows: readonly Row[]) {
  const cells = cellsOf(fields, rows)
  const named = (ids: readonly unknown[], row: fc.Arbitrary<Row>) =>
    fc.tuple(fc.constantFrom(...ids), row).map(([external_id, cells]) => ({ ...cells, external_id }))
  const known = rows.map(({ external_id }) => external_id)
  const whole = fc.constantFrom(...rows).chain((row) => someOf(cells).map((some) => ({ ...row, ...some })))
  return fc.record({
    rows: fc
      .tuple(
        fc.array(named(known, someOf(cells)), { minLength: 10, maxLength: 10 }),
        fc.array(
          named(
            [1, 2, 3].map((nth) => `${role} ${nth}`),
            whole,
          ),
          { minLength: 2, maxLength: 2 },
        ),
      )
      .map((lists) => lists.flat()),
    on_conflict: fc.constantFrom('update', 'update', 'skip'),
  })
}

describe.each(ROLES)('%s cannot find out hidden values', (role, policies) => {
  it.runIf(policies.has('import_records'))('by an import of anything, nor by its dry run', async () => {
    const twins = await twinsOf(role, policies)
    let answers = ''
    for (const { entity } of importables) {
      const { key, fields } = entity
      const rows = twins.books.flatMap((book) => book.rows.get(key) ?? [])
      await fc.assert(
        fc.asyncProperty(batchOf(role, fields, rows), async (batch) => {
          for (const path of [`/imports/${key}/validate`, `/imports/${key}`])
            answers += await askBoth(twins, { method: 'POST', path, body: { ...batch, mode: 'sync' } })
          await askBoth(twins, { method: 'GET', path: `/imports/${key}/records?limit=100` })
        }),
        SETTINGS,
      )
    }
    for (const nth of [0, 1])
      await askBoth(twins, { method: 'GET', path: ({ ids }) => `/customers/${ids.customers?.[nth]}/travelers` })
    await compareEffects(twins, role)
    for (const outcomeName of ['created', 'updated', 'unchanged'])
      expect(answers).toContain(`"status":"${outcomeName}"`)
    expect(answers).toContain('not_permitted')
  })

  const isWriter = policies.has('manage_customers') && policies.has('manage_leads')
  it.runIf(isWriter)('by a change of a customer, a lead or a note', async () => {
    const twins = await twinsOf(role, policies)
    for (const { reading, route, entity, as, fields } of WRITTEN) {
      const cells = cellsOf(
        fields,
        twins.books.flatMap((book) => book.rows.get(reading) ?? []),
      )
      const change = fc.record({ nth: fc.nat(1), given: someOf(cells) })
      await fc.assert(
        fc.asyncProperty(change, async ({ nth, given }) => {
          const path = (book: Book) => pathOf(route, book, entity, nth)
          await askBoth(twins, { method: 'PATCH', path, body: { [as]: given } })
        }),
        { ...SETTINGS, numRuns: 12 * RUNS },
      )
      await askBoth(twins, { method: 'GET', path: `/imports/${entity}/records?limit=100` })
    }
    await compareEffects(twins, role)
  })

  it.runIf(policies.has('manage_leads'))('by the conversion of a lead', async () => {
    const twins = await twinsOf(role, policies)
    for (const email of EMAILS) {
      const leads: string[] = []
      for (const [nth, key] of twins.keys.entries()) {
        const body = { lead: { name: 'Text', email } }
        const answer = await cell.call('POST', '/leads', { key, body })
        leads[nth] = (answer.body as { data: { id: string } }).data.id
      }
      const path = (book: Book) => `/leads/${leads[twins.books.indexOf(book)]}/convert`
      await askBoth(twins, { method: 'POST', path, body: {} })
    }
    for (const nth of [0, 1]) {
      const path = ({ ids }: Book) => `/leads/${ids.leads?.[nth]}/convert`
      await askBoth(twins, { method: 'POST', path, body: {} })
    }
    await askBoth(twins, { method: 'GET', path: '/customers?limit=100' })
  })

  it('by a message that came', async () => {
    const twins = await twinsOf(role, policies)
    const numbers = ['+905321234567', '+905321234568']
    for (const [channel, addresses] of Object.entries({ email: EMAILS, sms: numbers, whatsapp: numbers }))
      for (const from_address of addresses) {
        const communication = { direction: 'inbound', channel, from_address, body_plain: 'Hello' }
        await askBoth(twins, { method: 'POST', path: '/communications', body: { communication } })
      }
    await askBoth(twins, { method: 'GET', path: '/communications?limit=100' })
  })
})
