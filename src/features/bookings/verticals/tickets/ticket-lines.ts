import type { Issue } from '../../../../catalogue/kind.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import { currencyDigits, type Fixed, fixed, percentOf, print } from '../../../../platform/money.ts'
import { type OwnLine, PLAIN_LINE } from '../../pricing.ts'

const amountOf = (cell: unknown): Fixed | null => (typeof cell === 'string' ? fixed(cell) : null)
/** Whether the base fare is in another currency than the sale. The price then uses the equivalent fare. */
const isFiledAbroad = ({ base_fare, base_fare_currency }: Values, { currency }: Values): boolean =>
  (base_fare ?? null) !== null && (base_fare_currency ?? currency) !== currency
const givenPassengers = (record: Values) => (record.passengers ?? []) as Values[]
const passengersOf = (record: Values) =>
  givenPassengers(record).map((passenger) =>
    isFiledAbroad(passenger, record) ? { ...passenger, base_fare: null } : passenger,
  )
const taxesOf = (passenger: Values) =>
  ((passenger.taxes ?? []) as Values[]).map(({ code, amount }) => [String(code), fixed(String(amount))] as const)
/** The fare in the currency of the sale. */
const fareOf = ({ equivalent_fare, base_fare }: Values) => amountOf(equivalent_fare) ?? amountOf(base_fare)
const sum = (parts: readonly Fixed[]) => parts.reduce((total, part) => total + part, 0n)

/** Fare and taxes; null if a passenger has neither. */
function partsOf(passenger: Values): Fixed | null {
  const fare = fareOf(passenger)
  const taxes = taxesOf(passenger)
  return fare === null && taxes.length === 0 ? null : (fare ?? 0n) + sum(taxes.map(([, amount]) => amount))
}
const totalOf = (passenger: Values) => amountOf(passenger.total) ?? partsOf(passenger) ?? 0n

function commissionOf(passenger: Values, digits: number): Fixed {
  const given = amountOf(passenger.commission_amount)
  if (given !== null) return given
  const rate = amountOf(passenger.commission_rate)
  return rate === null ? 0n : percentOf(fareOf(passenger) ?? 0n, rate, digits)
}

/**
 * The lines of a sale, one for each part and tax code over all passengers: sell = total + service fee + penalty −
 * discount, cost = total − commission. The part of a given total that exceeds fare and taxes is a line of its own; it
 * is the fare line if there is no other.
 */
export function ticketLines(record: Values): { sell: OwnLine[]; cost: OwnLine[] } {
  const passengers = passengersOf(record)
  const parts = new Map<string, { kind: string; label: string | null; amount: Fixed }>()
  const add = (kind: string, label: string | null, amount: Fixed) => {
    const known = parts.get(`${kind} ${label}`)
    parts.set(`${kind} ${label}`, { kind, label, amount: (known?.amount ?? 0n) + amount })
  }
  for (const passenger of passengers) {
    const known = partsOf(passenger)
    add('base_fare', null, known === null ? totalOf(passenger) : (fareOf(passenger) ?? 0n))
    for (const [code, amount] of taxesOf(passenger)) add('tax', code, amount)
    if (known !== null) add('other', null, totalOf(passenger) - known)
  }
  const total = [...parts.values()]
  const all = (cell: string) => sum(passengers.map((passenger) => amountOf(passenger[cell]) ?? 0n))
  const digits = currencyDigits(String(record.currency))
  const commission = sum(passengers.map((passenger) => commissionOf(passenger, digits)))
  return {
    sell: linesOf([
      ...total,
      { kind: 'service_fee', label: null, amount: all('service_fee') },
      { kind: 'penalty', label: null, amount: all('penalty') },
      { kind: 'discount', label: null, amount: -all('discount') },
    ]),
    cost: linesOf([...total, { kind: 'commission', label: null, amount: -commission }]),
  }
}

const linesOf = (parts: readonly { kind: string; label: string | null; amount: Fixed }[]): OwnLine[] =>
  parts
    .filter(({ amount }) => amount !== 0n)
    .map(({ kind, label, amount }) => ({
      ...PLAIN_LINE,
      origin: 'passenger',
      kind,
      label,
      amount: print(amount),
    }))

const inconsistent = (at: number, cell: string, message: string): Issue => ({
  at: `passengers[${at}].${cell}`,
  code: 'inconsistent',
  message,
})
const FARE_ABROAD =
  'The base fare is in another currency than the sale, so it is not part of the price. Send equivalent_fare or total.'
/**
 * Warnings about amounts: a total that differs from the sum of its parts (the total is used), a fare in another
 * currency than the sale, a commission without a fare.
 */
export function oddAmounts(record: Values): Issue[] {
  const given = givenPassengers(record)
  return passengersOf(record).flatMap((passenger, at) => {
    const isLost = isFiledAbroad(given[at] ?? {}, record) && !passenger.equivalent_fare && !passenger.total
    const parts = partsOf(passenger)
    const differs = parts !== null && totalOf(passenger) !== parts
    const idle =
      amountOf(passenger.commission_amount) === null && amountOf(passenger.commission_rate) && !fareOf(passenger)
    return [
      ...(isLost ? [inconsistent(at, 'base_fare', FARE_ABROAD)] : []),
      ...(differs
        ? [inconsistent(at, 'total', 'The total is not the sum of fare and taxes. It was kept as sent.')]
        : []),
      ...(idle
        ? [inconsistent(at, 'commission_rate', 'The commission was left out, because the document has no fare.')]
        : []),
    ]
  })
}
