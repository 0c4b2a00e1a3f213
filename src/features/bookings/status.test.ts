import { describe, expect, it } from 'vitest'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Amendment, Importable } from '../../imports/importable.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { entities } from '../../registry.ts'
import { stateMeaning } from './reads/booking-states.ts'

const NOW = '2026-05-01T10:00:00.000000Z'
const CONTEXT = {
  currency: 'TRY',
  today: '2026-05-01',
  timeZone: 'UTC',
  now: NOW,
  source: null,
  policies: ALL_POLICIES,
}
const NO_LOOK_UPS = {} as AccountTx

/** The transitions of the decision record, one line each, written independently of the code. */
const LISTED: Readonly<Record<string, string>> = {
  hotel_stays:
    'draft→option, confirmed, cancelled · option→draft, confirmed, cancelled · confirmed→in_house, cancelled, no_show · in_house→checked_out, cancelled',
  cruises:
    'draft→option, confirmed, cancelled · option→draft, confirmed, cancelled · confirmed→sailing, cancelled · sailing→completed',
  car_rentals:
    'draft→option, confirmed, cancelled · option→draft, confirmed, cancelled · confirmed→out, cancelled, no_show · out→returned',
  transfers:
    'draft→option, confirmed, cancelled · option→draft, confirmed, cancelled · confirmed→in_progress, cancelled, no_show · in_progress→completed',
  tour_bookings:
    'draft→option, confirmed, cancelled · option→draft, confirmed, cancelled · confirmed→in_progress, cancelled, no_show · in_progress→completed',
  tickets:
    'draft→option, issued, cancelled · option→draft, issued, cancelled · draft, option, issued→partly_voided, void, refunded, exchanged · issued→cancelled · partly_voided→void, refunded, cancelled',
  tour_departures:
    'open→closed_direct, on_request, min_not_met, sold_out · closed_direct→open, on_request, min_not_met, sold_out · on_request→open, closed_direct, min_not_met, sold_out · min_not_met→open, closed_direct, on_request, sold_out · sold_out→open, closed_direct, on_request, min_not_met · open, closed_direct, on_request, min_not_met, sold_out→departed, cancelled · departed→completed',
}
/** Forward in the listed order, and to cancelled from any open state. */
const FORWARD: Readonly<Record<string, string>> = {
  charters: 'draft, requested, quoted, option, contracted, confirmed, operating, completed, cancelled',
  visa_cases:
    'draft, documents_pending, ready, submitted, appointment_scheduled, in_process, approved, rejected, delivered, closed, cancelled',
  events: 'lead, planning, contracted, operating, completed, cancelled',
}
/** Freely, except out of void. */
const DOCUMENTS = ['draft', 'open', 'partially_paid', 'paid', 'disputed', 'void']
const words = (text = '') => text.split(', ')

function movesOf(key: string): ReadonlyMap<string, readonly string[]> {
  const moves = new Map<string, string[]>()
  const add = (from: string, to: readonly string[]) => moves.set(from, [...(moves.get(from) ?? []), ...to])
  for (const part of LISTED[key]?.split(' · ') ?? []) {
    const [from, to] = part.split('→').map(words)
    for (const state of from ?? []) add(state, to ?? [])
  }
  const order = words(FORWARD[key]).slice(0, -1)
  for (const [at, state] of order.slice(0, -1).entries()) add(state, [...order.slice(at + 1), 'cancelled'])
  if (key === 'operator_invoices' || key === 'supplier_bills')
    for (const state of DOCUMENTS)
      add(
        state,
        DOCUMENTS.filter((other) => state !== 'void' && other !== state),
      )
  return moves
}

/** What a record needs for the rules to read it. */
const RECORD: Values = {
  invoiced: false,
  currency: 'TRY',
  transaction_date: '2026-03-02',
  passengers: [{ first_name: 'A', last_name: 'B' }],
  check_in_on: '2026-07-01',
  check_out_on: '2026-07-02',
  max_capacity: null,
  seats_held: 0,
  converted_at: null,
  booking_id: null,
}
const moving = entities.filter(({ entity }) => entity.statusField && entity.key !== 'leads')
const rulesOf = async ({ rules }: Importable) => (await rules?.(NO_LOOK_UPS, [], CONTEXT)) ?? {}
const codes = ({ errors = [] }: Pick<Amendment, 'errors'>) =>
  errors.map(({ at, code, message }) => {
    expect(message).toMatch(/^[A-Z].*\.$/)
    return `${at} ${code}`
  })
it('the moves of every entity are listed here, apart from the code', () => {
  const missing = moving.flatMap(({ entity }) => (movesOf(entity.key).size === 0 ? [entity.key] : []))
  expect(
    missing,
    'Add the moves of these entities to LISTED or FORWARD of src/features/bookings/status.test.ts',
  ).toEqual([])
})
const listed = moving.filter(({ entity }) => movesOf(entity.key).size > 0)
describe.each(listed.map((importable) => [importable.entity.key, importable] as const))('%s', (key, importable) => {
  const { statuses, statusField: field = '', base } = importable.entity
  const moves = movesOf(key)
  const isBooking = base?.table === 'bookings'
  const amend = async (from: string, given: Values): Promise<Amendment> => {
    const rules = await rulesOf(importable)
    if (!rules.amend) throw new Error(`${key} are amended`)
    return rules.amend({ ...RECORD, id: 'a', status: from, [field]: from }, given)
  }

  it('have the states of the table and no others', () => {
    const listed = new Set([...moves].flatMap(([from, to]) => [from, ...to]))
    expect([...statuses].toSorted(), `Correct the moves of ${key} in LISTED or FORWARD of this test`).toEqual(
      [...listed].toSorted(),
    )
  })
  it.each(statuses.flatMap((from) => statuses.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'move from %s to %s as declared, or are refused with the allowed moves',
    async (from, to) => {
      const amendment = await amend(from, { [field]: to })
      const allowed = moves.get(from) ?? []
      if (isBooking && from === 'cancelled') {
        expect(codes(amendment)).toEqual(['status amendment_refused'])
        expect(amendment.reason).toBe('cancelled')
      } else if (allowed.includes(to)) {
        expect(codes(amendment)).toEqual([])
        expect(amendment.changes[field]).toBe(to)
        expect(amendment.changes.cancelled_at).toBe(isBooking && to === 'cancelled' ? NOW : undefined)
      } else {
        expect(codes(amendment)).toEqual([`${field} invalid_transition`])
        expect(amendment.errors?.[0]?.allowed?.toSorted()).toEqual(allowed.toSorted())
      }
    },
  )
  it('change nothing else by a row that names no state', async () => {
    for (const from of statuses) {
      const amendment = await amend(from, { notes: 'x' })
      expect(codes(amendment)).toEqual([])
      expect(field in amendment.changes).toBe(false)
    }
  })
  it('are made in any state, since an import is history that comes in', async () => {
    for (const state of statuses) {
      const { complete } = await rulesOf(importable)
      const made = complete?.({ ...RECORD, [field]: state }, 'a')
      expect(made?.errors ?? []).toEqual([])
      if (isBooking) {
        const invoice = complete?.({ ...RECORD, [field]: state, invoice_date: '2026-05-01', customer_id: 'c' }, 'a')
        expect([state, invoice?.columns?.invoiced]).toEqual([state, stateMeaning(state)?.sale === 'sold'])
        expect(made?.columns?.status).toBe(state)
        expect(made?.columns?.cancelled_at).toBe(state === 'cancelled' ? NOW : null)
      }
    }
  })
})

describe('an emptied state', () => {
  it('is the one that the booking would open in, and must be a move as any other', async () => {
    for (const importable of listed.filter(({ entity }) => entity.base)) {
      const { amend } = await rulesOf(importable)
      const opening = importable.entity.key === 'events' ? 'lead' : 'draft'
      const moves = movesOf(importable.entity.key)
      for (const from of importable.entity.statuses.filter((state) => state !== 'cancelled')) {
        const amendment = amend?.({ ...RECORD, id: 'a', status: from }, { status: null })
        const isMove = from === opening || moves.get(from)?.includes(opening)
        expect([from, codes(amendment as Amendment)]).toEqual([from, isMove ? [] : ['status invalid_transition']])
      }
    }
  })
  it('of a sale with a ticketing deadline is an option', async () => {
    const { amend } = await rulesOf(entities.find(({ entity }) => entity.key === 'tickets') as Importable)
    const dated = { ...RECORD, id: 'a', status: 'draft', option_date: '2026-06-01' }
    expect(amend?.(dated, { status: null }).changes.status).toBe('option')
    expect(amend?.({ ...dated, option_date: null }, { status: null }).changes).toEqual({})
  })
})
