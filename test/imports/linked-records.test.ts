import { describe, expect, it } from 'vitest'
import { importRows, makeAgency } from '../harness/agency.ts'
import { errors, type Row, warnings, withRecords } from '../harness/records.ts'
import { ask } from '../harness/sql.ts'

const { make, newAgency, next, read, send, sendAll, the } = withRecords()

describe('leads', () => {
  const lead = (more: object = {}): Row => ({ external_id: next('L'), name: 'Deniz', ...more })
  it('come in at any stage, and move to any other', async () => {
    const stages = ['won', 'inbox', 'lost', 'qualified', 'proposal', 'nurturing']
    const row = await make('leads', lead({ stage: 'lost' }))
    for (const stage of stages)
      expect(await send('leads', { ...row, stage })).toMatchObject({ status: 'updated', record_status: stage })
    expect((await read('leads', await make('leads', lead()))).status).toBe('inbox')
  })
  it('match their source by key or label in any case, and add unknown ones', async () => {
    const source = async (text: string) => (await read('leads', await make('leads', lead({ source: text })))).source
    expect(await source('walk_in')).toBe('walk_in')
    expect(await source(' Walk IN ')).toBe('walk_in')
    expect(await source('Fuar Standı')).toBe('fuar_standi')
    expect(await source('FUAR standı')).toBe('fuar_standi')
    expect(errors(await send('leads', lead({ source: '?!' })))).toEqual(['source unknown_term'])
    const terms = `select key, label from terms where account_id = $1 and taxonomy = 'lead_source'`
    expect(await ask(the.cell, terms, [the.agency.number])).toEqual([{ key: 'fuar_standi', label: 'Fuar Standı' }])
    await importRows(the.cell, the.agency.key, 'leads', [lead({ source: 'Only Tried' })], {}, true)
    expect(await ask(the.cell, terms, [the.agency.number])).toHaveLength(1)
  })
  it('keep their stage once they are converted, with a warning, and change otherwise', async () => {
    const row = await make('leads', lead({ stage: 'proposal' }))
    await ask(
      the.cell,
      'update leads set converted_at = now(), stage = $$won$$ where account_id = $1 and external_id = $2',
      [the.agency.number, row.external_id],
    )
    const alone = await send('leads', { ...row, stage: 'lost' })
    expect([alone.status, alone.record_status, ...warnings(alone)]).toEqual(['unchanged', 'won', 'stage stage_ignored'])
    const both = await send('leads', { ...row, stage: 'lost', party_size: '3' })
    expect([both.status, both.record_status, ...warnings(both)]).toEqual(['updated', 'won', 'stage stage_ignored'])
    expect(await read('leads', row)).toMatchObject({ status: 'won', party_size: 3 })
    expect(warnings(await send('leads', { ...row, stage: 'won' }))).toEqual([])
  })
  it('list their destinations once each', async () => {
    const row = await make('leads', lead({ destinations: ' Roma, ,Floransa ,Roma,' }))
    expect((await read('leads', row)).destinations).toBe('Roma, Floransa')
    expect(await send('leads', { ...row, destinations: 'Roma,Floransa' })).toMatchObject({ status: 'unchanged' })
    await send('leads', { ...row, destinations: null })
    expect((await read('leads', row)).destinations).toBe('')
  })
  it('name their customer by external id or e-mail', async () => {
    const byMail = await read('leads', await make('leads', lead({ customer_external_id: 'AYSE@example.com' })))
    expect(byMail.customer).toMatchObject({ external_id: 'C' })
    const nobody = await send('leads', lead({ customer_external_id: 'nobody' }))
    expect([nobody.status, ...warnings(nobody)]).toEqual(['created', 'customer_external_id reference_not_found'])
  })
})

describe('operator invoices', () => {
  const invoice = (more: object = {}): Row => ({
    external_id: next('OI'),
    invoice_number: next('TO-'),
    supplier_external_id: 'S',
    issued_on: '2026-03-05',
    currency: 'EUR',
    total_amount: '655.60',
    ...more,
  })
  const duplicate = ['invoice_number duplicate_number']
  it('have a number once by supplier among those that are not void', async () => {
    const first = await make('operator_invoices', invoice())
    const same = { invoice_number: first.invoice_number }
    expect(errors(await send('operator_invoices', invoice(same)))).toEqual(duplicate)
    await make('operator_invoices', invoice({ ...same, supplier_external_id: 'S2' }))
    await make('operator_invoices', invoice({ ...same, status: 'void' }))
    expect(await send('operator_invoices', first)).toMatchObject({ status: 'unchanged' })
    const other = await make('operator_invoices', invoice())
    expect(errors(await send('operator_invoices', { ...other, ...same }))).toEqual(duplicate)
    await send('operator_invoices', { ...first, status: 'void' })
    expect(await send('operator_invoices', { ...other, ...same })).toMatchObject({ status: 'updated', errors: [] })
    const [two, three] = await sendAll('operator_invoices', [
      invoice({ invoice_number: 'B' }),
      invoice({ invoice_number: 'B' }),
    ])
    expect([two?.status, errors(three)]).toEqual(['created', duplicate])
  })
  it('give their number to the rows after them where they are void or take another', async () => {
    const [first, second] = [await make('operator_invoices', invoice()), await make('operator_invoices', invoice())]
    const third = await make('operator_invoices', invoice())
    const numbered = ({ invoice_number }: Row) => ({ invoice_number })
    const rows = await sendAll('operator_invoices', [
      invoice(numbered(first)),
      { ...first, status: 'void' },
      { ...second, ...numbered(first) },
      invoice(numbered(second)),
      { ...third, ...numbered(second) },
    ])
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'updated', 'updated', 'created', 'failed'])
    expect([errors(rows[0]), errors(rows[4])]).toEqual([duplicate, duplicate])
  })
  it('take no number by a row that fails', async () => {
    const [half, whole] = await sendAll('operator_invoices', [
      invoice({ invoice_number: 'H', booking_entity: 'tickets' }),
      invoice({ invoice_number: 'H' }),
    ])
    expect([errors(half), whole?.status]).toEqual([['booking_external_id inconsistent'], 'created'])
    const stored = await make('operator_invoices', invoice())
    const [bad, good] = await sendAll('operator_invoices', [
      { ...stored, invoice_number: 'I', total_amount: 'x' },
      invoice({ invoice_number: 'I' }),
    ])
    expect([errors(bad), good?.status]).toEqual([['total_amount invalid_money'], 'created'])
  })
  it('name a booking by both cells or neither', async () => {
    await make('cruises', { external_id: 'OI-CR' })
    const named = await make('operator_invoices', invoice({ booking_entity: 'cruises', booking_external_id: 'OI-CR' }))
    const link = `select b.external_id from operator_invoices i left join bookings b on b.account_id = i.account_id and b.id = i.booking_id
      where i.account_id = $1 and i.external_id = $2`
    expect(await ask(the.cell, link, [the.agency.number, named.external_id])).toEqual([{ external_id: 'OI-CR' }])
    for (const [cells, field] of [
      [{ booking_entity: 'cruises' }, 'booking_external_id'],
      [{ booking_external_id: 'OI-CR' }, 'booking_entity'],
    ] as const)
      expect(errors(await send('operator_invoices', invoice(cells)))).toEqual([`${field} inconsistent`])
    expect(errors(await send('operator_invoices', { ...named, booking_entity: null }))).toEqual([
      'booking_entity inconsistent',
    ])
    const lost = invoice({ booking_entity: 'transfers', booking_external_id: 'OI-CR' })
    const outcome = await send('operator_invoices', lost)
    expect([outcome.status, ...warnings(outcome)]).toEqual(['created', 'booking_external_id reference_not_found'])
    expect(await ask(the.cell, link, [the.agency.number, lost.external_id])).toEqual([{ external_id: null }])
    const pickup = { pickup_at: '2026-07-10T12:00:00', pickup_location: 'A', dropoff_location: 'B' }
    await make('transfers', { external_id: 'OI-CR', ...pickup })
    expect((await send('operator_invoices', lost)).status).toBe('updated') // the booking came later
    expect(await ask(the.cell, link, [the.agency.number, lost.external_id])).toEqual([{ external_id: 'OI-CR' }])
    expect((await send('operator_invoices', lost)).status).toBe('unchanged')
    await send('operator_invoices', { ...named, booking_entity: null, booking_external_id: null })
    expect(await ask(the.cell, link, [the.agency.number, named.external_id])).toEqual([{ external_id: null }])
  })
  it('warn if the net is not gross minus commission and its VAT, and show the open amount', async () => {
    const cells = { gross_amount: '745.00', commission_amount: '74.50', commission_vat_amount: '14.90' }
    const right = await send('operator_invoices', invoice({ ...cells, net_amount: '655.60' }))
    expect([right.status, ...warnings(right)]).toEqual(['created'])
    const row = invoice({ ...cells, net_amount: '655.61', paid_amount: '100.00' })
    const wrong = await send('operator_invoices', row)
    expect([wrong.status, ...warnings(wrong)]).toEqual(['created', 'net_amount inconsistent'])
    expect(await read('operator_invoices', row)).toMatchObject({ balance_amount: '555.60', net_amount: '655.61' })
    expect(warnings(await send('operator_invoices', invoice({ gross_amount: '1.00', net_amount: '5.00' })))).toEqual([])
    expect(await read('operator_invoices', await make('operator_invoices', invoice()))).toMatchObject({
      balance_amount: '655.60',
    })
  })
  it('need their supplier', async () => {
    const outcome = await send('operator_invoices', invoice({ supplier_external_id: 'nobody' }))
    expect(errors(outcome)).toEqual(['supplier_external_id reference_not_found'])
  })
  it('move freely, and never out of void', async () => {
    const row = await make('operator_invoices', invoice({ status: 'paid' }))
    for (const status of ['draft', 'disputed', 'open', 'partially_paid', 'void'])
      expect(await send('operator_invoices', { ...row, status })).toMatchObject({
        status: 'updated',
        record_status: status,
      })
    expect((await send('operator_invoices', { ...row, status: 'open' })).errors).toMatchObject([
      { field: 'status', code: 'invalid_transition', allowed: [] },
    ])
    expect(await send('operator_invoices', { external_id: row.external_id, notes: 'x' })).toMatchObject({
      status: 'updated',
    })
  })
})

describe('supplier bills', () => {
  const bill = (more: object = {}): Row => ({
    external_id: next('SB'),
    bill_number: 'GER-1',
    supplier_external_id: 'S',
    issued_on: '2026-03-06',
    currency: 'EUR',
    total_amount: '560.00',
    ...more,
  })
  it('are stored with the open amount, and may share a number', async () => {
    const row = await make('supplier_bills', bill({ paid_amount: '60.00', status: 'partially_paid' }))
    await make('supplier_bills', bill())
    expect(await read('supplier_bills', row)).toMatchObject({
      status: 'partially_paid',
      balance_amount: '500.00',
      supplier: { external_id: 'S' },
    })
    expect(await send('supplier_bills', row)).toMatchObject({ status: 'unchanged' })
  })
  it('warn if the total is not net plus VAT, with or without withholding', async () => {
    const of = async (cells: object) => warnings(await send('supplier_bills', bill(cells)))
    const parts = { net_amount: '500.00', vat_amount: '60.00' }
    expect(await of(parts)).toEqual([])
    expect(await of({ ...parts, vat_amount: '60.01' })).toEqual(['total_amount inconsistent'])
    expect(await of({ ...parts, withholding_amount: '12.00' })).toEqual([])
    expect(await of({ ...parts, withholding_amount: '12.00', total_amount: '548.00' })).toEqual([])
    expect(await of({ ...parts, withholding_amount: '12.00', total_amount: '550.00' })).toEqual([
      'total_amount inconsistent',
    ])
  })
  it('name bookings in their lines by both cells or neither', async () => {
    await make('cruises', { external_id: 'SB-CR' })
    const lines = (...cells: object[]) => bill({ lines: cells.map((more) => ({ description: 'Cabin', ...more })) })
    const row = lines({ booking_entity: 'cruises', booking_external_id: 'SB-CR' }, {})
    expect(await send('supplier_bills', row)).toMatchObject({ status: 'created', warnings: [] })
    expect(errors(await send('supplier_bills', lines({}, { booking_entity: 'cruises' })))).toEqual([
      'lines[1].booking_external_id inconsistent',
    ])
    const lost = await send('supplier_bills', lines({ booking_entity: 'cruises', booking_external_id: 'none' }))
    expect([lost.status, ...warnings(lost)]).toEqual(['created', 'lines[0].booking_external_id reference_not_found'])
  })
})

describe('references', () => {
  it('never lead to another account, whatever keys its records have', async () => {
    const [theirs, ours] = [await newAgency(), await makeAgency(the.cell)]
    await importRows(the.cell, theirs.key, 'tour_departures', [{ external_id: 'TD', title: 'Tour', max_capacity: 10 }])
    await importRows(the.cell, theirs.key, 'cruises', [{ external_id: 'CR' }])
    const links = { customer_external_id: 'C', supplier_external_id: 'S' }
    const document = { supplier_external_id: 'S', issued_on: '2026-03-05', currency: 'EUR', total_amount: '1.00' }
    const rows: Record<string, object> = {
      leads: { name: 'Deniz', customer_external_id: 'ayse@example.com' },
      tour_departures: { title: 'Tour', supplier_external_id: 'S' },
      tickets: { ...links, passengers: [{ first_name: 'A', last_name: 'B' }] },
      hotel_stays: { ...links, check_in_on: '2026-07-10', check_out_on: '2026-07-11' },
      transfers: { ...links, pickup_at: '2026-07-10T12:00:00', pickup_location: 'A', dropoff_location: 'B' },
      cruises: links,
      car_rentals: links,
      tour_bookings: { ...links, tour_departure_external_id: 'TD', guest_count: 1 },
      operator_invoices: { ...document, invoice_number: '1' },
      supplier_bills: { ...document, bill_number: '1' },
    }
    for (const [entity, row] of Object.entries(rows)) {
      const outcome = await send(entity, { external_id: 'X', ...row }, {}, ours)
      const missed = [...errors(outcome), ...warnings(outcome)]
      const named = Object.keys(row).filter((name) => name.endsWith('_external_id'))
      expect([entity, ...missed.toSorted()]).toEqual([
        entity,
        ...named.map((name) => `${name} reference_not_found`).toSorted(),
      ])
      const fails = ['tour_bookings', 'operator_invoices', 'supplier_bills'].includes(entity)
      expect([entity, outcome.status]).toEqual([entity, fails ? 'failed' : 'created'])
    }
    await importRows(the.cell, ours.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    const booking = { booking_entity: 'cruises', booking_external_id: 'CR' }
    const invoice = { external_id: 'X', ...rows.operator_invoices, ...booking }
    expect(warnings(await send('operator_invoices', invoice, {}, theirs))).toEqual([])
    expect(warnings(await send('operator_invoices', invoice, {}, ours))).toEqual([
      'booking_external_id reference_not_found',
    ])
  })
  it('lead to the account’s own record where both have the key', async () => {
    const [one, two] = [await newAgency(), await newAgency()]
    const ids = await Promise.all(
      [one, two].map(async (of) => {
        const row = { external_id: 'X', customer_external_id: 'C', supplier_external_id: 'S' }
        await importRows(the.cell, of.key, 'cruises', [row])
        const { customer, supplier } = await read('cruises', row, of.key)
        const own = await Promise.all([
          read('customers', { external_id: 'C' }, of.key),
          read('suppliers', { external_id: 'S' }, of.key),
        ])
        expect([customer?.id, supplier?.id]).toEqual(own.map(({ id }) => id))
        return customer?.id
      }),
    )
    expect(ids[0]).not.toBe(ids[1])
  })
})
