import { describe, expect, it } from 'vitest'
import type { TicketFile } from '../../src/features/ticket-printer/ticket-file.ts'
import { readText } from './every-fixture.ts'
import { tag } from './writers/order.ts'

type Version = '17.2' | '21.3'
type Amounts = { readonly base: string; readonly tax?: string; readonly total: string }
/** A price of a passenger, and the description of its item. */
type Detail = Amounts & { readonly of?: string; readonly hasComponent?: boolean }
type Item = { readonly details: readonly Detail[]; readonly sells?: readonly ('flight' | 'bag' | 'seat')[] }
type Document = { readonly type: 'T' | 'J'; readonly of?: string }

const TICKET: Document = { type: 'T' }
const EMD: Document = { type: 'J' }
const NUMBERS = ['2352400000001', '2352400000002', '2352400000003']
const FLIGHT: Amounts = { base: '100.00', tax: '20.00', total: '120.00' }
const BAG: Amounts = { base: '25.00', total: '25.00' }

const money = (version: Version, name: string, amount: string): string =>
  tag(`${name} ${version === '17.2' ? 'Code' : 'CurCode'}="EUR"`, amount)

const SOLD: Readonly<Record<Version, Readonly<Record<'flight' | 'bag' | 'seat', string>>>> = {
  '17.2': {
    flight: tag('SegmentRef', 'SEG1'),
    bag: tag('ServiceDefinitionRef SegmentRef="SEG1"', 'SD1'),
    seat: tag('SelectedSeat', tag('Seat', tag('Row', '18'), tag('Column', 'A')), tag('SegmentRef', 'SEG1')),
  },
  '21.3': {
    flight: tag('OrderServiceAssociation', tag('PaxSegmentRef', tag('PaxSegmentRefID', 'SEG1'))),
    bag: tag(
      'OrderServiceAssociation',
      tag('ServiceDefinitionRef', tag('PaxSegmentRefID', 'SEG1'), tag('ServiceDefinitionRefID', 'SD1')),
    ),
    seat: tag(
      'OrderServiceAssociation',
      tag('SeatOnLeg', tag('Seat', tag('RowNumber', '18'), tag('ColumnID', 'A')), tag('PaxSegmentRefID', 'SEG1')),
    ),
  },
}

function detailIn(version: Version, { base, tax, total, of = 'PAX1', hasComponent }: Detail): string {
  const printed = tax ? tag('Tax', money(version, 'Amount', tax), tag('TaxCode', 'YR')) : ''
  const component = hasComponent ? tag('FareComponent', tag('SegmentRefs', 'SEG1')) : ''
  if (version === '17.2') {
    const price = [
      tag('TotalAmount', money(version, 'SimpleCurrencyPrice', total)),
      money(version, 'BaseAmount', base),
      tag('Taxes', tag('Breakdown', printed)),
    ]
    return tag('FareDetail', tag('PassengerRefs', of), tag('Price', ...price), component)
  }
  const price = [money(version, 'BaseAmount', base), tag('TaxSummary', printed), money(version, 'TotalAmount', total)]
  return tag('FareDetail', component, tag('FarePriceType', tag('Price', ...price)), tag('PaxRefID', of))
}

const itemIn = (version: Version, { details, sells = [] }: Item): string =>
  tag(
    'OrderItem',
    ...details.map((detail) => detailIn(version, detail)),
    ...sells.map((what) => tag('Service', SOLD[version][what])),
  )

function documentIn(version: Version, { type, of = 'PAX1' }: Document, at: number): string {
  const number = NUMBERS[at] ?? ''
  return version === '17.2'
    ? tag(
        'TicketDocInfo',
        tag('TicketDocument', tag('TicketDocNbr', number), tag('Type', type)),
        tag('PassengerReference', of),
      )
    : tag(
        'TicketDocInfo',
        tag('PaxRefID', of),
        tag('Ticket', tag('TicketDocTypeCode', type), tag('TicketNumber', number)),
      )
}

function orderIn(version: Version, items: readonly Item[], documents: readonly Document[]): string {
  const printed = items.map((item) => itemIn(version, item))
  const infos = documents.map((document, at) => documentIn(version, document, at))
  const person = [tag('PTC', 'ADT'), tag('Individual', tag('GivenName', 'ANNA'), tag('Surname', 'SCHMIDT'))]
  const ids = ['PAX1', 'PAX2']
  if (version === '17.2') {
    const people = ids.map((id) => tag(`Passenger PassengerID="${id}"`, ...person))
    const bag = tag('ServiceDefinition ServiceDefinitionID="SD1"', tag('Name', 'BAG'))
    return tag(
      'OrderViewRS Version="17.2"',
      tag(
        'Response',
        tag('Order OrderID="1" Owner="TK"', tag('OrderItems', ...printed)),
        tag('TicketDocInfos', ...infos),
        tag('DataLists', tag('PassengerList', ...people), tag('ServiceDefinitionList', bag)),
      ),
    )
  }
  const people = ids.map((id) => tag('Pax', tag('PaxID', id), ...person))
  const bag = tag('ServiceDefinition', tag('Name', 'BAG'), tag('ServiceDefinitionID', 'SD1'))
  return tag(
    'IATA_OrderViewRS',
    tag(
      'Response',
      tag('DataLists', tag('PaxList', ...people), tag('ServiceDefinitionList', bag)),
      tag('Order', tag('OrderID', '1'), ...printed, tag('OwnerCode', 'TK')),
      ...infos,
    ),
  )
}

function read(version: Version, items: readonly Item[], documents: readonly Document[]): TicketFile {
  const file = readText(orderIn(version, items, documents), '2026-03-05')
  if ('unreadable' in file) throw new Error(file.unreadable)
  return file
}

describe.each<Version>(['17.2', '21.3'])('prices of %s that have no fare component', (version) => {
  const priced = (items: readonly Item[], documents: readonly Document[]) => {
    const file = read(version, items, documents)
    return {
      totals: file.documents.map(({ fare }) => fare.total?.amount ?? null),
      services: file.documents.map(({ services }) => services.map(({ text }) => text)),
      warnings: file.warnings.map(({ message }) => message),
    }
  }
  const unticketed = (what: string) =>
    `The order contains ${what} of EUR 25.00 for ANNA SCHMIDT, for which it lists no document. The sale does not include it. Add it by hand.`
  const unassigned = (at: number, ...prices: string[]) =>
    `The price of ${NUMBERS[at]} is not known: the order does not state which price belongs to the flights and which to a service (${prices.join(', ')}).`

  it('belong to the ticket if the passenger has no other document', () => {
    const { documents, warnings } = read(version, [{ details: [FLIGHT] }], [TICKET])
    expect(warnings).toEqual([])
    expect(documents[0]?.fare).toMatchObject({
      base: { currency: 'EUR', amount: '100.00' },
      taxes: [{ currency: 'EUR', amount: '20.00', code: 'YR' }],
      total: { currency: 'EUR', amount: '120.00' },
    })
  })

  it('belong to the ticket beside an item that is a service', () => {
    for (const service of ['bag', 'seat'] as const) {
      const items: Item[] = [{ details: [FLIGHT] }, { details: [BAG], sells: [service] }]
      expect(priced(items, [TICKET])).toMatchObject({
        totals: ['120.00'],
        services: [[]],
        warnings: [unticketed(service === 'bag' ? 'BAG' : 'SEAT 18A')],
      })
      expect(priced(items, [TICKET, EMD])).toMatchObject({
        totals: ['120.00', '25.00'],
        services: [[], [service === 'bag' ? 'BAG' : 'SEAT 18A']],
        warnings: [],
      })
    }
  })

  it('belong to the ticket if the included bag has no item', () => {
    const items: Item[] = [
      { details: [FLIGHT], sells: ['flight', 'bag'] },
      { details: [BAG], sells: ['bag'] },
    ]
    expect(priced(items, [TICKET, EMD])).toEqual({ totals: ['120.00', '25.00'], services: [[], ['BAG']], warnings: [] })
    expect(priced(items.slice(0, 1), [TICKET])).toEqual({ totals: ['120.00'], services: [[]], warnings: [] })
  })

  it('belong to the ticket if their item has only flights, and are added up', () => {
    const items: Item[] = [{ details: [FLIGHT, FLIGHT], sells: ['flight'] }, { details: [BAG] }]
    expect(priced(items, [TICKET, EMD])).toMatchObject({ totals: ['240.00', '25.00'], warnings: [] })
  })

  it('belong to one passenger each', () => {
    const items: Item[] = [
      {
        details: [
          { ...FLIGHT, hasComponent: true },
          { ...FLIGHT, total: '130.00', of: 'PAX2' },
        ],
        sells: ['bag'],
      },
    ]
    const documents: Document[] = [TICKET, { type: 'T', of: 'PAX2' }]
    expect(priced(items, documents)).toMatchObject({ totals: ['120.00', '130.00'], warnings: [] })
  })

  it('belong to services beside a fare with components', () => {
    const items: Item[] = [{ details: [{ ...FLIGHT, hasComponent: true }] }, { details: [BAG] }, { details: [BAG] }]
    expect(priced(items, [TICKET, EMD])).toMatchObject({ totals: ['120.00', '50.00'], warnings: [] })
  })

  it('belong to the EMD if the passenger has no ticket', () => {
    expect(priced([{ details: [BAG] }], [EMD])).toMatchObject({ totals: ['25.00'], warnings: [] })
  })

  it('are left out and named in a warning if they cannot be assigned', () => {
    const both: Item[] = [{ details: [FLIGHT] }, { details: [BAG] }]
    expect(priced(both, [TICKET])).toMatchObject({
      totals: [null],
      warnings: [unassigned(0, 'EUR 120.00', 'EUR 25.00')],
    })
    expect(priced(both, [TICKET, EMD])).toMatchObject({
      totals: [null, null],
      warnings: [unassigned(0, 'EUR 120.00', 'EUR 25.00'), unassigned(1, 'EUR 120.00', 'EUR 25.00')],
    })
    expect(priced(both.slice(0, 1), [TICKET, EMD])).toMatchObject({
      totals: [null, null],
      warnings: [unassigned(0, 'EUR 120.00'), unassigned(1, 'EUR 120.00')],
    })
  })

  it('leave the certain prices beside them unchanged', () => {
    const items: Item[] = [{ details: [FLIGHT] }, { details: [BAG] }, { details: [BAG], sells: ['bag'] }]
    expect(priced(items, [TICKET, EMD])).toMatchObject({
      totals: [null, '25.00'],
      warnings: [unassigned(0, 'EUR 120.00', 'EUR 25.00')],
    })
    expect(priced([items[0] as Item, items[2] as Item], [EMD])).toMatchObject({
      totals: [null],
      warnings: [unassigned(0, 'EUR 120.00', 'EUR 25.00')],
    })
  })

  it('are missing if none is printed', () => {
    expect(priced([{ details: [BAG], sells: ['bag'] }], [TICKET]).warnings).toEqual([
      `The price of ${NUMBERS[0]} is not known: the order has no price for it.`,
      unticketed('BAG'),
    ])
  })
})

describe('an order without prices', () => {
  const paidOrder = (numbers: readonly string[]): string =>
    [
      '<IATA_OrderViewRS xmlns="http://www.iata.org/IATA/2015/00/2019.2/IATA_OrderViewRS"><Response>',
      '<DataLists><PaxList><Pax><Individual><GivenName>AYSE</GivenName><Surname>YILMAZ</Surname></Individual>',
      '<PaxID>PAX1</PaxID><PTC>ADT</PTC></Pax></PaxList></DataLists><Order><OrderID>1</OrderID></Order>',
      ...numbers.map(
        (number) =>
          `<TicketDocInfo><PaxRefID>PAX1</PaxRefID><Ticket><TicketDocTypeCode>T</TicketDocTypeCode><TicketNumber>${number}</TicketNumber></Ticket></TicketDocInfo>`,
      ),
      '</Response><PaymentFunctions><PaymentProcessingSummary><Amount CurCode="USD">640.12</Amount>',
      '<TypeCode>Cash</TypeCode></PaymentProcessingSummary></PaymentFunctions></IATA_OrderViewRS>',
    ].join('')
  const read = (numbers: readonly string[]) => readText(paidOrder(numbers), '2026-03-02') as TicketFile

  it('has the paid amount as the total of its only document, with a warning', () => {
    const { documents, paid, warnings } = read(NUMBERS.slice(0, 1))
    expect(documents.map(({ fare }) => fare.total)).toEqual([{ currency: 'USD', amount: '640.12' }])
    expect(paid).toBeUndefined()
    expect(warnings.map(({ code }) => code)).toEqual(['price_unknown', 'payment_amount'])
  })
  it('does not split the paid amount among several documents', () => {
    const { documents, paid } = read(NUMBERS.slice(0, 2))
    expect(documents.map(({ fare }) => fare.total)).toEqual([null, null])
    expect(paid).toEqual({ currency: 'USD', amount: '640.12' })
  })
})
