import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { exchangeItem, refundItem } from '../../src/features/ticket-printer/after-sale.ts'
import { saleRow } from '../../src/features/ticket-printer/sale-row.ts'
import type { TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { WHOLE_TICKET_FILE } from '../harness/whole-ticket-file.ts'
import { everyFixture } from './every-fixture.ts'
import { airEmds, airIssues, airRefunds } from './writers/air-arbitraries.ts'
import { meaningOf as meaningOfAir } from './writers/air-meaning.ts'
import { iurScenarios } from './writers/iur-arbitraries.ts'
import { meaningOf as meaningOfIur } from './writers/iur-meaning.ts'
import { meaningOf as meaningOfMir } from './writers/mir-meaning.ts'
import { anyMir } from './writers/mir-scenarios.ts'
import { anyNdc, meaningOfNdc } from './writers/ndc.ts'
import { anyPegasus, meaningOfPegasus } from './writers/pegasus.ts'
import { anySirena, meaningOfSirena } from './writers/sirena.ts'
import { anyTkt, meaningOfTkt } from './writers/tkt.ts'

/** Fields that a sale does not keep, and why. The capture shows all of them. */
const NOT_IN_SALE: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^(?:format|version|action|training|made\.|part\.|warnings)/, 'of the file, not of the sale'],
  [/^(?:clientAccount|validatingAirline\.)/, 'leads to the customer and the supplier'],
  [/^paid\./, 'is the currency of a sale without prices; its amount is in a warning'],
  [/^(?:bsp|documents\[\]\.passenger|passengers\[\]\.seats\[\]\.leg)$/, 'shown in another form'],
  [/^airlineLocators\[\]/, 'of airlines without a flight'],
  [/\.nature$/, 'of no use to a mid-office'],
  [/(?<!fare\.base)\.currency$/, 'amounts are in the currency of the sale'],
  [/^documents\[\]\.(?:netFare|sellingFare|commission)\b/, 'the commission follows from them'],
  [/^documents\[\]\.fare\.total\b/, 'the price follows from it'],
  [/^documents\[\]\.refund\.commissionRecall\b/, 'rounded to the digits of an amount'],
]
/** The price of a refunded or exchanged document is the refunded amount or the amount paid on top. */
const FARE = /^documents\[\]\.(?:fare|serviceFee)\b/

/** Longer tax codes are truncated. */
const TAX_CODE = 10

type Leaf = { readonly path: string; readonly value: string | number | boolean }
function leavesOf(value: unknown, path = ''): Leaf[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, `${path}[]`))
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path ? `${path}.${name}` : name))
  return [{ path, value: value as Leaf['value'] }]
}
const DECIMAL = /^-?\d+(?:\.\d+)?$/
/** Amounts without sign and trailing zeros; other texts unchanged. */
const plain = (value: unknown): string =>
  typeof value === 'string' && DECIMAL.test(value) && /^-|\./.test(value)
    ? String(Math.abs(Number(value)))
    : String(value)

/** The values of a file that its sale does not contain. */
function lostIn(file: TicketFile, sale: unknown): Leaf[] {
  const texts = leavesOf(sale).map(({ value }) => plain(value))
  const known = new Set(texts)
  const long = texts.filter((text) => text.length > 20)
  const isFaceValue = file.documents.every(({ refund, exchange }) => !refund && !exchange)
  return leavesOf(file)
    .filter(({ path }) => !NOT_IN_SALE.some(([pattern]) => pattern.test(path)))
    .filter(({ path }) => isFaceValue || !FARE.test(path))
    .filter(({ path, value }) => {
      const text = path.endsWith('axes[].code') ? plain(value).slice(0, TAX_CODE) : plain(value)
      const digits = text.replace(/^00/, '')
      return !(
        known.has(text) ||
        known.has(`+${digits}`) ||
        long.some((one) => one.includes(text) || text.startsWith(one))
      )
    })
}

const READ = { decimalSeparator: '.', country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' } as const
/** Passengers without a document and items that are not flights do not belong to a sale. */
function soldOf(file: TicketFile): TicketFile {
  const sold = new Set(file.documents.map(({ passenger }) => passenger))
  return { ...file, passengers: file.passengers.filter((_, at) => sold.has(at)) }
}
function saleOf(file: TicketFile) {
  const { row, warnings } = saleRow(file, file.documents, { sale: null, read: READ })
  return {
    warnings,
    row: {
      ...row,
      refunds: file.documents.filter(({ refund }) => refund).map((document) => refundItem(document, '2026-03-02')),
      exchanges: file.documents.filter(({ exchange }) => exchange).map(exchangeItem),
    },
  }
}
const isSale = ({ documents, action }: TicketFile) =>
  documents.length > 0 && (action === 'issue' || action === 'exchange' || action === 'refund')
/** Warnings about amounts, flights and values that a record cannot have. */
const LEAVE_OUT = new Set(['other_currency', 'leg_unread', 'value_left_out'])

function expectKept(file: TicketFile, name: string): void {
  if (!isSale(file)) return
  const { row, warnings } = saleOf(file)
  if (warnings.some(({ code }) => LEAVE_OUT.has(code))) return
  expect([name, lostIn(soldOf(file), row)]).toEqual([name, []])
}

describe('a sale has every value of its file', () => {
  it('for every fixture', () => {
    for (const { folder, name, expected } of everyFixture())
      if (!('unreadable' in expected)) expectKept(expected, `${folder}/${name}`)
  })
  it.each<[string, fc.Arbitrary<TicketFile>]>([
    ['AIR issues', airIssues.map(meaningOfAir)],
    ['AIR EMDs', airEmds.map(meaningOfAir)],
    ['AIR refunds', airRefunds.map(meaningOfAir)],
    ['IUR', iurScenarios.map(meaningOfIur)],
    ['MIR', anyMir.map(meaningOfMir)],
    ['NDC', anyNdc.map(meaningOfNdc)],
    ['Sirena', anySirena.map(meaningOfSirena)],
    ['TKT', anyTkt.map(meaningOfTkt)],
    ['Pegasus', anyPegasus.map(meaningOfPegasus)],
  ])('for files written as %s', (name, files) => {
    fc.assert(
      fc.property(files, (file) => expectKept(file, name)),
      { numRuns: 60 },
    )
  })
})

describe('a sale with every value', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
  })
  it('shows all of them in the records feed', async () => {
    const [document] = WHOLE_TICKET_FILE.documents
    const file: TicketFile = { ...WHOLE_TICKET_FILE, documents: [{ ...document, exchange: null, refund: null }] }
    const { row, warnings } = saleRow(file, file.documents, { sale: null, read: READ })
    expect(warnings).toEqual([])
    const { rows } = await importRows(cell, agency.key, 'tickets', [{ ...row, external_id: 'X' }])
    expect(rows).toMatchObject([{ status: 'created', errors: [] }])
    const { body } = await cell.call('GET', '/imports/tickets/records', { key: agency.key })
    expect(lostIn(file, (body as { data: unknown[] }).data[0])).toEqual([])
  })
})
