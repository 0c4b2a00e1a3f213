import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { jsonText } from '../json-text.ts'
import { listOf, listText, paging } from './paging.ts'

const page = { limit: 2, after: null, cursor: (key: readonly string[]) => `after-${key.join('-')}` }
const read = (found?: Parameters<typeof listText>[1]) => JSON.parse(listText(page, found))

describe('the page of a list', () => {
  it('is asked for by a limit of 1 to 100 and a cursor, or by neither', () => {
    const check = Compile(Type.Object(paging))
    const asked = [{}, { limit: 1 }, { limit: 100, cursor: 'x' }, { limit: 0 }, { limit: 101 }, { limit: 1.5 }]
    expect([...asked, { cursor: 'x'.repeat(2001) }].map((query) => check.Check(query))).toEqual([
      ...[true, true, true, false, false, false],
      false,
    ])
  })
  it('is as documented: items, at most a hundred, and a cursor', () => {
    const check = Compile(listOf(Type.Object({ a: Type.Integer() })))
    const answer = (count: number, limit: number, next_cursor: string | null = null) => ({
      data: Array.from({ length: count }, () => ({ a: 1 })),
      page: { next_cursor, has_more: next_cursor !== null, limit },
    })
    const answers = [answer(0, 1), answer(100, 100, 'x'), answer(101, 100), answer(1, 0), answer(1, 101)]
    expect(answers.map((one) => check.Check(one))).toEqual([true, true, false, false, false])
    expect([{}, { data: [] }, { data: [{}], page: answer(0, 1).page }].map((one) => check.Check(one))).toEqual([
      false,
      false,
      false,
    ])
    expect(check.Check({ data: [], page: {} })).toBe(false)
  })
})

describe('a list', () => {
  it('returns its items, and the cursor after the last one if there are more', () => {
    expect(read({ items: jsonText([{ a: 1 }, { a: 2 }]) as never, more: true, last: ['x', 'y'] })).toEqual({
      data: [{ a: 1 }, { a: 2 }],
      page: { next_cursor: 'after-x-y', has_more: true, limit: 2 },
    })
  })
  it.each([
    ['the last page', { items: jsonText([{ a: 1 }]) as never, more: false, last: ['x'] }, [{ a: 1 }]],
    ['an empty page', { items: jsonText<never[]>([]) as never, more: false, last: null }, []],
    ['a page that ends nowhere', { items: jsonText<never[]>([]) as never, more: true, last: null }, []],
    ['no row', undefined, []],
  ])('has no cursor on %s', (_, found, data) => {
    expect(read(found)).toEqual({ data, page: { next_cursor: null, has_more: false, limit: 2 } })
  })
})
