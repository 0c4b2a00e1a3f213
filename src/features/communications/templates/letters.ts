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
  /** Its colour, `#rrggbb`; null for the program’s own. */
  readonly accent: string | null
  readonly values: Values
  /** Where the reader unsubscribes; null for what does not advertise. */
  readonly unsubscribe: string | null
}

/** Writes mails by the account's own words, and by the program's where it has none. */
export function writerOf(own: readonly OwnTemplate[]): (asked: Asked) => Letter {
  return ({ kind, language, agency, accent, values, unsubscribe }) => {
    const { templates, buttons, unsubscribe: parting, leave } = WORDS[language]
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
      html: lettered({ language, agency, accent, plain, small, labels }),
    }
  }
}
