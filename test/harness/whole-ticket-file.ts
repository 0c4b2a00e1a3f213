import type { Commission, Fare, PrintedMoney, Tax, TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'

/** The same with a value for everything, and something in every list. */
type Whole<T> = T extends readonly (infer Item)[]
  ? readonly [Whole<Item>, ...Whole<Item>[]]
  : T extends object
    ? { readonly [Name in keyof T]-?: Whole<NonNullable<T[Name]>> }
    : T

const eur = (amount: string): Whole<PrintedMoney> => ({ currency: 'EUR', amount })
const tax = (code: string, amount: string): Whole<Tax> => ({ ...eur(amount), code, nature: 'AE' })
const fare: Whole<Fare> = {
  base: { currency: 'USD', amount: '220.00' },
  equivalent: eur('200.00'),
  rate: '0.909091',
  taxes: [tax('YR', '50.00'), tax('TR', '10.00')],
  paidTaxes: [tax('M6', '3.00')],
  exempt: ['DE'],
  fees: [tax('OBFCA', '5.00')],
  total: eur('260.00'),
}
const commission: Whole<Commission> = { rate: '3', amount: '6.00' }

/** An exchange with all fields that was partly refunded at once, which no printer writes. */
export const WHOLE_TICKET_FILE: Whole<TicketFile> = {
  provider: 'amadeus',
  format: 'air',
  version: '207',
  action: 'exchange',
  training: true,
  made: { day: '2026-03-02', time: '10:15', zone: 'Europe/Istanbul' },
  part: { number: 1, of: 2, sequence: '0200000001' },
  pnr: 'ABC123',
  airlineLocators: [{ airline: 'TK', locator: 'XYZ789' }],
  bookingOffice: 'ISTTK2100',
  ticketingOffice: 'ISTTK2101',
  bookingAgent: '1001AY',
  ticketingAgent: '1002BB',
  iataNumber: '88888882',
  clientAccount: 'ACME',
  issuedOn: '2026-03-02',
  ticketingDeadline: '2026-03-05',
  bsp: true,
  validatingAirline: { code: 'TK', numeric: '235', name: 'TURKISH AIRLINES' },
  passengers: [
    {
      lastName: 'YILMAZ',
      firstName: 'AYSE',
      title: 'MRS',
      type: 'adult',
      ptc: 'ADT',
      dateOfBirth: '1987-04-23',
      gender: 'F',
      nationality: 'TUR',
      passport: { number: 'U12345678', country: 'TUR', expiresOn: '2031-01-31' },
      email: 'ayse.yilmaz@example.com',
      phone: '+905321234567',
      frequentFlyer: 'TK123456789',
      seats: [{ leg: 0, seat: '12A' }],
    },
  ],
  legs: [
    {
      airline: 'TK',
      flight: '1985',
      operatingAirline: 'AJ',
      from: 'IST',
      to: 'LHR',
      departure: '2026-06-12T15:10',
      arrival: '2026-06-12T17:15',
      departureTerminal: 'I',
      arrivalTerminal: '2',
      bookingClass: 'M',
      cabin: 'economy',
      fareBasis: 'MLRTR',
      status: 'OK',
      baggage: '1PC',
      stops: 1,
      equipment: '321',
      stopover: true,
      airlineLocator: 'XYZ789',
      notValidBefore: '2026-06-12',
      notValidAfter: '2026-06-13',
    },
  ],
  documents: [
    {
      number: '2352400000001',
      kind: 'emd',
      conjunctions: ['2352400000002'],
      coupons: [{ number: 1, status: 'OPEN' }],
      passenger: 0,
      airline: 'TK',
      issuedOn: '2026-03-02',
      fare,
      fareCalculation: 'IST TK LON220.00USD220.00END',
      fareMark: 'bulk',
      netFare: fare,
      sellingFare: fare,
      commission,
      serviceFee: eur('25.00'),
      formOfPayment: { kind: 'card', text: 'CCVIXXXXXXXXXXXX1111/1227' },
      tourCode: 'IT6TK2',
      endorsement: 'NONREF',
      services: [{ coupon: 1, rfic: 'C', rfisc: '0GO', text: 'EXCESS BAGGAGE', from: 'IST', to: 'LHR' }],
      associatedWith: '2352400000009',
      exchange: {
        originals: [{ number: '2352400000008', coupons: '12' }],
        additionalCollection: eur('60.00'),
        fareDifference: eur('30.00'),
        residual: eur('1.00'),
        penalty: eur('20.00'),
      },
      refund: {
        gross: eur('200.00'),
        used: eur('50.00'),
        refundable: eur('150.00'),
        penalty: eur('20.00'),
        otherFees: eur('2.00'),
        taxes: [tax('YR', '50.00')],
        taxTotal: eur('50.00'),
        commissionRecall: commission,
        total: eur('178.00'),
        coupons: '12',
        originallyIssuedOn: '2026-02-01',
      },
    },
  ],
  paid: eur('300.00'),
  remarks: ['NET FARE 180.00 FOR MRS YILMAZ'],
  warnings: [{ code: 'total', message: 'Odd' }],
}
