import Type from 'typebox'
import { type JsonText, jsonObject } from '../json-text.ts'
import { ApiError } from './errors.ts'
import type { VersionedAnswer } from './route.ts'

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
/** The path parameter of a record; an invalid UUID is not found. */
export const byId = (what: string) => ({
  params: Type.Object({ id: Type.String({ pattern: UUID, maxLength: 36, description: `Id of the ${what}.` }) }),
})
export const noSuch = (what: string): ApiError =>
  new ApiError('not_found', `No ${what} with this id exists in this account.`)
type Found = { readonly item: JsonText<never> }
/** The JSON of a record that was looked for. */
export function itemOf(found: Found | undefined, what: string): JsonText<never> {
  if (!found) throw noSuch(what)
  return found.item
}
/** The response with this record. */
export const dataOf = (found: Found | undefined, what: string) => jsonObject({ data: itemOf(found, what) })
/** The same with its version, for a route that is `versioned`. */
export function versionedData(
  found: (Found & { readonly version: number }) | undefined,
  what: string,
): VersionedAnswer {
  if (!found) throw noSuch(what)
  return { body: jsonObject({ data: found.item }), version: found.version }
}
