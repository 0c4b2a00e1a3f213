import Type, { type TSchema } from 'typebox'
import type { PageRow } from '../db/page.ts'
import { jsonObject, jsonText } from '../json-text.ts'
import { MAXIMUM_LIMIT, type PageRequest } from './route.ts'
import { maybe, Text } from './shapes.ts'

const CURSOR_LENGTH = 2_000

/** The query parameters of every list. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT })),
  cursor: Type.Optional(Text(CURSOR_LENGTH)),
}
export const PageShape = Type.Object({
  next_cursor: maybe(Text(CURSOR_LENGTH)),
  has_more: Type.Boolean(),
  limit: Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT }),
})
/** The response of a list. */
export const listOf = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item, { maxItems: MAXIMUM_LIMIT }), page: PageShape })

const NO_ITEMS = jsonText<never[]>([])

/** The paging part of a list's response. */
export function pageJson({ limit, cursor }: PageRequest, found?: PageRow) {
  const next_cursor = found?.more && found.last ? cursor(found.last) : null
  return jsonText({ next_cursor, has_more: next_cursor !== null, limit })
}
/** The data and the page of a list; no row is an empty list. */
export const listMembers = (page: PageRequest, found?: PageRow) => ({
  data: found?.items ?? NO_ITEMS,
  page: pageJson(page, found),
})
/** The response of a list. */
export const listText = (page: PageRequest, found?: PageRow) => jsonObject(listMembers(page, found))
