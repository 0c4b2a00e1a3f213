import Type, { type TSchema } from 'typebox'
import type { PageRow } from '../db/page.ts'
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
/** What a list answers. */
export const listOf = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item, { maxItems: MAXIMUM_LIMIT }), page: PageShape })

/** The page of a list, beside its data; no row is an empty list. */
export function pageText({ limit, cursor }: PageRequest, found?: PageRow): string {
  const next = found?.more && found.last ? `"${cursor(found.last)}"` : null
  return `"page":{"next_cursor":${next},"has_more":${next !== null},"limit":${limit}}`
}
/** The answer of a list. */
export const listText = (page: PageRequest, found?: PageRow): string =>
  `{"data":[${found?.items ?? ''}],${pageText(page, found)}}`
