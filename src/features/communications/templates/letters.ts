import type { Language } from '../../../platform/page/language.ts'
import { fill, type Values } from './fill.ts'
import { lettered } from './layout.ts'
import type { OwnTemplate } from './own-templates.store.ts'
import type { TemplateKind } from './template-kinds.ts'
import { WORDS } from './templates.ts'

/** What a mail says, in both forms. */
export type Letter = { readonly subject: string; readonly plain: string; readonly html: string }
/** What a mail is written of. */
export type Asked = {
  readonly kind: TemplateKind
  readonly language: Language
  readonly agency: string
  readonly values: Values
  /** Where the reader unsubscribes; null for what does not advertise. */
  readonly unsubscribe: string | null
}

/** Writes mails by the account's own words, and by the program's where it has none. */
export function writerOf(own: readonly OwnTemplate[]): (asked: Asked) => Letter {
  return ({ kind, language, agency, values, unsubscribe }) => {
    const { templates, unsubscribe: parting } = WORDS[language]
    const template = own.find((one) => one.kind === kind && one.locale === language) ?? templates[kind]
    const { subject, plain } = fill(template, { ...values, 'agency.name': agency })
    const small = unsubscribe === null ? null : parting(agency, unsubscribe)
    return {
      subject,
      plain: small === null ? plain : `${plain}\n\n${small}`,
      html: lettered({ language, agency, plain, small }),
    }
  }
}
