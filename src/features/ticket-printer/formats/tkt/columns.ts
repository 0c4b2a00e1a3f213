/** Columns of a line, from 0. Files have 175 to 230; the meaning of the others is unknown. */
export const COLUMNS = {
  airline: 0,
  serial: 1,
  checkDigit: 2,
  issuedOn: 3,
  operation: 7,
  agent: 9,
  /** The agency's own fare, sold instead of the published one. */
  privateFare: 12,
  fare: 13,
  tourCode: 51,
  payment: 53,
  commissionRate: 72,
  passenger: 73,
  total: 76,
  currency: 78,
  carrier: 166,
  departure: 167,
  status: 168,
  locator: 169,
  flight: 170,
  bookingClass: 171,
  fareBasis: 174,
  filedFare: 188,
  filedCurrency: 189,
} as const
/** The fields of a refund that differ from those of its sale. */
export const REFUND_COLUMNS = { issuedOn: 92, agent: 93, fare: 107, currency: 146 } as const

export const TAX_COUNT = 12
/** The first columns of tax amounts and tax codes. */
export const TAX_COLUMNS = { amounts: 27, codes: 39 } as const
export const REFUND_TAX_COLUMNS = { amounts: 122, codes: 134 } as const
/** The airports of the route, in order. */
export const ROUTE = { from: 54, count: 12 } as const
/** A line with fewer columns has no total. */
export const FEWEST_COLUMNS = COLUMNS.currency + 1

/** A line by column: trimmed text, or null if empty. */
export type TktLine = (column: number) => string | null

export const lineOf =
  (fields: readonly string[]): TktLine =>
  (column) =>
    fields[column]?.trim() || null
