import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { LANGUAGES, type Language } from '../../../platform/page/language.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { dropTemplate, keepTemplate, type OwnTemplate, ownTemplates } from '../templates/own-templates.store.ts'
import { readTemplate } from '../templates/read-template.ts'
import { TEMPLATE_KINDS, type Template, type TemplateKind } from '../templates/template-kinds.ts'

export type NamedTemplate = { readonly kind: TemplateKind; readonly locale: Language }
/** Of a built-in template. */
const NO_VERSION = 0

const lockTemplates = statement(
  { account: pg.integer },
  { pg_advisory_xact_lock: pg.nothing },
  `select pg_advisory_xact_lock(hashtext('templates'), $account::integer)`,
)

/** Reads what a template is named by. */
export function templateNamed(kind: string, locale: string): NamedTemplate {
  const known = TEMPLATE_KINDS.find((one) => one === kind)
  if (!known)
    throw new RecordNotFound('template', `No template ${kind} exists. Choose one of ${TEMPLATE_KINDS.join(', ')}.`)
  const language = LANGUAGES.find((one) => one === locale)
  if (!language)
    throw new RecordNotFound('template', `No templates exist in ${locale}. Choose one of ${LANGUAGES.join(', ')}.`)
  return { kind: known, locale: language }
}

/** Saves the account's own template for a kind of message. `check` looks at the version of the stored one first. */
export async function saveTemplate(
  tx: AccountTx,
  named: NamedTemplate,
  given: Template,
  check?: (version: number) => Promise<void>,
): Promise<void> {
  const own = await lockOwn(tx, named)
  await check?.(own?.version ?? NO_VERSION)
  const { template, reasons } = readTemplate(named.kind, given)
  refuseValues(reasons)
  tx.later(keepTemplate, { ...named, ...template })
  noteDown(tx, named, 'template.saved', own, template)
}

/** Deletes the template, so that the built-in one is used again. False if there was none. */
export async function resetTemplate(tx: AccountTx, named: NamedTemplate): Promise<boolean> {
  const own = await lockOwn(tx, named)
  if (!own) return false
  tx.later(dropTemplate, named)
  noteDown(tx, named, 'template.reset', own, null)
  return true
}

/** The account's own template. A first one has no row to lock, so writers of all templates take turns. */
async function lockOwn(tx: AccountTx, { kind, locale }: NamedTemplate): Promise<OwnTemplate | undefined> {
  tx.later(lockTemplates, {})
  return (await tx.all(ownTemplates, { kinds: [kind] })).find((own) => own.locale === locale)
}

const textsOf = (template: Template | null | undefined) => ({
  subject: template?.subject ?? null,
  body: template?.body ?? null,
})
const noteDown = (
  tx: AccountTx,
  { kind, locale }: NamedTemplate,
  action: string,
  before: Template | undefined,
  after: Template | null,
) =>
  auditOwn(tx, {
    action,
    subjectType: 'template',
    subjectId: `${kind} ${locale}`,
    before: textsOf(before),
    after: textsOf(after),
  })
