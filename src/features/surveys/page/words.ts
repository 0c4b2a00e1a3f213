import { CUSTOMS, type Custom, type Language } from '../../../platform/page/language.ts'
import type { NotFoundWords } from '../../../platform/page/not-found.ts'
import { KIND_WORDS } from '../../trip-pages/reads/kind-words.ts'

/** The texts of a survey page in one language. */
export type SurveyWords = Custom & {
  readonly language: Language
  readonly kinds: (typeof KIND_WORDS)[Language]
  readonly intro: string
  likely(agency: string): string
  readonly least: string
  readonly most: string
  readonly segments: string
  readonly rating: string
  readonly notRated: string
  outOfFive(rating: string): string
  day(number: number): string
  readonly comment: string
  readonly commentAdvice: string
  readonly trap: string
  readonly send: string
  readonly change: string
  readonly thanks: string
  readonly changeable: string
  closed(title: string): string
  /** The errors, above the form and next to its fields. */
  readonly wrong: string
  readonly choose: string
  readonly chooseRating: string
  tooLong(most: number): string
  wait(seconds: number): string
  readonly busy: string
  readonly notFound: NotFoundWords
}

export const SURVEY_WORDS: Readonly<Record<Language, SurveyWords>> = {
  en: {
    language: 'en',
    ...CUSTOMS.en,
    kinds: KIND_WORDS.en,
    intro: 'How was it? It takes two minutes. Only the first question needs an answer.',
    likely: (agency) => `How likely are you to recommend ${agency} to friends or colleagues?`,
    least: 'Not at all likely',
    most: 'Extremely likely',
    segments: 'How did you like it?',
    rating: 'From one star to five. Leave out whatever you like.',
    notRated: 'Not rated',
    outOfFive: (rating) => `${rating} of 5 stars`,
    day: (number) => `Day ${number}`,
    comment: 'Would you like to tell us anything else?',
    commentAdvice: 'Optional. What was wonderful, and what should we do better?',
    trap: 'Leave this field empty',
    send: 'Send',
    change: 'Change my answer',
    thanks: 'Thank you!',
    changeable: 'We have received your answer. You can change it below for 24 hours after you first sent it.',
    closed: (title) =>
      `We have received your answer about “${title}”, and it can no longer be changed. If there is something to add, simply reply to our mail.`,
    wrong: 'Your answer has not been sent yet. Please check the marked fields.',
    choose: 'Please choose a number from 0 to 10.',
    chooseRating: 'Please choose one star to five, or “Not rated”.',
    tooLong: (most) => `Please use at most ${most} characters.`,
    wait: (seconds) =>
      `Your answer was not sent, because there were too many attempts. Please try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    busy: 'We are very busy right now. What you wrote is still here: please send it once more in a moment.',
    notFound: {
      title: 'Survey not found',
      advice:
        'The link may be incomplete, or it is no longer valid. If you want to tell us something, reply to our mail.',
    },
  },
  tr: {
    language: 'tr',
    ...CUSTOMS.tr,
    kinds: KIND_WORDS.tr,
    intro: 'Nasıl geçti? Yalnızca iki dakikanızı alır. Sadece ilk sorunun yanıtlanması gerekir.',
    likely: (agency) => `${agency} acentesini arkadaşlarınıza veya iş arkadaşlarınıza önerme olasılığınız nedir?`,
    least: 'Hiç önermem',
    most: 'Kesinlikle öneririm',
    segments: 'Neyi ne kadar beğendiniz?',
    rating: 'Bir yıldızdan beş yıldıza kadar. İstediğinizi boş bırakabilirsiniz.',
    notRated: 'Puansız',
    outOfFive: (rating) => `5 yıldız üzerinden ${rating}`,
    day: (number) => `${number}. gün`,
    comment: 'Bize söylemek istediğiniz başka bir şey var mı?',
    commentAdvice: 'İsteğe bağlı. Neler harikaydı, neleri daha iyi yapmalıyız?',
    trap: 'Bu alanı boş bırakın',
    send: 'Gönder',
    change: 'Yanıtımı değiştir',
    thanks: 'Teşekkür ederiz!',
    changeable: 'Yanıtınızı aldık. İlk gönderiminizden sonraki 24 saat içinde aşağıdan değiştirebilirsiniz.',
    closed: (title) =>
      `“${title}” hakkındaki yanıtınızı aldık; artık değiştirilemez. Eklemek istediğiniz bir şey varsa e-postamızı yanıtlamanız yeterli.`,
    wrong: 'Yanıtınız henüz gönderilmedi. Lütfen işaretli yerlere bakın.',
    choose: 'Lütfen 0 ile 10 arasında bir sayı seçin.',
    chooseRating: 'Lütfen bir ile beş yıldız arasında ya da “Puansız” seçin.',
    tooLong: (most) => `Lütfen en fazla ${most} karakter kullanın.`,
    wait: (seconds) =>
      `Kısa sürede çok fazla gönderim yapıldığı için bu gönderilmedi. Lütfen ${seconds} saniye sonra yeniden deneyin.`,
    busy: 'Şu anda çok yoğunuz. Yazdıklarınız duruyor: lütfen birazdan yeniden gönderin.',
    notFound: {
      title: 'Anket bulunamadı',
      advice:
        'Bağlantı eksik olabilir ya da artık geçerli değil. Bize söylemek istediğiniz bir şey varsa e-postamızı yanıtlayın.',
    },
  },
}
