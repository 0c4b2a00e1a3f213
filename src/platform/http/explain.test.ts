import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'
import { enumOf, maybe } from './shapes.ts'

const schema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  count: Type.Optional(maybe(Type.Integer({ minimum: 1, maximum: 9 }))),
  mode: Type.Optional(maybe(enumOf(['sync', 'async']))),
  ids: Type.Optional(maybe(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 2 }))),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  day: Type.Optional(Type.String({ format: 'date' })),
  word: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
  more: Type.Optional(maybe(Type.Object({ note: Type.String({ minLength: 2 }), isOn: Type.Boolean() }))),
})
const check = Compile(schema)
const explained = (value: object) => explain(check.Errors(JSON.parse(JSON.stringify({ name: 'A', ...value }))))
const UUID = '0198c2c6-0000-7000-8000-000000000000'

describe('the reason for a value', () => {
  it.each<[what: string, value: object, details: object]>([
    ['nothing', { count: null, mode: null, ids: [UUID] }, {}],
    [
      'what is missing, by its path',
      { name: undefined, more: {} },
      {
        name: ['This field is required.'],
        'more.note': ['This field is required.'],
        'more.isOn': ['This field is required.'],
      },
    ],
    ['none of the values', { mode: 'later' }, { mode: ['Send one of sync, async.'] }],
    ['none of the values, nor of their type', { mode: 3 }, { mode: ['Send one of sync, async.'] }],
    [
      'another type',
      { name: 3, count: 'many', more: [] },
      { name: ['Send a string.'], count: ['Send a whole number.'], more: ['Send an object.'] },
    ],
    ['a list of others', { ids: [UUID, 'x'] }, { 'ids.1': ['Send a UUID.'] }],
    ['no list', { ids: 'x' }, { ids: ['Send a list.'] }],
    [
      'too few',
      { name: '', ids: [], count: 0 },
      { name: ['Must not be empty.'], ids: ['Must not be empty.'], count: ['Must be at least 1.'] },
    ],
    [
      'too many',
      { name: 'Ayşenur', ids: [UUID, UUID, UUID], count: 10 },
      {
        name: ['Send at most 5 characters.'],
        ids: ['Send at most 2 items.'],
        count: ['Must be at most 9.'],
      },
    ],
    [
      'too few further down',
      { more: { note: 'a', isOn: 1 } },
      { 'more.note': ['Send at least 2 characters.'], 'more.isOn': ['Send true or false.'] },
    ],
    [
      'another form',
      { at: 'soon', day: '2026-02-30', word: 'A' },
      {
        at: ['Send a time such as 2026-03-02T10:00:00Z.'],
        day: ['Send a date such as 2026-03-02.'],
        word: ['Must match ^[a-z]+$.'],
      },
    ],
  ])('is %s, in plain words', (_, value, details) => {
    expect(explained(value)).toEqual(details)
  })
  it('covers values other than objects', () => {
    expect(explain(check.Errors('text'))).toEqual({ base: ['Send an object.'] })
  })
  it('is the validator’s message if there is no text for it', () => {
    const fault = { keyword: 'uniqueItems', instancePath: '/ids', params: {}, message: 'must not have duplicate items' }
    expect(explain([fault])).toEqual({ ids: ['must not have duplicate items'] })
  })
})
