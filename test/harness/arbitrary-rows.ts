import fc from 'fast-check'
import type { Entity } from '../../src/catalogue/entity.ts'
import type { Field } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'

/** A cell of a field: mostly good, at times one that its kind refuses, at times something else altogether. */
function cellOf(name: string, field: Field): fc.Arbitrary<unknown> {
  const good = field.items ? fc.array(itemOf(field.items), { maxLength: 3 }) : goodOf(name, field)
  return fc.oneof(
    { weight: 40, arbitrary: good },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...field.bad) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>('', '  ', 'x', 0, true, [], {}) },
  )
}

function goodOf(name: string, field: Field): fc.Arbitrary<unknown> {
  if (field.enumValues) return fc.constantFrom(...field.enumValues)
  if (field.reference)
    return fc.constantFrom('R0', 'R1', 'R2', 'r1@example.com', 'CODE1', 'owner@agency.example', 'nobody')
  if (name === 'check_in_on') return fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-03')
  if (name === 'check_out_on') return fc.constantFrom('2026-05-02', '2026-05-04', '2026-05-09')
  return fc.constantFrom(field.example, field.example)
}

const itemOf = (items: Fields): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(items).map(([name, field]) => [name, cellOf(name, field)])), {
    requiredKeys: Object.keys(items).filter((name) => items[name]?.required),
  })

/** A row of the entity, its external id one of a few, so that batches repeat them. */
export const rowOf = ({ fields }: Entity): fc.Arbitrary<Record<string, unknown>> => {
  const { external_id: _, ...others } = fields
  const cells: Record<string, fc.Arbitrary<unknown>> = {
    external_id: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 0, max: 12 }).map((at) => `R${at}`) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('', 7, 'a\u0000') },
    ),
    ...Object.fromEntries(Object.entries(others).map(([name, field]) => [name, cellOf(name, field)])),
    unknown_column: fc.constant('ignored'),
  }
  return fc.record(cells, {
    requiredKeys: ['external_id', ...Object.keys(others).filter((name) => others[name]?.required)],
  })
}
