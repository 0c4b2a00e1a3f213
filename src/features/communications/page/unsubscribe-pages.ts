import { type Page, smallDocumentOf } from '../../../platform/page/document.ts'
import { html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import type { AgencyLook } from '../../../platform/page/look.ts'
import type { NotFoundWords } from '../../../platform/page/not-found.ts'

type Words = {
  readonly title: string
  asked(agency: string): string
  readonly button: string
  readonly done: string
  kept(agency: string): string
  readonly notFound: NotFoundWords
}

export const UNSUBSCRIBE_WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Unsubscribe',
    asked: (agency) => `Do you no longer want to receive offers and greetings from ${agency}?`,
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    kept: (agency) =>
      `You will receive no more offers and greetings from ${agency}. Messages about trips that you have booked still reach you.`,
    notFound: {
      title: 'This link does not work',
      advice:
        'It may be incomplete. Please open it from the mail again, or reply to the mail: your travel agency will help.',
    },
  },
  tr: {
    title: 'Abonelikten çık',
    asked: (agency) => `${agency} tarafından gönderilen teklif ve kutlamaları artık almak istemiyor musunuz?`,
    button: 'Abonelikten çık',
    done: 'Abonelikten çıktınız',
    kept: (agency) =>
      `${agency} artık size teklif ve kutlama göndermeyecek. Satın aldığınız seyahatlerle ilgili mesajlar size ulaşmaya devam edecek.`,
    notFound: {
      title: 'Bu bağlantı çalışmıyor',
      advice:
        'Bağlantı eksik olabilir. Lütfen e-postadan yeniden açın ya da e-postayı yanıtlayın; seyahat acenteniz yardımcı olacaktır.',
    },
  },
}

/**
 * Asks for confirmation, since the visitor may not be the reader of the mail. The form is sent to the address of the
 * page itself.
 */
export function askingPage(language: Language, look: AgencyLook): Page {
  const { title, asked, button } = UNSUBSCRIBE_WORDS[language]
  return smallDocumentOf(
    { language, title, look },
    html`<p dir="auto">${asked(look.agency)}</p>
<form method="post"><button class="button">${button}</button></form>`,
  )
}

export function donePage(language: Language, look: AgencyLook): Page {
  const { done, kept } = UNSUBSCRIBE_WORDS[language]
  return smallDocumentOf({ language, title: done, look }, html`<p dir="auto" role="status">${kept(look.agency)}</p>`)
}
