import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { LANGUAGES, type Language } from '../../../platform/page/language.ts'
import type { Purpose } from '../message-kinds.ts'
import { type OwnTemplate, ownTemplates } from '../templates/own-templates.store.ts'
import { PLACEHOLDERS, purposeOf, TEMPLATE_KINDS, type TemplateKind } from '../templates/template-kinds.ts'
import { TEMPLATES } from '../templates/templates.ts'

/** A template as an operator looks at it. */
export type TemplateRow = {
  readonly kind: TemplateKind
  readonly locale: Language
  readonly purpose: Purpose
  /** Whether the words are the account's own. */
  readonly own: boolean
  readonly subject: string
}
export type WholeTemplate = TemplateRow & {
  readonly body: string
  readonly placeholders: readonly string[]
  /** Of the account's own; 0 for a built-in one. */
  readonly version: number
}

/** All templates, in every language, as the account has them. */
export async function wholeTemplates(reader: AccountReader): Promise<WholeTemplate[]> {
  const own = await reader.all(ownTemplates, { kinds: TEMPLATE_KINDS })
  return TEMPLATE_KINDS.flatMap((kind) => LANGUAGES.map((locale) => wholeOf(kind, locale, own)))
}
/** The same without their bodies. */
export async function templateRows(reader: AccountReader): Promise<TemplateRow[]> {
  const rows = await wholeTemplates(reader)
  return rows.map(({ body: _, placeholders: __, version: ___, ...row }) => row)
}

export async function wholeTemplate(
  reader: AccountReader,
  { kind, locale }: { kind: TemplateKind; locale: Language },
): Promise<WholeTemplate> {
  return wholeOf(kind, locale, await reader.all(ownTemplates, { kinds: [kind] }))
}

function wholeOf(kind: TemplateKind, locale: Language, own: readonly OwnTemplate[]): WholeTemplate {
  const saved = own.find((one) => one.kind === kind && one.locale === locale)
  const { subject, body } = saved ?? TEMPLATES[locale].templates[kind]
  return {
    kind,
    locale,
    purpose: purposeOf(kind),
    own: saved !== undefined,
    subject,
    body,
    placeholders: PLACEHOLDERS[kind],
    version: saved?.version ?? 0,
  }
}
