import { beforeAll, describe, expect, it } from 'vitest'
import { airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Capture, numbers, withPrinter } from '../harness/printer.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

describe('two issues of a ticket with other amounts', () => {
  it('warn of both captures, and name the one whose amounts the sale has', async () => {
    const { capture, sale } = await withPrinter(cell)
    const first = await capture(airFile())
    const other = await capture(airFile({ fare: '260.00', total: '320.00', sequence: '0200000002' }))
    expect(first.warnings.map(({ code }) => code)).not.toContain('other_amounts')
    const { totals } = await sale(first.ticket_sale_id)
    const [warning, ...more] = other.warnings.filter(({ code }) => code === 'other_amounts')
    expect(more).toEqual([])
    const chosen = totals.sell === '320.00' ? other.id : first.id
    expect(['300.00', '320.00']).toContain(totals.sell)
    expect(warning?.message).toBe(
      `Captures ${first.id} and ${other.id} have different amounts for document 2352400000001: EUR 300.00 and EUR 320.00. The sale has the amounts of capture ${chosen}. Check the sale.`,
    )
  })
  it('are not reported if only other fields differ', async () => {
    const { capture } = await withPrinter(cell)
    await capture(airFile())
    const other = await capture(airFile({ payment: 'CCVIXXXXXXXXXXXX1111/1229/A123456', sequence: '0200000002' }))
    expect(other.warnings.map(({ code }) => code)).not.toContain('other_amounts')
  })
})

describe('an order paid without prices of its documents', () => {
  it('creates a sale without prices in the currency of the payment, with a warning', async () => {
    const { capture, sale } = await withPrinter(cell)
    const documents = numbers('2400000001', '2400000002').map(
      (number) =>
        `<TicketDocInfo><PaxRefID>PAX1</PaxRefID><Ticket><TicketDocTypeCode>T</TicketDocTypeCode><TicketNumber>${number}</TicketNumber></Ticket></TicketDocInfo>`,
    )
    const made = await capture(
      `<IATA_OrderViewRS xmlns="http://www.iata.org/IATA/2015/00/2019.2/IATA_OrderViewRS"><Response><DataLists><PaxList><Pax><Individual><GivenName>AYSE</GivenName><Surname>YILMAZ</Surname></Individual><PaxID>PAX1</PaxID></Pax></PaxList></DataLists><Order><OrderID>1</OrderID></Order>${documents.join('')}</Response><PaymentFunctions><PaymentProcessingSummary><Amount CurCode="USD">640.12</Amount></PaymentProcessingSummary></PaymentFunctions></IATA_OrderViewRS>`,
    )
    const { currency, passengers } = await sale(made.ticket_sale_id)
    expect([currency, ...passengers.map(({ total, base_fare }) => [total ?? null, base_fare ?? null])]).toEqual([
      'USD',
      [null, null],
      [null, null],
    ])
    expect(made.warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['payment_amount', 'no_prices']))
  })
})

describe('a part whose amounts make its sale too large', () => {
  it('is refused as a whole, and the sale stays as it was', async () => {
    const { send, sales, captures } = await withPrinter(cell)
    const huge = { fare: '900000000000000.00', tax: '0.00', total: '900000000000000.00' }
    const part = (serial: string, nth: string) => airFile({ tickets: [serial], part: nth, ...huge })
    expect((await send(part('2400000001', '1/2'))).status).toBe(201)
    const before = await sales()
    const { status, body } = await send(part('2400000002', '2/2'))
    expect([status, (body as Capture).cause]).toEqual([422, 'invalid_sale'])
    expect(await sales()).toEqual(before)
    expect((await captures()).map((each) => each.status).sort()).toEqual(['failed', 'parsed'])
  })
})
