import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closestName } from './closest-name.ts'

const NAMES = ['limit', 'cursor', 'q', 'company_id', 'filters[from]', 'filters[to]', 'filters[group_by]', 'trip.title']

describe('the closest known name', () => {
  it.each([
    ['serach', 'q'],
    ['search', 'q'],
    ['page', 'cursor'],
    ['per_page', 'limit'],
    ['companyId', 'company_id'],
    ['COMPANY-ID', 'company_id'],
    ['company', 'company_id'],
    ['from', 'filters[from]'],
    ['filters.from', 'filters[from]'],
    ['date_from', 'filters[from]'],
    ['filters[form]', 'filters[from]'],
    ['groupBy', 'filters[group_by]'],
    ['title', 'trip.title'],
    ['filters[limit]', 'limit'],
  ])('of %s is %s', (name, known) => expect(closestName(name, NAMES)).toBe(known))

  it.each(['nonesuch', '', 'x', '[]', 'filters[]', 'is_id', '日本'])('is null for %j', (name) =>
    expect(closestName(name, NAMES)).toBeNull(),
  )

  it('is the one in which a letter was left out, added, replaced or swapped with the next', () => {
    const long = NAMES.filter((name) => !['q', 'filters[to]'].includes(name))
    const typo = fc.record({ name: fc.constantFrom(...long), at: fc.nat(2), kind: fc.nat(3) })
    fc.assert(
      fc.property(typo, ({ name, at, kind }) => {
        const end = name.replace(/\]$/, '')
        const place = end.length - 3 + at
        const [before, letter, next, after] = [
          end.slice(0, place),
          end[place],
          end[place + 1] ?? '',
          end.slice(place + 2),
        ]
        const written = [`${before}${next}${after}`, `${before}z${end.slice(place)}`, `${before}z${next}${after}`]
        written.push(`${before}${next}${letter}${after}`)
        expect(closestName(written[kind] + name.slice(end.length), NAMES)).toBe(name)
      }),
    )
  })
  it('is a known one, or none, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, known) => {
        const found = closestName(name, known)
        expect(found === null || known.includes(found)).toBe(true)
      }),
    )
  })
})
