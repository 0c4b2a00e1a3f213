import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { base64, type Sale } from '../harness/printer.ts'
import { type Fixture, fixtureFolders, fixturesIn } from './every-fixture.ts'

/** The number of orders tried for a long life; of a short one all are tried. */
const ORDERS = Number(process.env.TICKET_ORDERS ?? 12)
const SHORT = 4
/** The first serial of a life, with room for conjunctions. */
const SERIALS = 3_000_000_000
const ROOM = 100

/** A file of a life: a fixture, and the document of the life for each of its serials. */
type LifeFile = readonly [fixture: string, serials: Readonly<Record<string, number>>]
type Life = { readonly folder: string; readonly what: string; readonly files: readonly LifeFile[] }
const one = (serial: string, document: number) => ({ [serial]: document })
const A = one('2400000001', 0)
const B = one('2400000001', 1)

const AMADEUS: readonly Life[] = [
  {
    folder: 'air',
    what: 'issue, refund, cancelled refund and void',
    files: [
      ['issue-one-passenger', A],
      ['refund-full', A],
      ['refund-cancelled', A],
      ['void-ticket', A],
    ],
  },
  {
    folder: 'air',
    what: 'issue, exchange, void and restoration',
    files: [
      ['issue-one-passenger', A],
      ['exchange-collected-and-penalty', { 2400000001: 1, 2300000011: 0 }],
      ['void-ticket', B],
      ['void-undone', B],
    ],
  },
  {
    folder: 'air',
    what: 'three parts and refunds of two of their tickets',
    files: [
      ['issue-part-1-of-3', one('2400000001', 0)],
      ['issue-part-2-of-3', one('2400000002', 1)],
      ['issue-part-3-of-3-infant', one('2400000003', 2)],
      ['refund-full', A],
      ['refund-with-airport-charges', B],
      ['void-ticket', one('2400000001', 2)],
    ],
  },
  {
    folder: 'air',
    what: 'everything at once',
    files: [
      ['issue-one-passenger', A],
      ['issue-eur-card', A],
      ['issue-one-passenger', A],
      ['exchange-collected-and-penalty', { 2400000001: 1, 2300000011: 0 }],
      ['void-ticket', B],
      ['void-undone', B],
      ['refund-full', B],
      ['refund-cancelled', B],
      ['refund-with-airport-charges', B],
      ['void-ticket', A],
    ],
  },
]

type Read = Fixture & { readonly expected: TicketFile }
const ACTIONS = ['issue', 'exchange', 'void', 'restore', 'refund', 'refund_cancel'] as const
const FIRST_NEW = 10

/** The first file of each action that a format has, all of one airline, applied to the documents of the first issue. */
function lifeIn(folder: string): Life {
  const read = fixturesIn(folder).filter(
    (each): each is Read => 'documents' in each.expected && isOfOneAirline(each.expected),
  )
  const firstOf = (action: string, airline: string | undefined) =>
    read.find(({ expected }) => expected.action === action && (airline ?? airlineOf(expected)) === airlineOf(expected))
  const issues = read.filter(({ expected }) => expected.action === 'issue')
  const lives = issues.map(({ expected }) => ACTIONS.map((action) => firstOf(action, airlineOf(expected))))
  const [longest = []] = lives.toSorted((a, b) => count(b) - count(a))
  const files = longest.flatMap((each) => (each ? [[each.name, placesOf(each.expected)] as const] : []))
  return { folder, what: longest.flatMap((each) => each?.expected.action ?? []).join(', '), files }
}

const count = (list: readonly unknown[]): number => list.filter(Boolean).length
const airlineOf = ({ documents }: TicketFile): string | undefined => documents[0]?.number.slice(0, 3)
const isOfOneAirline = (file: TicketFile): boolean =>
  file.documents.length > 0 &&
  file.documents.every(
    ({ number, conjunctions }) => number.slice(0, 3) === airlineOf(file) && conjunctions.length === 0,
  )

/** Documents given in are those of the issue; documents issued for them are new ones. */
function placesOf({ action, documents }: TicketFile): LifeFile[1] {
  const place = action === 'exchange' ? FIRST_NEW : 0
  const own = documents.map(({ number }, at) => [number.slice(3), place + at])
  const given = documents
    .flatMap(({ exchange }) => exchange?.originals ?? [])
    .map(({ number }, at) => [number.slice(3), at])
  return Object.fromEntries([...given, ...own])
}

const LIVES = [
  ...AMADEUS,
  ...fixtureFolders()
    .map(lifeIn)
    .filter(({ files }) => files.length > 1),
]

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((each, at) => permutations(list.toSpliced(at, 1)).map((rest) => [each, ...rest]))

/** The bytes of a life's files, with the serials of its documents. */
const bytesOf = (fixture: Fixture, documents: LifeFile[1]): Buffer => {
  const serial = new RegExp(Object.keys(documents).join('|'), 'g')
  const text = fixture.bytes.toString('latin1')
  return Buffer.from(
    text.replace(serial, (found) => String(SERIALS + ROOM * Number(documents[found]))),
    'latin1',
  )
}

const OWN = new Set(['id', 'company_id', 'branch_id', 'version', 'created_at', 'updated_at', 'changed_at'])
/** The sales as the API shows them, without ids and times. */
const shown = (sales: readonly Sale[]): object[] =>
  sales
    .filter(({ status }) => status !== 'deleted')
    .map((sale) => JSON.stringify(sale, (name, cell) => (OWN.has(name) ? undefined : cell)))
    .toSorted()
    .map((text) => JSON.parse(text))

type Capture = { readonly cause: string | null; readonly ticket_numbers: readonly string[] }
const numbersIn = (sales: readonly Sale[]): Set<string> => new Set(JSON.stringify(sales).match(/\b\d{13}\b/g))

describe('the files of one ticket', () => {
  let cell: TestCell
  /** Captures that wait for documents although sales have these. */
  const waitingIn = async (key: string, sales: readonly Sale[]): Promise<Capture[]> => {
    const { body } = await cell.call('GET', '/ticket_imports?limit=100', { key })
    const held = numbersIn(sales)
    return (body as { data: Capture[] }).data.filter(
      ({ cause, ticket_numbers: numbers }) => cause === 'not_held' && numbers.every((number) => held.has(number)),
    )
  }
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
  })
  it.each(LIVES)(
    'of $folder end in the same sales in any order: $what',
    { timeout: 600_000 },
    async ({ folder, files }) => {
      const fixtures = new Map(fixturesIn(folder).map((each) => [each.name, each]))
      const life = files.map(([name, documents]) => bytesOf(fixtures.get(name) as Fixture, documents))
      const all = files.map((_, at) => at)
      const orders =
        files.length <= SHORT
          ? permutations(all)
          : [all, ...fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), ORDERS)]
      const booksIn = async (order: readonly number[]): Promise<object[]> => {
        const { key } = await makeAgency(cell)
        for (const at of order) {
          const body = { content: base64(life[at] as Buffer) }
          const { status } = await cell.call('POST', '/ticket_imports', { key, body })
          expect([200, 201, 422]).toContain(status)
        }
        const { body } = await cell.call('GET', '/imports/tickets/records?limit=100', { key })
        const sales = (body as { data: Sale[] }).data
        expect(await waitingIn(key, sales)).toEqual([])
        return shown(sales)
      }
      const expected = await booksIn(orders[0] as number[])
      expect(expected.length).toBeGreaterThan(0)
      for (const order of orders.slice(1))
        expect({ order, books: await booksIn(order) }).toEqual({ order, books: expected })
    },
  )
})
