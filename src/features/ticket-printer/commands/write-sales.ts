import type { Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { changeTicketSale, freeTicketNumbers } from '../../bookings/commands/change-ticket-sale.ts'
import { makeTicketSale } from '../../bookings/commands/make-ticket-sale.ts'
import { readTicketRow } from '../../bookings/commands/read-ticket-row.ts'
import type { TicketSaleChange } from '../../bookings/verticals/tickets/merge-sale.ts'
import { finishWaitingCaptures, moveCaptures } from '../captures.store.ts'
import { moveDocumentEvents } from '../documents.store.ts'
import type { SaleContent } from '../sale-content.ts'
import { compareSales, differencesOf, type SaleDifference } from '../sale-differences.ts'
import type { HeldNumber, SalePlan } from '../sale-plan.ts'

export type SalesContext = {
  readonly tx: AccountTx
  readonly desk: Desk
  readonly held: ReadonlyMap<string, HeldNumber>
  /** The last known state of each sale before it was derived from its documents. */
  readonly bases: ReadonlyMap<string, string | null>
  /** The records that the sale of the capture's own file refers to. */
  readonly links: { readonly customer_id: string | null; readonly supplier_id: string | null }
}
export type WrittenSale = {
  readonly plan: SalePlan
  /** Null for a sale that was merged into another one. */
  readonly sale: string | null
  /** The sale's state without the voids, refunds and exchanges of its documents. */
  readonly base: string
  readonly warnings: ImportRow['warnings']
  readonly differences: readonly SaleDifference[]
}
type Written = { readonly sales: readonly WrittenSale[]; readonly errors: ImportRow['errors'] }

const numbersOf = (content: SaleContent | null): string[] =>
  (content?.row.passengers ?? []).flatMap(({ ticket_number, conjunction_ticket_numbers }) => [
    String(ticket_number),
    ...((conjunction_ticket_numbers ?? []) as string[]),
  ])

/** Writes the planned changes of sales: all of them, or none if one sale would be invalid. */
export async function writeSales(context: SalesContext, capture: string, plans: readonly SalePlan[]): Promise<Written> {
  // A single new sale needs no trial, because its refusal leaves nothing behind.
  const checked = plans.length === 1 ? plans.filter(({ sale }) => sale !== null) : plans
  const invalid = checked.flatMap(({ after }) => (after ? readTicketRow(after.row, context.desk).errors : []))
  if (invalid.length > 0) return { sales: [], errors: invalid }
  // Several sales are tried first, because a refusal of the last one would leave the others written.
  const tried = plans.length > 1 ? await context.tx.discard(() => writeAll(context, capture, plans)) : null
  return tried && tried.errors.length > 0 ? tried : writeAll(context, capture, plans)
}

async function writeAll(context: SalesContext, capture: string, plans: readonly SalePlan[]): Promise<Written> {
  const { tx, held } = context
  const moved = plans.flatMap(({ sale, after }) =>
    numbersOf(after).filter((number) => held.has(number) && held.get(number)?.sale !== sale),
  )
  freeTicketNumbers(tx, moved, [...new Set(moved.flatMap((number) => held.get(number)?.sale ?? []))])
  const sales: WrittenSale[] = []
  for (const plan of plans) {
    const links = plan.after?.warnings.has(capture) ? context.links : NO_LINKS
    const own = { ...context, links }
    const { row, ...written } = plan.sale === null ? await made(own, plan) : await changed(own, plan, plan.sale)
    if (row.errors.length > 0 || row.id === null) return { sales, errors: row.errors }
    sales.push({ ...written, warnings: row.warnings })
  }
  return { sales, errors: [] }
}

const NO_LINKS = { customer_id: null, supplier_id: null }
type One = Omit<WrittenSale, 'warnings'> & { readonly row: ImportRow }

async function made({ tx, desk, links }: SalesContext, plan: SalePlan): Promise<One> {
  const { row, refunds, exchanges, refundsAlone } = plan.after as SaleContent
  const sale = { row, links, refunds: [...refunds.values()].flat(), exchanges, refundsAlone }
  const outcome = await makeTicketSale(tx, sale, desk)
  return {
    plan,
    sale: outcome.id,
    base: 'draft',
    row: outcome,
    differences: compareSales({}, { passengers: row.passengers }),
  }
}

async function changed({ tx, desk, links, bases }: SalesContext, plan: SalePlan, id: string): Promise<One> {
  const { before, after, lives } = plan
  const read = (content: SaleContent | null): Values | null => content && readTicketRow(content.row, desk).values
  const isOpen = before !== null || after !== null
  const refunds: TicketSaleChange['refunds'] = new Map(
    isOpen
      ? [...new Set([...(before?.refunds.keys() ?? []), ...(after?.refunds.keys() ?? [])])].map((number) => [
          number,
          { before: before?.refunds.get(number) ?? [], after: after?.refunds.get(number) ?? [] },
        ])
      : [...lives].map(([number, life]) => [number, { before: life.before.refunds, after: life.after.refunds }]),
  )
  const change: TicketSaleChange = {
    row: { before: read(before), after: read(after) },
    documents: new Map(
      [...lives].map(([number, life]) => [number, { before: life.before.status, after: life.after.status }]),
    ),
    refunds,
    exchanges: { before: before?.exchanges ?? [], after: after?.exchanges ?? [] },
    refundsAlone: after?.refundsAlone ?? new Set(),
    base: bases.get(id) ?? null,
    links,
  }
  const { row, stored, merged } = await changeTicketSale(tx, id, change, desk)
  const sale = merged.isEmpty ? null : id
  return { plan, sale, base: merged.base, row, differences: differencesOf(stored, merged) }
}

/**
 * Moves the events of numbers, and the captures of merged sales, to the sales that have the numbers now, and finishes
 * captures that waited for them.
 */
export function moveKnown(
  { tx, held }: SalesContext,
  sales: readonly WrittenSale[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const holders = new Map(
    sales.flatMap(({ plan, sale }) => (sale ? numbersOf(plan.after).map((number) => [number, sale] as const) : [])),
  )
  const moves = [...holders]
    .map(([number, to]) => ({ number, from: held.get(number)?.sale ?? null, to, entry: true }))
    .filter(({ number, from, to }) => from !== to && known.has(number))
  if (moves.length > 0) tx.later(moveDocumentEvents, { moves: JSON.stringify(moves) })
  const awaited = moves.filter(({ from }) => from === null).map(({ number }) => number)
  if (awaited.length > 0) tx.later(finishWaitingCaptures, { numbers: awaited })
  for (const { plan, sale } of sales) {
    const to = numbersOf(plan.before)
      .map((number) => holders.get(number))
      .find(Boolean)
    if (sale === null && plan.sale && to) tx.later(moveCaptures, { from: plan.sale, to })
  }
  return holders
}
