import { type Html, type HtmlContent, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import type { NotFoundWords } from '../../../platform/page/not-found.ts'

/** The texts of the referral pages in one language. The agency's name is markup, because of its writing direction. */
export type ReferralWords = {
  readonly title: string
  welcome(agency: HtmlContent): Html
  readonly you: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly either: string
  readonly trip: string
  readonly destinations: string
  readonly places: string
  readonly departure: string
  readonly back: string
  readonly flexible: string
  readonly party: string
  readonly message: string
  readonly wishes: string
  consent(agency: HtmlContent): Html
  readonly send: string
  readonly trap: string
  readonly problem: Problems
  readonly again: {
    readonly flawed: string
    readonly early: string
    readonly late: string
    readonly busy: string
    tooMany(agency: HtmlContent): Html
  }
  readonly thanks: { readonly title: string; text(agency: HtmlContent): Html }
  readonly notFound: NotFoundWords
}
/** By error code; `other` for errors that a person cannot cause by typing. */
type Problems = {
  readonly required: string
  readonly unreachable: string
  readonly invalid_email: string
  readonly invalid_phone: string
  readonly too_long: string
  readonly invalid_date: string
  readonly before_departure: string
  readonly invalid_integer: string
  readonly out_of_range: string
  readonly other: string
}

const english: ReferralWords = {
  title: 'Where would you like to go?',
  welcome: (agency) =>
    html`Tell ${agency} what you have in mind: a travel advisor will read it and answer you personally. Your name and one way to reach you are enough for a start.`,
  you: 'How can we reach you?',
  name: 'Your name',
  email: 'E-mail',
  phone: 'Phone',
  either: 'An e-mail address or a phone number; one of the two is enough.',
  trip: 'What do you have in mind?',
  destinations: 'Where to',
  places: 'A country or a city; separate several with commas.',
  departure: 'Leaving',
  back: 'Coming back',
  flexible: 'These days are flexible',
  party: 'How many people',
  message: 'What else should we know?',
  wishes: 'Wishes, occasions, ages of children, your budget.',
  consent: (agency) => html`${agency} uses what you write here only to answer you.`,
  send: 'Send',
  trap: 'Please leave this empty',
  problem: {
    required: 'Please tell us your name.',
    unreachable: 'Please give us an e-mail address or a phone number, so that we can answer you.',
    invalid_email: 'This e-mail address is incomplete. It should look like name@example.com.',
    invalid_phone: 'This number cannot be dialled. Please write it with its country code: +90 532 123 45 67.',
    too_long: 'This text is too long. Please shorten it.',
    invalid_date: 'This date does not exist. Please write it like 2030-05-31.',
    before_departure: 'This is before your departure.',
    invalid_integer: 'Please write this as a number, such as 2.',
    out_of_range: 'Please write this as a number, such as 2.',
    other: 'We cannot read this text. Please write it again.',
  },
  again: {
    flawed: 'Almost there: please check the marked fields.',
    early: 'That was quick! Please check what you wrote and send it once more.',
    late: 'This page has been open for a while. What you wrote is still here: please send it once more.',
    busy: 'We are very busy right now. What you wrote is still here: please send it once more in a moment.',
    tooMany: (agency) =>
      html`Thank you. ${agency} has received many enquiries from here today and cannot accept more. What you wrote is still below: please send it again tomorrow.`,
  },
  thanks: {
    title: 'Thank you!',
    text: (agency) => html`${agency} has your message. A travel advisor will get back to you soon.`,
  },
  notFound: {
    title: 'Page not found',
    advice: 'The address may be incomplete or no longer in use. Please ask for a new one where you received it.',
  },
}

const turkish: ReferralWords = {
  title: 'Nereye gitmek istersiniz?',
  welcome: (agency) =>
    html`Aklınızdaki seyahati ${agency} ile paylaşın: bir seyahat danışmanı yazdıklarınızı okuyup size özel olarak yanıtlayacak. Başlamak için adınız ve size ulaşabileceğimiz bir yol yeterli.`,
  you: 'Size nasıl ulaşalım?',
  name: 'Adınız soyadınız',
  email: 'E-posta',
  phone: 'Telefon',
  either: 'E-posta ya da telefon: ikisinden biri yeterli.',
  trip: 'Aklınızda ne var?',
  destinations: 'Nereye',
  places: 'Bir ülke ya da şehir; birden fazlaysa virgülle ayırın.',
  departure: 'Gidiş',
  back: 'Dönüş',
  flexible: 'Tarihlerim esnek',
  party: 'Kaç kişi',
  message: 'Başka ne bilmeliyiz?',
  wishes: 'İstekleriniz, özel günler, çocukların yaşları, bütçeniz.',
  consent: (agency) => html`${agency}, burada yazdıklarınızı yalnızca size yanıt vermek için kullanır.`,
  send: 'Gönder',
  trap: 'Lütfen burayı boş bırakın',
  problem: {
    required: 'Lütfen adınızı yazın.',
    unreachable: 'Size yanıt verebilmemiz için lütfen bir e-posta adresi ya da telefon numarası yazın.',
    invalid_email: 'Bu, tam bir e-posta adresi değil. Örnek: ad@example.com.',
    invalid_phone: 'Bu numara aranamıyor. En iyisi ülke koduyla yazmak: +90 532 123 45 67.',
    too_long: 'Bu metin çok uzun. Lütfen kısaltın.',
    invalid_date: 'Takvimde böyle bir gün yok. Lütfen 2030-05-31 biçiminde yazın.',
    before_departure: 'Bu tarih, gidiş gününden önce.',
    invalid_integer: 'Lütfen bunu 2 gibi bir sayı olarak yazın.',
    out_of_range: 'Lütfen bunu 2 gibi bir sayı olarak yazın.',
    other: 'Burada okuyamadığımız bir şey var. Lütfen yeniden yazın.',
  },
  again: {
    flawed: 'Az kaldı: lütfen işaretli yerlere bakın.',
    early: 'Çok hızlısınız! Lütfen yazdıklarınıza bir göz atıp yeniden gönderin.',
    late: 'Bu sayfa bir süredir açık. Yazdıklarınız duruyor: lütfen yeniden gönderin.',
    busy: 'Şu anda çok yoğunuz. Yazdıklarınız duruyor: lütfen birazdan yeniden gönderin.',
    tooMany: (agency) =>
      html`Teşekkür ederiz. ${agency} bugün buradan çok sayıda mesaj aldı ve yenisini alamıyor. Yazdıklarınız aşağıda duruyor: lütfen yarın yeniden gönderin.`,
  },
  thanks: {
    title: 'Teşekkür ederiz!',
    text: (agency) => html`${agency} mesajınızı aldı. Bir seyahat danışmanı yakında size dönüş yapacak.`,
  },
  notFound: {
    title: 'Sayfa bulunamadı',
    advice: 'Adres eksik olabilir ya da artık kullanılmıyor olabilir. Lütfen adresi aldığınız yerden yeniden isteyin.',
  },
}

export const REFERRAL_WORDS: Readonly<Record<Language, ReferralWords>> = { en: english, tr: turkish }
