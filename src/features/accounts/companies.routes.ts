import Type, { type TSchema } from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { type Files, SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'
import { byId, itemOf } from '../../platform/http/by-id.ts'
import { listMembers, listOf, paging } from '../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { writeShape } from '../../records/attributes.ts'
import { GivenBankAccounts } from './bank-account.ts'
import { type LogoUpload, logoOf } from './commands/read-logo-upload.ts'
import { createCompany, setBankAccounts, updateCompany } from './commands/save-company.ts'
import { listAllCompanies, readCompany } from './companies.store.ts'
import { companyView } from './companies.view.ts'
import { addressParts, companyFields } from './company-fields.ts'
import { withLogoAddress } from './logo.ts'

const COMMON = {
  tag: { name: 'Companies', description: 'The legal entities of the account, and their branches.' },
  scope: null,
  policy: 'manage_settings',
} as const
const ofCompany = byId('company')
const Company = viewSchema(companyView, 'Company')
const whole = { status: 200, body: Type.Object({ data: Company }), description: 'The company.' } as const
const Version = Type.Integer({ minimum: 1, description: 'The version that was read.' })
const Logo = Type.Optional(
  Type.Union([Type.String({ maxLength: SIGNED_ID_MAXIMUM }), Type.Null()], {
    description: 'Signed id of an uploaded PNG, JPEG or WebP picture of at most 64 KB; null for none.',
  }),
)
const Attributes = {
  ...writeShape(companyFields),
  address: Type.Optional(Type.Union([Type.Object(writeShape(addressParts)), Type.Null()])),
}
const optional = (shapes: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(shapes).map(([name, schema]) => [name, Type.Optional(schema)]))
/** Attributes that the command reads, so that it answers every reason at once. */
const Unread = optional(Object.fromEntries(Object.keys(Attributes).map((name) => [name, Type.Unknown()])))
const Flags = { default: Type.Optional(Type.Boolean()), active: Type.Optional(Type.Boolean()) }

type Shown = Parameters<typeof withLogoAddress>[2]
async function itemFor(reader: AccountReader, { policies }: Actor, files: Files, id: string): Promise<JsonText<never>> {
  const item = itemOf(await reader.one(readCompany(policies), { id }), 'company')
  return jsonText(withLogoAddress(files, reader.account, JSON.parse(item) as Shown)) as JsonText<never>
}
const shown = async (reader: AccountReader, actor: Actor, files: Files, id: string) =>
  jsonObject({ data: await itemFor(reader, actor, files, id) })
const newLogo = (files: Files, upload: LogoUpload | null | undefined) =>
  upload === undefined ? undefined : { files, upload }
type Given = { readonly logo?: string | null | undefined }

export const companyRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/companies',
    summary: 'List companies',
    description: 'The default company first, then by name, the inactive ones too.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Company), description: 'A page of companies.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { actor, page, files }) {
      const { data, page: paged } = listMembers(page, await listAllCompanies(reader, actor.policies, page, {}))
      const items = (JSON.parse(data) as Shown[]).map((item) => withLogoAddress(files, actor.account, item))
      return jsonObject({ data: jsonText(items) as JsonText<never>, page: paged })
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/companies/:id',
    summary: 'Read a company',
    takes: ofCompany,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor, files }) => shown(reader, actor, files, params.id),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/companies',
    summary: 'Create a company',
    takes: {
      body: Type.Object({ ...Unread, logo: Logo }),
      bodyInDocument: Type.Object({ ...Attributes, logo: Logo }),
    },
    answers: { status: 201, body: Type.Object({ data: Company }), description: 'The company.' },
    errors: ['validation_failed'],
    prepare: ({ body, files, actor }, inTransaction) =>
      logoOf(inTransaction, files, actor.account, (body as Given).logo),
    async handle(tx, { body, actor, files }, upload) {
      const { logo: _, ...given } = body as Given & object
      const id = await createCompany(tx, given, newLogo(files, upload))
      return { body: await shown(tx, actor, files, id), location: `/companies/${id}` }
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/companies/:id',
    summary: 'Update or deactivate a company',
    description:
      'Omitted attributes keep their values. One company is always the default: make another one the default to change that. Country and currency stay once the company has bookings or documents.',
    takes: {
      ...ofCompany,
      body: Type.Object({ version: Version, ...Unread, logo: Logo, ...Flags }),
      bodyInDocument: Type.Object({ version: Version, ...optional(Attributes), logo: Logo, ...Flags }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'conflict', 'stale'],
    prepare: ({ body, files, actor }, inTransaction) =>
      logoOf(inTransaction, files, actor.account, (body as Given).logo),
    async handle(tx, { params: { id }, body, actor, files }, upload) {
      const { version, logo: _, ...given } = body as Given & { version: number }
      const check = async (stored: { version: number }) => {
        if (stored.version !== version) throw new StaleRecord(await itemFor(tx, actor, files, id))
      }
      await updateCompany(tx, id, given, { check, logo: newLogo(files, upload) })
      return shown(tx, actor, files, id)
    },
  }),
  route({
    ...COMMON,
    method: 'PUT',
    path: '/companies/:id/bank_accounts',
    summary: 'Replace the bank accounts of a company',
    description: 'Documents print them in this order. IBANs are checked by their check digits.',
    recentProof: true,
    takes: { ...ofCompany, body: Type.Object({ version: Version, bank_accounts: GivenBankAccounts }) },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'stale', 'proof_required'],
    async handle(tx, { params: { id }, body, actor, files }) {
      await setBankAccounts(tx, id, body.bank_accounts, async ({ version }) => {
        if (version !== body.version) throw new StaleRecord(await itemFor(tx, actor, files, id))
      })
      return shown(tx, actor, files, id)
    },
  }),
]
