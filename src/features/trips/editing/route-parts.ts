import Type, { type TSchema } from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import { itemOf } from '../../../platform/http/by-id.ts'
import { demandPolicy } from '../../../platform/http/demand-policy.ts'
import { Instant, maybe, Uuid } from '../../../platform/http/shapes.ts'
import { type JsonText, jsonObject, jsonText } from '../../../platform/json-text.ts'
import { ofTrip, TRIPS } from '../reads/trip-route.ts'
import type { Undo } from './edit-trip.ts'

/** What the routes have in common by which people edit trips. */
export const EDITING = { tag: TRIPS, scope: null, policy: 'manage_trips' } as const
export const VersionRead = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The version that was read.',
})
const { id } = ofTrip.params.properties
/** The path parameters of a part of a trip. */
export const ofPart = <N extends string>(name: N, what: string) => ({
  params: Type.Object({ id, [name]: { ...id, description: `Id of the ${what}.` } } as { id: typeof id } & Record<
    N,
    typeof id
  >),
})

const Undoing = maybe(
  Type.Object(
    { token: Uuid, until: Instant },
    { description: 'What `POST /trips/{id}/undo` takes, and until when. Null where nothing changed.' },
  ),
)
/** The answer of a change that can be undone. */
export const undoable = <const S extends 200 | 201>(status: S, data: TSchema, description: string) =>
  ({ status, body: Type.Object({ data, undo: Undoing }), description }) as const
export const Removed = Type.Object({ id: Uuid })
export const withUndo = (data: JsonText<never>, undo: Undo | null) => jsonObject({ data, undo: jsonText(undo) })
export const removed = (id: string) => jsonText({ id: id.toLowerCase() }) as JsonText<never>

/** A record of a trip for its editor: a role that changes trips without seeing them is refused. */
export function shownTo(policies: Policies, found: { readonly item: JsonText<never> } | undefined, what: string) {
  demandPolicy(policies, 'view_trips')
  return itemOf(found, what)
}
