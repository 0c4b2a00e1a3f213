import { describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { ask } from '../harness/sql.ts'
import { withTripEditors } from '../harness/trip-editing.ts'

const { the, trips, sessionOf, app, tripOf } = withTripEditors()
const preview = (id: string, query = '', session = the.owner) =>
  app('GET', `/${id}/preview?${query}`, undefined, session)

describe('a preview of a trip', () => {
  it('is the page of a share link with the same settings, in a frame, and no visit', async () => {
    const id = await tripOf([1, 1, 1])
    await trips.segment(the.agency, id, 1, { title: 'Secret', is_client_visible: false })
    await trips.segment(the.agency, id, 1, { title: 'Walk', status: 'confirmed', price_amount: '12', currency: 'EUR' })
    const share_link = { audience: 'traveler', show_prices: true }
    const link = await app('POST', `/${id}/share_links`, { share_link })
    const { url } = (link.body as { data: { url: string } }).data
    const page = await the.cell.app.inject(new URL(url).pathname)
    const shown = await preview(id, 'show_prices=true')
    const withoutCalendar = page.body.replace(/<a class="button"[^>]*>[^<]*<\/a>/, '')
    expect([shown.status, shown.text]).toEqual([200, withoutCalendar])
    expect(shown.text).toContain('Walk')
    expect(shown.text).not.toContain('Secret')
    const policy = String(page.headers['content-security-policy'])
    expect(shown.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`,
    })
    const [{ views } = { views: 0 }] = await ask<{ views: number }>(
      the.cell,
      'select sum(view_count)::integer as views from share_links where trip_id = $1',
      [id],
    )
    expect(views).toBe(1) // by the page itself
  })
  it('shows neither prices nor names to a role that does not see them', async () => {
    const buyer = await trips.customer(the.agency, { name: 'Zeynep Kaya' })
    const id = await trips.make(the.agency, { start_date: '2031-05-10', end_date: '2031-05-10' }, buyer)
    await trips.segment(the.agency, id, 1, {
      title: 'Walk',
      status: 'confirmed',
      price_amount: '4711',
      currency: 'EUR',
    })
    const seen = async (role: string) => {
      const { text } = await preview(id, 'show_prices=true&show_travelers=true', await sessionOf(role))
      return [/4[.,]711/.test(text), text.includes('Zeynep')]
    }
    expect([await seen('owner'), await seen('marketing'), await seen('viewer')]).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ])
  })
  it('for a supplier shows its own segments alone, to a role that sees costs', async () => {
    const { rows } = await importRows(the.cell, the.agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    const supplier_id = String(rows[0]?.id)
    const id = await tripOf([0])
    await trips.segment(the.agency, id, 1, { title: 'Stay', status: 'confirmed', supplier_id })
    await trips.segment(the.agency, id, 1, { title: 'Walk', status: 'confirmed' })
    const query = `audience=supplier&supplier_id=${supplier_id}`
    const { text } = await preview(id, query)
    expect([text.includes('Stay'), text.includes('Walk')]).toEqual([true, false])
    expect((await preview(id, query, the.advisor)).status).toBe(403)
    for (const wrong of ['audience=supplier', `supplier_id=${supplier_id}`, 'audience=owner'])
      expect((await preview(id, wrong)).status).toBe(422)
  })
})
