import type { Language } from '../../../platform/page/language.ts'
import { english } from './english.ts'
import type { Template, TemplateKind } from './template-kinds.ts'
import { turkish } from './turkish.ts'

type Words = {
  readonly templates: Readonly<Record<TemplateKind, Template>>
  /** To somebody of whom no name is known, where there is none. */
  greet(name: string | null): string
  /** Below what advertises. */
  unsubscribe(agency: string, address: string): string
}

/** What the program says where the account has no words of its own. */
export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    templates: english,
    greet: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
    unsubscribe: (agency, address) =>
      `You receive this mail because you agreed to hear from ${agency}. If you no longer want to, unsubscribe here:\n${address}`,
  },
  tr: {
    templates: turkish,
    greet: (name) => (name === null ? 'Merhaba,' : `Merhaba ${name},`),
    unsubscribe: (agency, address) =>
      `Bu e-postayı, ${agency} tarafından gönderilen haberleri almayı kabul ettiğiniz için aldınız. Artık almak istemiyorsanız buradan vazgeçebilirsiniz:\n${address}`,
  },
}
