import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { afterwards, airFile, refundFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Sale, withPrinter } from '../harness/printer.ts'

const SERIALS = ['2400000001', '2400000002'] as const
type Serial = (typeof SERIALS)[number]
const ISSUED_ON = 2
const REFUNDED_ON = 5
const serial = fc.constantFrom(...SERIALS)
const day = fc.constantFrom(ISSUED_ON, 4, REFUNDED_ON, 6)
const one = serial.map((each): Serial[] => [each])
const steps = fc.oneof(
  fc.record({
    kind: fc.constant('issue'),
    day: fc.constant(ISSUED_ON),
    serials: fc.uniqueArray(serial, { minLength: 1 }).map((each) => each.toSorted()),
  }),
  fc.record({ kind: fc.constant('refund'), day: fc.constant(REFUNDED_ON), serials: one }),
  fc.record({ kind: fc.constantFrom('VOID', 'RSTD', 'TRFX'), day, serials: one }),
)
type Step = { kind: string; day: number; serials: Serial[] }

/** Kinds in the order in which they happen on one day, and the state that each sets or ends. */
const KINDS = ['issue', 'VOID', 'RSTD', 'refund', 'TRFX']
const SETS: Readonly<Record<string, string>> = { VOID: 'void', refund: 'refunded' }
const ENDS: Readonly<Record<string, string>> = { RSTD: 'void', TRFX: 'refunded' }

/** What a document is by all its files; undefined where none of them makes a sale. */
function documentOf(all: readonly Step[], number: Serial): { status: string; alone: boolean } | undefined {
  const own = all.filter(({ serials }) => serials.includes(number))
  const isIssued = own.some(({ kind }) => kind === 'issue')
  if (!isIssued && !own.some(({ kind }) => kind === 'refund')) return undefined
  const ordered = own.toSorted((a, b) => a.day - b.day || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const states = ordered.reduce<string[]>((set, { kind }) => {
    const [state, ended] = [SETS[kind], ENDS[kind]]
    const left = set.filter((each) => each !== ended)
    return state && !left.includes(state) ? [...left, state] : left
  }, [])
  return { status: states.at(-1) ?? 'open', alone: !isIssued }
}

/** Every sale that the files make: its state, and the status of each of its documents. */
function salesOf(all: readonly Step[]): object[] {
  const together = all.some(({ kind, serials }) => kind === 'issue' && serials.length > 1)
  return (together ? [SERIALS] : SERIALS.map((each) => [each])).flatMap((numbers) => {
    const documents = numbers.flatMap((number) => {
      const document = documentOf(all, number)
      return document ? [{ number, ...document }] : []
    })
    if (documents.length === 0) return []
    const statuses = documents.map(({ status, alone }) => (alone && status === 'refunded' ? 'open' : status))
    return [
      {
        status: stateOf(statuses),
        documents: Object.fromEntries(documents.map(({ number, status }) => [`235${number}`, status])),
      },
    ]
  })
}

function stateOf(statuses: readonly string[]): string {
  const good = statuses.filter((status) => status !== 'void')
  if (good.length === 0) return 'void'
  if (good.every((status) => status === 'refunded')) return 'refunded'
  return good.length < statuses.length ? 'partly_voided' : 'draft'
}

const shown = (sales: readonly Sale[]) =>
  sales
    .filter(({ status }) => status !== 'deleted')
    .map(({ status, passengers }) => ({
      status,
      documents: Object.fromEntries(passengers.map((each) => [each.ticket_number, each.document_status])),
    }))
const sorted = (sales: readonly object[]) => sales.map((sale) => JSON.stringify(sale)).toSorted()

describe('documents', () => {
  let cell: TestCell
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
  })
  it('reach the state described by their files, in any order of arrival', { timeout: 60_000 }, async () => {
    let sent = 0
    const fileOf = ({ kind, day: on, serials: tickets }: Step): string => {
      const sequence = String(100_000_000 + ++sent).padStart(10, '0')
      if (kind === 'issue') return airFile({ tickets, sequence })
      if (kind === 'refund') return refundFile({ ticket: tickets[0] as string, sequence })
      return afterwards(kind as 'VOID', { tickets, sequence, day: `0${on}MAR` })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 12, size: 'max' }), async (all) => {
        const { capture, sales } = await withPrinter(cell)
        const answered = new Set<number>()
        for (const step of all) answered.add((await capture(fileOf(step))).answered)
        expect([...answered].filter((status) => ![200, 201, 422].includes(status))).toEqual([])
        expect(sorted(shown(await sales()))).toEqual(sorted(salesOf(all)))
      }),
      { numRuns: 30 },
    )
  })
})
