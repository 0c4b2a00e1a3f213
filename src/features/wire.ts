import Type, { type TSchema } from 'typebox'
import type { Fields } from '../catalogue/read-cells.ts'
import type { PageRow } from '../platform/db/page.ts'
import { ApiError } from '../platform/http/errors.ts'
import { MAXIMUM_LIMIT, type PageRequest } from '../platform/http/route.ts'

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
/** The path parameter of a record; what is no uuid is not found. */
export const byId = (what: string) => ({
  params: Type.Object({ id: Type.String({ pattern: UUID, maxLength: 36, description: `Id of the ${what}.` }) }),
})
export const noSuch = (what: string): ApiError => new ApiError('not_found', `There is no ${what} with this id.`)

/** The query parameters of every list. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT })),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
}
export const PageShape = Type.Object({
  next_cursor: Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]),
  has_more: Type.Boolean(),
  limit: Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT }),
})
/** The page of a list, beside its data; no row is an empty list. */
export function pageText({ limit, cursor }: PageRequest, found?: PageRow): string {
  const next = found?.more && found.last ? `"${cursor(found.last)}"` : null
  return `"page":{"next_cursor":${next},"has_more":${next !== null},"limit":${limit}}`
}

/** The attributes of a write, as a client writes them best. */
export const wire = (fields: Fields): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, required }]) => [
      name,
      required ? schema : Type.Optional(Type.Union([schema, Type.Null()])),
    ]),
  )
