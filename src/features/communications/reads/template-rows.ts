import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { LANGUAGES, type Language } from '../../../platform/page/language.ts'
import { type OwnTemplate, ownTemplates } from '../templates/own-templates.store.ts'
import { PLACEHOLDERS, purposeOf, TEMPLATE_KINDS, type TemplateKind } from '../templates/template-kinds.ts'
import { TEMPLATES } from '../templates/templates.ts'

/** A template as an operator looks at it. */
export type TemplateRow = {
  readonly kind: TemplateKind
  readonly locale: Language
  readonly purpose: string
  /** Whether the words are the account's own. */
  readonly own: boolean
  readonly subject: string
}
export type WholeTemplate = TemplateRow & { readonly body: string; readonly placeholders: readonly string[] }

/** All templates, in every language, as the account has them. */
export async function templateRows(tx: SystemTx, account: number): Promise<TemplateRow[]> {
  const own = await tx.all(ownTemplates, { account, kinds: TEMPLATE_KINDS })
  return TEMPLATE_KINDS.flatMap((kind) => LANGUAGES.map((locale) => wholeOf(kind, locale, own))).map(
    ({ body: _, placeholders: __, ...row }) => row,
  )
}

export async function wholeTemplate(
  tx: SystemTx,
  { account, kind, locale }: { account: number; kind: TemplateKind; locale: Language },
): Promise<WholeTemplate> {
  return wholeOf(kind, locale, await tx.all(ownTemplates, { account, kinds: [kind] }))
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
  }
}
