import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { jsonText } from '../../platform/json-text.ts'
import type { SeatMove } from '../../records/seat-move.ts'
import { reactivateSeat } from '../accounts/commands/activate-seat.ts'
import { updateSeat } from '../accounts/commands/update-seat.ts'
import { resetFactors } from '../sign-in/commands/reset-factors.ts'
import { deactivatePerson, signOutPerson } from './commands/deactivate-person.ts'
import { inviteAgain, invitePerson } from './commands/invite-person.ts'
import { listPeople, readPerson } from './people.store.ts'
import { personView } from './people.view.ts'

const COMMON = {
  tag: { name: 'People', description: 'The seats of the account: who may sign in, and as what.' },
  scope: null,
  policy: 'manage_people',
} as const
const ofPerson = byId('seat')
const Person = viewSchema(personView, 'Person')
const whole = { status: 200, body: Type.Object({ data: Person }), description: 'The person.' } as const
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Role = Type.String({ minLength: 1, maxLength: 60, description: 'A built-in role, or one of the account.' })
const Branch = Type.Union([Uuid, Type.Null()], { description: 'The home branch.' })
const Invited = Type.Object({
  data: Type.Object({
    id: Uuid,
    invitation_link: maybe(
      Type.String({
        maxLength: 1000,
        description: 'Shown once, where the cell sends no e-mail; null where it was sent to the person.',
      }),
    ),
    expires_at: Instant,
  }),
})
const INVITED = { status: 201, body: Invited, description: 'The invitation.' } as const

const shown = async (reader: AccountReader, { policies }: Actor, id: string) =>
  dataOf(await reader.one(readPerson(policies), { id }), 'seat')

const reading: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/people',
    summary: 'List people',
    description: 'All seats by name, the inactive ones too.',
    takes: {
      query: Type.Object({
        ...paging,
        role: Type.Optional(Text(60)),
        active: Type.Optional(enumOf(['true', 'false'])),
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or e-mail; case-insensitive.' })),
      }),
    },
    answers: { status: 200, body: listOf(Person), description: 'A page of people.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { role, active, q }, actor, page }) {
      const given = { role, q: q?.trim() || undefined, active: active === 'true', inactive: active === 'false' }
      return listText(page, await listPeople(reader, actor.policies, page, given))
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/people/:id',
    summary: 'Read a person',
    takes: ofPerson,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
]

type Inviting = Pick<Parameters<typeof invitePerson>[1], 'sendsMail' | 'mailTexts'>
const inviting = (tools: Inviting): readonly Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: '/people',
    summary: 'Invite a person',
    description:
      'Creates a seat, and sends its person a link by which they choose a password, once, within 72 hours. No role can be given that has policies the inviter lacks.',
    recentProof: true,
    shownOnce: ['invitation_link'],
    takes: {
      body: Type.Object({
        email: Type.String({ minLength: 3, maxLength: 254 }),
        role: Role,
        name: Type.Optional(Name),
        branch_id: Type.Optional(Branch),
      }),
    },
    answers: INVITED,
    errors: ['validation_failed', 'conflict', 'not_found', 'proof_required'],
    async handle(tx, { body: { email, role, name = null, branch_id = null }, actor, publicUrl }) {
      const person = { email, role, name, branchId: branch_id }
      return jsonText({ data: await invitePerson(tx, { ...tools, publicUrl }, actor, person) })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/people/:id/invitation',
    summary: 'Invite a person again',
    description: 'Withdraws the earlier link. Refused once the person has chosen a password.',
    recentProof: true,
    shownOnce: ['invitation_link'],
    takes: ofPerson,
    answers: INVITED,
    errors: ['not_found', 'conflict', 'proof_required'],
    handle: async (tx, { params, actor, publicUrl }) =>
      jsonText({ data: await inviteAgain(tx, { ...tools, publicUrl }, actor, params.id) }),
  }),
]

const changing = (moves: readonly SeatMove[]): readonly Route[] => [
  ...patchAndPut({
    ...COMMON,
    path: '/people/:id',
    summary: 'Update a person',
    description:
      'Omitted attributes keep their values. Nobody changes their own role, gives a role with policies they lack, or changes a seat that has such policies.',
    recentProof: true,
    takes: {
      ...ofPerson,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Type.Optional(Name),
        role: Type.Optional(Role),
        branch_id: Type.Optional(Branch),
        agent_signs: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { maxItems: 100 })),
        locale: Type.Optional(Type.String({ maxLength: 10 })),
        reminder_mails: Type.Optional(Type.Boolean()),
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'conflict', 'stale', 'proof_required'],
    async handle(tx, { params: { id }, body, actor }) {
      const { version, agent_signs, reminder_mails, ...same } = body
      const change = { ...same, agent_sines: agent_signs, mails_reminders: reminder_mails }
      await updateSeat(tx, actor, id, change, async (stored) => {
        if (stored.version === version) return
        throw new StaleRecord(itemOf(await tx.one(readPerson(actor.policies), { id }), 'seat'))
      })
      return shown(tx, actor, id)
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/people/:id/deactivate',
    summary: 'Deactivate a person',
    description:
      'Ends the sessions and links of the seat, and hands its open tasks, leads, trips, bookings and referral codes to another seat. Closed records keep the name. Nobody deactivates themselves, or the last owner.',
    recentProof: true,
    takes: { ...ofPerson, body: Type.Object({ reassign_to_id: Uuid }) },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          id: Uuid,
          moved: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
            description: 'How many open records were handed over, by kind.',
          }),
        }),
      }),
      description: 'What was handed over.',
    },
    errors: ['not_found', 'validation_failed', 'conflict', 'proof_required'],
    async handle(tx, { params: { id }, body, actor }) {
      return jsonText({ data: { id, moved: await deactivatePerson(tx, actor, id, body.reassign_to_id, moves) } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/people/:id/reactivate',
    summary: 'Reactivate a person',
    description: 'With the role and the password that the seat had.',
    recentProof: true,
    takes: ofPerson,
    answers: whole,
    errors: ['not_found', 'conflict', 'proof_required'],
    async handle(tx, { params: { id }, actor }) {
      await reactivateSeat(tx, actor, id)
      return shown(tx, actor, id)
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/people/:id/end_sessions',
    summary: 'Sign a person out everywhere',
    takes: ofPerson,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ ended: Type.Integer({ minimum: 0, maximum: 100_000 }) }) }),
      description: 'How many sessions were ended.',
    },
    errors: ['not_found'],
    handle: async (tx, { params, actor }) => jsonText({ data: { ended: await signOutPerson(tx, actor, params.id) } }),
  }),
]

const resetting: readonly Route[] = [
  route({
    ...COMMON,
    method: 'POST',
    path: '/people/:id/reset_second_factor',
    summary: 'Reset the second factor of a person',
    description:
      'For a colleague who has lost it: removes the second factors and recovery codes of the seat, and ends its sessions. Refused for oneself, and for a seat with policies that the editor lacks.',
    recentProof: true,
    takes: ofPerson,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ ended: Type.Integer({ minimum: 0, maximum: 100_000 }) }) }),
      description: 'How many sessions were ended.',
    },
    errors: ['not_found', 'proof_required'],
    handle: async (tx, { params, actor, address }) =>
      jsonText({ data: { ended: await resetFactors(tx, actor, params.id, address) } }),
  }),
]

type PeopleTools = Inviting & { readonly seatMoves: readonly SeatMove[] }
export const peopleRoutes = ({ seatMoves, ...tools }: PeopleTools): readonly Route[] => [
  ...reading,
  ...inviting(tools),
  ...resetting,
  ...changing(seatMoves),
]
