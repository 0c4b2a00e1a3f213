import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { SCOPES } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../platform/http/by-id.ts'
import { listMembers, listOf, paging } from '../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Instant, maybe, Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { jsonObject, jsonText, NO_BODY } from '../../platform/json-text.ts'
import { operatorOf } from '../../platform/operator.ts'
import { listApiKeys, readApiKey } from './api-keys.store.ts'
import { apiKeyView } from './api-keys.view.ts'
import { createKey, rotateApiKey, updateKey } from './commands/edit-key.ts'
import { revokeKey } from './commands/revoke-key.ts'

const COMMON = {
  tag: { name: 'API keys', description: 'The keys of the account for `/api/v1`.' },
  scope: null,
  policy: 'manage_settings',
} as const
const MOST_OVERLAP_HOURS = 30 * 24
const ofKey = byId('key')
const ApiKey = viewSchema(apiKeyView, 'ApiKey')
const whole = { status: 200, body: Type.Object({ data: ApiKey }), description: 'The key.' } as const
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Scopes = Type.Array(enumOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true })
const Role = Type.Union([Type.String({ minLength: 1, maxLength: 60 }), Type.Null()], {
  description: 'Null for a key that acts as the owner.',
})
const Cidrs = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 100,
  description: 'Addresses and networks that it may be used from; empty for everywhere.',
})
const Expiry = Type.String({ maxLength: 40, description: 'An RFC 3339 time, or `never`.' })
const BaseUrl = Type.String({ maxLength: 1000, description: 'Where the API of this cell is.' })
const baseUrl = (publicUrl: string): string => `${publicUrl}/api/v1`
const MADE = {
  status: 201,
  body: Type.Object({
    data: Type.Object({
      id: Uuid,
      key: maybe(Type.String({ maxLength: 60, description: 'Shown once; a replay answers null.' })),
      expires_at: maybe(Instant),
      base_url: BaseUrl,
    }),
  }),
  description: 'The new key.',
} as const

const shown = async (reader: AccountReader, { policies }: Actor, id: string) =>
  dataOf(await reader.one(readApiKey(policies), { id }), 'key')
const withAddress = <T extends object>(made: T, publicUrl: string) =>
  jsonText({ data: { ...made, base_url: baseUrl(publicUrl) } })

const reading: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/api_keys',
    summary: 'List API keys',
    description: 'Newest first.',
    takes: { query: Type.Object({ ...paging, scope: Type.Optional(enumOf(['active'])) }) },
    answers: {
      status: 200,
      body: Type.Object({ ...listOf(ApiKey).properties, base_url: BaseUrl }),
      description: 'A page of keys.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor, page, publicUrl }) {
      const found = await listApiKeys(reader, actor.policies, page, { active: query.scope === 'active' })
      return jsonObject({ ...listMembers(page, found), base_url: jsonText(baseUrl(publicUrl)) })
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/api_keys/:id',
    summary: 'Read an API key',
    takes: ofKey,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
]

export const apiKeyRoutes: readonly Route[] = [
  ...reading,
  route({
    ...COMMON,
    method: 'POST',
    path: '/api_keys',
    summary: 'Create an API key',
    description:
      'The key is shown once. An editor holds all policies of its role; a key without a role acts as the owner, so it takes all of the owner’s policies.',
    recentProof: true,
    shownOnce: ['key'],
    takes: {
      body: Type.Object({
        name: Name,
        scopes: Scopes,
        role: Type.Optional(Role),
        allowed_cidrs: Type.Optional(Cidrs),
        expires_at: Type.Optional(Expiry),
      }),
    },
    answers: MADE,
    errors: ['validation_failed', 'proof_required'],
    async handle(tx, input) {
      const { name, scopes, role = null, allowed_cidrs: allowedCidrs = [], expires_at: expiresAt = null } = input.body
      const given = { name, scopes, role, allowedCidrs, expiresAt }
      return withAddress(await createKey(tx, input.actor, given, operatorOf(input).name), input.publicUrl)
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/api_keys/:id',
    summary: 'Rename or restrict an API key',
    description: 'Omitted attributes keep their values. Applies within a second.',
    recentProof: true,
    takes: {
      ...ofKey,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Type.Optional(Name),
        scopes: Type.Optional(Scopes),
        role: Type.Optional(Role),
        allowed_cidrs: Type.Optional(Cidrs),
        expires_at: Type.Optional(Expiry),
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'stale', 'proof_required'],
    async handle(tx, { params: { id }, body, actor }) {
      const { version, allowed_cidrs: allowedCidrs, expires_at: expiresAt, ...same } = body
      await updateKey(tx, actor, id, { ...same, allowedCidrs, expiresAt }, async (stored) => {
        if (stored.version === version) return
        throw new StaleRecord(itemOf(await tx.one(readApiKey(actor.policies), { id }), 'key'))
      })
      return shown(tx, actor, id)
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/api_keys/:id/rotate',
    summary: 'Rotate an API key',
    description: 'Answers a new key with the same rights. The former one expires after the overlap.',
    recentProof: true,
    shownOnce: ['key'],
    takes: {
      ...ofKey,
      body: Type.Object({ overlap_hours: Type.Integer({ minimum: 0, maximum: MOST_OVERLAP_HOURS }) }),
    },
    answers: MADE,
    errors: ['not_found', 'validation_failed', 'proof_required'],
    async handle(tx, input) {
      const { id } = input.params
      const made = await rotateApiKey(tx, input.actor, id, input.body.overlap_hours, operatorOf(input).name)
      return withAddress(made, input.publicUrl)
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/api_keys/:id',
    summary: 'Revoke an API key',
    description: 'For good; the key is refused within a second.',
    recentProof: true,
    takes: ofKey,
    answers: { status: 204, body: Type.Null(), description: 'The key was revoked.' },
    errors: ['not_found', 'proof_required'],
    async handle(tx, { params: { id } }) {
      await revokeKey(tx, id)
      return NO_BODY
    },
  }),
]
