import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field } from '../../src/catalogue/kind.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import type { PublishedRates } from '../../src/features/exchange-rates/formats/published-rates.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { readInstant } from '../../src/platform/time.ts'
import { importables } from '../../src/registry.ts'
import { runsOf, settings } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency, type Result } from '../harness/agency.ts'
import { rowOf } from '../harness/arbitrary-rows.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

const RATES: PublishedRates = {
  source: 'tcmb',
  base: 'TRY',
  rates: [{ currency: 'EUR', day: '2026-03-02', baseUnits: '47.1234', currencyUnits: '1' }],
}
const BATCHES = runsOf(6)
let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  await cell.deps.db.asSystem('a test needs a rate', (tx) => saveRates(tx, RATES))
})

/** The whole database, except for values that depend on time: the rows of each table, and their hashes. */
async function checksum(client: Client): Promise<string> {
  const { rows } = await client.query({ name: 'sums', text: sums })
  return rows.map(({ name, count, sum }) => `${name} ${count} ${sum}`).join('\n')
}
let sums = ''
beforeAll(async () => {
  const tables = await withClient(cell.connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables
       where schemaname = 'public' and tablename not in ('rate_windows', 'migrations') order by 1`,
    )
    return rows
  })
  const selects = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as count, sum(hashtextextended(t::text, 0)::numeric) as sum from ${name} t`,
  )
  sums = `${selects.join(' union all ')} order by name`
})

/** What a dry run and the commit of the same rows must have in common: everything except new ids. */
const comparable = ({ counts, ignored_fields, rows }: Result) => {
  const made = new Set(rows.filter(({ status }) => status === 'created').map(({ id }) => id))
  return {
    counts,
    ignored_fields,
    rows: rows.map((outcome) => ({ ...outcome, id: made.has(outcome.id) ? null : outcome.id })),
  }
}

it('entities are registered in their order of import, which is how the catalogue lists them', () => {
  const orders = importables.map(({ entity }) => entity.dependencyOrder)
  expect(orders).toEqual(orders.toSorted((a, b) => a - b))
})

let agency: Agency
/** What became of the samples that the catalogue publishes. */
const samples = new Map<string, Result>()
beforeAll(async () => {
  agency = await makeAgency(cell)
  for (const { entity } of importables) {
    const { body } = await cell.call('GET', `/imports/entities/${entity.key}`, { key: agency.key })
    const { sample } = (body as { entity: { sample: object } }).entity
    const answer = await cell.call('POST', `/imports/${entity.key}`, { key: agency.key, body: sample })
    samples.set(entity.key, (answer.body as { data: Result }).data)
  }
})

it('published samples are taken as they are, each linked to those before it', () => {
  for (const { entity } of importables) {
    const { counts, rows = [] } = samples.get(entity.key) ?? {}
    expect([entity.key, counts]).toMatchObject([entity.key, { created: entity.sample.rows.length, failed: 0 }])
    expect([entity.key, ...rows.flatMap(({ warnings }) => warnings)]).toEqual([entity.key])
  }
})

describe.each(importables.map(({ entity }) => [entity.key, entity] as const))('%s', (key, entity) => {
  it('publishes every field with what reading knows of it', async () => {
    const { body } = await cell.call('GET', `/imports/entities/${key}`, { key: agency.key })
    const { fields, references } = (
      body as {
        entity: {
          fields: { key: string; type: string; enum_values: string[]; max_length: number | null }[]
          references: object[]
        }
      }
    ).entity
    expect(fields.map((field) => field.key)).toEqual(Object.keys(entity.fields))
    for (const field of fields) {
      expect(field.enum_values).toEqual([...(entity.fields[field.key]?.enumValues ?? [])])
      expect(field.max_length).toBe(entity.fields[field.key]?.maxLength ?? null)
    }
    expect(references).toHaveLength(fields.filter(({ type }) => type === 'reference').length)
  })

  it('refuses every bad example of every field, naming the field, and takes the row beside it', async () => {
    const good = entity.sample.rows[0] as Record<string, unknown>
    const cases = Object.entries(entity.fields).flatMap(([name, field]: [string, Field]) =>
      field.bad.map((cell) => ({ name, cell })),
    )
    for (let at = 0; at < cases.length; at += 100) {
      const part = cases.slice(at, at + 100)
      const rows = part.map(({ name, cell }, nth) => ({ ...good, external_id: `bad-${at + nth}`, [name]: cell }))
      const { rows: outcomes } = await importRows(cell, agency.key, key, rows, {}, true)
      for (const [nth, { name, cell: bad }] of part.entries()) {
        const outcome = outcomes[nth]
        expect([name, bad, outcome?.status]).toEqual([name, bad, 'failed'])
        expect(outcome?.errors.some(({ field }) => field.startsWith(name))).toBe(true)
      }
    }
  })

  it('reads back the written values, field by field', async () => {
    for (const row of entity.sample.rows) {
      const { body } = await cell.call('GET', `/imports/${key}/records/${row.external_id}`, { key: agency.key })
      const record = (body as { data: Record<string, unknown> }).data
      for (const [name, cell] of Object.entries(row)) {
        const field = entity.fields[name] as Field
        if (field.reference || field.items || field.type === 'phone') continue
        const expected = field.type === 'datetime' ? readInstant(String(cell), 'Europe/Istanbul') : cell
        expect([name, record[name]]).toEqual([name, expected])
      }
    }
  })

  it('validate answers what commit answers, row by row, and changes nothing', {
    timeout: 60_000 + 5_000 * BATCHES,
  }, async () => {
    const model = await makeAgency(cell)
    const others = importables.filter(({ entity: other }) => other.dependencyOrder < entity.dependencyOrder)
    for (const { entity: other } of others) {
      const [sample] = other.sample.rows
      const rows = [0, 1, 2].map((at) => ({
        ...sample,
        external_id: `R${at}`,
        ...('email' in other.fields && { email: 'r1@example.com' }),
        ...('code' in other.fields && { code: `CODE${at}` }),
        ...('passengers' in other.fields && { passengers: [{ first_name: 'A', last_name: 'B' }] }),
        ...('invoice_number' in other.fields && { invoice_number: `N${at}` }),
      }))
      await importRows(cell, model.key, other.key, rows)
    }
    await withClient(cell.connection, async (client) => {
      await client.query('set role backdesk_system')
      // To start other processes takes ten times as long as all of the reading.
      await client.query('set max_parallel_workers_per_gather = 0')
      await fc.assert(
        fc.asyncProperty(
          fc.array(rowOf(entity), { minLength: 1, maxLength: 12 }),
          fc.record({
            on_conflict: fc.constantFrom('skip', 'update'),
            decimal_separator: fc.constantFrom(undefined, '.', ','),
          }),
          async (rows, options) => {
            const before = await checksum(client)
            const validated = await importRows(cell, model.key, key, rows, options, true)
            expect(await checksum(client)).toBe(before)
            const committed = await importRows(cell, model.key, key, rows, options)
            expect(comparable(validated)).toEqual(comparable(committed))
            const again = await importRows(cell, model.key, key, rows, options)
            expect(again.counts.created).toBe(0)
          },
        ),
        { numRuns: BATCHES, seed: settings.seed },
      )
    })
  })
})

describe('the template of an entity', () => {
  let own: Agency[]
  beforeAll(async () => {
    own = [await makeAgency(cell), await makeAgency(cell)]
  })
  it.each(importables.map(({ entity }) => [entity.key, entity] as const))(
    '%s is its sample as a table that can be imported',
    async (key, entity) => {
      const answer = await cell.call('GET', `/imports/entities/${key}/template.csv`, { key: agency.key })
      expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
        200,
        'text/csv; charset=utf-8',
        `attachment; filename="${key}.csv"`,
      ])
      const [header = [], ...lines] = parse(answer.text) as string[][]
      expect(header).toEqual(Object.keys(entity.fields))
      const rows = lines.map((cells) =>
        Object.fromEntries(
          header
            .map((name, at) => [name, cells[at] ?? ''])
            .filter(([, cell]) => cell !== '')
            .map(([name = '', cell = '']) => [name, entity.fields[name]?.items ? JSON.parse(cell) : cell]),
        ),
      )
      const [typed, filled] = await Promise.all(
        [entity.sample.rows, rows].map((rows, at) =>
          importRows(cell, (own[at] as Agency).key, key, [...rows], {}, true),
        ),
      )
      expect(filled).toMatchObject({ counts: typed?.counts, rows: typed?.rows })
    },
  )
  it('of an unknown entity is not found', async () => {
    expect((await cell.call('GET', '/imports/entities/charters/template.csv', { key: agency.key })).status).toBe(404)
  })
})
