/** The fields of a record: the column of the first character, from 1, and the length. */
export type RecordColumns = Readonly<Record<string, readonly [column: number, length: number]>>
export type RecordFields<C extends RecordColumns> = { readonly [Name in keyof C]: string }

/** Cuts a line into trimmed fields. Fields beyond the end of a shortened line are empty. */
export function cutRecord<C extends RecordColumns>(line: string, columns: C): RecordFields<C> {
  const fields: Record<string, string> = {}
  for (const name in columns) {
    fields[name] = cutField(line, columns[name] as RecordColumns[string])
  }
  return fields as RecordFields<C>
}

/** One field of a line, without blanks. */
export function cutField(line: string, place: RecordColumns[string]): string {
  const start = place[0] - 1
  return line.slice(start, start + place[1]).trim()
}

/** The first line: the header of the transmission, followed by M0. */
export const HEADER = {
  madeDay: [3, 5],
  madeTime: [8, 4],
  type: [14, 1],
  version: [15, 2],
  customerNumber: [17, 10],
  iataNumber: [44, 10],
  pnr: [54, 8],
  bookingOffice: [89, 5],
  bookingAgent: [96, 3],
  ticketingOffice: [127, 5],
  ticketingAgent: [134, 3],
  recordDay: [226, 5],
} as const satisfies RecordColumns

/** The only line of a short void. */
export const SHORT_VOID = {
  airlineNumber: [27, 3],
  serial: [30, 10],
  checkDigit: [40, 1],
  tickets: [41, 2],
  pnr: [43, 8],
} as const satisfies RecordColumns

/** Where M0 counts the following records, in this order, with three digits each. */
export const COUNTS = { column: 187, length: 3, tags: ['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8', 'M9', 'MA'] }

export const PASSENGER = {
  item: [3, 2],
  name: [5, 64],
  remark: [69, 30],
  frequentFlyer: [100, 20],
} as const satisfies RecordColumns

/** The counts of a passenger's items in each kind of record, printed behind the line of the passenger. */
export const PASSENGER_ITEMS = {
  M3: [125, 2],
  M5: [129, 2],
  M7: [131, 2],
  M8: [133, 2],
  M9: [135, 2],
} as const satisfies RecordColumns

export const TICKET = {
  passenger: [3, 2],
  ptc: [5, 3],
  payments: [20, 1],
  kind: [21, 1],
  mark: [33, 1],
  baseCurrency: [35, 3],
  base: [38, 8],
  tax1: [46, 8],
  taxCode1: [54, 2],
  tax2: [56, 8],
  taxCode2: [64, 2],
  tax3: [66, 8],
  taxCode3: [74, 2],
  totalCurrency: [77, 3],
  total: [80, 8],
  penalty: [88, 11],
  equivalentCurrency: [117, 3],
  equivalent: [120, 8],
  commissionRate: [128, 8],
  commissionAmount: [137, 8],
  net: [146, 8],
  tourCode: [165, 15],
  office: [197, 5],
  agent: [204, 3],
  airline: [232, 2],
  serial: [234, 10],
  conjunctions: [244, 1],
} as const satisfies RecordColumns

export const FLIGHT = {
  item: [3, 2],
  product: [5, 1],
  status: [8, 2],
  day: [10, 5],
  from: [19, 3],
  to: [39, 3],
  airline: [59, 2],
  flight: [61, 5],
  bookingClass: [66, 2],
  departs: [68, 5],
  arrives: [73, 5],
  dayChange: [91, 1],
  stops: [92, 1],
  operatingAirline: [111, 2],
  equipment: [113, 3],
  seats: [128, 2],
  departureTerminal: [130, 26],
  arrivalTerminal: [160, 26],
  ticketed: [233, 1],
  year: [236, 4],
  locator: [240, 8],
} as const satisfies RecordColumns

export const COUPON = {
  flight: [3, 2],
  ptc: [5, 3],
  stopover: [8, 1],
  notValidBefore: [10, 5],
  notValidAfter: [15, 5],
  status: [20, 2],
  baggage: [22, 3],
  fareBasis: [25, 13],
  longFareBasis: [49, 12],
  designator: [61, 10],
} as const satisfies RecordColumns

export const ACCOUNTING = {
  passenger: [5, 2],
  indicator: [8, 1],
  airline: [9, 2],
  separator: [11, 1],
} as const satisfies RecordColumns

export const FEE = {
  passenger: [3, 2],
  noCharge: [7, 1],
  ticket: [8, 13],
  code: [24, 2],
  subCode: [26, 3],
  amount: [66, 11],
  currency: [77, 3],
} as const satisfies RecordColumns

export const EMD = {
  passenger: [3, 2],
  ptc: [5, 3],
  issuedOn: [8, 9],
  airline: [23, 2],
  airlineNumber: [26, 3],
  serial: [29, 10],
  checkDigit: [39, 1],
  conjunctions: [40, 1],
  associated: [41, 13],
  associatedCheckDigit: [54, 1],
  rfic: [72, 2],
  tourCode: [74, 15],
  baseCurrency: [89, 3],
  base: [92, 18],
  taxes: [110, 18],
  commission: [128, 18],
  equivalentCurrency: [146, 3],
  equivalent: [149, 18],
  payment: [167, 2],
  card: [169, 2],
  cardNumber: [172, 18],
  hasEndorsement: [213, 1],
  coupons: [237, 2],
} as const satisfies RecordColumns

/** The line of each coupon, behind the line of an EMD. */
export const EMD_COUPON = {
  number: [1, 2],
  taxCode: [21, 3],
  tax: [24, 18],
  rfisc: [71, 3],
  text: [74, 50],
  flight: [124, 5],
  from: [129, 3],
  to: [134, 3],
  day: [139, 9],
} as const satisfies RecordColumns
