import type { Language } from '../../../platform/page/language.ts'
import { fill, type PlaceholderValues } from './fill.ts'
import { mailLayout } from './layout.ts'
import type { OwnTemplate } from './own-templates.store.ts'
import type { TemplateKind } from './template-kinds.ts'
import { TEMPLATES } from './templates.ts'

/** The text of a mail, in both formats. */
export type MailText = { readonly subject: string; readonly plain: string; readonly html: string }
/** What a mail is written of. */
export type TemplateInput = {
  readonly kind: TemplateKind
  readonly language: Language
  readonly agency: string
  /** Its colour, `#rrggbb`; null for the program’s own. */
  readonly accent: string | null
  readonly values: PlaceholderValues
  /** Where the reader unsubscribes; null for what does not advertise. */
  readonly unsubscribe: string | null
}

/** Writes mails with the account's templates, or the built-in ones. */
export function mailRenderer(own: readonly OwnTemplate[]): (asked: TemplateInput) => MailText {
  return ({ kind, language, agency, accent, values, unsubscribe }) => {
    const { templates, buttons, unsubscribe: parting, leave } = TEMPLATES[language]
    const template = own.find((one) => one.kind === kind && one.locale === language) ?? templates[kind]
    const { subject, plain } = fill(template, { ...values, 'agency.name': agency })
    const small = unsubscribe === null ? null : parting(agency, unsubscribe)
    const labels = new Map([
      ...Object.entries(buttons).flatMap(([name, label]) => (values[name] ? [[values[name], label] as const] : [])),
      ...(unsubscribe === null ? [] : [[unsubscribe, leave] as const]),
    ])
    return {
      subject,
      plain: small === null ? plain : `${plain}\n\n${small}`,
      html: mailLayout({ language, agency, accent, plain, small, labels }),
    }
  }
}
