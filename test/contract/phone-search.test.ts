import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

describe.each(['customer', 'lead'])('a %s', (what) => {
  beforeAll(async () => {
    for (const record of [
      { name: 'Ayşe', phone: '+90 532 123 45 67' },
      { name: 'Jürgen', phone: '+49 30 901820' },
      { name: 'Group 12-34 05', email: 'g@example.com' },
    ]) {
      const made = await cell.call('POST', `/${what}s`, { key: agency.key, body: { [what]: record } })
      expect(made.status).toBe(201)
    }
  })
  const found = async (q: string, key = agency.key) => {
    const { body } = await cell.call('GET', `/${what}s?limit=100&q=${encodeURIComponent(q)}`, { key })
    return (body as { data: { name: string | null }[] }).data.map(({ name }) => name)
  }

  it.each([
    ['0532 123 45 67', ['Ayşe']],
    ['532 123', ['Ayşe']],
    ['+90 (532) 123-45-67', ['Ayşe']],
    ['00905321234567', ['Ayşe']],
    ['4567', ['Ayşe']],
    ['0532', ['Ayşe']],
    ['030/901 820', ['Jürgen']],
    ['0533 123 45 67', []],
    ['12-34 05', ['Group 12-34 05']],
    ['0000', []],
    ['(+)', []],
  ])('is found by %s, as numbers are written', async (q, names) => {
    expect(await found(q)).toEqual(names)
  })
  it('is not found by its number by a role that sees none', async () => {
    expect(await found('0532 123 45 67', (await agency.makeKey({ role: 'viewer' })).key)).toEqual([])
  })
})
