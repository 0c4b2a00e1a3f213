import { documentOf } from '../../../platform/page/document.ts'
import { type Html, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'

type Words = {
  readonly title: string
  asked(agency: string): string
  readonly button: string
  readonly done: string
  kept(agency: string): string
  readonly notFound: string
  readonly advice: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Unsubscribe',
    asked: (agency) => `Do you no longer want to receive offers and greetings from ${agency}?`,
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    kept: (agency) =>
      `You will receive no more offers and greetings from ${agency}. Messages about trips that you have booked still reach you.`,
    notFound: 'This link does not work',
    advice:
      'It may be incomplete. Please open it from the mail again, or reply to the mail: your travel agency will help.',
  },
  tr: {
    title: 'Abonelikten çık',
    asked: (agency) => `${agency} tarafından gönderilen teklif ve kutlamaları artık almak istemiyor musunuz?`,
    button: 'Abonelikten çık',
    done: 'Abonelikten çıktınız',
    kept: (agency) =>
      `${agency} artık size teklif ve kutlama göndermeyecek. Satın aldığınız seyahatlerle ilgili mesajlar size ulaşmaya devam edecek.`,
    notFound: 'Bu bağlantı çalışmıyor',
    advice:
      'Bağlantı eksik olabilir. Lütfen e-postadan yeniden açın ya da e-postayı yanıtlayın; seyahat acenteniz yardımcı olacaktır.',
  },
}

const alone = (language: Language, title: string, below: Html): Html =>
  documentOf(
    language,
    title,
    html`<main class="alone"><h1>${title}</h1>
${below}</main>`,
  )

/** Asks, since whoever follows a link need not be the reader. It is sent to the address of the page itself. */
export function askingPage(language: Language, agency: string): Html {
  const { title, asked, button } = WORDS[language]
  return alone(
    language,
    title,
    html`<p dir="auto">${asked(agency)}</p>
<form method="post"><button class="button">${button}</button></form>`,
  )
}

export function donePage(language: Language, agency: string): Html {
  const { done, kept } = WORDS[language]
  return alone(language, done, html`<p dir="auto" role="status">${kept(agency)}</p>`)
}

export function notFoundPage(language: Language): Html {
  const { notFound, advice } = WORDS[language]
  return alone(language, notFound, html`<p>${advice}</p>`)
}
