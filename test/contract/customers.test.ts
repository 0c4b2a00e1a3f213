import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { restrictTagOf } from '../harness/settings.ts'
import { undeclared } from '../harness/undeclared.ts'

type Customer = Record<string, unknown> & { id: string }
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const call = async (method: string, path: string, customer?: object, key = agency.key) => {
  const answer = await cell.call(method, path, { key, ...(customer && { body: { customer } }) })
  return { status: answer.status, ...(answer.body as object | null) } as {
    status: number
    code: string
    details: Record<string, string[]>
    data: Customer
  }
}
const list = async (query = '', key = agency.key) =>
  ((await cell.call('GET', `/customers?${query}`, { key })).body as { data: Customer[] }).data

describe('a customer', () => {
  it('is created, read, changed by PATCH and PUT alike, and deleted once', async () => {
    const made = await call('POST', '/customers', {
      name: 'Ayşe Nur Yılmaz',
      email: 'Ayse@example.com',
      tags: ['a', 'a', 'b'],
    })
    expect([made.status, made.data]).toMatchObject([
      201,
      {
        first_name: 'Ayşe Nur',
        last_name: 'Yılmaz',
        customer_type: 'individual',
        active: true,
        tags: ['a', 'b'],
        opted_in_at: null,
      },
    ])
    const path = `/customers/${made.data.id}`
    expect((await call('GET', path)).data).toEqual(made.data)
    const changed = await call('PATCH', path, { vip_tier: 'gold', email: null })
    expect(changed.data).toMatchObject({ vip_tier: 'gold', email: null, tags: ['a', 'b'], name: 'Ayşe Nur Yılmaz' })
    expect((await call('PUT', path, { tags: [] })).data).toMatchObject({ tags: [], vip_tier: 'gold' })
    expect((await call('PATCH', path, { opted_in_marketing: true })).data.opted_in_at).not.toBeNull()
    expect([(await call('DELETE', path)).status, (await call('DELETE', path)).status]).toEqual([204, 404])
    expect([(await call('GET', path)).status, (await call('PATCH', path, { code: 'x' })).status]).toEqual([404, 404])
  })
  it('needs something to be known by, also after a change', async () => {
    const none = await call('POST', '/customers', { code: 'K1' })
    expect([none.status, none.code, Object.keys(none.details)]).toEqual([422, 'validation_failed', ['base']])
    const { data } = await call('POST', '/customers', { phone: '+90 532 123 45 67' })
    expect((await call('PATCH', `/customers/${data.id}`, { phone: null })).status).toBe(422)
  })
  it('is found by name, e-mail and phone, whatever the case and accents, by roles that see them', async () => {
    const own = await makeAgency(cell)
    const names = ['Işıl ÇAĞLAR', 'İbrahim Öz', 'Jürgen 100% Müller']
    for (const name of names) await call('POST', '/customers', { name, email: `${name.length}@example.com` }, own.key)
    for (const [q, count] of [
      ['isil', 1],
      ['ISIL caglar', 1],
      ['ibrahim', 1],
      ['%', 1],
      ['example.com', 3],
      ['nobody', 0],
      ['_', 0],
    ] as const)
      expect([q, (await list(`q=${encodeURIComponent(q)}`, own.key)).length]).toEqual([q, count])
    const { key } = await own.makeKey({ role: 'viewer' })
    expect(await list('q=isil', key)).toEqual([])
    expect((await list('', key)).map(({ name, email }) => [name, email])).toEqual(names.map(() => [null, null]))
  })
  it('is listed newest first, page by page, by each filter', async () => {
    const own = await makeAgency(cell)
    await importRows(
      cell,
      own.key,
      'customers',
      Array.from({ length: 7 }, (_, at) => ({ external_id: `P${at}`, name: `P${at}` })),
    )
    const { data } = await call(
      'POST',
      '/customers',
      { name: 'Last', vip_tier: 'gold', lifecycle_stage: 'repeat' },
      own.key,
    )
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const { body } = await cell.call('GET', `/customers?limit=3${cursor ? `&cursor=${cursor}` : ''}`, {
        key: own.key,
      })
      const page = body as { data: Customer[]; page: { next_cursor: string | null } }
      seen.push(...page.data.map(({ name }) => name))
      cursor = page.page.next_cursor
    } while (cursor)
    expect([seen[0], [...seen].sort()]).toEqual(['Last', ['Last', ...Array.from({ length: 7 }, (_, at) => `P${at}`)]])
    for (const query of ['vip_tier=gold', 'lifecycle_stage=repeat', 'vip_tier=gold&q=last'])
      expect((await list(query, own.key)).map(({ id }) => id)).toEqual([data.id])
    expect((await cell.call('GET', '/customers?vip_tier=x', { key: own.key })).status).toBe(422)
  })
})

describe('customers who are one', () => {
  const ask = <T>(sql: string, account: number) =>
    cell.deps.db.reader(account).all(undeclared<{ account: number }, T>(sql), {})

  it('are reported with the values in common, to roles that see these', async () => {
    const own = await makeAgency(cell)
    const make = async (more: object) => (await call('POST', '/customers', more, own.key)).data.id
    const [a, b] = [
      await make({ name: 'Ali Can', email: 'A@example.com' }),
      await make({ name: 'Al', email: 'a@EXAMPLE.com' }),
    ]
    const [c, d] = [
      await make({ name: 'Işıl Su', birthday: '1990-01-02' }),
      await make({ name: 'ISIL SU', birthday: '1990-01-02' }),
    ]
    await make({ name: 'Ali Can' })
    const pairs = async (key: string) =>
      (
        (await cell.call('GET', '/customers/duplicates', { key })).body as {
          data: { customers: Customer[]; reasons: string[] }[]
        }
      ).data.map(({ customers, reasons }) => [customers.map(({ id }) => id).sort(), reasons])
    expect((await pairs(own.key)).sort()).toEqual(
      [
        [[a, b].sort(), ['email']],
        [[c, d].sort(), ['name_and_birthday']],
      ].sort(),
    )
    expect(await pairs((await own.makeKey({ role: 'viewer' })).key)).toEqual([])
  })
  it('are merged: the loser is gone, its external id leads to the survivor, and everything has moved', async () => {
    const own = await makeAgency(cell)
    const people = [
      { external_id: 'L', name: 'Loser', email: 'l@example.com', phone: '+90 532 123 45 67', notes: 'of the loser' },
      { external_id: 'S', name: 'Survivor', notes: 'of the survivor' },
    ]
    const { rows } = await importRows(cell, own.key, 'customers', people)
    const [loser, survivor] = rows.map(({ id }) => String(id)) as [string, string]
    const stay = {
      check_in_on: '2026-07-10',
      check_out_on: '2026-07-11',
      status: 'confirmed',
      invoice_date: '2026-05-01',
    }
    const lines = { sell_lines: [{ kind: 'other', amount: '10.00' }] }
    await importRows(cell, own.key, 'hotel_stays', [
      { external_id: 'H1', customer_external_id: 'L', ...stay, ...lines },
    ])
    await importRows(cell, own.key, 'leads', [{ external_id: 'Q', name: 'Q', customer_external_id: 'L' }])

    const merged = await cell.call('POST', `/customers/${loser}/merge`, { key: own.key, body: { into_id: survivor } })
    expect([merged.status, (merged.body as { data: Customer }).data]).toMatchObject([
      200,
      { id: survivor, name: 'Survivor', email: 'l@example.com', phone: '+905321234567' },
    ])
    expect((await call('GET', `/customers/${loser}`, undefined, own.key)).status).toBe(404)
    expect((await list('', own.key)).map(({ id }) => id)).toEqual([survivor])
    const [moved] = await ask<Record<string, number>>(
      `select (select count(*) from bookings where account_id = $account and customer_id = '${survivor}')::integer as bookings,
        (select count(*) from customer_invoices where account_id = $account and customer_id = '${survivor}')::integer as invoices,
        (select count(*) from customer_notes where account_id = $account and customer_id = '${survivor}')::integer as notes,
        (select count(*) from leads where account_id = $account and imported_customer_id = '${survivor}')::integer as leads`,
      own.number,
    )
    expect(moved).toEqual({ bookings: 1, invoices: 1, notes: 2, leads: 1 })

    const record = await cell.call('GET', '/imports/customers/records/L', { key: own.key })
    expect((record.body as { data: Customer }).data.id).toBe(survivor)
    const again = await importRows(cell, own.key, 'customers', [
      { external_id: 'L', name: 'One' },
      { external_id: 'S', name: 'Two' },
    ])
    expect(again.rows.map(({ id, status }) => [id, status])).toEqual([
      [survivor, 'updated'],
      [survivor, 'updated'],
    ])
    const [linked] = (
      await importRows(cell, own.key, 'hotel_stays', [{ external_id: 'H2', customer_external_id: 'L', ...stay }])
    ).rows
    expect(linked?.warnings.map(({ code }) => code)).not.toContain('reference_not_found')
    const onto = (id: string, into_id: string) =>
      cell.call('POST', `/customers/${id}/merge`, { key: own.key, body: { into_id } })
    expect([
      (await onto(loser, survivor)).status,
      (await onto(survivor, loser)).status,
      (await onto(survivor, survivor)).status,
    ]).toEqual([404, 422, 422])
  })
})

describe('a customer with a restricted tag', () => {
  const restrict = ({ number }: Agency) => restrictTagOf(cell, number, 'vip')

  it('shows who it is only to roles that may know: in lists, by search, in the feed, on bookings and documents', async () => {
    const own = await makeAgency(cell)
    const [row] = (
      await importRows(cell, own.key, 'customers', [
        { external_id: 'V', name: 'Very Famous', email: 'v@example.com', notes: 'n' },
      ])
    ).rows
    await importRows(cell, own.key, 'hotel_stays', [
      { external_id: 'HV', customer_external_id: 'V', check_in_on: '2026-07-10', check_out_on: '2026-07-11' },
    ])
    await importRows(cell, own.key, 'suppliers', [{ external_id: 'S', name: 'Operator' }])
    await importRows(cell, own.key, 'operator_invoices', [
      {
        external_id: 'OV',
        invoice_number: '1',
        supplier_external_id: 'S',
        customer_external_id: 'V',
        lead_passenger_name: 'Very Famous',
        issued_on: '2026-03-05',
        currency: 'EUR',
        total_amount: '1',
      },
    ])
    await call('PATCH', `/customers/${row?.id}`, { tags: ['vip'] }, own.key)
    await restrict(own)
    const seen = async (role: string) => {
      const { key } = await own.makeKey({ role })
      const [listed] = await list('', key)
      const found = await list('q=famous', key)
      const read = await call('GET', `/customers/${row?.id}`, undefined, key)
      const feed = (await cell.call('GET', '/imports/customers/records/V', { key })).body as { data: Customer }
      const booking = (await cell.call('GET', '/imports/hotel_stays/records/HV', { key })).body as {
        data: { customer: Customer }
      }
      const invoice = (await cell.call('GET', '/imports/operator_invoices/records/OV', { key })).body as {
        data: { customer: Customer; lead_passenger_name: string | null }
      }
      return {
        names: [listed?.name, feed.data.name, booking.data.customer.name, invoice.data.customer.name],
        found: found.length,
        more: [read.data.email, feed.data.notes, invoice.data.lead_passenger_name],
      }
    }
    expect(await seen('owner')).toEqual({
      names: Array(4).fill('Very Famous'),
      found: 1,
      more: ['v@example.com', 'n', 'Very Famous'],
    })
    for (const role of ['admin', 'advisor', 'viewer'])
      expect([role, await seen(role)]).toEqual([
        role,
        { names: Array(4).fill(null), found: 0, more: [null, null, null] },
      ])
  })
  it('cannot be revealed by a role that may not know it: not by its tags, a merge, a lead or its bookings', async () => {
    const own = await makeAgency(cell)
    const famous = { external_id: 'V', name: 'Very Famous', email: 'v@example.com' }
    const [row] = (await importRows(cell, own.key, 'customers', [famous])).rows
    const path = `/customers/${row?.id}`
    await call('PATCH', path, { tags: ['vip', 'other'] }, own.key)
    await importRows(cell, own.key, 'hotel_stays', [
      {
        external_id: 'HV',
        customer_external_id: 'V',
        check_in_on: '2026-07-10',
        check_out_on: '2026-07-11',
        travelers: [{ first_name: 'Very', last_name: 'Famous' }],
      },
    ])
    await restrict(own)
    const { key } = await own.makeKey({ role: 'manager' })
    const refused = await call('PATCH', path, { tags: ['other'] }, key)
    expect([refused.status, Object.keys(refused.details)]).toEqual([422, ['tags']])
    expect((await call('PATCH', path, { tags: ['vip'] }, key)).status).toBe(200)

    const booking = (await cell.call('GET', '/imports/hotel_stays/records/HV', { key })).body as { data: Customer }
    expect([booking.data.customer, booking.data.travelers]).toMatchObject([{ name: null }, null])

    const made = await cell.call('POST', '/leads', {
      key,
      body: { lead: { name: 'Very Famous', email: 'v@example.com' } },
    })
    const lead = (made.body as { data: { id: string } }).data.id
    const converted = await cell.call('POST', `/leads/${lead}/convert`, { key, body: {} })
    expect((converted.body as { data: { customer: Customer } }).data.customer.id).not.toBe(row?.id)

    const mine = (await call('POST', '/customers', { name: 'Mine' }, key)).data.id
    for (const [loser, into] of [
      [row?.id, mine],
      [mine, row?.id],
    ])
      expect(await cell.call('POST', `/customers/${loser}/merge`, { key, body: { into_id: into } })).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('view_restricted_customers') },
      })
    await cell.call('POST', `${path}/merge`, { key: own.key, body: { into_id: mine } })
    expect((await call('PATCH', `/customers/${mine}`, { tags: [] }, key)).status).toBe(422)
    expect((await call('GET', `/customers/${mine}`, undefined, key)).data.email).toBeNull()
    expect((await call('PATCH', `/customers/${mine}`, { tags: [] }, own.key)).status).toBe(200)
  })
  it('keeps that tag when it is merged into one that has as many tags as there may be', async () => {
    const own = await makeAgency(cell)
    await restrict(own)
    const hidden = (await call('POST', '/customers', { email: 'v@example.com', tags: ['vip'] }, own.key)).data.id
    const { key } = await own.makeKey({ role: 'manager' })
    const tags = Array.from({ length: 100 }, (_, at) => `tag ${at}`)
    const mine = (await call('POST', '/customers', { name: 'Mine', tags }, key)).data.id
    await cell.call('POST', `/customers/${hidden}/merge`, { key: own.key, body: { into_id: mine } })
    const { data } = await call('GET', `/customers/${mine}`, undefined, key)
    const kept = data.tags as string[]
    expect([data.email, kept.length, kept.includes('vip')]).toEqual([null, 100, true])
  })
  it.each([
    ['to another customer', false],
    ['to a new customer, when the one that it was is deleted', true],
  ])('cannot be unveiled by converting a lead of it %s', async (_, deleted) => {
    const own = await makeAgency(cell)
    const famous = { external_id: 'V', name: 'Very Famous', email: 'v@example.com' }
    const [row] = (await importRows(cell, own.key, 'customers', [famous])).rows
    const [lead] = (await importRows(cell, own.key, 'leads', [{ ...famous, customer_external_id: 'V' }])).rows
    await call('PATCH', `/customers/${row?.id}`, { tags: ['vip'] }, own.key)
    await restrict(own)
    const { key } = await own.makeKey({ role: 'manager' })
    const mine = (await call('POST', '/customers', { name: 'Mine' }, key)).data.id
    if (deleted) expect((await cell.call('DELETE', `/customers/${row?.id}`, { key })).status).toBe(204)
    const convert = (as: string) =>
      cell.call('POST', `/leads/${lead?.id}/convert`, { key: as, body: deleted ? {} : { customer_id: mine } })
    const refused = (await convert(key)).body as { details: object }
    expect(Object.keys(refused.details)).toEqual(['customer_id'])
    expect((await convert(own.key)).status).toBe(201)
  })
  it('orders its travellers without revealing their names', async () => {
    const own = await makeAgency(cell)
    const travelers = ['Zeki', 'Ayşe', 'Mert', 'Can', 'Su'].map((first_name) => ({ first_name, last_name: 'X' }))
    const [row] = (await importRows(cell, own.key, 'customers', [{ external_id: 'V', name: 'V' }])).rows
    const stay = { external_id: 'H', customer_external_id: 'V', check_in_on: '2026-07-10', check_out_on: '2026-07-11' }
    await importRows(cell, own.key, 'hotel_stays', [{ ...stay, travelers }])
    await call('PATCH', `/customers/${row?.id}`, { tags: ['vip'] }, own.key)
    await restrict(own)
    const seen = async (key: string) => {
      const { body } = await cell.call('GET', `/customers/${row?.id}/travelers`, { key })
      return (body as { data: { id: string; first_name: string | null }[] }).data
    }
    const names = (await seen(own.key)).map(({ first_name }) => first_name)
    expect(names).toEqual([...names].sort())
    for (const role of ['manager', 'viewer']) {
      const ids = (await seen((await own.makeKey({ role })).key)).map(({ id }) => id)
      expect([role, ids]).toEqual([role, [...ids].sort()])
    }
  })
})
