import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { afterwards, airFile, refundFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Sale, withPrinter } from '../harness/printer.ts'

type Status = 'open' | 'void' | 'refunded'
type Known = { sale: number; status: Status; beforeVoid: Status; beforeRefund: Status }
const SERIALS = ['2400000001', '2400000002'] as const
type Serial = (typeof SERIALS)[number]
const serial = fc.constantFrom(...SERIALS)
const step = fc.oneof(
  fc.record({ kind: fc.constant('issue' as const), serials: fc.uniqueArray(serial, { minLength: 1 }) }),
  fc.record({ kind: fc.constantFrom('VOID', 'RSTD', 'TRFX', 'refund'), serials: serial.map((one) => [one]) }),
)

/** The expected result of files in order, computed without a database. */
class Model {
  readonly documents = new Map<Serial, Known>()
  readonly voided = new Set<Serial>()
  /** Sales with only refunds, until more files arrive. */
  readonly drafts = new Set<number>()
  #sales = 0

  /** The status of the answer. */
  take(kind: string, serials: readonly Serial[]): number {
    if (kind === 'issue') return this.#issue(serials)
    const [one] = serials as [Serial]
    const document = this.documents.get(one)
    if (document) return this.#change(kind, document)
    if (kind === 'VOID') this.voided.add(one)
    if (kind === 'RSTD') this.voided.delete(one)
    if (kind !== 'refund') return 422
    this.drafts.add(++this.#sales)
    const status = this.voided.delete(one) ? 'void' : 'refunded'
    this.documents.set(one, { sale: this.#sales, status, beforeVoid: 'open', beforeRefund: 'open' })
    return 201
  }

  #issue(serials: readonly Serial[]): number {
    const fresh = serials.filter((one) => !this.documents.has(one))
    if (fresh.length === 0) return 200
    this.#sales += 1
    for (const one of fresh) {
      const status = this.voided.delete(one) ? 'void' : 'open'
      this.documents.set(one, { sale: this.#sales, status, beforeVoid: 'open', beforeRefund: 'open' })
    }
    return 201
  }

  #change(kind: string, document: Known): 200 {
    const before = document.status
    if (kind === 'VOID' && before !== 'void') Object.assign(document, { status: 'void', beforeVoid: before })
    if (kind === 'RSTD' && before === 'void') document.status = document.beforeVoid
    if (kind === 'refund' && before !== 'refunded')
      Object.assign(document, { status: 'refunded', beforeRefund: before })
    if (kind === 'TRFX' && before === 'refunded') document.status = document.beforeRefund
    if (document.status !== before) this.drafts.delete(document.sale)
    return 200
  }

  /** Every sale: its state, and the status of each of its documents. */
  sales(): object[] {
    const bySale = Map.groupBy(this.documents, ([, { sale }]) => sale)
    return [...bySale].map(([sale, documents]) => {
      const statuses = documents.map(([, { status }]) => status)
      return {
        status: this.drafts.has(sale) ? 'draft' : stateOf(statuses),
        documents: Object.fromEntries(documents.map(([one, { status }]) => [`235${one}`, status])),
      }
    })
  }
}

function stateOf(statuses: readonly Status[]): string {
  const good = statuses.filter((status) => status !== 'void')
  if (good.length === 0) return 'void'
  if (good.every((status) => status === 'refunded')) return 'refunded'
  return good.length < statuses.length ? 'partly_voided' : 'draft'
}

const shown = (sales: readonly Sale[]) =>
  sales.map(({ status, passengers }) => ({
    status,
    documents: Object.fromEntries(passengers.map((each) => [each.ticket_number, each.document_status])),
  }))
const sorted = (sales: readonly object[]) => sales.map((sale) => JSON.stringify(sale)).toSorted()

describe('documents', () => {
  let cell: TestCell
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
  })
  it('become what their files say, in whatever order these come', { timeout: 60_000 }, async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24, size: 'max' }), async (steps) => {
        const { capture, sales } = await withPrinter(cell)
        const model = new Model()
        for (const { kind, serials } of steps) {
          const sequence = String(100_000_000 + ++sent).padStart(10, '0')
          const tickets = serials.toSorted()
          const file =
            kind === 'issue'
              ? airFile({ tickets, sequence })
              : kind === 'refund'
                ? refundFile({ ticket: tickets[0] as string, sequence })
                : afterwards(kind, { tickets, sequence })
          expect((await capture(file)).answered).toBe(model.take(kind, tickets))
        }
        expect(sorted(shown(await sales()))).toEqual(sorted(model.sales()))
      }),
      { numRuns: 30 },
    )
  })
})
