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
const said = (value: object) => explain(check.Errors(JSON.parse(JSON.stringify({ name: 'A', ...value }))))
const UUID = '0198c2c6-0000-7000-8000-000000000000'

describe('what is wrong with a value', () => {
  it.each<[what: string, value: object, details: object]>([
    ['nothing', { count: null, mode: null, ids: [UUID] }, {}],
    [
      'what is missing, by its path',
      { name: undefined, more: {} },
      { name: ['is required'], 'more.note': ['is required'], 'more.isOn': ['is required'] },
    ],
    ['none of the values', { mode: 'later' }, { mode: ['has to be one of sync, async'] }],
    ['none of the values, nor of their type', { mode: 3 }, { mode: ['has to be one of sync, async'] }],
    [
      'another type',
      { name: 3, count: 'many', more: [] },
      { name: ['has to be a text'], count: ['has to be a whole number'], more: ['has to be an object'] },
    ],
    ['a list of others', { ids: [UUID, 'x'] }, { 'ids.1': ['has to be a UUID'] }],
    ['no list', { ids: 'x' }, { ids: ['has to be a list'] }],
    [
      'too few',
      { name: '', ids: [], count: 0 },
      { name: ['cannot be empty'], ids: ['cannot be empty'], count: ['has to be at least 1'] },
    ],
    [
      'too many',
      { name: 'Ayşenur', ids: [UUID, UUID, UUID], count: 10 },
      {
        name: ['has to have at most 5 characters'],
        ids: ['has to have at most 2 items'],
        count: ['has to be at most 9'],
      },
    ],
    [
      'too few further down',
      { more: { note: 'a', isOn: 1 } },
      { 'more.note': ['has to have at least 2 characters'], 'more.isOn': ['has to be true or false'] },
    ],
    [
      'another form',
      { at: 'soon', day: '2026-02-30', word: 'A' },
      {
        at: ['has to be a time such as 2026-03-02T10:00:00Z'],
        day: ['has to be a day such as 2026-03-02'],
        word: ['has to match ^[a-z]+$'],
      },
    ],
  ])('is %s, and said in words', (_, value, details) => {
    expect(said(value)).toEqual(details)
  })
  it('is told of what is no object at all', () => {
    expect(explain(check.Errors('text'))).toEqual({ base: ['has to be an object'] })
  })
  it('is told as the validator has it where there are no words for it', () => {
    const fault = { keyword: 'uniqueItems', instancePath: '/ids', params: {}, message: 'must not have duplicate items' }
    expect(explain([fault])).toEqual({ ids: ['must not have duplicate items'] })
  })
})
