import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { isPlan, PLANS } from '../../platform/access/plans.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { type Files, SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'
import { itemOf } from '../../platform/http/by-id.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { writeShape } from '../../records/attributes.ts'
import { agencyView, readAgency } from './agency.view.ts'
import { agencyFields } from './commands/read-account-change.ts'
import { logoOf } from './commands/read-logo-upload.ts'
import { setOwner } from './commands/set-owner.ts'
import { updateAccount } from './commands/update-account.ts'
import { withLogoAddress } from './logo.ts'

const COMMON = {
  tag: { name: 'Agency', description: 'The name and look of the agency, its plan and its use of it.' },
  scope: null,
  policy: 'manage_settings',
} as const
const MOST_KEY_LIFE_DAYS = 3650
const whole = {
  status: 200,
  body: Type.Object({ data: viewSchema(agencyView, 'Agency') }),
  description: 'The agency.',
} as const
const { name, ...others } = writeShape(agencyFields)

type Shown = Parameters<typeof withLogoAddress>[2] & { plan: { slug: string } }
async function agencyFor(reader: AccountReader, { policies }: Actor, files: Files): Promise<JsonText<never>> {
  const item = JSON.parse(itemOf(await reader.one(readAgency(policies), {}), 'agency')) as Shown
  const plan = PLANS[isPlan(item.plan.slug) ? item.plan.slug : 'starter']
  return jsonText({
    ...withLogoAddress(files, reader.account, item),
    plan: {
      ...item.plan,
      name: plan.name,
      requests_per_minute: plan.requestsPerMinute,
      features: [...plan.features],
    },
  }) as JsonText<never>
}
const shown = async (reader: AccountReader, actor: Actor, files: Files) =>
  jsonObject({ data: await agencyFor(reader, actor, files) })

/** Refuses to change an agency that was changed since this version; answers the current one. */
const refuseStale =
  (version: number, current: () => Promise<JsonText<never>>) =>
  async (stored: { readonly version: number }): Promise<void> => {
    if (stored.version !== version) throw new StaleRecord(await current())
  }

export const agencyRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/agency',
    summary: 'Read the agency',
    takes: {},
    answers: whole,
    errors: [],
    handle: (reader, { actor, files }) => shown(reader, actor, files),
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/agency',
    summary: 'Update the agency',
    description:
      'Omitted attributes keep their values. Plan, usage and mail domains are set by the operator of the cell.',
    takes: {
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Type.Optional(name as Exclude<typeof name, undefined>),
        ...others,
        accent_color: Type.Optional(
          Type.Union([Type.String({ maxLength: 7 }), Type.Null()], { description: '`#rrggbb`; null for the default.' }),
        ),
        logo: Type.Optional(
          Type.Union([Type.String({ maxLength: SIGNED_ID_MAXIMUM }), Type.Null()], {
            description:
              'Signed id of an uploaded PNG, JPEG or WebP picture of at most 64 KB and 16 to 2000 pixels on each side; null for none.',
          }),
        ),
        locale: Type.Optional(Type.String({ maxLength: 10 })),
        time_zone: Type.Optional(Type.String({ maxLength: 100 })),
        key_life_days: Type.Optional(
          Type.Union([Type.Integer({ minimum: 1, maximum: MOST_KEY_LIFE_DAYS }), Type.Null()]),
        ),
      }),
    },
    answers: whole,
    errors: ['validation_failed', 'stale'],
    prepare: ({ body, files, actor }, inTransaction) => logoOf(inTransaction, files, actor.account, body.logo),
    async handle(tx, { body, actor, files }, logo) {
      const { version, logo: _, accent_color, time_zone, key_life_days, locale, ...own } = body
      const change = {
        ...(own as Record<string, string | null>),
        ...(accent_color !== undefined && { accent: accent_color }),
        ...(time_zone !== undefined && { timeZone: time_zone }),
        ...(locale !== undefined && { locale }),
        ...(key_life_days !== undefined && { keyLife: key_life_days ?? 0 }),
      }
      const check = refuseStale(version, () => agencyFor(tx, actor, files))
      await updateAccount(tx, change, { check, logo: logo === undefined ? undefined : { files, upload: logo } })
      return shown(tx, actor, files)
    },
  }),
  route({
    ...COMMON,
    method: 'PUT',
    path: '/agency/sign_in_rules',
    summary: 'Change the sign-in rules',
    description:
      'With `second_factor_required`, a session without a second factor can only set one up. It applies to running sessions too.',
    recentProof: true,
    takes: {
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version of the agency that was read.' }),
        second_factor_required: Type.Boolean(),
      }),
    },
    answers: whole,
    errors: ['stale', 'proof_required'],
    async handle(tx, { body: { version, second_factor_required: isRequired }, actor, files }) {
      const change = { secondFactor: isRequired ? 'required' : 'optional' } as const
      await updateAccount(tx, change, { check: refuseStale(version, () => agencyFor(tx, actor, files)) })
      return shown(tx, actor, files)
    },
  }),
  route({
    ...COMMON,
    policy: 'manage_people',
    method: 'PUT',
    path: '/agency/owner',
    summary: 'Choose the owner that keys act as',
    description:
      'API keys without a role act as this owner. The editor holds all policies of an owner, and the seat is an active owner.',
    recentProof: true,
    takes: { body: Type.Object({ seat_id: Uuid }) },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ owner_id: Uuid }) }),
      description: 'The owner.',
    },
    errors: ['not_found', 'validation_failed', 'proof_required'],
    async handle(tx, { body: { seat_id }, actor }) {
      await setOwner(tx, actor, seat_id)
      return jsonText({ data: { owner_id: seat_id.toLowerCase() } })
    },
  }),
]
