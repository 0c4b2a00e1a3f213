/** A language that the program speaks to people: in pages, and in what it sends. */
export const LANGUAGES = ['en', 'tr'] as const
export type Language = (typeof LANGUAGES)[number]

/** The locale of days, times and amounts, as a language tag. */
export type Custom = { readonly locale: string }
export const CUSTOMS: Readonly<Record<Language, Custom>> = { en: { locale: 'en-GB' }, tr: { locale: 'tr' } }

/** The language of a tag, `tr-TR` for one; English where the program does not speak it. */
export const languageOf = (tag: string): Language => (/^tr(?![a-z])/i.test(tag.trim()) ? 'tr' : 'en')

/** The language of the first tag of `Accept-Language`. Browsers list the preferred one first, so weights are not read. */
export const languageOfVisitor = (acceptLanguage: string | undefined): Language => languageOf(acceptLanguage ?? '')
