import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Route, route } from './http/route.ts'
import { joinedObjects, jsonObject, jsonText } from './json-text.ts'

const declared = {
  method: 'GET',
  path: '/',
  tag: { name: 'Test', description: '' },
  summary: '',
  scope: ['full'],
  policy: null,
  takes: {},
  answers: { status: 200, body: Type.Object({ count: Type.Integer() }), description: '' },
  errors: [],
} as const

describe('what a handler answers', () => {
  it('must be JSON of the declared shape to compile', () => {
    const refused: Route[] = [
      // @ts-expect-error plain text is not JSON
      route({ ...declared, handle: async () => 'this is no JSON' }),
      // @ts-expect-error not even in an answer with headers
      route({ ...declared, handle: async () => ({ body: 'this is no JSON', filename: 'a' }) }),
      // @ts-expect-error a text that looks like JSON was not checked
      route({ ...declared, handle: async () => '{"count":1}' }),
      // @ts-expect-error the document declares a number
      route({ ...declared, handle: async () => jsonText({ count: 'one' }) }),
      // @ts-expect-error members are JSON already, which a text is not
      route({ ...declared, handle: async () => jsonObject({ count: 'one' }) }),
      route({ ...declared, handle: async () => jsonText({ count: 1 }) }),
      route({ ...declared, handle: async () => jsonObject({ count: 1 }) }),
    ]
    expect(refused.map(({ path }) => path)).toEqual(Array(refused.length).fill('/'))
  })
})

describe('JSON that is put together', () => {
  it('is what it would be as a whole', () => {
    const item = jsonText({ 'a "name"': ['ü', null] })
    const whole = jsonObject({ data: item, 'un"read': 2, more: true, next: null })
    expect(JSON.parse(whole)).toEqual({ data: { 'a "name"': ['ü', null] }, 'un"read': 2, more: true, next: null })
    expect(jsonObject({})).toBe('{}')
    expect(joinedObjects(jsonText({ a: 1 }), jsonObject({ b: item }))).toBe(`{"a":1,"b":${item}}`)
  })
})
