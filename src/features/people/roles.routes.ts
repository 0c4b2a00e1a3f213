import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { POLICIES } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { dataOf, itemOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { NO_BODY } from '../../platform/json-text.ts'
import { createRole, deleteRole, updateRole } from '../accounts/commands/edit-role.ts'
import { listAllRoles, readRole, roleView } from './roles.store.ts'

const COMMON = {
  tag: { name: 'Roles', description: 'The built-in roles, and those of the account.' },
  scope: null,
  policy: 'manage_people',
} as const
const Name = Type.String({ minLength: 1, maxLength: 60, description: 'Name of the role.' })
const ofRole = { params: Type.Object({ name: Name }) }
const Role = viewSchema(roleView, 'Role')
const Policies = Type.Array(enumOf(POLICIES), { maxItems: POLICIES.length, uniqueItems: true })
const whole = { status: 200, body: Type.Object({ data: Role }), description: 'The role.' } as const

const shown = async (reader: AccountReader, { policies }: Actor, name: string) =>
  dataOf(await reader.one(readRole(policies), { name }), 'role')

export const roleRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    description: 'The built-in roles, then those of the account, by name.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Role), description: 'A page of roles.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) => listText(page, await listAllRoles(reader, actor.policies, page, {})),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/roles/:name',
    summary: 'Read a role',
    takes: ofRole,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.name),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/roles',
    summary: 'Create a role',
    description:
      'The name consists of lowercase letters, digits and underscores. An editor gives it only policies of their own.',
    recentProof: true,
    takes: { body: Type.Object({ name: Name, policies: Policies }) },
    answers: { status: 201, body: Type.Object({ data: Role }), description: 'The role.' },
    errors: ['validation_failed', 'conflict', 'proof_required'],
    async handle(tx, { body: { name, policies }, actor }) {
      await createRole(tx, actor, name, policies)
      return shown(tx, actor, name)
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/roles/:name',
    summary: 'Change the policies of a role',
    description: 'Applies to its seats and keys within a second. The editor holds the former and the new policies.',
    recentProof: true,
    takes: {
      ...ofRole,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        policies: Policies,
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'conflict', 'stale', 'proof_required'],
    async handle(tx, { params: { name }, body, actor }) {
      await updateRole(tx, actor, name, body.policies, async ({ version }) => {
        if (version === body.version) return
        throw new StaleRecord(itemOf(await tx.one(readRole(actor.policies), { name }), 'role'))
      })
      return shown(tx, actor, name)
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/roles/:name',
    summary: 'Delete a role',
    description: 'Refused while a seat, an API key or a webhook has it.',
    recentProof: true,
    takes: ofRole,
    answers: { status: 204, body: Type.Null(), description: 'The role was deleted.' },
    errors: ['not_found', 'validation_failed', 'conflict', 'proof_required'],
    async handle(tx, { params, actor }) {
      await deleteRole(tx, actor, params.name)
      return NO_BODY
    },
  }),
]
