import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { run, temporaryFolder } from '../harness/process.ts'
import { tripsOf } from '../harness/trips.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { customer, make } = tripsOf(() => cell)

const argsOf = (args: readonly string[]) => ['trip', ...args, '--account', String(agency.number)]
const trip = (...args: string[]) => runHere(argsOf(args), folder, environmentOf(cell))
/** Runs it as a process of its own, as people do. */
const asProcess = (...args: string[]) => run(argsOf(args), folder, environmentOf(cell))
const json = async (...args: string[]) => JSON.parse((await trip(...args, '--json')).stdout)

describe('backdesk trip', () => {
  it('makes a trip, its days, segments and travellers, and shows them', async () => {
    const buyer = await customer(agency)
    const { id } = await json(
      'create',
      '--customer',
      buyer,
      '--set',
      'title=Bahar',
      '--set',
      'destinations=Roma, Napoli',
    )
    await json('update', id, '--data', '{"start_date": "2031-05-10", "end_date": "2031-05-11", "status": "confirmed"}')
    expect(await json('add-day', id, '--after', '1', '--set', 'title=Napoli')).toMatchObject({ day_number: 2 })
    await json('update-day', id, '1', '--set', 'title=Roma')
    const walk = await json('add-segment', id, '--day', '1', '--set', 'segment_type=activity', '--set', 'title=Walk')
    const food = await json('add-segment', id, '--day', '1', '--place', '1', '--set', 'segment_type=dining')
    await json('update-segment', id, walk.id, '--day', '2', '--set', 'start_time=2031-05-11T10:30')
    await json('remove-segment', id, food.id)
    await json('remove-day', id, '3')
    await json('add-traveler', id, '--name', 'Can Su', '--lead')
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [
      { external_id: 'H', check_in_on: '2031-05-10', check_out_on: '2031-05-11' },
    ])
    const booking = String(rows[0]?.id)
    expect(await json('file-booking', id, booking)).toEqual({ id, booking })
    expect(await json('unfile-booking', id, booking)).toEqual({ id, booking })

    const { trips } = await json('list', '--status', 'confirmed', '--q', 'bahar')
    const [{ reference_number: number }] = trips
    const shown = await json('show', number)
    expect(shown).toMatchObject({
      id,
      title: 'Bahar',
      destinations: ['Roma', 'Napoli'],
      end_date: '2031-05-11',
      travelers: [{ name: 'Ayşe Yılmaz' }, { name: 'Can Su', is_lead: true }],
      days: [
        { day_number: 1, title: 'Roma', segments: [] },
        { day_number: 2, title: 'Napoli', segments: [{ id: walk.id, start_time: '2031-05-11T10:30' }] },
      ],
    })
    const { code, stdout } = await asProcess('show', number.toLowerCase())
    expect(code).toBe(0)
    expect(stdout).toContain('Day 2  2031-05-11  Napoli\n   10:30 activity Walk (draft)')
    await json('cancel', id)
    expect(await trip('list', '--scope', 'active')).toEqual({ code: 0, stdout: '(none)\n', stderr: '' })
  })
  it('reports every invalid attribute, and unknown records', async () => {
    const id = await make(agency)
    for (const [expectedText, ...args] of [
      ['status: Send one of', 'update', id, '--set', 'status=completed', '--set', 'title=x'],
      ['No trip TRP-1999-000001', 'show', 'TRP-1999-000001'],
      ['x is not the id of a customer', 'create', '--customer', 'x'],
      ['<day> takes', 'remove-day', id, 'x'],
    ] as [string, ...string[]][])
      expect(await trip(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(expectedText) })
  })
})
