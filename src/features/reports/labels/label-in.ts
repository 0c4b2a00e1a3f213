import { type Language, languageOf } from '../../../platform/page/language.ts'
import { TURKISH } from './turkish.ts'

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, tr: TURKISH }

/** A label, which is declared in English, in the language of a locale. */
export const labelIn = (locale: string, label: string): string => TEXTS[languageOf(locale)][label] ?? label
