import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { createBranch, updateBranch } from './commands/save-branch.ts'
import { listAllBranches, readBranch } from './companies.store.ts'
import { branchView } from './companies.view.ts'

const COMMON = {
  tag: { name: 'Companies', description: 'The legal entities of the account, and their branches.' },
  scope: null,
  policy: 'manage_settings',
} as const
const MOST_CODES = 200
const ofBranch = byId('branch')
const Branch = viewSchema(branchView, 'Branch')
const whole = { status: 200, body: Type.Object({ data: Branch }), description: 'The branch.' } as const
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Attributes = {
  code: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()], { description: 'A short code.' })),
  office_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 9 }), {
      maxItems: MOST_CODES,
      description: 'GDS offices by which ticket files are assigned to the branch.',
    }),
  ),
  iata_numbers: Type.Optional(Type.Array(Type.String({ maxLength: 8 }), { maxItems: MOST_CODES })),
}

const shown = async (reader: AccountReader, { policies }: Actor, id: string) =>
  dataOf(await reader.one(readBranch(policies), { id }), 'branch')

export const branchRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/branches',
    summary: 'List branches',
    description: 'The headquarters first, then by name, the inactive ones too.',
    takes: { query: Type.Object({ ...paging, company_id: Type.Optional(Uuid) }) },
    answers: { status: 200, body: listOf(Branch), description: 'A page of branches.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { query: { company_id }, actor, page }) =>
      listText(page, await listAllBranches(reader, actor.policies, page, { company_id })),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/branches/:id',
    summary: 'Read a branch',
    takes: ofBranch,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/branches',
    summary: 'Create a branch',
    takes: { body: Type.Object({ company_id: Uuid, name: Name, ...Attributes }) },
    answers: { status: 201, body: Type.Object({ data: Branch }), description: 'The branch.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { body: { company_id, ...given }, actor }) {
      const id = await createBranch(tx, company_id, given)
      return { body: await shown(tx, actor, id), location: `/branches/${id}` }
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/branches/:id',
    summary: 'Update or deactivate a branch',
    description:
      'Omitted attributes keep their values. One branch is always the headquarters: make another one the headquarters to change that.',
    takes: {
      ...ofBranch,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Type.Optional(Name),
        ...Attributes,
        headquarters: Type.Optional(Type.Boolean()),
        active: Type.Optional(Type.Boolean()),
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'conflict', 'stale'],
    async handle(tx, { params: { id }, body: { version, ...given }, actor }) {
      await updateBranch(tx, id, given, async (stored) => {
        if (stored.version === version) return
        throw new StaleRecord(itemOf(await tx.one(readBranch(actor.policies), { id }), 'branch'))
      })
      return shown(tx, actor, id)
    },
  }),
]
