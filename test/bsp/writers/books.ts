import fc from 'fast-check'
import type { HotDocument, HotFile } from './hot.ts'

/** What books and airline know of one document, amounts in cents. */
export type Story = {
  readonly books: {
    readonly channel: 'bsp' | 'direct'
    readonly status: 'open' | 'void' | 'refunded' | 'exchanged'
    readonly currency: string
    readonly day: string
    readonly fare: number
    readonly tax: number
    readonly commission: number
    /** The refund in the ticket file. */
    readonly refund: { readonly total: number; readonly recall: number | null; readonly day: string } | null
  } | null
  readonly billed: readonly {
    readonly code: string
    readonly currency: string
    readonly day: string
    readonly total: number
    readonly commission: number
    readonly exchanged: number
    /** By its conjunction number. */
    readonly byConjunction: boolean
  }[]
}

const DAYS = ['2026-02-28', '2026-03-01', '2026-03-15', '2026-03-31', '2026-04-01']
const day = fc.constantFrom(...DAYS)
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'TRY')
/** What an airline bills in other amounts than the books have. */
const off = fc.constantFrom(0, 0, 0, 0, 1, 2, -500)

/** A story in which books and airline mostly agree. */
export const story: fc.Arbitrary<Story> = fc
  .record({
    channel: fc.constantFrom<'bsp' | 'direct'>('bsp', 'bsp', 'bsp', 'bsp', 'direct'),
    status: fc.constantFrom<'open' | 'void' | 'refunded' | 'exchanged'>(
      'open',
      'open',
      'void',
      'refunded',
      'refunded',
      'exchanged',
    ),
    currency,
    otherCurrency: currency,
    days: fc.tuple(day, day, day),
    fare: fc.integer({ min: 1_000, max: 99_999 }),
    tax: fc.integer({ min: 0, max: 9_999 }),
    commission: fc.integer({ min: 0, max: 999 }),
    off: fc.tuple(off, off, off, off),
    isTold: fc.boolean(),
    recall: fc.option(fc.integer({ min: 0, max: 999 })),
    exchanged: fc.constantFrom(0, 0, 1_000),
    isBooked: fc.constantFrom(true, true, true, false),
    lines: fc.constantFrom('sale', 'sale', 'sale', 'none', 'both', 'both', 'refund', 'void', 'twice'),
    byConjunction: fc.constantFrom(false, false, true),
  })
  .map(
    ({
      lines,
      isTold: isInFile,
      isBooked,
      byConjunction,
      otherCurrency,
      exchanged,
      days,
      off: [a, b, c, d],
      ...as
    }): Story => {
      const total = as.fare + as.tax
      const line = (code: string, amount: number, commission: number, on: string, given = 0) => ({
        code,
        currency: isBooked ? as.currency : otherCurrency,
        day: on,
        total: amount,
        commission,
        exchanged: given,
        byConjunction: byConjunction && isBooked,
      })
      const sale = line('TKTT', total + a + exchanged, as.commission + b, days[0], exchanged)
      const refund = line('RFND', -(total + c) - 1, -(as.commission + d), days[2])
      return {
        books: isBooked
          ? {
              ...as,
              day: days[1],
              refund:
                isInFile && as.status === 'refunded' ? { total: total + 1, recall: as.recall, day: days[2] } : null,
            }
          : null,
        billed:
          {
            none: [],
            sale: [sale],
            refund: [refund],
            both: [sale, refund],
            void: [line('CANX', 0, 0, days[0])],
            twice: [sale, { ...line('EMDA', 700, 7, days[1]), currency: otherCurrency }],
          }[lines] ?? [],
      }
    },
  )

export const numberOf = (nth: number): string => `23524${String(nth).padStart(7, '0')}0`
const furtherOf = (nth: number): string => `23524${String(nth).padStart(7, '0')}1`
const money = (cents: number): string => (cents / 100).toFixed(2)

/** The sales of the stories, as rows of an import. */
export const salesOf = (stories: readonly Story[]): object[] =>
  stories.flatMap(({ books }, nth) =>
    books === null
      ? []
      : [
          {
            external_id: `T${nth}`,
            status: 'draft',
            settlement_channel: books.channel,
            currency: books.currency,
            transaction_date: books.day,
            passengers: [
              {
                first_name: 'Ayşe',
                last_name: 'Yılmaz',
                ticket_number: numberOf(nth),
                conjunction_ticket_numbers: [furtherOf(nth)],
                document_status: books.status,
                issued_on: books.day,
                base_fare: money(books.fare),
                taxes: [{ code: 'TR', amount: money(books.tax) }],
                commission_amount: money(books.commission),
              },
            ],
          },
        ],
  )

/** The billing of the stories, an office for each currency. */
export const billingOf = (stories: readonly Story[]): HotFile => ({
  offices: ['EUR', 'TRY'].map((of) => ({
    agent: '88123456',
    periodOn: '2026-03-31',
    unit: `${of}2`,
    documents: stories.flatMap(({ billed }, nth) =>
      billed
        .filter(({ currency: own }) => own === of)
        .map(
          ({ code, day: issuedOn, total, commission, exchanged, byConjunction }): HotDocument => ({
            number: byConjunction ? furtherOf(nth) : numberOf(nth),
            code,
            issuedOn,
            fare: total,
            taxes: [],
            commission,
            exchanged,
          }),
        ),
    ),
  })),
})

export type Reconciled = Readonly<Record<string, string | number | null>>
type Side = { amount: number; commission: number; day: string; isVoid: boolean }

/** The expected result of a story, computed differently from the report: document by document. */
export function reconcile({ books, billed }: Story, nth: number, tolerance: number): Reconciled[] {
  return (['sale', 'refund'] as const).flatMap((transaction) => {
    const booked = books?.channel === 'bsp' ? bookedSide(books, transaction) : null
    const lines = billed.filter(({ code }) => (code === 'RFND') === (transaction === 'refund'))
    if (booked === null && lines.length === 0) return []
    const isVoid = (booked?.isVoid ?? true) && lines.every(({ code }) => code === 'CANX')
    if (isVoid && (booked === null || lines.length === 0)) return []
    const day = lines.map((line) => line.day).sort()[0] ?? booked?.day ?? ''
    const solid = lines.filter(({ code }) => code !== 'CANX').map(({ currency: own }) => own)
    const ofBooks = booked && (booked.isVoid ? (solid.toSorted().at(-1) ?? books?.currency) : books?.currency)
    const currencies = new Set([
      ...(ofBooks ? [ofBooks] : []),
      ...(solid.length > 0 ? solid : lines.length > 0 ? [ofBooks ?? 'EUR'] : []),
    ])
    return [...currencies].map((own) => {
      const theirs = lines.filter(({ code, currency: of }) => (code === 'CANX' ? own === (ofBooks ?? of) : of === own))
      const mine = ofBooks === own ? booked : null
      const sum = (name: 'total' | 'commission' | 'exchanged') => theirs.reduce((all, line) => all + line[name], 0)
      const amount = theirs.length > 0 ? sum('total') - sum('exchanged') : null
      const commission = theirs.length > 0 ? sum('commission') : null
      const difference = (amount ?? 0) - (mine?.amount ?? 0)
      const commissionDifference = (commission ?? 0) - (mine?.commission ?? 0)
      const print = (cents: number | null | undefined) => (cents === null || cents === undefined ? null : money(cents))
      return {
        ticket_number: numberOf(nth),
        transaction,
        currency: own,
        day,
        booked: print(mine?.amount),
        billed: print(amount),
        difference: print(difference),
        booked_commission: print(mine?.commission),
        billed_commission: print(commission),
        commission_difference: print(commissionDifference),
        bucket:
          lines.length === 0
            ? 'missing_in_bsp'
            : booked === null
              ? 'missing_in_books'
              : Math.abs(difference) > tolerance
                ? 'amount_variance'
                : Math.abs(commissionDifference) > tolerance
                  ? 'commission_variance'
                  : 'matched',
      }
    })
  })
}

function bookedSide(books: NonNullable<Story['books']>, transaction: string): Side | null {
  const total = books.fare + books.tax
  if (transaction === 'sale')
    return books.status === 'void'
      ? { amount: 0, commission: 0, day: books.day, isVoid: true }
      : { amount: total, commission: books.commission, day: books.day, isVoid: false }
  if (books.status !== 'refunded') return null
  return {
    amount: -(books.refund?.total ?? total),
    commission: -(books.refund?.recall ?? books.commission),
    day: books.refund?.day ?? books.day,
    isVoid: false,
  }
}
