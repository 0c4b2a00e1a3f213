import type { Language } from '../../../platform/page/language.ts'
import { english } from './english.ts'
import type { Template, TemplateKind } from './template-kinds.ts'
import { turkish } from './turkish.ts'

type Words = {
  readonly templates: Readonly<Record<TemplateKind, Template>>
  /** Used for recipients without a known name. */
  greet(name: string | null): string
  /** The action at the address of a placeholder. */
  readonly buttons: Readonly<Record<string, string>>
  /** Below what advertises, and the link in it. */
  unsubscribe(agency: string, address: string): string
  readonly leave: string
}

/** The built-in templates, for accounts without their own. */
export const TEMPLATES: Readonly<Record<Language, Words>> = {
  en: {
    templates: english,
    buttons: {
      'survey.link': 'Tell us how it was',
      'invitation.link': 'Accept the invitation',
      'reset.link': 'Choose a new password',
      'email_change.link': 'Confirm the change',
    },
    leave: 'Unsubscribe',
    greet: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
    unsubscribe: (agency, address) =>
      `You receive this mail because you agreed to hear from ${agency}. If you no longer want to, unsubscribe here:\n${address}`,
  },
  tr: {
    templates: turkish,
    buttons: {
      'survey.link': 'Seyahatinizi değerlendirin',
      'invitation.link': 'Daveti kabul edin',
      'reset.link': 'Yeni şifre belirleyin',
      'email_change.link': 'Değişikliği onaylayın',
    },
    leave: 'Abonelikten çıkın',
    greet: (name) => (name === null ? 'Merhaba,' : `Merhaba ${name},`),
    unsubscribe: (agency, address) =>
      `Bu e-postayı, ${agency} tarafından gönderilen haberleri almayı kabul ettiğiniz için aldınız. Artık almak istemiyorsanız buradan vazgeçebilirsiniz:\n${address}`,
  },
}
