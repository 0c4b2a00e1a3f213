import { UserError } from '../../../platform/user-error.ts'

const LOCALE = /^[a-z]{2}(?:-[A-Z]{2})?$/

export const isLocale = (text: string): boolean => LOCALE.test(text)

/** Refuses an unknown language, or a language that lacks the country's formats. */
export function checkLocale(locale: string): void {
  if (!isLocale(locale))
    throw new UserError('invalid_value', `${locale} is not a language. Use a tag such as tr or tr-TR.`)
}
